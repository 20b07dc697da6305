# SPDX-License-Identifier: Apache-2.0
"""Shows the package's docstrings, and refuses a reference that lacks a public name.

Descriptions of parameters are shown as a list. ``<!-- policies -->`` in a page is replaced by the
reference of all policies that the package exports.
"""

from __future__ import annotations

import importlib
import inspect
import re
from typing import Any

from sphinx.util import logging

import pointsman as pm

MODULES = (
    "",
    ".execution",
    ".executors",
    ".joblib_backend",
    ".opencl",
    ".plot",
    ".testing",
    ".testing.conformance",
)
PARAMETER = re.compile(r"^([a-z]\w*(?:, \w+)*): (?=\S)")


def parameters_as_list(
    app: Any, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Turns the lines ``name: description`` of a docstring into items of a list."""
    result: list[str] = []
    inside = False
    for line in lines:
        after_blank = not result or not result[-1]
        found = PARAMETER.match(line) if inside or after_blank else None
        if found:
            if not inside:
                result.append("")
            line = f"* ``{found[1]}``: {line[found.end() :]}"
            inside = True
        elif inside and line:
            inside = not after_blank or line.startswith(" ")
            line = f"  {line.strip()}" if inside else line
        result.append(line)
    lines[:] = result


def policies(app: Any, page: str, source: list[str]) -> None:
    classes = [name for name in pm.__all__ if is_policy(getattr(pm, name))]
    text = "\n".join(f"```{{eval-rst}}\n.. autoclass:: pointsman.{each}\n```\n" for each in classes)
    source[0] = source[0].replace("<!-- policies -->", text)


def is_policy(named: object) -> bool:
    return isinstance(named, type) and issubclass(named, pm.Policy) and named is not pm.Policy


def every_name_is_documented(app: Any, env: Any) -> None:
    documented = {entry[0] for entry in env.get_domain("py").get_objects()}
    for suffix in MODULES:
        module = importlib.import_module(f"pointsman{suffix}")
        for name in module.__all__:
            if not inspect.ismodule(getattr(module, name)) and documented.isdisjoint(
                {f"{module.__name__}.{name}", f"pointsman.{name}"}
            ):
                logging.getLogger(__name__).warning(
                    "%s.%s is public, but on no page of the reference", module.__name__, name
                )


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", parameters_as_list)
    app.connect("source-read", policies)
    app.connect("env-check-consistency", every_name_is_documented)
    return {"parallel_read_safe": True}
