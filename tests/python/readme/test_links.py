# SPDX-License-Identifier: Apache-2.0
"""No link of README, the documentation and the results is dead, and each page can be reached."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_pages import DOCS, FENCE, PAGES, REPOSITORY, anchors_of, links_of, text_of

OTHERS = [
    REPOSITORY / "CHANGELOG.md",
    REPOSITORY / ".github/CONTRIBUTING.md",
    *sorted((REPOSITORY / "bench/results").glob("*.md")),
]


@pytest.mark.parametrize(
    "page", [*PAGES, *OTHERS], ids=lambda page: str(page.relative_to(REPOSITORY))
)
def test_no_link_is_dead(page: Path):
    for link in links_of(page):
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.is_relative_to(REPOSITORY), f"{link} leads out of the tree"
        assert target.exists(), f"{link}: there is no {target}"
        assert not anchor or anchor in anchors_of(target), f"{link}: no such heading"


def linked_pages(page: Path) -> set[Path]:
    """The pages in the tables of contents of a page."""
    tables = [match[2] for match in FENCE.finditer(text_of(page)) if match[1] == "{toctree}"]
    names = [
        line for table in tables for line in table.splitlines() if re.match(r"[\w./-]+$", line)
    ]
    return {(page.parent / f"{name}.md").resolve() for name in names}


def test_every_page_is_reached_from_the_index():
    reached: set[Path] = set()
    new = {DOCS / "index.md"}
    while new:
        reached |= new
        new = set().union(*map(linked_pages, new)) - reached
    assert reached == set(DOCS.rglob("*.md"))


def test_every_measurement_has_a_page():
    results = {page.name for page in (REPOSITORY / "bench/results").glob("*.md")}
    assert {page.name for page in (DOCS / "results").glob("*.md")} - {"index.md"} == results
