# SPDX-License-Identifier: Apache-2.0
"""How OpenCL devices, lists of them and queues are displayed in a notebook."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from table_reader import Table

import pointsman as pm
from pointsman._device_list import DeviceList, html_of_device, html_of_queue

DEVICE = SimpleNamespace(
    label="<b>&\"GPU'",
    type="gpu",
    compute_units=7,
    global_memory_bytes=3 << 29,
    platform="<Platform>",
    driver_version="1 & 2",
)
HEADINGS = ["name", "type", "units", "memory", "driver"]
ROW = ["<b>&\"GPU'", "gpu", "7", "1.5 GiB", "<Platform>, 1 & 2"]


def test_a_list_of_devices_shows_a_row_for_each_with_escaped_text():
    shown = DeviceList([DEVICE, DEVICE])._repr_html_()
    table = Table(shown)
    assert table.caption == "OpenCL devices"
    assert table.rows == [HEADINGS, ROW, ROW]
    assert "<b>" not in shown


def test_a_device_shows_its_row():
    table = Table(html_of_device(DEVICE))
    assert table.caption == "OpenCL device"
    assert table.rows == [HEADINGS, ROW]


@pytest.mark.parametrize("is_on", [False, True])
def test_a_queue_shows_its_device_and_its_options(is_on: bool):
    table = Table(
        html_of_queue(SimpleNamespace(device=DEVICE, profiling=is_on, out_of_order=not is_on))
    )
    assert table.caption == "OpenCL queue"
    words = ["yes", "no"] if is_on else ["no", "yes"]
    assert table.rows == [[*HEADINGS, "profiling", "out of order"], [*ROW, *words]]


def test_devices_are_a_list_that_is_a_table_without_a_device_too():
    found = pm.opencl.devices()
    assert isinstance(found, list)
    heading, *rows = Table(found._repr_html_()).rows
    assert heading == HEADINGS
    assert [row[0] for row in rows] == [device.label for device in found]


def test_every_list_of_devices_and_its_members_are_tables(opencl_queue: Any):
    device = opencl_queue.device
    assert Table(device._repr_html_()).rows[1][0] == device.label
    assert Table(opencl_queue._repr_html_()).rows[1][-2:] == ["yes", "no"]
    shared = pm.opencl.share_context([device])
    assert Table(shared._repr_html_()).caption == "OpenCL devices"
    try:
        parts = device.split_equally(1)
    except pm.OpenCLError:
        return  # drivers of GPUs do not split devices
    assert [row[0] for row in Table(parts._repr_html_()).rows[1:]] == [p.label for p in parts]
    assert isinstance(device.split([1]), DeviceList)
