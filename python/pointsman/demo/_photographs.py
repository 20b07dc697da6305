# SPDX-License-Identifier: Apache-2.0
# Finds the demo's photographs inside installed packages and reads them.
"""Photographs as arrays: the user's own files, or real ones that ship with scikit-image."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

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


class PhotographError(Exception):
    """A photograph is not available; the one-line message names the remedy."""


@dataclass(frozen=True)
class Photograph:
    """A picture in memory: ``pixels`` is uint8 of shape (height, width, 3)."""

    name: str
    pixels: NDArray[np.uint8]


def read(path: Path) -> Photograph:
    """Read one file with Pillow. Raises PhotographError if it is missing or not a picture."""
    try:
        with Image.open(path) as image:
            pixels = np.asarray(image.convert("RGB"))
    except FileNotFoundError:
        raise PhotographError(f"no such file: {path}") from None
    except Image.UnidentifiedImageError:
        raise PhotographError(f"not a picture in a format that Pillow reads: {path}") from None
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise PhotographError(f"cannot read {path}: {reason}") from None
    return Photograph(path.stem, np.ascontiguousarray(pixels))


def read_all(paths: Sequence[Path]) -> list[Photograph]:
    """Read ``paths``, or the photographs of installed packages if there are none.

    Names are made distinct. Raises PhotographError for the first file that cannot be read, and
    when no package with photographs is installed.
    """
    found = [read(path) for path in paths or installed()]
    if not found:
        raise PhotographError(
            "no photographs: neither scikit-image nor matplotlib's sample data is installed; "
            "install scikit-image (Debian: python3-skimage) or pass --image"
        )
    return list(_with_distinct_names(found))


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
        yield Photograph(name, photograph.pixels)
