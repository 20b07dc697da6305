# SPDX-License-Identifier: Apache-2.0
"""Where the demo writes, what it refuses to overwrite, and what it says if it cannot write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest

import pointsman as pm

Image = pytest.importorskip("PIL.Image")
pytest.importorskip("matplotlib")

from pointsman.demo import _photographs, _show  # noqa: E402  (they need these two packages)

Command = Callable[..., CompletedProcess[str]]

ONE_PASS = ("--policy", "round_robin", "--passes", "1")
needs_full_disk = pytest.mark.skipif(
    not Path("/dev/full").exists(), reason="the system has no /dev/full"
)


@pytest.fixture
def photograph(tmp_path: Path) -> Path:
    path = tmp_path / "one.jpg"
    Image.new("RGB", (16, 8), "red").save(path)
    return path


@pytest.mark.usefixtures("photograph")
def test_an_output_that_cannot_take_a_file_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "out" / "one.jpg").mkdir(parents=True)
    photograph = _photographs.Photograph("one", np.zeros((8, 16, 3), np.uint8))
    with pytest.raises(_show.OutputError, match=r"one\.jpg: Is a directory"):
        _show.check_output(tmp_path / "out", [photograph])


def test_a_photograph_is_not_overwritten(
    pointsman_command: Command, photograph: Path, tmp_path: Path
) -> None:
    before = photograph.read_bytes()
    (tmp_path / "link").symlink_to(tmp_path)
    result = pointsman_command("demo", "--image", str(photograph), "--out", "link", *ONE_PASS)
    assert result.returncode == 2
    assert result.stderr == (
        "pointsman demo: error: cannot write to link/one.jpg: it is one of the photographs: "
        "pass another --out\n"
    )
    assert photograph.read_bytes() == before


@needs_full_disk
@pytest.mark.usefixtures("photograph")
@pytest.mark.parametrize("name", ["one.jpg", "timeline.png"])
def test_a_full_disk_is_one_line_after_the_table(
    pointsman_command: Command, tmp_path: Path, name: str
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to("/dev/full")
    result = pointsman_command("demo", "--image", "one.jpg", "--out", "out", *ONE_PASS)
    assert result.returncode == 1
    assert result.stderr == (
        f"pointsman demo: error: cannot write to out/{name}: No space left on device\n"
    )
    assert "72 of 72 pictures match" in result.stdout


@pytest.mark.usefixtures("photograph")
@pytest.mark.parametrize(
    ("error", "message"),
    [(MemoryError(), "not enough memory: pass smaller"), (pm.OpenCLError("lost"), "lost")],
    ids=["memory", "device"],
)
def test_a_resource_that_fails_is_one_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    message: str,
) -> None:
    from pointsman.__main__ import main

    def fail(*_arguments: object, **_options: object) -> int:
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_show, "run", fail)
    assert main(["demo", "--image", "one.jpg"]) == 1
    assert capsys.readouterr().err.startswith(f"pointsman demo: error: {message}")
