# SPDX-License-Identifier: Apache-2.0
"""Lets pages link to Markdown files elsewhere in the tree, as a reader of the sources needs it.

Such a file is also a page here, whose text is an ``include`` of the file; the link then leads to
this page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\((?:\.\./)+((?!\.\./)[\w./-]+\.md)")
INCLUDE = re.compile(r"^```\{include\} (\S+)$", re.MULTILINE)


def pages() -> dict[str, str]:
    """The page for each file that a page includes; both are paths from the roots of their trees."""
    found = {}
    for page in DOCS.rglob("*.md"):
        for match in INCLUDE.finditer(page.read_text(encoding="utf-8")):
            file = (page.parent / match[1]).resolve().relative_to(DOCS.parent)
            found[str(file)] = str(page.relative_to(DOCS))
    return found


def setup(app: Any) -> dict[str, bool]:
    included = pages()

    def redirect(app: Any, page: str, source: list[str]) -> None:
        up = "../" * page.count("/")
        source[0] = LINK.sub(
            lambda link: f"]({up}{included[link[1]]}" if link[1] in included else link[0], source[0]
        )

    app.connect("source-read", redirect)
    return {"parallel_read_safe": True}
