# SPDX-License-Identifier: Apache-2.0
"""The Markdown of README and of the documentation: its pages, code blocks, headings and links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
README = REPOSITORY / "README.md"
DOCS = REPOSITORY / "docs"
PAGES = [README, *sorted(DOCS.rglob("*.md"))]

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ ]*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^)\s>]+)>?\)")


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, its language, its text, the line where its text begins."""

    page: Path
    language: str
    text: str
    line: int


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks_of(page: Path) -> list[Block]:
    """The fenced code blocks of a page, without directives of Sphinx."""
    text = text_of(page)
    return [
        Block(page, match[1].strip(), match[2], text.count("\n", 0, match.start(2)) + 1)
        for match in FENCE.finditer(text)
        if not match[1].startswith("{")
    ]


def links_of(page: Path) -> list[str]:
    """The targets of a page's links and pictures that lie in the tree."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text_of(page)))
    return [link for link in LINK.findall(prose) if not re.match(r"[a-z]+:", link)]


def anchors_of(page: Path) -> set[str]:
    """The names that a web page gives to the headings of a Markdown file."""
    headings = re.findall(r"^#+ +(.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)
    lowered = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {each.strip().replace(" ", "-") for each in lowered}
