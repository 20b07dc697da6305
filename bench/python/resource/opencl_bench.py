# SPDX-License-Identifier: Apache-2.0
"""The cost of starting a kernel on a queue and through policies, compared with pyopencl's own call.

Each case starts the same kernel, which does next to nothing, with a buffer and a float, on its own
queue. Before each batch, outside the timing, all queues are finished, and the case's own queue gets
work for as long as the batch takes: waking an idle device costs more than the differences measured
here. Needs pyopencl.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pyopencl as cl

import pointsman as pm

SOURCE = """
kernel void scale(global float* x, float factor) { x[get_global_id(0)] *= factor; }
kernel void spin(global float* x) {
    for (int i = 0; i < 100000; ++i) x[0] = sin(x[0]);
}
"""
ITEMS = 4
FINISHERS: list[Callable[[], object]] = []
COMPARED_WITH = "pyopencl_kernel_call"


@cache
def context() -> Any:
    return cl.Context(cl.get_platforms()[0].get_devices()[:1])


class Started:
    """A case that starts commands, and a way to wait for them."""

    def __init__(self, start: Callable[[], object], settle: Callable[[], object]) -> None:
        self.start = start
        self.settle = settle

    def __call__(self) -> object:
        return self.start()


def finish_all() -> None:
    for finish in FINISHERS:
        finish()


def of_pyopencl() -> tuple[Any, Any, Any, Callable[[], object]]:
    queue = cl.CommandQueue(context())
    FINISHERS.append(queue.finish)
    program = cl.Program(context(), SOURCE).build()
    kernel, spin = cl.Kernel(program, "scale"), cl.Kernel(program, "spin")
    kernel.set_scalar_arg_dtypes([None, np.float32])
    buffer = cl.Buffer(context(), cl.mem_flags.READ_WRITE, 4 * ITEMS)

    def settle() -> None:
        finish_all()
        spin(queue, (1,), None, buffer)
        queue.flush()

    return queue, kernel, buffer, settle


def of_pointsman(profiling: bool) -> tuple[Any, Any, Any, Callable[[], object]]:
    queue = pm.opencl.Queue(profiling=profiling)
    FINISHERS.append(queue.finish)
    program = queue.build(SOURCE)
    spin = program.kernel("spin")
    buffer = queue.empty(ITEMS, np.float32)

    def settle() -> None:
        finish_all()
        queue.enqueue(spin, 1, buffer)

    return queue, program.kernel("scale"), buffer, settle


def bench_pyopencl_kernel_call() -> Started:
    queue, kernel, buffer, settle = of_pyopencl()
    return Started(lambda: kernel(queue, (ITEMS,), None, buffer, 1.5), settle)


def bench_pyopencl_enqueue_with_arguments_set() -> Started:
    queue, kernel, buffer, settle = of_pyopencl()
    kernel.set_arg(0, buffer)
    kernel.set_arg(1, np.float32(1.5))

    def start(_keeps_it_alive: Any = buffer) -> Any:
        return cl.enqueue_nd_range_kernel(queue, kernel, (ITEMS,), None)

    return Started(start, settle)


def enqueue(profiling: bool, factor: float | np.float32) -> Started:
    queue, kernel, buffer, settle = of_pointsman(profiling)
    return Started(lambda: queue.enqueue(kernel, ITEMS, buffer, factor), settle)


def bench_enqueue() -> Started:
    return enqueue(False, 1.5)


def bench_enqueue_numpy_scalar() -> Started:
    return enqueue(False, np.float32(1.5))


def bench_enqueue_profiled() -> Started:
    return enqueue(True, 1.5)


def submit(make_policy: Callable[[list[Any]], Any]) -> Started:
    queue, kernel, buffer, settle = of_pointsman(False)
    submit = make_policy([queue]).submit

    def work(q: pm.opencl.Queue) -> pm.opencl.Event:
        return q.enqueue(kernel, ITEMS, buffer, 1.5)

    return Started(lambda: submit(work), settle)


def bench_submit_fixed_resource() -> Started:
    return submit(pm.FixedResource)


def bench_submit_round_robin() -> Started:
    return submit(pm.RoundRobin)


def bench_submit_dynamic_load() -> Started:
    return submit(pm.DynamicLoad)


def bench_submit_pyopencl_round_robin() -> Started:
    queue, kernel, buffer, settle = of_pyopencl()
    submit = pm.RoundRobin([queue]).submit

    def work(q: Any) -> Any:
        return kernel(q, (ITEMS,), None, buffer, 1.5)

    return Started(lambda: submit(work), settle)
