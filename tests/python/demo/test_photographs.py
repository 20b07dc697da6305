# SPDX-License-Identifier: Apache-2.0
"""How the demo reads pictures: orientation, 16 bits, folders, sizes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")
pytest.importorskip("matplotlib")

from pointsman.demo import _memory, _photographs  # noqa: E402  (they need these two packages)

Command = Callable[..., subprocess.CompletedProcess[str]]

ORIENTATION = 0x0112
MAKER = 0x010F
# by the numbers of EXIF: from the upright picture to the stored one
STORED = {
    1: lambda upright: upright,
    2: np.fliplr,
    3: lambda upright: np.rot90(upright, 2),
    4: np.flipud,
    5: lambda upright: np.swapaxes(upright, 0, 1),
    6: np.rot90,
    7: lambda upright: np.swapaxes(np.rot90(upright, 2), 0, 1),
    8: lambda upright: np.rot90(upright, -1),
}


@pytest.fixture
def upright() -> np.ndarray:
    """A picture of 32 x 16 pixels with four quarters of different colours."""
    colours = np.array([[[250, 0, 0], [0, 250, 0]], [[0, 0, 250], [250, 250, 250]]], np.uint8)
    return colours.repeat(8, axis=0).repeat(16, axis=1)


@pytest.mark.parametrize("orientation", STORED)
def test_a_photograph_is_turned_upright(
    tmp_path: Path, upright: np.ndarray, orientation: int
) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    stored = np.ascontiguousarray(STORED[orientation](upright))
    Image.fromarray(stored).save(tmp_path / "turned.png", exif=exif)
    assert np.array_equal(_photographs.read(tmp_path / "turned.png").pixels, upright)


def test_the_filtered_picture_keeps_exif_and_is_shown_upright(
    pointsman_command: Command, tmp_path: Path, upright: np.ndarray
) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    exif[MAKER] = "a camera"
    turned = Image.fromarray(np.ascontiguousarray(np.rot90(upright)))
    turned.save(tmp_path / "turned.jpg", exif=exif, icc_profile=b"a profile")
    result = pointsman_command(
        "demo", "--image", "turned.jpg", "--policy", "round_robin", "--passes", "1"
    )
    assert result.returncode == 0, result.stderr
    with Image.open(tmp_path / "pointsman-demo" / "turned.jpg") as filtered:
        assert filtered.size == (32, 16)
        assert filtered.getexif().get(MAKER) == "a camera"
        assert filtered.getexif().get(ORIENTATION, 1) == 1
        assert filtered.info["icc_profile"] == b"a profile"


@pytest.mark.parametrize("suffix", ["png", "tiff"])
def test_grey_levels_of_16_bits_keep_their_range(tmp_path: Path, suffix: str) -> None:
    levels = np.linspace(0, 65535, 256).round().astype(np.uint16).reshape(16, 16)
    path = tmp_path / f"deep.{suffix}"
    Image.fromarray(levels).save(path)
    read = _photographs.read(path).pixels
    assert np.array_equal(read[..., 0].ravel(), np.arange(256))
    assert np.array_equal(read[..., 0], read[..., 2])


@pytest.mark.parametrize(
    ("values", "reason"), [(np.float32(0.5), "floating-point"), (np.int32(70000), "16 bits")]
)
def test_pictures_of_another_depth_are_refused(
    tmp_path: Path, values: np.generic, reason: str
) -> None:
    path = tmp_path / "deep.tiff"
    Image.fromarray(np.full((4, 4), values)).save(path)
    with pytest.raises(_photographs.PhotographError, match=reason):
        _photographs.read(path)


def test_a_folder_means_its_pictures(tmp_path: Path, upright: np.ndarray) -> None:
    for name in ("b.png", "a.jpg", "c.PNG"):
        Image.fromarray(upright).save(tmp_path / name)
    for name in ("notes.txt", ".hidden.png", "document.pdf", "film.mpg"):
        (tmp_path / name).write_text("no picture")
    (tmp_path / "folder.png").mkdir()
    assert [each.name for each in _photographs.read_all([tmp_path])] == ["a", "b", "c"]


def test_a_folder_without_pictures_is_refused(tmp_path: Path) -> None:
    with pytest.raises(_photographs.PhotographError, match="no pictures in the folder"):
        _photographs.read_all([tmp_path])


def test_a_huge_picture_is_refused_with_its_cost_before_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "huge.png"
    Image.new("1", (30000, 30000)).save(path)
    monkeypatch.setattr(_memory, "available_bytes", lambda: 8 * 2**30)
    monkeypatch.setattr(_photographs, "read", lambda path: pytest.fail("decoded"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(_photographs.PhotographError, match=r"90\.\d GiB .* is 30000x30000"):
            _photographs.read_all([path])


def test_the_limit_counts_all_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, upright: np.ndarray
) -> None:
    path = tmp_path / "one.png"
    Image.fromarray(upright).save(path)
    pixels = upright[..., 0].size
    monkeypatch.setattr(_memory, "available_bytes", lambda: 420 * pixels)
    assert len(_photographs.read_all([path, path, path])) == 3
    with pytest.raises(_photographs.PhotographError, match="scale the pictures down"):
        _photographs.read_all([path] * 4)


def test_a_picture_that_no_jpeg_file_can_hold_is_refused(tmp_path: Path) -> None:
    Image.new("1", (65501, 1)).save(tmp_path / "long.png")
    with pytest.raises(_photographs.PhotographError, match="at most 65500 pixels a side"):
        _photographs.read_all([tmp_path / "long.png"])


def test_a_pipe_is_refused_without_waiting_for_its_writer(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    with pytest.raises(_photographs.PhotographError, match=r"pipe\.png: not a file"):
        _photographs.read_all([tmp_path / "pipe.png"])


def test_a_name_that_is_too_long_is_refused() -> None:
    with pytest.raises(_photographs.PhotographError, match="File name too long"):
        _photographs.read_all([Path("a" * 300)])


def test_ctrl_c_ends_the_demo_in_one_line(tmp_path: Path, upright: np.ndarray) -> None:
    Image.fromarray(upright).save(tmp_path / "one.png")
    command = [sys.executable, "-m", "pointsman", "demo", "--image", "one.png"]
    with subprocess.Popen(
        [*command, "--passes", "1000000"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as demo:
        assert demo.stdout is not None
        assert demo.stderr is not None
        assert any("warm-up" in line for line in demo.stdout)
        demo.send_signal(signal.SIGINT)
        errors = demo.stderr.read()
        assert demo.wait(60) == -signal.SIGINT
    assert errors.splitlines()[-1] == "pointsman: interrupted"
    assert "Traceback" not in errors
