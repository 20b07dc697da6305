# SPDX-License-Identifier: Apache-2.0
"""The tree of exceptions in the guide is the one that the classes form."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_pages import DOCS, blocks_of

import pointsman as pm


def test_the_tree_of_errors_is_that_of_the_classes():
    (tree,) = [block.text for block in blocks_of(DOCS / "guide/errors.md") if "├" in block.text]
    assert tree in (pm.error.__doc__ or "")
    drawn: dict[str, tuple[str, str]] = {}
    above = ["Error"]
    for line in tree.splitlines()[1:]:
        indent, name, builtin = re.fullmatch(r"([│├└─ ]+)(\w+) +(\w*Error|) .*", line).groups()
        depth = len(indent) // 4
        del above[depth:]
        drawn[name] = above[-1], builtin
        above.append(name)
    assert drawn.keys() == {each.__name__ for each in derived_from(pm.Error)}
    for found in derived_from(pm.Error):
        parent, builtin = drawn[found.__name__]
        bases = [base.__name__ for base in found.__bases__]
        assert bases[0] == parent
        assert not builtin or builtin in bases


def derived_from(base: type[Exception]) -> Iterator[type[Exception]]:
    """The public classes of the package that derive from `base`, at any depth."""
    for found in base.__subclasses__():
        if found.__module__.startswith("pointsman.") and not found.__name__.startswith("_"):
            yield found
            yield from derived_from(found)
