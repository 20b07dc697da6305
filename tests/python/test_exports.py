# SPDX-License-Identifier: Apache-2.0
"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import CancelledError

import pointsman as pm


def test_every_exported_name_exists_and_has_a_docstring():
    assert sorted(set(pm.__all__)) == pm.__all__
    for name in pm.__all__:
        assert getattr(pm, name).__doc__, name


def test_nothing_public_is_left_out_of_all():
    modules = {"backend", "discover", "error", "policy", "selection", "tables", "waitable"}
    modules |= {"algorithm", "execution"}
    modules |= {"annotations", "demo", "devices", "properties", "representation", "testing"}
    modules |= {"awaiting", "executor", "explanation", "joblib_backend", "options", "verbs"}
    public = {name for name in vars(pm) if not name.startswith("_")}
    assert public - set(pm.__all__) - modules == set()


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


def test_importing_the_package_leaves_what_sorts_to_the_first_sort():
    program = (
        "import sys, numpy, pointsman\n"
        "assert 'pointsman._algorithm' not in sys.modules\n"
        "pointsman.sort(pointsman.seq, numpy.ones(2))\n"
        "assert 'pointsman._algorithm' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
