# SPDX-License-Identifier: Apache-2.0
"""The public names of the package."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import CancelledError

import fairlead as fl


def test_every_exported_name_exists_and_has_a_docstring():
    assert sorted(set(fl.__all__)) == fl.__all__
    for name in fl.__all__:
        assert getattr(fl, name).__doc__, name


def test_nothing_public_is_left_out_of_all():
    modules = {"backend", "discover", "error", "policy", "selection", "tables", "waitable"}
    modules |= {"algorithm", "execution"}
    modules |= {"annotations", "demo", "devices", "properties", "representation", "testing"}
    modules |= {"awaiting", "executor", "explanation", "joblib_backend", "options", "verbs"}
    public = {name for name in vars(fl) if not name.startswith("_")}
    assert public - set(fl.__all__) - modules == set()


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
        assert issubclass(getattr(fl, name), (fl.Error,))
        assert issubclass(getattr(fl, name), builtin)
    assert issubclass(fl.BuildError, fl.OpenCLError)


def test_every_error_is_drawn_in_the_tree_and_exported():
    from fairlead import error

    for name in error.__all__:
        assert name in error.__doc__
        assert name in fl.__all__
    drawn = {name for name in vars(error) if name.endswith(("Error", "Warning"))}
    assert drawn == set(error.__all__)


def test_importing_the_package_opens_no_opencl_driver():
    program = (
        "import fairlead\n"
        "maps = open('/proc/self/maps').read()\n"
        "assert 'libpocl' not in maps and 'libnvidia-opencl' not in maps\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_importing_the_package_leaves_what_sorts_to_the_first_sort():
    program = (
        "import sys, numpy, fairlead\n"
        "assert 'fairlead._algorithm' not in sys.modules\n"
        "fairlead.sort(fairlead.seq, numpy.ones(2))\n"
        "assert 'fairlead._algorithm' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
