# SPDX-License-Identifier: Apache-2.0
"""Orientation, transparency and metadata of pictures in formats that Pillow treats differently."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

Image = pytest.importorskip("PIL.Image")
pytest.importorskip("matplotlib")

from pointsman.demo import _photographs  # noqa: E402  (it needs these two packages)

ORIENTATION = 0x0112
MAKER = 0x010F
QUARTER_TURN = 6  # to the right, to see the picture upright
LEVELS = np.arange(24, dtype=np.uint8).reshape(4, 6) * 10


@pytest.mark.parametrize("depth", [np.uint8, np.uint16], ids=["8 bits", "16 bits"])
@pytest.mark.parametrize("compression", ["raw", "tiff_lzw"])
def test_a_tiff_file_is_turned_once(tmp_path: Path, depth: type, compression: str) -> None:
    levels = LEVELS.astype(depth) * (np.iinfo(depth).max // 255)
    path = tmp_path / "turned.tiff"
    Image.fromarray(levels).save(path, compression=compression, tiffinfo={ORIENTATION: 6})
    read = _photographs.read(path)
    assert np.array_equal(read.pixels[..., 0], np.rot90(LEVELS, -1))
    assert read.exif == b""


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_parts_become_white(tmp_path: Path, mode: str) -> None:
    image = Image.new(mode, (2, 1))
    image.putpixel((1, 0), (0,) * (len(mode) - 1) + (255,))
    image.save(tmp_path / "hole.png")
    read = _photographs.read(tmp_path / "hole.png").pixels
    assert read.tolist() == [[[255, 255, 255], [0, 0, 0]]]


def test_transparent_colours_of_a_palette_become_white(tmp_path: Path) -> None:
    image = Image.new("P", (2, 1))
    image.putpalette([10, 20, 30, 40, 50, 60])
    image.putpixel((1, 0), 1)
    image.save(tmp_path / "hole.png", transparency=bytes([0, 255]))
    read = _photographs.read(tmp_path / "hole.png").pixels
    assert read.tolist() == [[[255, 255, 255], [40, 50, 60]]]


def test_an_animation_means_its_first_picture(tmp_path: Path) -> None:
    first, second = (Image.new("RGB", (3, 2), colour) for colour in ("black", "white"))
    first.save(tmp_path / "moving.gif", save_all=True, append_images=[second])
    assert not _photographs.read(tmp_path / "moving.gif").pixels.any()


def test_damaged_exif_data_are_ignored(tmp_path: Path) -> None:
    Image.new("RGB", (3, 2), "white").save(tmp_path / "damaged.png", exif=b"Exif\0\0nonsense")
    read = _photographs.read(tmp_path / "damaged.png")
    assert read.exif == b""
    assert (read.pixels == 255).all()


@pytest.mark.parametrize(("length", "fits"), [(65000, True), (66000, False)])
def test_exif_data_are_kept_where_a_jpeg_file_has_room(
    tmp_path: Path, length: int, fits: bool
) -> None:
    exif = Image.Exif()
    exif[ORIENTATION] = QUARTER_TURN
    exif[MAKER] = "x" * length
    Image.new("RGB", (3, 2)).save(tmp_path / "long.png", exif=exif)
    read = _photographs.read(tmp_path / "long.png")
    assert read.pixels.shape == (3, 2, 3)
    assert (len(read.exif) > length) == fits
    Image.new("RGB", (3, 2)).save(tmp_path / "long.jpg", exif=read.exif)
