# SPDX-License-Identifier: Apache-2.0
"""Replaces ``<!-- headers: policy/*.hpp -->`` in a page by the reference of these headers.

Each header with public names becomes a section: its path, the second line of the file, its
concepts, and the rest by Breathe. Doxygen has made each header a group: see docs/doxygen-filter.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "cpp/include/pointsman"
XML = ROOT / "build/doxygen/xml"
MARK = re.compile(r"^<!-- headers: (.+) -->$", re.MULTILINE)


def fill(app: Any, page: str, source: list[str]) -> None:
    source[0] = MARK.sub(lambda mark: "\n".join(sections(mark[1].split())), source[0])


def sections(patterns: list[str]) -> Iterator[str]:
    for pattern in patterns:
        headers = sorted(INCLUDE.glob(pattern))
        if not headers:
            raise ValueError(f"no header matches {pattern}: change the page's list of headers")
        for header in headers:
            yield from section(header)


def section(header: Path) -> Iterator[str]:
    path = header.relative_to(INCLUDE)
    group = str(path.with_suffix("")).replace("/", "-")
    described = [*concepts(f"pointsman/{path}")]
    if (XML / f"group__{group.replace('_', '__')}.xml").exists():
        described.append(f"```{{doxygengroup}} {group}\n:content-only:\n:members:\n```\n")
    if described:
        summary = header.read_text(encoding="utf-8").splitlines()[1].removeprefix("// ")
        yield f"## `<pointsman/{path}>`\n\n{summary}\n"
        yield from described


def concepts(location: str) -> Iterator[str]:
    """The concepts of a header, which Breathe does not show."""
    for file in sorted(XML.glob("concept*.xml")):
        (concept,) = ET.parse(file).getroot()
        place = concept.find("location")
        if place is not None and place.get("file") == location:
            definition = "".join(concept.find("initializer").itertext())
            parameters = definition.partition("\nconcept")[0]
            text = "\n\n".join(map(markdown, concept.iterfind("*/para")))
            name = concept.findtext("compoundname")
            yield f"```{{cpp:concept}} {parameters} {name}\n\n{text}\n```\n"


def markdown(element: ET.Element) -> str:
    """The text of a paragraph of Doxygen's as Markdown."""
    quote = {"computeroutput": "`", "bold": "**", "emphasis": "*"}.get(element.tag, "")
    inner = (element.text or "") + "".join(markdown(each) + (each.tail or "") for each in element)
    return f"{quote}{inner}{quote}"


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
