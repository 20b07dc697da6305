# SPDX-License-Identifier: Apache-2.0
# Finds the demo's photographs inside installed packages and reads them.
"""Photographs as arrays: the user's own files, or real ones that ship with scikit-image."""

from __future__ import annotations

import importlib.util
import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

_SCIKIT_IMAGE = (
    "astronaut.png",
    "chelsea.png",
    "coffee.png",
    "hubble_deep_field.jpg",
    "ihc.png",
    "motorcycle_left.png",
    "retina.jpg",
    "rocket.jpg",
)
_MATPLOTLIB = ("grace_hopper.jpg",)
_WHITE_OF_16_BITS = 65535
_BYTES_OF_PIXEL = 45  # copies of each picture that exist all the time, here and on devices
_BYTES_OF_LARGEST = 60  # while NumPy filters it for comparison


class PhotographError(Exception):
    """A photograph is not available; the one-line message names the remedy."""


@dataclass(frozen=True)
class Photograph:
    """A picture in memory: ``pixels`` is uint8 of shape (height, width, 3), upright.

    ``exif`` and ``icc_profile`` are the file's own, for the filtered picture; the former without
    the orientation, which ``pixels`` already have.
    """

    name: str
    pixels: NDArray[np.uint8]
    exif: bytes = b""
    icc_profile: bytes | None = None


def read(path: Path) -> Photograph:
    """Read one file with Pillow and turn it upright, as its EXIF orientation says.

    16-bit grey levels are scaled to 8 bits; Pillow itself does so for 16-bit colours.
    Raises PhotographError if it is missing or not a picture.
    """
    with _opened(path) as image:
        upright = ImageOps.exif_transpose(image)
        pixels = np.asarray(_in_eight_bits(upright).convert("RGB"))
        profile = image.info.get("icc_profile") if image.mode == "RGB" else None
        exif = upright.getexif().tobytes() if upright.getexif() else b""
    return Photograph(path.stem, np.ascontiguousarray(pixels), exif, profile)


def read_all(paths: Sequence[Path]) -> list[Photograph]:
    """Read ``paths``, or the photographs of installed packages if there are none.

    A folder stands for the pictures in it, in alphabetical order. Names are made distinct. Raises
    PhotographError for the first file that cannot be read, for a folder without pictures, when no
    package with photographs is installed, and before any picture is decoded when all of them
    need more memory than is available.
    """
    files = [file for path in paths or installed() for file in _files(path)]
    if not files:
        raise PhotographError(
            "no photographs: neither scikit-image nor matplotlib's sample data is installed; "
            "install scikit-image (Debian: python3-skimage) or pass --image"
        )
    _check_memory(files)
    return list(_with_distinct_names([read(file) for file in files]))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    known = Image.registered_extensions()
    found = sorted(file for file in path.iterdir() if file.suffix.lower() in known)
    if not found:
        raise PhotographError(f"no pictures in the folder {path}")
    return found


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a file and read its header. Raises PhotographError, also for errors inside the block."""
    limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None  # `_check_memory` has its own
    try:
        with Image.open(path) as image:
            yield image
    except FileNotFoundError:
        raise PhotographError(f"no such file: {path}") from None
    except Image.UnidentifiedImageError:
        raise PhotographError(f"not a picture in a format that Pillow reads: {path}") from None
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise PhotographError(f"cannot read {path}: {reason}") from None
    finally:
        Image.MAX_IMAGE_PIXELS = limit


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Scale grey levels of 16 bits, which ``convert`` would cut off at 255."""
    if image.mode == "F":
        raise ValueError("its values are floating-point: save it with 8 or 16 bits")
    if not image.mode.startswith("I"):
        return image
    levels = np.asarray(image).astype(np.int64)
    if levels.size and (levels.min() < 0 or levels.max() > _WHITE_OF_16_BITS):
        raise ValueError("its values have more than 16 bits: save it with 8 or 16 bits")
    return Image.fromarray(np.rint(levels * (255 / _WHITE_OF_16_BITS)).astype(np.uint8))


def _check_memory(files: Sequence[Path]) -> None:
    """Raise PhotographError if the pictures would not fit in memory; reads headers only."""
    sizes = []
    for file in files:
        with _opened(file) as image:
            sizes.append(image.size)
    pixels = [width * height for width, height in sizes]
    needed = sum(pixels) * _BYTES_OF_PIXEL + max(pixels) * _BYTES_OF_LARGEST
    available = _available_bytes()
    if needed > available:
        largest = pixels.index(max(pixels))
        width, height = sizes[largest]
        raise PhotographError(
            f"filtering takes about {needed / 2**30:.1f} GiB of memory and "
            f"{available / 2**30:.1f} GiB are available: scale the pictures down; the largest, "
            f"{files[largest]}, is {width}x{height}"
        )


def _available_bytes() -> int:
    """Return the memory that can be used without swapping, or all memory if Linux cannot tell."""
    try:
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def installed() -> list[Path]:
    """Return the photographs inside installed packages, in alphabetical order."""
    candidates = [folder / name for folder in _scikit_image_data() for name in _SCIKIT_IMAGE]
    candidates += [folder / name for folder in _matplotlib_sample_data() for name in _MATPLOTLIB]
    return sorted((path for path in candidates if path.is_file()), key=lambda path: path.name)


def _scikit_image_data() -> list[Path]:
    """Return its data folder without importing it, which takes a second."""
    spec = importlib.util.find_spec("skimage")
    places = spec.submodule_search_locations if spec is not None else None
    return [Path(place) / "data" for place in places or ()]


def _matplotlib_sample_data() -> list[Path]:
    try:
        import matplotlib
    except ImportError:
        return []
    return [Path(matplotlib.get_data_path()) / "sample_data"]


def _with_distinct_names(photographs: Sequence[Photograph]) -> Iterator[Photograph]:
    taken: set[str] = set()
    for photograph in photographs:
        name, number = photograph.name, 2
        while name in taken:
            name = f"{photograph.name}_{number}"
            number += 1
        taken.add(name)
        yield replace(photograph, name=name)
