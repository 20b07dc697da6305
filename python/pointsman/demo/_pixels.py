# SPDX-License-Identifier: Apache-2.0
# From what Pillow decodes to what the filters take, without a loss that a viewer would see.
"""Orientation, transparency and depth of pictures."""

from __future__ import annotations

import numpy as np
from PIL import Image, ImageOps

_WHITE_OF_16_BITS = 65535
_LONGEST_EXIF = 65533  # in a JPEG file
_TRANSPARENT = ("LA", "PA", "RGBA", "RGBa", "La")


def upright(image: Image.Image) -> tuple[Image.Image, bytes]:
    """Return ``image`` turned as its EXIF orientation says, and its EXIF data without orientation.

    The data are empty if they do not fit in a JPEG file. Damaged data are ignored. The tags of a
    TIFF file are not kept, because they describe the layout of that file.
    """
    image.load()
    if image.format == "TIFF":
        return image, b""  # Pillow has turned it
    try:
        turned = ImageOps.exif_transpose(image)
        exif = turned.getexif().tobytes() if turned.getexif() else b""
    except Exception:  # Pillow raises many kinds for damaged data
        return image, b""
    return turned, exif if len(exif) <= _LONGEST_EXIF else b""


def in_rgb(image: Image.Image) -> Image.Image:
    """Return ``image`` in RGB of 8 bits, on white where it is transparent.

    Scales 16-bit grey levels; Pillow itself scales 16-bit colours. Raises ValueError for
    other depths.
    """
    if image.mode == "F":
        raise ValueError("its values are floating-point: save it with 8 or 16 bits")
    if image.mode.startswith("I"):
        return _in_eight_bits(image).convert("RGB")
    if image.mode in _TRANSPARENT or "transparency" in image.info:
        transparent = image.convert("RGBA")
        image = Image.new("RGBA", image.size, "white")
        image.alpha_composite(transparent)
    return image.convert("RGB")


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """Scale grey levels of 16 bits, which ``convert`` would cut off at 255."""
    levels = np.asarray(image).astype(np.int64)
    if levels.size and (levels.min() < 0 or levels.max() > _WHITE_OF_16_BITS):
        raise ValueError("its values have more than 16 bits: save it with 8 or 16 bits")
    return Image.fromarray(np.rint(levels * (255 / _WHITE_OF_16_BITS)).astype(np.uint8))
