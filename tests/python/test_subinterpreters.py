# SPDX-License-Identifier: Apache-2.0
"""Importing the package in a sub-interpreter is refused with an explanation."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

IN_A_SUBINTERPRETER = """
import sys
import _testcapi
{first}
code = '''
import sys, warnings
warnings.simplefilter("ignore")  # of NumPy's
sys.path[:0] = PATH
try:
    {statement}
except ImportError as error:
    print(error)
'''
if _testcapi.run_in_subinterp(code.replace("PATH", repr(sys.path))) != 0:
    sys.exit("the sub-interpreter failed")
"""


@pytest.mark.parametrize("first", ["", "import pointsman"], ids=["first", "second"])
@pytest.mark.parametrize(
    "module",
    ["pointsman", *[f"pointsman.{name}" for name in ("_core", "_algorithm", "_demo", "_opencl")]],
)
def test_an_import_in_a_sub_interpreter_says_where_to_import(first: str, module: str):
    pytest.importorskip("_testcapi")
    if importlib.util.find_spec(module) is None:
        pytest.skip(f"{module} was not built")
    code = IN_A_SUBINTERPRETER.format(first=first, statement=f"import {module}")
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert finished.returncode == 0, finished.stderr
    # From pybind11 3 and CPython 3.13 on, Python refuses the modules itself.
    assert finished.stdout.startswith(
        (
            "pointsman cannot be imported in a sub-interpreter: ",
            "module pointsman._core does not support loading in subinterpreters",
        )
    )
