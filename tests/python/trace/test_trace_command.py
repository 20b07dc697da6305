# SPDX-License-Identifier: Apache-2.0
"""The commands `trace show` and `trace plot`: their output and exit statuses."""

from __future__ import annotations

import json

import pytest

from pointsman.__main__ import main


@pytest.fixture
def path(two_resources, tmp_path):
    """A saved trace."""
    two_resources.save(tmp_path / "trace.json")
    return str(tmp_path / "trace.json")


def test_show_prints_a_row_for_each_resource(path, capsys):
    assert main(["trace", "show", path]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:3] == ["resource", "tasks", "failed"]
    assert lines[1].split() == ["gpu", "2", "1", "4", "ms", "50%", "3", "ms", "1", "ms"]
    assert lines[2].split() == ["cpu", "1", "0", "2", "ms", "25%", "2", "ms", "4", "ms"]
    assert lines[3] == "3 tasks, 12 events in 8 ms"


def test_show_prints_numbers_as_json(path, capsys):
    assert main(["trace", "show", path, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["seconds"] == pytest.approx(0.008)
    assert (found["events"], found["dropped"]) == (12, 0)
    gpu, cpu = found["resources"]
    assert (gpu["resource"], gpu["tasks"], gpu["failed"]) == ("gpu", 2, 1)
    assert gpu["busy"] == pytest.approx(0.004)
    assert cpu["utilisation"] == pytest.approx(0.25)


def test_show_warns_of_dropped_events(path, capsys):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('"dropped":0', '"dropped":5'))
    assert main(["trace", "show", path]) == 0
    assert "5 events were dropped: raise max_events" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["timeline", "load"])
def test_plot_writes_a_picture(path, kind, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    picture = str(tmp_path / "picture.png")
    assert main(["trace", "plot", path, "--kind", kind, "--out", picture, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"picture": picture}
    with open(picture, "rb") as file:
        assert file.read(8) == b"\x89PNG\r\n\x1a\n"


def test_plot_refuses_a_picture_of_an_unknown_type(path, tmp_path, capsys):
    pytest.importorskip("matplotlib")
    assert main(["trace", "plot", path, "--out", str(tmp_path / "picture.doc")]) == 1
    assert "pointsman trace: error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", [["show"], ["plot", "--out", "picture.png"]], ids=["show", "plot"]
)
def test_a_file_that_is_no_trace_ends_with_status_1_and_one_line(command, tmp_path, capsys):
    other = tmp_path / "other.json"
    other.write_text("{}")
    assert main(["trace", command[0], str(other), *command[1:]]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert "other.json" in captured.err


def test_a_missing_file_ends_with_status_1(tmp_path, capsys):
    assert main(["trace", "show", str(tmp_path / "missing.json")]) == 1
    assert "missing.json" in capsys.readouterr().err


def test_the_help_has_examples(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["trace", "--help"])
    assert ended.value.code == 0
    assert "pointsman trace show run.json --json" in capsys.readouterr().out


def test_replay_prints_a_table(path, capsys):
    assert main(["trace", "replay", path, "--policy", "fixed_resource", "--set", "index=1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split()[:2] == ["cpu", "3"]
    assert lines[-1].startswith("FixedResource: ")


def test_replay_prints_numbers_as_json(path, capsys):
    command = ["trace", "replay", path, "--policy", "dynamic_load", "--set", "tie_break=first"]
    assert main([*command, "--resource", "gpu", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["policy"] == "DynamicLoad"
    assert found["original_makespan"] == pytest.approx(0.008)
    assert [each["resource"] for each in found["resources"]] == ["gpu"]
    assert found["resources"][0]["tasks"] == 3
    assert [each["tasks"] for each in found["original_resources"]] == [2, 1]
    assert "trace" not in found


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--policy", "best"], "no policy is called 'best'"),
        (["--policy", "token", "--set", "tokens"], "--set 'tokens' has no value"),
        (["--policy", "token", "--set", "tokens=many"], "tokens is 'many'"),
        (["--policy", "fixed_resource", "--set", "index=9"], "index 9"),
        (["--policy", "token", "--resource", "tpu"], "no resource 'tpu'"),
    ],
)
def test_replay_says_what_is_wrong(path, options, text, capsys):
    assert main(["trace", "replay", path, *options]) == 1
    printed = capsys.readouterr()
    assert text in printed.err
    assert printed.err.startswith("pointsman trace: error: ")
    assert printed.out == ""
