# SPDX-License-Identifier: Apache-2.0
# Types of the host algorithms that NumPy lacks or runs in one thread.
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

def sort(array: NDArray[Any], is_parallel: bool) -> None: ...
def has_one_order(array: NDArray[Any]) -> bool: ...
def order_as_floats(sorted_bits: NDArray[Any]) -> None: ...
def turn_lines_around(sorted: NDArray[Any], is_parallel: bool, is_stable: bool) -> None: ...
def stable_sort(array: NDArray[Any], is_parallel: bool) -> None: ...
def sort_by_key(keys: NDArray[Any], indices: NDArray[np.int64], is_parallel: bool) -> None: ...
def merge(a: NDArray[Any], b: NDArray[Any], out: NDArray[Any], is_parallel: bool) -> None: ...
def scan(
    values: NDArray[Any],
    out: NDArray[Any],
    initial: NDArray[Any],
    is_exclusive: bool,
    is_parallel: bool,
) -> None: ...
def scan_lines(
    values: NDArray[Any],
    out: NDArray[Any],
    initial: NDArray[Any],
    is_exclusive: bool,
    is_parallel: bool,
) -> bool: ...
def fold_lines(
    function: Any,
    loop: int,
    values: NDArray[Any],
    initial: bytes,
    out: NDArray[Any],
    reported: int,
    most_at_once: int,
) -> bool: ...
def fold_segments(
    function: Any,
    loop: int,
    keys: NDArray[Any],
    values: NDArray[Any],
    reported: int,
    of_span: int,
) -> tuple[NDArray[Any], NDArray[Any]] | None: ...
def selected(
    values: NDArray[Any], is_kept: NDArray[np.bool_], of_span: int
) -> NDArray[Any] | None: ...
def extreme_indices(values: NDArray[Any], is_greatest: bool, out: NDArray[np.int64]) -> None: ...
def add_up_pieces(values: NDArray[Any], begins: NDArray[np.int64]) -> bool: ...
def extremes(values: NDArray[Any], out: NDArray[Any], is_parallel: bool) -> None: ...
def histogram(
    values: NDArray[Any],
    edges: NDArray[Any],
    counts: NDArray[np.int64],
    width: float,
    is_parallel: bool,
) -> bool: ...
def bincount(
    values: NDArray[Any], least_length: int, is_parallel: bool
) -> NDArray[np.int64] | None: ...
def weighted_bincount(
    values: NDArray[Any], weights: NDArray[Any], least_length: int
) -> NDArray[np.float64] | None: ...
def make_program(input_bytes: list[int], steps: list[Any], is_exact: bool = False) -> Program: ...

class Program:
    span_size: int
    longest_line: int
    @property
    def is_native(self) -> bool: ...
    @property
    def loops(self) -> int: ...
    def transform(
        self, inputs: Sequence[NDArray[Any]], out: NDArray[Any], is_parallel: bool, reported: int
    ) -> list[tuple[int, list[bytes]]] | None: ...
    def count(
        self, inputs: Sequence[NDArray[Any]], is_parallel: bool, reported: int
    ) -> tuple[int, list[tuple[int, list[bytes]]]] | None: ...
    def find(
        self, inputs: Sequence[NDArray[Any]], wanted: bool, is_parallel: bool, reported: int
    ) -> tuple[int, list[tuple[int, list[bytes]]]] | None: ...
    def sum(
        self,
        inputs: Sequence[NDArray[Any]],
        partial: NDArray[Any],
        is_parallel: bool,
        reported: int,
    ) -> tuple[bool, list[tuple[int, list[bytes]]]] | None: ...
    def fold(self, values: NDArray[Any], out: NDArray[Any]) -> bool: ...
    def fold_lines(
        self,
        inputs: Sequence[NDArray[Any]],
        function: Any,
        loop: int,
        initial: bytes,
        out: NDArray[Any],
        is_parallel: bool,
        reported: int,
        most_at_once: int,
    ) -> tuple[bool, list[tuple[int, list[bytes]]]] | None: ...
