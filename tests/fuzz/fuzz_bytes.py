# SPDX-License-Identifier: Apache-2.0
# Turns the bytes that a fuzzer mutates into values; bytes that are missing read as zero.
"""``FuzzBytes``: choices, numbers and text from the front of a byte string."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class FuzzBytes:
    """Reads a byte string once, from the front."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __bool__(self) -> bool:
        return bool(self._data)

    def take(self, size: int) -> bytes:
        """Return the next ``size`` bytes."""
        taken, self._data = self._data[:size], self._data[size:]
        return taken.ljust(size, b"\0")

    def number(self, size: int = 1) -> int:
        """Return the next ``size`` bytes as an unsigned integer."""
        return int.from_bytes(self.take(size), "little")

    def choice(self, options: Sequence[T]) -> T:
        """Return one of at most 256 options."""
        return options[self.number() % len(options)]

    def text(self) -> str:
        """Return all other bytes as text; bytes that are no UTF-8 become lone surrogates."""
        rest, self._data = self._data, b""
        return rest.decode("utf-8", "surrogateescape")

    def texts(self) -> list[str]:
        """Return all other bytes as texts that line feeds separate."""
        return self.text().split("\n")
