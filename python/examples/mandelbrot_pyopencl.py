# SPDX-License-Identifier: Apache-2.0
"""A pyopencl program for one queue, converted to use several: the bands of a Mandelbrot picture.

Four lines differ from the original; a comment beside each shows what it was. The policy accepts
pyopencl's queues as they are, and waits for the ``pyopencl.Event`` that ``draw`` returns.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pointsman as pm

try:
    import pyopencl as cl
except ImportError:
    cl = None

WIDTH, HEIGHT, BAND = 1200, 800, 50  # pixels, pixels, rows that are drawn by one kernel

SOURCE = """
kernel void mandelbrot(global uchar* band, int top, int width, int height) {
    int column = get_global_id(0), row = get_global_id(1);
    float re = 3.0f * column / width - 2.2f, im = 2.0f * (top + row) / height - 1.0f;
    float x = 0, y = 0;
    int steps = 0;
    for (; steps < 255 && x * x + y * y < 4; ++steps) {
        float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
    }
    band[row * width + column] = 255 - steps;
}
"""


def mandelbrot(context: Any) -> tuple[NDArray[np.uint8], Counter[str]]:
    """Return the picture, and how many bands each queue drew."""
    queues = [cl.CommandQueue(context, d) for d in context.devices for _ in range(2)]
    policy = pm.DynamicLoad(queues)  # was: queue = cl.CommandQueue(context)
    kernel = cl.Program(context, SOURCE).build().mandelbrot
    picture = np.empty((HEIGHT, WIDTH), np.uint8)

    def draw(queue: Any, top: int) -> Any:  # was: def draw(top):
        band = picture[top : top + BAND]
        buffer = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, band.nbytes)
        size = np.int32(top), np.int32(WIDTH), np.int32(HEIGHT)
        kernel(queue, band.shape[::-1], None, buffer, *size)
        return cl.enqueue_copy(queue, band, buffer, is_blocking=False)

    bands = [policy.submit(draw, top) for top in range(0, HEIGHT, BAND)]  # was: draw(top)
    for band in bands:
        band.result()  # was: queue.finish()
    drawn = Counter(f"queue {queues.index(band.resource)}" for band in bands)
    return picture, drawn


def main() -> None:
    if cl is None:
        print("nothing was drawn: install pyopencl")
        return
    try:
        context = cl.create_some_context(interactive=False)
    except cl.Error as error:
        print(f"nothing was drawn, as there is no OpenCL device: {error}")
        return
    picture, drawn = mandelbrot(context)
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "mandelbrot.pgm")
    path.write_bytes(f"P5 {WIDTH} {HEIGHT} 255\n".encode() + picture.tobytes())
    print(f"{path}: {', '.join(f'{queue} drew {n} bands' for queue, n in sorted(drawn.items()))}")


if __name__ == "__main__":
    main()
