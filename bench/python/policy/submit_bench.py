# SPDX-License-Identifier: Apache-2.0
"""What a submission of empty work costs under each policy, beside calling the work directly."""

from __future__ import annotations

from collections.abc import Callable

import fairlead as fl

RESOURCES = [0, 1, 2, 3]


def work(resource: int, value: int) -> int:
    return value


def submit_with(
    policy: fl.FixedResource | fl.RoundRobin | fl.DynamicLoad | fl.AutoTune,
) -> Callable[[], object]:
    submit = policy.submit
    return lambda: submit(work, 7)


def bench_direct_call() -> Callable[[], object]:
    return lambda: work(0, 7)


def bench_submit_fixed_resource() -> Callable[[], object]:
    return submit_with(fl.FixedResource(RESOURCES))


def bench_submit_round_robin() -> Callable[[], object]:
    return submit_with(fl.RoundRobin(RESOURCES))


def bench_submit_dynamic_load() -> Callable[[], object]:
    return submit_with(fl.DynamicLoad(RESOURCES))


def bench_submit_auto_tune() -> Callable[[], object]:
    return submit_with(fl.AutoTune(RESOURCES))
