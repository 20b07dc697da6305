# SPDX-License-Identifier: Apache-2.0
"""``map`` with a progress bar: sorts photographs by their sharpness, the blurred ones last.

``python sharpest_photographs.py holiday/*.jpg`` sorts your own photographs, without arguments those
that come with scikit-image.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from skimage import color, data, filters, io

import pointsman as pm

INCLUDED = ("astronaut", "camera", "cat", "coffee", "coins", "moon", "page", "rocket")


def included(name: str) -> NDArray[Any]:
    """Return a photograph of scikit-image, for example ``skimage.data.moon()``."""
    photograph: NDArray[Any] = getattr(data, name)()
    return photograph


def sharpness(photograph: NDArray[Any]) -> float:
    """Return the share of fine detail in the contrast of a photograph, in percent."""
    grey = color.rgb2gray(photograph[..., :3]) if photograph.ndim == 3 else photograph / 255
    detail = filters.difference_of_gaussians(grey, 1, 2)
    return 100 * float(np.std(detail) / np.std(grey))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photographs", nargs="*", help="files; by default scikit-image's own")
    names: list[str] = parser.parse_args().photographs
    read: Callable[[str], NDArray[Any]] = io.imread if names else included
    names = names or list(INCLUDED)

    def measured(name: str) -> tuple[float, str]:
        return sharpness(read(name)), name  # reads here, so that few photographs are in memory

    policy = pm.DynamicLoad([pm.Arena()])
    begin = time.perf_counter()
    found = sorted(policy.map(measured, names, ordered=False, progress=True), reverse=True)
    seconds = time.perf_counter() - begin

    for percent, name in found:
        print(f"{percent:5.1f} %  {name}")
    print(f"{len(found)} photographs in {seconds:.1f} s on {policy.get_resources()[0]}")


if __name__ == "__main__":
    main()
