# SPDX-License-Identifier: Apache-2.0
# Types of the extension module with the demo's filter for arenas.
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pointsman._core import Arena

class FilterTask:
    __pointsman_waitable__: Final[Any]
    def wait(self) -> None: ...
    def result(self) -> NDArray[np.uint8]: ...
    def done(self) -> bool: ...
    @property
    def start(self) -> float: ...
    @property
    def end(self) -> float: ...

def sepia_blur(
    arena: Arena,
    image: NDArray[np.uint8],
    out: NDArray[np.uint8],
    taps: Sequence[float],
    sepia: Sequence[float],
) -> FilterTask: ...
