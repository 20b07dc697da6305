# SPDX-License-Identifier: Apache-2.0
"""What one process has learnt, the next one knows."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest
from history.programs import FIRST_CHOICE, LEARN, counts, output_of, program, run, start

import pointsman as pm

pytest.importorskip("pointsman._history")  # which a build without SQLite lacks


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "timings.db"


def test_the_second_process_chooses_right_at_the_first_submission(path: Path):
    assert run(program(FIRST_CHOICE), path.with_name("other.db")) == ("slow\n", "")
    assert run(program(LEARN), path) == ("", "")
    assert run(program(FIRST_CHOICE), path) == ("fast\n", "")


def test_changed_code_is_measured_anew(path: Path):
    run(program(LEARN), path)
    assert run(program(FIRST_CHOICE, constant=2), path)[0] == "slow\n"


def test_code_that_has_only_moved_is_recognised(path: Path):
    run(program(LEARN), path)
    assert run("\n# another line" + program(FIRST_CHOICE), path)[0] == "fast\n"


FORMS = {
    "functools.partial(work, n=1000)": "",
    "pm.task(work, name='named', key=lambda n: ('a', 1.5, n))": ", 9",
    "pm.variants({str: work})": ", 9",
    "lambda resource, n: {resource, 'a', 'b'}": ", n=9",
}


@pytest.mark.parametrize(("task", "arguments"), FORMS.items())
def test_tasks_of_each_form_are_recognised(task: str, arguments: str, path: Path):
    made = f"import functools\ntask = {task}\n"
    run(program(made, f"for _ in range(20): policy.submit(task{arguments})\n"), path)
    choice = f"print(policy.submit(task{arguments}).unwrap())\n"
    assert run(program(made, choice), path)[0] == "fast\n"


def test_a_size_whose_contents_are_unknown_is_not_kept(path: Path):
    sized = "sized = pm.task(work, key=lambda n: object)\n"
    run(program(sized, "for _ in range(20): policy.submit(sized, 1)\n"), path)
    assert pm.History(path).records() == []


def test_records_are_named(path: Path):
    run(program(LEARN), path)
    assert {each.kind for each in pm.History(path).records()} == {"work(2^9)"}


def test_nothing_is_written_before_a_flush_and_all_of_it_once(path: Path):
    count = "print(sum(each.count for each in pm.History().records()))\n"
    flush = "policy.flush_history()\n"
    printed, _ = run(program(LEARN, count, flush, count, flush, count), path)
    before, after, again = printed.split()
    assert before == "0"
    assert int(after) > 10
    assert again == after


def test_a_deleted_policy_writes(path: Path):
    run(program(LEARN, "del policy\nassert pm.History().records()\nimport os\nos._exit(0)\n"), path)
    assert counts(pm.History(path))["fast"] > 10


def test_processes_at_once_lose_nothing(path: Path):
    started = [start(program(LEARN), path) for _ in range(4)]
    for each in started:
        assert output_of(each) == ("", "")
    alone = path.with_name("alone.db")
    run(program(LEARN), alone)
    together, single = counts(pm.History(path)), counts(pm.History(alone))
    assert together["fast"] >= single["fast"]  # one that starts late begins with what others know
    assert sum(together.values()) >= 4 * 10


def test_a_forked_child_writes_nothing_and_says_so_when_asked(path: Path):
    fork = """
import os
if (child := os.fork()) == 0:
    try:
        policy.flush_history()
    except pm.ForkedProcessError:
        raise SystemExit(0)  # with the hooks of an exit
    raise SystemExit(1)
assert os.waitpid(child, 0)[1] == 0
assert not pm.History().records()
"""
    assert run(program(LEARN, fork), path) == ("", "")
    assert counts(pm.History(path))["fast"] > 10


def test_a_child_that_was_forked_during_a_write_ends(path: Path):
    fork = """
import os
from pointsman import _policy_history
[linked] = _policy_history._open
linked._lock.acquire()
if (child := os.fork()) == 0:
    raise SystemExit(0)  # with the hooks of an exit
assert os.waitpid(child, 0)[1] == 0
linked._lock.release()
"""
    assert run(program(LEARN, fork), path) == ("", "")


def test_a_forked_child_initialises_a_policy_without_the_history(path: Path):
    fork = """
import os
if (child := os.fork()) == 0:
    policy.initialize(backend=Timed(["fast", "slow"]))
    assert policy.submit(work, 1000).resource == "fast"  # the first of two unknown ones
    policy.flush_history()
    raise SystemExit(0)
assert os.waitpid(child, 0)[1] == 0
"""
    assert run(program(fork), path) == ("", "")
    assert pm.History(path).records() == []


def test_a_failure_at_exit_is_a_warning(path: Path):
    spoil = f"import sqlite3; sqlite3.connect({str(path)!r}).execute('DROP TABLE timings')\n"
    _, errors = run(program(LEARN, spoil), path)
    assert "HistoryWarning: what a policy has learnt was not written to" in errors


def test_off_keeps_nothing(tmp_path: Path):
    run(program(LEARN), "off", XDG_CACHE_HOME=str(tmp_path))
    assert os.listdir(tmp_path) == []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("POINTSMAN_HISTORY", "off")
        with pytest.raises(pm.InvalidOptionError, match="POINTSMAN_HISTORY"):
            pm.History()


def test_the_default_is_in_the_folder_for_caches(tmp_path: Path):
    run(program(LEARN), "", XDG_CACHE_HOME=str(tmp_path))
    assert pm.History(tmp_path / "pointsman" / "history.db").records()


def test_an_unusable_file_is_set_aside_with_one_warning(path: Path):
    path.write_text("something else")
    _, errors = run(program(LEARN), path)
    assert errors.count("HistoryWarning") == 1
    assert f"is now {path}.set-aside" in errors
    assert Path(f"{path}.set-aside").read_text() == "something else"
    assert counts(pm.History(path))["fast"] > 10


def test_a_newer_file_is_set_aside(path: Path):
    run(program(LEARN), path)
    with sqlite3.connect(path) as newer:
        newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.warns(pm.HistoryWarning, match="set-aside"):
        assert pm.History(path).records() == []
