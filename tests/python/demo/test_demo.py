# SPDX-License-Identifier: Apache-2.0
"""The command `python -m pointsman demo`: its output, its checks and its errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from sanitized import IS_SANITIZED

import pointsman as pm
from pointsman import demo

Image = pytest.importorskip("PIL.Image")
pytest.importorskip("matplotlib")

from pointsman.demo import (  # noqa: E402  (they need these two packages)
    _photographs,
    _resources,
    _show,
)

Command = Callable[..., CompletedProcess[str]]


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """A small and a larger picture, as files."""
    random = np.random.default_rng(1)
    paths = []
    for name, shape in (("small", (20, 31, 3)), ("large", (150, 130, 3))):
        path = tmp_path / f"{name}.png"
        Image.fromarray(random.integers(0, 256, shape, dtype=np.uint8)).save(path)
        paths.append(path)
    return paths


def rows(output: str) -> dict[str, list[str]]:
    """The table of a finished demo: the label of each row and its other cells."""
    lines = output.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("---")) + 1
    end = next(i for i, line in enumerate(lines) if line.startswith(("speed: ", "learning: ")))
    table = lines[first:end]
    return {line.split("  ")[0]: line.split() for line in table}


def one_line(result: CompletedProcess[str]) -> str:
    assert result.returncode == 2
    assert "Traceback" not in result.stderr
    assert len(result.stderr.splitlines()) == 1
    return result.stderr


def test_runs_every_policy_and_every_picture_matches(
    pointsman_command: Command, pictures: list[Path], tmp_path: Path
) -> None:
    result = pointsman_command(
        "demo", "--image", *map(str, pictures), "--out", "out", "--passes", "2"
    )
    assert result.returncode == 0, result.stderr
    labels = list(rows(result.stdout))
    assert labels[-7:] == [
        "each on its best",
        "round_robin",
        "dynamic_load",
        "auto_tune, learning",
        "auto_tune, learnt",
        "earliest_finish, learning",
        "earliest_finish, learnt",
    ]
    assert all(label.startswith("fixed: ") for label in labels[:-7])
    pictures_in_all = 72 * 2 * len(labels)
    assert f"{pictures_in_all} of {pictures_in_all} pictures match" in result.stdout
    with Image.open(tmp_path / "out" / "small.jpg") as small:
        assert small.size == (31, 20)
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "large.jpg",
        "small.jpg",
        "timeline.png",
    ]


@pytest.mark.skipif(IS_SANITIZED, reason="AddressSanitizer makes it take minutes")
def test_uses_the_photographs_of_installed_packages_and_both_kinds_of_resource(
    pointsman_command: Command, opencl_queue: pm.opencl.Queue
) -> None:
    if not _photographs.installed():
        pytest.skip("no package with photographs is installed")
    result = pointsman_command("demo", "--policy", "round_robin", "--passes", "1")
    assert result.returncode == 0, result.stderr
    heading, *lines = result.stdout.splitlines()
    assert heading == "resources:"
    assert lines[0].startswith("  arena of ")
    assert f"OpenCL on {opencl_queue.device.label}" in result.stdout
    assert "warm-up, not timed" in result.stdout


def test_says_so_and_uses_two_arenas_without_an_opencl_driver(
    pointsman_command: Command,
    pictures: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OCL_ICD_VENDORS", str(tmp_path / "none"))
    monkeypatch.setenv("OCL_ICD_FILENAMES", "")
    result = pointsman_command("demo", "--image", *map(str, pictures), "--passes", "1")
    assert result.returncode == 0, result.stderr
    first, _, narrow, wide = result.stdout.splitlines()[:4]
    assert first == "no OpenCL device was found: running over arenas of different widths"
    words = "arena of 1 threads of oneTBB; shares its cores with arena of "
    assert " ".join(narrow.split()).startswith(words.rstrip())
    assert wide.endswith("; shares its cores with arena of 1")
    assert "shares the cores of arena of " in result.stdout
    assert (tmp_path / "pointsman-demo" / "timeline.png").is_file()


def test_runs_a_single_policy(pointsman_command: Command, pictures: list[Path]) -> None:
    result = pointsman_command("demo", "--image", str(pictures[0]), "--policy", "auto_tune")
    assert result.returncode == 0, result.stderr
    assert list(rows(result.stdout)) == ["auto_tune, learning", "auto_tune, learnt"]
    assert f"{2 * 9 * 72} of" in result.stdout


def test_runs_several_policies(pointsman_command: Command, pictures: list[Path]) -> None:
    chosen = ("--policy", "round_robin", "auto_tune", "--passes", "1")
    result = pointsman_command("demo", "--image", str(pictures[0]), *chosen)
    assert result.returncode == 0, result.stderr
    assert list(rows(result.stdout)) == [
        "round_robin",
        "auto_tune, learning",
        "auto_tune, learnt",
    ]


def test_prints_json_alone_to_the_standard_output(
    pointsman_command: Command, pictures: list[Path]
) -> None:
    result = pointsman_command(
        "demo", "--image", str(pictures[0]), "--policy", "round_robin", "--passes", "2", "--json"
    )
    record = json.loads(result.stdout)
    (row,) = record["results"]
    assert row["label"] == "round_robin"
    assert 0 < row["shortest"] <= row["median"] <= row["longest"]
    assert list(row["photographs"]) == record["resources"]
    assert record["matching"] == record["pictures"] > 0
    assert record["out"] == "pointsman-demo"
    assert "filtered pictures and timeline.png are in" in result.stderr


def test_refuses_an_unknown_policy_and_lists_the_others(pointsman_command: Command) -> None:
    result = pointsman_command("demo", "--policy", "fastest")
    assert result.returncode == 2
    for name in demo.POLICIES:
        assert name in result.stderr.splitlines()[-1]


@pytest.mark.parametrize("passes", ["0", "-1", "many", "1000001", "9" * 5000])
def test_refuses_a_number_of_passes_below_one(pointsman_command: Command, passes: str) -> None:
    result = pointsman_command("demo", f"--passes={passes}")
    assert result.returncode == 2
    assert f"'{passes}' is no number of passes: pass 1 to 1000000" in result.stderr


def test_refuses_a_missing_file_in_one_line(pointsman_command: Command) -> None:
    message = one_line(pointsman_command("demo", "--image", "missing.png"))
    assert message == "pointsman demo: error: no such file: missing.png\n"


def test_refuses_a_text_file_in_one_line(pointsman_command: Command, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not a picture")
    message = one_line(pointsman_command("demo", "--image", "notes.txt"))
    assert message == (
        "pointsman demo: error: not a picture in a format that Pillow reads: notes.txt\n"
    )


def test_refuses_a_truncated_picture_in_one_line(
    pointsman_command: Command, pictures: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "cut.png").write_bytes(pictures[1].read_bytes()[:2000])
    assert "cannot read cut.png: " in one_line(pointsman_command("demo", "--image", "cut.png"))


def test_refuses_a_folder_that_cannot_be_created_in_one_line(
    pointsman_command: Command, pictures: list[Path]
) -> None:
    image = str(pictures[0])
    message = one_line(pointsman_command("demo", "--image", image, "--out", image))
    assert f"cannot write to {image}" in message


def test_names_the_remedy_if_no_package_has_photographs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_photographs, "installed", list)
    with pytest.raises(_photographs.PhotographError, match="install scikit-image"):
        _photographs.read_all([])


def test_pictures_of_the_same_name_are_kept_apart(pictures: list[Path], tmp_path: Path) -> None:
    other = tmp_path / "other" / "small.png"
    other.parent.mkdir()
    other.write_bytes(pictures[0].read_bytes())
    names = [p.name for p in _photographs.read_all([pictures[0], other])]
    assert names == ["small", "small_2"]


def test_a_wrong_picture_fails_the_demo_and_is_named(
    pictures: list[Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(_show, "reference", lambda pixels: pixels)
    monkeypatch.setattr(_resources, "find", lambda: _resources.described([pm.Arena(1)]))
    status = _show.run(_photographs.read_all(pictures[:1]), tmp_path, ["round_robin"], 3)
    captured = capsys.readouterr()
    assert status == 1
    assert "wrong picture: small under round_robin on arena of 1 is " in captured.err
    assert "0 of 216 pictures match" in captured.out
