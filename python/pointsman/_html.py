# SPDX-License-Identifier: Apache-2.0
# Escapes all text: the repr of a resource may hold anything.
"""Formats tables as HTML, for Jupyter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def html_table(caption: str, headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table whose cells are the ``str`` of the given objects."""
    body = [_row("th", headings), *(_row("td", row) for row in rows)]
    return f"<table><caption>{escape(caption)}</caption>{''.join(body)}</table>"


def _row(tag: str, cells: Sequence[Any]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(cell))}</{tag}>' for cell in cells)}</tr>"
