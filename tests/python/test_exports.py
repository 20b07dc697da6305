# SPDX-License-Identifier: Apache-2.0
"""The package's public names, its tree of errors, and what an import does not load."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import CancelledError
from pkgutil import walk_packages

import pytest

import pointsman as pm

PUBLIC_MODULES = [
    "pointsman",
    "pointsman.algorithm",
    "pointsman.dask",
    "pointsman.demo",
    "pointsman.error",
    "pointsman.execution",
    "pointsman.executors",
    "pointsman.joblib_backend",
    "pointsman.opencl",
    "pointsman.plot",
    "pointsman.testing",
    "pointsman.testing.conformance",
    "pointsman.testing.plugin",
]
NEEDS = {"pointsman.joblib_backend": "joblib"}


def test_every_exported_name_exists_and_has_a_docstring():
    assert sorted(set(pm.__all__)) == pm.__all__
    for name in pm.__all__:
        assert getattr(pm, name).__doc__, name


def test_every_module_is_public_or_begins_with_an_underscore():
    found = [each.name for each in walk_packages(pm.__path__, "pointsman.", onerror=fail)]
    shown = {name for name in found if not any(part.startswith("_") for part in name.split("."))}
    assert shown == set(PUBLIC_MODULES) - {"pointsman"}


def fail(name: str) -> None:
    raise ImportError(f"{name} cannot be imported")


@pytest.mark.parametrize("name", PUBLIC_MODULES)
def test_a_public_module_shows_only_its_public_names(name):
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    program = f"import {name} as module; print(*module.__all__); print(*dir(module))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    listed, shown = (line.split() for line in run.stdout.splitlines())
    assert listed
    assert {each for each in shown if not each.startswith("_")} == set(listed)


def test_errors_are_a_tree_whose_members_are_built_in_exceptions_too():
    for name, builtin in {
        "EmptyResourceSetError": ValueError,
        "ResourceIndexError": IndexError,
        "InvalidOptionError": ValueError,
        "UnsatisfiedReportingError": RuntimeError,
        "NotInitializedError": RuntimeError,
        "ForkedProcessError": RuntimeError,
        "ForeignResourceError": ValueError,
        "UnsuitableResourcesError": RuntimeError,
        "OpenCLError": RuntimeError,
        "SubmitTimeoutError": TimeoutError,
        "WaitTimeoutError": TimeoutError,
        "UnexpectedReportError": RuntimeError,
        "WorkCancelledError": CancelledError,
        "TraceInProgressError": RuntimeError,
        "HistoryError": RuntimeError,
        "SeveralFailuresError": Exception,
    }.items():
        assert issubclass(getattr(pm, name), (pm.Error,))
        assert issubclass(getattr(pm, name), builtin)
    assert issubclass(pm.BuildError, pm.OpenCLError)


def test_every_error_is_drawn_in_the_tree_and_exported():
    from pointsman import error

    for name in error.__all__:
        assert name in error.__doc__
        assert name in pm.__all__
    drawn = {name for name in vars(error) if name.endswith(("Error", "Warning"))}
    assert drawn == set(error.__all__)


def test_importing_the_package_opens_no_opencl_driver():
    program = (
        "import pointsman\n"
        "maps = open('/proc/self/maps').read()\n"
        "assert 'libpocl' not in maps and 'libnvidia-opencl' not in maps\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_importing_the_package_does_not_load_the_sorting_code():
    program = (
        "import sys, numpy, pointsman\n"
        "assert 'pointsman._algorithm' not in sys.modules\n"
        "pointsman.sort(pointsman.seq, numpy.ones(2))\n"
        "assert 'pointsman._algorithm' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_importing_the_package_does_not_import_dask():
    program = (
        "import sys, pointsman\n"
        "assert pointsman.dask.workers\n"
        "assert not {'dask', 'distributed'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
