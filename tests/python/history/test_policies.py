# SPDX-License-Identifier: Apache-2.0
"""The option ``history`` of the policies that measure, and how resources are recognised."""

from __future__ import annotations

import dataclasses
import gc
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pointsman as pm
from pointsman import _histories, _no_history, _policy_history
from pointsman._resource_identity import identities_of

pytest.importorskip("pointsman._history")  # which a build without SQLite lacks


class Timed(pm.Backend):
    """Reports 1 s for "fast" and 5 s for any other resource."""

    def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
        selection.report("task_time", 1.0 if selection.resource == "fast" else 5.0)
        return selection.resource


def work(resource: str) -> None:
    pass


@pytest.fixture
def history(tmp_path: Path) -> pm.History:
    return pm.History(tmp_path / "timings.db")


def learn(policy: Any) -> None:
    for _ in range(20):
        policy.submit(work)


@pytest.mark.parametrize("kind", [pm.AutoTune, pm.EarliestFinish])
def test_a_policy_begins_with_what_an_earlier_one_has_learnt(kind: Any, history: pm.History):
    learn(kind(backend=Timed(["slow", "fast"]), history=history))
    gc.collect()
    later = kind(backend=Timed(["another", "fast", "slow"]), history=history)
    unknown, fast, slow = later.estimates(work)
    assert unknown is None
    assert (fast, slow) == (pytest.approx(1), pytest.approx(5))


@pytest.mark.parametrize("given", [str, Path, pm.History])
def test_a_history_may_be_a_path(given: Callable[..., Any], tmp_path: Path):
    path = tmp_path / "timings.db"
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=given(path))
    learn(policy)
    policy.flush_history()
    assert len(pm.History(path).records()) == 2


@pytest.mark.parametrize("given", [3, b"x", 1.5])
def test_another_history_is_refused(given: Any):
    with pytest.raises(pm.InvalidOptionError, match="pass a History, a path"):
        pm.AutoTune(["a"], history=given)


def test_what_was_learnt_is_written_now_and_then(
    history: pm.History, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(_policy_history, "_pause", 0.01)
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)
    end = time.monotonic() + 60
    for counts in (1, 200):  # written more than once
        while sum(record.count for record in history.records()) < counts:
            policy.submit(work)
            time.sleep(0.001)
            assert time.monotonic() < end, "nothing is written"
    assert policy.estimates(work) == [pytest.approx(5), pytest.approx(1)]


def test_threads_that_flush_at_once_write_each_timing_once(history: pm.History):
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)

    def learn_and_flush(_: int) -> None:
        for _ in range(50):
            policy.submit(work)
            policy.flush_history()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(learn_and_flush, range(4)))
    policy.flush_history()
    timed = sum(record.count for record in history.records())
    assert timed == 4 * 50 - 2  # the first on each resource warms up


def test_a_policy_without_a_history_flushes_nothing():
    for none in (None, False):
        pm.AutoTune(["a"], history=none).flush_history()


def test_other_resources_keep_the_history_and_all_records(history: pm.History):
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.initialize(backend=Timed(["fast", "third"]))
    assert len(history.records()) == 2
    learn(policy)
    policy.flush_history()
    assert sorted(each.resource.split("'")[1] for each in history.records()) == [
        "fast",
        "slow",
        "third",
    ]


def test_a_deferred_policy_gets_its_history_later(history: pm.History):
    policy = pm.AutoTune(pm.deferred_initialization)
    policy.initialize(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.flush_history()
    assert len(history.records()) == 2


def test_the_user_names_resources(tmp_path: Path):
    history = pm.History(tmp_path / "timings.db", identity=lambda each: f"mine {each[0]}")
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.flush_history()
    assert sorted(each.resource[:6] for each in history.records()) == ["mine f", "mine s"]
    assert all(f"pointsman {pm.__version__}" in each.resource for each in history.records())


@pytest.mark.parametrize("answer", ["", 3])
def test_an_identity_that_is_no_text_is_refused(answer: Any):
    with pytest.raises(pm.InvalidOptionError, match="return a text"):
        identities_of(["a"], lambda resource: answer)


def test_an_identity_that_is_not_callable_is_refused(tmp_path: Path):
    with pytest.raises(pm.InvalidOptionError, match="pass a callable"):
        pm.History(tmp_path / "timings.db", identity="gpu")  # type: ignore[arg-type]


def test_resources_that_are_alike_are_numbered():
    with ThreadPoolExecutor(1) as pool:
        first, second, other = identities_of([pool, pool, pm.Arena(1)])
    assert first.startswith("concurrent.futures.thread.ThreadPoolExecutor on ")
    assert second == f"{first} #2"
    assert other.startswith("1 thread of ")


def test_devices_of_both_opencl_packages_have_one_identity():
    common = {"name": "H100 ", "driver_version": "550.54"}
    own = SimpleNamespace(**common, platform="CUDA", compute_units=132)
    other = SimpleNamespace(**common, platform=SimpleNamespace(name="CUDA"), max_compute_units=132)
    first, second = identities_of([SimpleNamespace(device=each) for each in (own, other)])
    assert first == f"H100, CUDA 550.54, 132 units, pointsman {pm.__version__}"
    assert second == f"{first} #2"


@pytest.mark.parametrize("kind", [pm.AutoTune, pm.EarliestFinish])
def test_a_frozen_policy_goes_by_the_history_and_leaves_it(kind: Any, history: pm.History):
    learn(kind(backend=Timed(["slow", "fast"]), history=history))
    gc.collect()
    before = history.records()

    class Reversed(Timed):
        def submit(self, selection: pm.Placement, work: Any, /, *args: Any, **kwargs: Any) -> Any:
            selection.report("task_time", 9.0 if selection.resource == "fast" else 0.1)
            return selection.resource

    frozen = kind(backend=Reversed(["slow", "fast"]), history=history, mode="frozen")
    assert {frozen.submit(work).result() for _ in range(1000)} == {"fast"}
    frozen.flush_history()
    assert history.records() == before


@pytest.mark.parametrize("kind", [pm.AutoTune, pm.EarliestFinish])
def test_a_frozen_policy_needs_a_record_or_a_default(kind: Any):
    policy = kind(["a", "b"], mode="frozen")
    with pytest.raises(pm.UnknownKindError, match="name a default resource"):
        policy.submit(str)
    assert policy.loads() == [0, 0]
    with_default = kind(["a", "b"], mode="frozen", default=1)
    submissions = [with_default.submit(str) for _ in range(100)]
    assert {each.result() for each in submissions} == {"b"}
    assert "default" in str(submissions[0].explain())


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        ({"mode": "warm"}, "pass 'learning' or 'frozen'"),
        ({"mode": "frozen", "resample_time": 1}, "frozen and measures nothing"),
        ({"mode": "frozen", "default": 2}, "resource 2, but the model has 2"),
        ({"default": 0}, "leave the default out"),
        ({"mode": "frozen", "default": -1}, "default is -1"),
    ],
)
def test_modes_and_defaults_without_a_meaning_are_refused(options: Any, remedy: str):
    with pytest.raises(pm.InvalidOptionError, match=remedy):
        pm.AutoTune(["a", "b"], **options)


@pytest.mark.parametrize("kind", [pm.AutoTune, pm.EarliestFinish])
def test_a_pinned_kind_stays_on_its_resource_until_it_is_unpinned(kind: Any, history: pm.History):
    policy = kind(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.flush_history()
    slow = next(each for each in history.records() if each.mean > 2)
    history.pin(slow.key, slow.resource)
    assert history.pins() == [pm.HistoryPin(slow.key, slow.kind, slow.resource)]
    policy.flush_history()
    for pinned in (policy, kind(backend=Timed(["fast", "slow"]), history=history)):
        submissions = [pinned.submit(work) for _ in range(200)]
        assert {each.result() for each in submissions} == {"slow"}
        assert "pinned" in str(submissions[0].explain())
    assert history.unpin(slow.key)
    assert not history.unpin(slow.key)
    policy.flush_history()
    assert "fast" in [policy.submit(work).result() for _ in range(3)]


def key_with(folder: Path, **globals_of_work: str) -> tuple[int, int]:
    """Return the key in a history of a function whose code is always the same."""
    exec("def work(resource): return (SOURCE, TITLE)", globals_of_work)
    history = pm.History(folder / "timings.db")
    policy = pm.AutoTune(backend=Timed(["fast"]), history=history)
    for _ in range(20):
        policy.submit(globals_of_work["work"])
    policy.flush_history()
    (record,) = history.records()
    history.forget(record.resource)
    return record.key


def test_another_opencl_source_makes_another_kind(tmp_path: Path):
    source = "kernel void f(global int* x) { *x += 1; }"
    add = key_with(tmp_path, SOURCE=source, TITLE="add")
    assert key_with(tmp_path, SOURCE=source, TITLE="a text that is no kernel") == add
    assert key_with(tmp_path, SOURCE=source.replace("1", "2"), TITLE="add") != add


def test_a_pin_keeps_the_name_of_its_kind(history: pm.History):
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.flush_history()
    record = history.records()[0]
    history.pin(record.key, record.resource)
    history.forget(record.resource)
    assert [each.kind for each in history.pins()] == [record.kind]


@pytest.mark.parametrize(
    ("key", "resource", "name"), [((-1, 0), "a", "key"), ((2**63, 1), 3, "resource")]
)
def test_a_pin_that_no_record_can_have_is_refused(
    key: Any, resource: Any, name: str, history: pm.History
):
    with pytest.raises(pm.InvalidOptionError, match=f"a pin has the {name}"):
        history.pin(key, resource)


def test_unpinning_what_is_no_key_is_refused(history: pm.History):
    with pytest.raises(pm.InvalidOptionError, match="a pin has the key 'blur'"):
        history.unpin("blur")  # type: ignore[arg-type]


def test_records_are_pruned_and_added(history: pm.History, monkeypatch: pytest.MonkeyPatch):
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.flush_history()
    records = history.records()
    assert history.prune(3600) == 0
    assert history.forget(records[0].resource) == 1
    later = time.time() + 7200
    with monkeypatch.context() as patch:
        patch.setattr(_histories, "time", SimpleNamespace(time=lambda: later))
        assert history.prune(3600) == 1
    history.add(records)
    assert [each.kind for each in history.records()] == ["work", "work"]


def test_a_build_without_sqlite_names_the_remedy(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(_histories, "_history", _no_history)
    monkeypatch.setattr(_no_history.File, "reason", ModuleNotFoundError("no module"))
    monkeypatch.delenv("POINTSMAN_HISTORY")
    for attempt in (pm.History, lambda: pm.AutoTune(["a"], history=True)):
        with pytest.raises(pm.HistoryError, match="libsqlite3-dev"):
            attempt()
    monkeypatch.setenv("POINTSMAN_HISTORY", "off")
    pm.AutoTune(["a"], history=True).flush_history()
    monkeypatch.setattr(_no_history.File, "reason", ImportError("libsqlite3.so.0"))
    with pytest.raises(pm.HistoryError, match="libsqlite3-0"):
        pm.History("timings.db")


@pytest.mark.parametrize("older_than", [-1.0, float("nan"), float("inf"), 1e19])
def test_an_impossible_age_is_refused(older_than: float, history: pm.History):
    with pytest.raises(pm.InvalidOptionError, match="older_than is .*: pass seconds from 0 to"):
        history.prune(older_than)


def test_added_records_count_as_updated_now(history: pm.History):
    policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history=history)
    learn(policy)
    policy.flush_history()
    [record, *_] = history.records()
    copy = pm.History(f"{history.path}.copy")
    copy.add([dataclasses.replace(record, updated=0.0)])
    assert copy.prune(3600) == 0
