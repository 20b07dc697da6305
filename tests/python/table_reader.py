# SPDX-License-Identifier: Apache-2.0
"""Reads the HTML tables that objects show in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any


class Table(HTMLParser):
    """The caption and the cells of a table; fails if tags do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.caption = ""
        self.rows: list[list[str]] = []
        self.open: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1] == "caption":
            self.caption += data
        else:
            self.rows[-1][-1] += data


def tables_of(html: str) -> list[Table]:
    """Returns the tables of a view that has several."""
    return [Table(f"{part}</table>") for part in html.split("</table>")[:-1]]
