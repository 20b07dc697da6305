# SPDX-License-Identifier: Apache-2.0
# Names of resources, files and devices in the tables of Jupyter, the terminal and the demo.
"""Fuzz target: no name ends its cell, its line or its table."""

from __future__ import annotations

from html.parser import HTMLParser

from fuzz_bytes import FuzzBytes

from pointsman import _console
from pointsman._explanation import Candidate, Explanation
from pointsman._html import html_table

TAGS = {"table", "caption", "tr", "th", "td"}


class Cells(HTMLParser):
    """The tags of a table and the texts of its cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.cells: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS and not attributes, (tag, attributes)
        self.tags.append(tag)
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        self.cells[-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment


class Named:
    """A resource whose ``repr`` is any text."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


def test_one_input(data: bytes) -> None:
    given = FuzzBytes(data)
    columns = 1 + given.number() % 4
    texts = given.texts()
    rows = [texts[i : i + columns] for i in range(0, len(texts), columns)]
    rows[-1] += [""] * (columns - len(rows[-1]))
    check_html(rows)
    check_explanation(texts)
    lines = _console.table(rows)
    assert len(lines) == len(rows) and all(line.isprintable() for line in lines)


def check_html(rows: list[list[str]]) -> None:
    """Raise AssertionError unless a browser would show the same cells."""
    read = Cells(html_table(rows[0][0], rows[0], rows[1:]))
    expected = [rows[0][0], *(cell for row in rows for cell in row)]
    assert read.cells == expected, (read.cells, expected)
    assert read.tags.count("tr") == len(rows)


def check_explanation(names: list[str]) -> None:
    """Raise AssertionError unless an explanation with resources of these names is one table."""
    resources = [Named(name) for name in names]
    candidates = tuple(
        Candidate(each, each is resources[0], None, name)
        for each, name in zip(resources, names, strict=True)
    )
    explanation = Explanation(names[0], resources[0], names[-1], None, candidates)
    read = Cells(explanation._repr_html_())
    assert read.tags.count("td") == 3 * len(names) and read.tags.count("table") == 1
