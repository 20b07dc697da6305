# SPDX-License-Identifier: Apache-2.0
"""Saved traces: the Trace Event Format, CSV, and files that cannot be read back."""

from __future__ import annotations

import csv
import json
from numbers import Real

import pytest

import pointsman as pm


@pytest.fixture
def traced():
    """A trace with waits, failures and odd names."""
    policy = pm.DynamicLoad([pm.Arena(1), pm.Arena(2)])
    texts = pm.RoundRobin(['quoted "a"', "back\\slash", "line\nbreak", "grüß 中"])
    with pm.trace() as made:
        for each in [policy.run(pow, number, 2) for number in range(5)]:
            each.result(60)
        for _ in range(4):
            texts.submit(lambda resource: resource)
        with pytest.raises(ValueError):
            texts.submit(lambda resource: int(resource))
    return made


def check_event(entry):
    """Asserts what the Trace Event Format demands of the types of events that traces have."""
    assert entry["ph"] in {"X", "i", "M"}
    assert isinstance(entry["name"], str) and entry["name"]
    assert isinstance(entry["pid"], int) and isinstance(entry["tid"], int)
    assert isinstance(entry["ts"], Real) and entry["ts"] >= 0
    assert isinstance(entry["args"], dict)
    assert ("dur" in entry) == (entry["ph"] == "X")
    assert entry.get("dur", 0) >= 0
    assert ("s" in entry) == (entry["ph"] == "i")
    assert entry.get("s", "t") in {"g", "p", "t"}
    if entry["ph"] == "M":
        assert entry["name"] in {"process_name", "thread_name"}
        assert isinstance(entry["args"]["name"], str)


def test_a_file_has_the_trace_event_format(traced, tmp_path):
    traced.save(tmp_path / "trace.json")
    found = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    assert found["displayTimeUnit"] in {"ms", "ns"}
    for entry in found["traceEvents"]:
        check_event(entry)
    bars = [entry for entry in found["traceEvents"] if entry.get("cat") == "task"]
    assert len(bars) == len(traced.tasks) == 10


def test_bars_of_one_row_do_not_overlap(traced, tmp_path):
    traced.save(tmp_path / "trace.json")
    found = json.loads((tmp_path / "trace.json").read_text(encoding="utf-8"))
    ends: dict[int, float] = {}
    bars = [entry for entry in found["traceEvents"] if entry.get("cat") == "task"]
    for bar in sorted(bars, key=lambda each: each["ts"]):
        assert ends.get(bar["tid"], 0.0) <= bar["ts"] + 1e-3
        ends[bar["tid"]] = bar["ts"] + bar["dur"]


def test_a_trace_is_the_same_after_it_was_saved_and_loaded(traced, tmp_path):
    traced.save(tmp_path / "trace.json")
    loaded = pm.Trace.load(tmp_path / "trace.json")
    assert loaded.events == traced.events
    assert loaded.tasks == traced.tasks
    assert loaded.dropped == traced.dropped
    loaded.save(tmp_path / "again.json")
    again = (tmp_path / "again.json").read_bytes()
    assert again == (tmp_path / "trace.json").read_bytes()


def test_the_path_of_a_block_is_written_when_the_block_ends(tmp_path):
    path = tmp_path / "trace.json"
    with pm.trace(path) as traced:
        pm.RoundRobin(["a"]).submit(lambda resource: resource)
    assert pm.Trace.load(path).events == traced.events


def test_a_csv_file_has_a_line_for_each_event(traced, tmp_path):
    traced.save(tmp_path / "trace.csv")
    with (tmp_path / "trace.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["kind"] for row in rows] == [event.kind for event in traced.events]
    assert [row["resource"] for row in rows] == [event.resource for event in traced.events]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"traceEvents": []}',
        '{"otherData": {"producer": "chrome", "dropped": 0}, "traceEvents": []}',
        '{"otherData": {"producer": "pointsman", "dropped": 0}, "traceEvents": [{"cat": "event"}]}',
        '{"otherData": {"producer": "pointsman", "dropped": -1}, "traceEvents": []}',
        '{"otherData": {"producer": "pointsman", "dropped": 0}, "traceEvents": '
        '[{"cat": "event", "name": "start", "ts": 1e300, "tid": 1, "args": {"task": 1}}]}',
        '{"otherData": {"producer": "pointsman", "dropped": 0}, "traceEvents": '
        '[{"cat": "event", "name": "start", "ts": Infinity, "tid": 1, "args": {"task": 1}}]}',
        "[" * 100_000,
    ],
)
def test_another_file_is_refused_with_its_name(text, tmp_path):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(pm.InvalidOptionError, match=r"other\.json is no trace of pointsman"):
        pm.Trace.load(tmp_path / "other.json")


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        pm.Trace.load(tmp_path / "missing.json")


def test_a_folder_that_does_not_exist_is_an_os_error(traced, tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"):
        traced.save(tmp_path / "missing" / "trace.json")
