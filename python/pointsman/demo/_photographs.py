# SPDX-License-Identifier: Apache-2.0
# Finds the demo's photographs inside installed packages and reads them.
"""Photographs as arrays: the user's own files, or real ones that ship with scikit-image."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from pointsman.demo import _memory, _pixels

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
_LONGEST_SIDE = 65500  # of a JPEG file that libjpeg writes


class PhotographError(Exception):
    """A photograph is not available; the one-line message names the remedy."""


@dataclass(frozen=True)
class Photograph:
    """A picture in memory: ``pixels`` is uint8 of shape (height, width, 3), upright.

    ``exif`` and ``icc_profile`` come from the file and are saved with the filtered picture.
    ``exif`` lacks the orientation, as ``pixels`` are upright. ``path`` is the file, if any.
    """

    name: str
    pixels: NDArray[np.uint8]
    exif: bytes = b""
    icc_profile: bytes | None = None
    path: Path | None = None


def read(path: Path) -> Photograph:
    """Read one file with Pillow, upright and in 8 bits; of an animation, the first picture.

    Raises PhotographError if it is missing or not a picture.
    """
    with _opened(path) as image:
        upright, exif = _pixels.upright(image)
        pixels = np.asarray(_pixels.in_rgb(upright))
        profile = image.info.get("icc_profile") if image.mode == "RGB" else None
    return Photograph(path.stem, np.ascontiguousarray(pixels), exif, profile, path)


def read_all(paths: Sequence[Path]) -> list[Photograph]:
    """Read ``paths``, or the photographs of installed packages if there are none.

    A folder stands for the pictures in it, in alphabetical order. Names are made distinct. Raises
    PhotographError for the first file that cannot be read, for a folder without pictures, and if no
    package with photographs is installed; also, before any picture is decoded, if all of them
    together need more memory than is available.
    """
    files = [file for path in paths or installed() for file in _files(path)]
    if not files:
        raise PhotographError(
            "no photographs: neither scikit-image nor matplotlib's sample data is installed; "
            "install scikit-image (Debian: python3-skimage) or pass --image"
        )
    _check_sizes(files)
    return list(_with_distinct_names([read(file) for file in files]))


def _files(path: Path) -> list[Path]:
    try:
        if not path.is_dir():
            return [path]
        found = sorted(file for file in path.iterdir() if _looks_like_a_picture(file))
    except OSError as error:
        raise PhotographError(f"cannot read {path}: {error.strerror}") from None
    if not found:
        raise PhotographError(f"no pictures in the folder {path}")
    return found


def _looks_like_a_picture(file: Path) -> bool:
    """Return whether a folder means this file: a visible one in a format that Pillow reads."""
    format = Image.registered_extensions().get(file.suffix.lower())
    is_picture = format in Image.OPEN and Image.MIME.get(format, "").startswith("image/")
    return is_picture and not file.name.startswith(".") and file.is_file()


@contextmanager
def _opened(path: Path) -> Iterator[Image.Image]:
    """Open a file and read its header. Raises PhotographError, also for errors inside the block."""
    limit, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None  # `_check_sizes` has its own
    try:
        if path.exists() and not path.is_file():  # a pipe would wait for its writer
            raise ValueError("not a file")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about metadata
            # By its path, Pillow maps an uncompressed TIFF file into memory and swaps its sides.
            with path.open("rb") as file, Image.open(file) as image:
                yield image
    except FileNotFoundError:
        raise PhotographError(f"no such file: {path}") from None
    except Image.UnidentifiedImageError:
        raise PhotographError(f"not a picture in a format that Pillow reads: {path}") from None
    except MemoryError:
        raise PhotographError(f"not enough memory to read {path}: scale it down") from None
    except Exception as error:  # Pillow's decoders raise many kinds for damaged files
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise PhotographError(f"cannot read {path}: {reason.splitlines()[0]}") from None
    finally:
        Image.MAX_IMAGE_PIXELS = limit


def _check_sizes(files: Sequence[Path]) -> None:
    """Raise PhotographError if the pictures would not fit in memory, or one not in a JPEG file.

    Reads headers only.
    """
    sizes = []
    for file in files:
        with _opened(file) as image:
            sizes.append(image.size)
        if max(sizes[-1]) > _LONGEST_SIDE:
            width, height = sizes[-1]
            raise PhotographError(
                f"{file} is {width}x{height}: scale it down, JPEG files, which the demo writes, "
                f"have at most {_LONGEST_SIDE} pixels a side"
            )
    pixels = [width * height for width, height in sizes]
    needed = _memory.needed_bytes(pixels)
    available = _memory.available_bytes()
    if needed > available:
        largest = pixels.index(max(pixels))
        width, height = sizes[largest]
        raise PhotographError(
            f"filtering takes about {needed / 2**30:.1f} GiB of memory and "
            f"{available / 2**30:.1f} GiB are available: scale the pictures down; the largest, "
            f"{files[largest]}, is {width}x{height}"
        )


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
