# SPDX-License-Identifier: Apache-2.0
# Rows of text in aligned columns.
"""Tables as lines of text."""

from __future__ import annotations

from collections.abc import Sequence


def printable(text: str) -> str:
    """Return the text in one line, with escapes for characters that could control a terminal.

    Names of devices and files may contain any character.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def aligned(rows: Sequence[Sequence[str]], align: str = "<") -> list[str]:
    """Return ``rows`` as lines with aligned columns: all but the first by ``align``, "<" or ">"."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    aligns = ["<", *[align] * (len(widths) - 1)]
    return [
        "  ".join(
            f"{cell:{side}{width}}" for cell, side, width in zip(row, aligns, widths, strict=True)
        ).rstrip()
        for row in rows
    ]
