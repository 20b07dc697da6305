# SPDX-License-Identifier: Apache-2.0
"""The examples in public docstrings run; every public class has one."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from test_exports import NEEDS, PUBLIC_MODULES

import pointsman as pm


def documented_objects() -> Iterator[tuple[str, Any]]:
    """Each public module, and each public class and function once, under the first of its names."""
    seen = set()
    for module_name in PUBLIC_MODULES:
        if module_name == "pointsman.testing.plugin":
            continue  # hooks that only pytest calls, and only if it loads the module itself
        try:
            module = importlib.import_module(module_name)
        except ImportError:
            assert module_name in NEEDS
            continue
        yield module_name, module
        for name in module.__all__:
            found = getattr(module, name)
            if (inspect.isclass(found) or inspect.isroutine(found)) and id(found) not in seen:
                seen.add(id(found))
                yield f"{module_name}.{name}", found


OBJECTS = dict(documented_objects())
CLASSES = {name: found for name, found in OBJECTS.items() if inspect.isclass(found)}


def examples_of(name: str, documented: Any) -> list[doctest.DocTest]:
    """The docstrings of a class and its members, of a function, or of a module without its members,
    as examples for which ``pm`` and ``np`` are imported."""
    finder = doctest.DocTestFinder(recurse=not inspect.ismodule(documented))
    names = {"pm": pm, "np": np, "__name__": "examples"}
    return finder.find(documented, name, module=False, globs=names)


DOCSTRINGS = {
    docstring.name: docstring
    for name, documented in OBJECTS.items()
    for docstring in examples_of(name, documented)
}
EXAMPLES = {name: docstring for name, docstring in DOCSTRINGS.items() if docstring.examples}


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_class_has_an_example(name):
    if name.startswith("pointsman.opencl.") and CLASSES[name].__module__ == "pointsman._no_opencl":
        pytest.skip("this build has no OpenCL")
    assert any(
        line.startswith(">>> ") for line in inspect.getdoc(CLASSES[name]).splitlines()
    ), f"the docstring of {name} lacks an example (>>> ...)"


def test_code_in_docstrings_is_written_as_examples_that_run():
    not_run = re.compile(r"::\s*$|^\s*Example", re.MULTILINE)
    named = [name for name, each in DOCSTRINGS.items() if not_run.search(each.docstring)]
    assert not named, "write `>>> ` before each line of code"


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_runs(name: str, request: pytest.FixtureRequest):
    example = EXAMPLES[name]
    if any("opencl" in each.source for each in example.examples):
        request.getfixturevalue("opencl_queue")
    if any("distributed" in each.source for each in example.examples):
        pytest.importorskip("distributed")
    if "history" in name.lower():
        pytest.importorskip("pointsman._history")
    if any("pm.plot" in each.source for each in example.examples):
        pytest.importorskip("matplotlib").use("agg")
    printed: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    failed = runner.run(example, out=printed.append).failed
    assert failed == 0, "".join(printed)
