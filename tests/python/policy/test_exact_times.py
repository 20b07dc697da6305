# SPDX-License-Identifier: Apache-2.0
"""Resources that are excluded when exact times are required."""

from __future__ import annotations

from typing import Any

import pytest

import pointsman as pm


class Device:
    def __init__(self, *, exact: bool) -> None:
        self.exact = exact

    def reports_exact_times(self) -> bool:
        return self.exact


measured = pytest.mark.parametrize("policy_class", [pm.AutoTune, pm.EarliestFinish])


@measured
def test_resources_with_only_bounds_are_excluded_on_request(policy_class: Any):
    exact, inexact, silent = Device(exact=True), Device(exact=False), "cpu"
    assert policy_class([inexact, exact, silent]).get_resources() == [inexact, exact, silent]
    policy = policy_class([inexact, exact, silent], exact_times=True)
    assert policy.get_resources() == [exact, silent]
    policy.initialize([inexact, silent], 1.5, exact_times=True)
    assert policy.get_resources() == [silent]


@measured
def test_a_set_with_nothing_exact_is_refused(policy_class: Any):
    with pytest.raises(RuntimeError, match="none of the 2 resources reports exact times") as caught:
        policy_class([Device(exact=False)] * 2, exact_times=True)
    assert isinstance(caught.value, pm.UnsatisfiedReportingError)


def test_an_exception_of_a_queried_resource_is_raised():
    class Broken:
        def reports_exact_times(self) -> bool:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        pm.AutoTune([Broken()], exact_times=True)


def test_a_backend_answers_for_its_own_resources():
    class Own(pm.Backend):
        def submit(self, selection: Any, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            return work(selection.resource, *args, **kwargs)

    inexact = Device(exact=False)
    policy = pm.AutoTune(backend=Own([inexact]), exact_times=True)
    assert policy.get_resources() == [inexact]


def test_queues_need_profiling():
    opencl = pytest.importorskip("pointsman.opencl")
    if not opencl.devices():
        pytest.skip("no OpenCL device")
    plain, profiled = opencl.Queue(profiling=False), opencl.Queue()
    policy = pm.AutoTune([plain, profiled], exact_times=True)
    assert policy.get_resources() == [profiled]


def test_queues_of_pyopencl_need_profiling(pyopencl_context):
    cl = pytest.importorskip("pyopencl")
    plain = cl.CommandQueue(pyopencl_context)
    profiled = cl.CommandQueue(
        pyopencl_context, properties=cl.command_queue_properties.PROFILING_ENABLE
    )
    assert pm.AutoTune([plain, profiled], exact_times=True).get_resources() == [profiled]
