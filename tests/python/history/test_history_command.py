# SPDX-License-Identifier: Apache-2.0
"""The command `python -m pointsman history`: its tables, its JSON, its errors."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import pointsman as pm
from pointsman.__main__ import main
from pointsman._history_files import from_json, to_json
from pointsman._resource_identity import identities_of

pytest.importorskip("pointsman._history")  # which a build without SQLite lacks

BLUR = pm.HistoryRecord((2**63 + 1, 5), "blur(2^20)", "an H100", 10, 0.002, 14.5, 0.1, True, 0.0)
SUM = pm.HistoryRecord((2**63 + 2, 5), "sum(2^20)", "8 threads of a CPU", 4, 3.0, 21.8, 0, False, 0)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Returns the path of the default history, which has two records."""
    found = tmp_path / "timings.db"
    monkeypatch.setenv("POINTSMAN_HISTORY", str(found))
    pm.History(found).add([BLUR, SUM])
    return found


def printed(capsys: Any, *arguments: str) -> str:
    assert main(["history", *arguments]) == 0
    return str(capsys.readouterr().out)


def refused(capsys: Any, *arguments: str) -> str:
    assert main(["history", *arguments]) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("pointsman history: error: ")
    return str(errors)


def test_where_prints_the_path(path: Path, capsys: Any):
    assert printed(capsys, "where") == f"{path}\n"
    assert json.loads(printed(capsys, "where", "--json")) == {"path": str(path), "exists": True}


def test_show_prints_a_row_for_each_record(path: Path, capsys: Any):
    headings, blur, total = printed(capsys, "show").splitlines()
    assert headings.split("  ")[0] == "kind of task"
    assert blur.split()[:5] == ["blur(2^20)", "an", "H100", "2", "ms"]
    assert "<= 3 s" in total


@pytest.mark.parametrize("chosen", [("--kind", "blur"), ("--resource", "H100")])
def test_show_selects_records(chosen: tuple[str, str], path: Path, capsys: Any):
    text = printed(capsys, "show", "--json", *chosen)
    assert [each.kind for each in from_json(text, "")] == ["blur(2^20)"]


def test_prune_removes_old_records(path: Path, capsys: Any):
    assert printed(capsys, "prune", "--older-than", "30d") == "removed: 0\n"
    assert len(pm.History(path).records()) == 2
    assert "pass --older-than" in refused(capsys, "prune")


def test_prune_removes_devices_that_are_not_here(
    path: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pointsman._history_command.discover", lambda: [pm.Arena(1)])
    here = identities_of([pm.Arena(1), pm.Arena(2), "text"])
    lost = [
        "9 threads of a lost CPU with 9 threads, pointsman 1.0",
        "H1, CUDA 1, 9 units, pointsman 1.0",
    ]
    pm.History(path).add(replace(BLUR, resource=each) for each in [*here, *lost])
    assert json.loads(printed(capsys, "prune", "--unknown-devices", "--json")) == {"removed": 2}
    kept = {each.resource for each in pm.History(path).records()}
    assert kept == {BLUR.resource, SUM.resource, *here}


@pytest.mark.parametrize("text", ["30", "d", "-3d", "30 years"])
def test_a_wrong_duration_is_refused(text: str, capsys: Any):
    with pytest.raises(SystemExit) as ended:
        main(["history", "prune", f"--older-than={text}"])
    assert ended.value.code == 2
    assert "such as 30d" in capsys.readouterr().err


def test_what_is_exported_can_be_imported(path: Path, tmp_path: Path, capsys: Any):
    before = pm.History(path).records()
    file = str(tmp_path / "timings.json")
    assert printed(capsys, "export", file) == "records: 2\n"
    assert printed(capsys, "export") == Path(file).read_text()
    path.unlink()
    assert printed(capsys, "import", file) == "records: 2\n"
    after = pm.History(path).records()
    assert [replace(each, updated=0) for each in after] == [
        replace(each, updated=0) for each in before
    ]


def test_diff_compares_what_both_know(path: Path, tmp_path: Path, capsys: Any):
    other = tmp_path / "other.json"
    slower = replace(BLUR, mean=0.004)
    new = replace(BLUR, resource="a new device")
    other.write_text(to_json([slower, new]))
    found = json.loads(printed(capsys, "diff", str(path), str(other), "--json"))["differences"]
    ratios = {each["resource"]: each["ratio"] for each in found}
    assert ratios == {"an H100": 2.0, "8 threads of a CPU": None, "a new device": None}
    assert "2.00" in printed(capsys, "diff", str(path), str(other))


def test_merge_adds_the_timings_of_both(path: Path, tmp_path: Path, capsys: Any):
    other = tmp_path / "other.json"
    other.write_text(to_json([replace(BLUR, count=30, mean=0.006)]))
    out = tmp_path / "both.db"
    assert printed(capsys, "merge", str(path), str(other), "-o", str(out)) == "records: 2\n"
    blur, _ = pm.History(out).records()
    assert (blur.count, blur.mean) == (40, pytest.approx(0.005))
    assert "exists" in refused(capsys, "merge", str(path), str(other), "-o", str(out))


@pytest.mark.parametrize("content", [b"", b"text", b'{"format": 1}', b'{"format": "x"', b"{}"])
def test_a_file_that_is_no_history_is_refused_and_left(
    content: bytes, path: Path, tmp_path: Path, capsys: Any
):
    other = tmp_path / "other"
    other.write_bytes(content)
    for arguments in (("import", str(other)), ("diff", str(path), str(other))):
        assert "no " in refused(capsys, *arguments)
    assert other.read_bytes() == content


def test_a_missing_history_is_not_created(path: Path, capsys: Any):
    path.unlink()
    for command in (["show"], ["export"], ["prune", "--older-than", "1d"]):
        assert "No such file" in refused(capsys, *command)
    assert not path.exists()


def test_no_history_is_an_error(capsys: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("POINTSMAN_HISTORY", "off")
    assert "set POINTSMAN_HISTORY" in refused(capsys, "where")


def test_help_has_examples(capsys: Any):
    with pytest.raises(SystemExit):
        main(["history", "--help"])
    assert "pointsman history merge" in capsys.readouterr().out


ODD: list[Any] = [None, "x", 5, -1, 1e400, float("nan"), 2**70, [], {}, "\ud800", True, 1e30, -5.5]


@pytest.mark.parametrize("field", json.loads(to_json([BLUR]))["records"][0])
def test_an_export_with_odd_values_is_refused_or_kept(field: str, path: Path, capsys: Any):
    export = json.loads(to_json([BLUR]))
    file = path.with_name("odd.json")
    for value in ODD:
        export["records"][0][field] = value
        file.write_text(json.dumps(export))
        before = pm.History(path).records()
        if main(["history", "import", str(file)]) == 0:
            assert len(pm.History(path).records()) >= len(before)
        else:
            assert capsys.readouterr().err.startswith("pointsman history: error: ")
            assert pm.History(path).records() == before


def test_a_deep_export_is_refused(path: Path, capsys: Any):
    deep = path.with_name("deep.json")
    deep.write_text('{"records":' * 100_000)
    assert "is no exported history" in refused(capsys, "import", str(deep))


def test_a_kind_is_pinned_and_unpinned(path: Path, capsys: Any):
    pm.History(path).add([replace(BLUR, resource="a GPU"), replace(BLUR, key=(2**63 + 3, 5))])
    assert printed(capsys, "pin", "blur(2^20)", "H100") == "pinned: 2\n"
    assert printed(capsys, "show").count("pinned: blur(2^20) to an H100\n") == 2
    shown = json.loads(printed(capsys, "show", "--json", "--kind", "blur"))
    assert shown["pins"][0] == {
        "key": [f"{2**63 + 1:016x}", f"{5:016x}"],
        "kind": "blur(2^20)",
        "resource": "an H100",
    }
    assert printed(capsys, "unpin", "blur(2^20)", "--json") == '{"unpinned": 2}\n'
    assert pm.History(path).pins() == []


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (["pin", "blur", "H100"], "pass one of blur(2^20), sum(2^20)"),
        (["pin", "blur(2^20)", "a"], "is part of 2 resources: pass a part of one of"),
        (["pin", "blur(2^20)", "FPGA"], "is part of 0 resources: pass a part of one of"),
        (["unpin", "blur(2^20)"], "pass one of none"),
    ],
)
def test_a_pin_that_names_nothing_is_refused(
    arguments: list[str], remedy: str, path: Path, capsys: Any
):
    assert remedy in refused(capsys, *arguments)
