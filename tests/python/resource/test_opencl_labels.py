# SPDX-License-Identifier: Apache-2.0
# PoCL offers several devices of one name when its environment variable asks for them.
"""Devices of one name are told apart wherever they are listed."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

import pointsman as pm

TWO_OF_ONE_NAME = """
import pointsman as pm
devices = pm.opencl.devices()[-2:]  # after those of other drivers, such as GPUs
queues = pm.opencl.default_queues()[-2:]
policy = pm.DynamicLoad(queues)
for text in (
    *(device.label for device in devices),
    *map(repr, devices),
    *map(repr, queues),
    pm.discover()._repr_html_(),
    policy._repr_html_(),
    policy.submit(lambda queue: None).explain(),
):
    print(text)
"""


def run(*arguments: str) -> list[str]:
    """The lines that Python prints with two PoCL devices of one name."""
    environment = {**os.environ, "POCL_DEVICES": "pthread pthread"}
    finished = subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.splitlines()


@pytest.fixture(scope="module")
def name() -> str:
    """The name of the two devices; skips where the driver is not PoCL."""
    show = "import pointsman as pm; print(*(d.name for d in pm.opencl.devices()), sep='\\n')"
    names = run("-c", show)
    if len(names) < 2 or names[-1] != names[-2]:
        pytest.skip("no driver here offers two devices of one name")
    return names[-1]


def test_two_devices_of_one_name_are_numbered_in_every_text(name: str) -> None:
    first, second, *others = run("-c", TWO_OF_ONE_NAME)
    assert (first, second) == (f"{name} (number 1 of 2)", f"{name} (number 2 of 2)")
    one, two, queue_one, queue_two, resources, table, explanation = others
    assert one.startswith(f"<Device '{first}', cpu, ")
    assert two.startswith(f"<Device '{second}', cpu, ")
    assert (queue_one, queue_two) == (f"<Queue on '{first}'>", f"<Queue on '{second}'>")
    for text in (resources, table, explanation):
        assert first in text
        assert second in text


def test_the_command_numbers_two_devices_of_one_name(name: str) -> None:
    lines = run("-m", "pointsman", "devices")
    for number, line in enumerate(lines[-2:], 1):
        assert f"{name} (number {number} of 2)  cpu" in line


def test_a_device_that_is_the_only_one_of_its_name_is_called_by_it(opencl_queue: Any) -> None:
    names = [device.name for device in pm.opencl.devices()]
    for device in pm.opencl.devices():
        if names.count(device.name) == 1:
            assert device.label == device.name


def test_an_address_is_text_or_none(opencl_queue: Any) -> None:
    for device in pm.opencl.devices():
        address = device.pci_address
        assert address is None or len(address.split(":")) == 3
