# SPDX-License-Identifier: Apache-2.0
"""domain_of: which resources share hardware, and how a user-defined one states it."""

from __future__ import annotations

import pytest

import pointsman as pm


def test_arenas_share_the_cores():
    one, two = pm.domain_of(pm.Arena(1)), pm.domain_of(pm.Arena(2))
    assert one.id == two.id != 0
    assert one.capacity == two.capacity >= 1
    assert (one.slots, two.slots) == (1, 2)


def test_queues_of_one_device_share_it(opencl_queue: pm.opencl.Queue):
    other = pm.opencl.Queue(opencl_queue.device)
    assert pm.domain_of(opencl_queue).id == pm.domain_of(other).id != 0


def test_an_object_has_hardware_of_its_own():
    assert pm.domain_of("a server") == pm.Domain(id=0, capacity=1, slots=1, threads_each=1)


def test_a_resource_states_its_domain():
    class Stated:
        domain = pm.Domain(id=7, slots=3)

    assert pm.domain_of(Stated()) is Stated.domain


def test_an_attribute_with_another_meaning_is_not_a_domain():
    class Site:
        domain = "example.org"

    assert pm.domain_of(Site()) == pm.Domain()


def test_an_attribute_that_raises_is_not_hidden():
    class Broken:
        @property
        def domain(self) -> pm.Domain:
            raise RuntimeError("no such hardware")

    with pytest.raises(RuntimeError, match="no such hardware"):
        pm.EarliestFinish([Broken()])
