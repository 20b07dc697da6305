# SPDX-License-Identifier: Apache-2.0
"""The demo's filters: the reference compared with known pictures, the others with the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pointsman as pm
from pointsman import _demo
from pointsman.demo import _filters

SHAPES = [(1, 1), (1, 40), (40, 1), (5, 3), (17, 171), (200, 513)]


def noise(height: int, width: int) -> _filters.Pixels:
    return np.random.default_rng(7).integers(0, 256, (height, width, 3), dtype=np.uint8)


def filtered(resource: Any, image: _filters.Pixels) -> _filters.Pixels:
    """What the work writes when a policy submits it to the resource."""
    out = np.zeros_like(image)
    pm.FixedResource([resource]).submit_and_wait(_filters.Workshop([resource]).work, image, out)
    return out


def test_the_reference_turns_a_uniform_picture_into_uniform_sepia() -> None:
    image = np.full((4, 5, 3), (100, 50, 200), dtype=np.uint8)
    assert (_filters.reference(image) == (116, 103, 80)).all()


def test_the_reference_does_not_overflow_on_white() -> None:
    image = np.full((3, 3, 3), 255, dtype=np.uint8)
    assert (_filters.reference(image) == (255, 255, 239)).all()


def test_the_reference_spreads_a_point_like_a_gaussian() -> None:
    image = np.zeros((31, 31, 3), dtype=np.uint8)
    image[15, 15] = 255
    expected = np.outer(_filters.TAPS, _filters.TAPS) * 255
    assert np.abs(_filters.reference(image)[9:22, 9:22, 0] - expected).max() <= 0.5


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_an_arena_agrees_with_the_reference(shape: tuple[int, int]) -> None:
    image = noise(*shape)
    picture = filtered(pm.Arena(), image)
    assert _filters.difference(picture, _filters.reference(image)) <= 1


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_opencl_agrees_with_the_reference(
    shape: tuple[int, int], opencl_queue: pm.opencl.Queue
) -> None:
    image = noise(*shape)
    picture = filtered(opencl_queue, image)
    assert _filters.difference(picture, _filters.reference(image)) <= 1


def test_the_difference_of_pictures_is_the_largest_and_255_for_other_shapes() -> None:
    black = np.zeros((2, 2, 3), dtype=np.uint8)
    assert _filters.difference(black, black) == 0
    assert _filters.difference(black, black + np.uint8(9)) == 9
    assert _filters.difference(black, black[:1]) == 255


def test_a_task_outlives_its_arena_and_its_source() -> None:
    identity = np.eye(3).ravel().tolist()
    task = _demo.sepia_blur(
        pm.Arena(1), noise(64, 64), np.zeros_like(noise(64, 64)), [1.0], identity
    )
    assert _filters.difference(task.result(), noise(64, 64)) == 0
    assert task.done()
    assert task.start <= task.end


def test_explains_an_invalid_picture_and_invalid_taps() -> None:
    arena = pm.Arena(1)
    sepia = _filters.SEPIA.ravel().tolist()
    flat = np.zeros((4, 5), dtype=np.uint8)
    empty = np.zeros((0, 5, 3), dtype=np.uint8)
    fine = np.zeros((4, 4, 3), dtype=np.uint8)
    with pytest.raises(ValueError, match=r"shape \(4, 5\)"):
        _demo.sepia_blur(arena, flat, fine, [1.0], sepia)
    with pytest.raises(ValueError, match=r"shape \(0, 5, 3\)"):
        _demo.sepia_blur(arena, fine, empty, [1.0], sepia)
    with pytest.raises(ValueError, match="out has another shape than image"):
        _demo.sepia_blur(arena, fine, fine[:2], [1.0], sepia)
    with pytest.raises(ValueError, match="taps has 2 elements"):
        _demo.sepia_blur(arena, fine, fine, [0.5, 0.5], sepia)
    with pytest.raises(ValueError, match="writeable"):
        _demo.sepia_blur(
            arena, fine, np.frombuffer(bytes(48), np.uint8).reshape(4, 4, 3), [1.0], sepia
        )
    with pytest.raises(TypeError):  # a converted copy would receive the result
        _demo.sepia_blur(arena, fine, fine.astype(np.float32), [1.0], sepia)  # type: ignore[arg-type]
