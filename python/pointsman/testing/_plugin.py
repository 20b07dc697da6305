# SPDX-License-Identifier: Apache-2.0
# Adds the suite to the files that pytest was asked to collect.
"""The options of the plugin, and the classes that they name."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

pytest.register_assert_rewrite("pointsman.testing._conformance")

SUITE: Final = Path(__file__).with_name("_suite.py")
chosen: Final[dict[str, list[Any]]] = {"policy": [], "backend": []}


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--pointsman-policy`` and ``--pointsman-backend``."""
    group = parser.getgroup("pointsman")
    for kind in chosen:
        group.addoption(
            f"--pointsman-{kind}",
            action="append",
            default=[],
            metavar="MODULE:NAME",
            help=f"run pointsman's conformance suite on this {kind}",
        )


def pytest_configure(config: pytest.Config) -> None:
    """Find the classes, and add the suite to the collection if there are any."""
    for kind, classes in chosen.items():
        classes[:] = [find(name) for name in config.getoption(f"--pointsman-{kind}")]
    if any(chosen.values()):
        config.args.append(str(SUITE))


def find(name: str) -> Any:
    """Return the object that ``MODULE:NAME`` names. Raises UsageError if there is none."""
    module, _, attribute = name.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise pytest.UsageError(
            f"{name} cannot be found ({error}): name a class as MODULE:NAME, with its folder on "
            "PYTHONPATH"
        ) from error
