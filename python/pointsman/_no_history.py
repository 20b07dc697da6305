# SPDX-License-Identifier: Apache-2.0
# Stands in for the extension module pointsman._history where it cannot be loaded.
"""The names of the extension module where pointsman was built without SQLite."""

from __future__ import annotations

import os
from typing import Any, ClassVar, NoReturn

from pointsman.error import HistoryError


class File:
    """Raises HistoryError when it is constructed: SQLite is not available."""

    reason: ClassVar[ImportError | None] = None

    def __init__(self, _path: Any) -> None:
        _refuse()


class Link:
    """Raises HistoryError when it is constructed: SQLite is not available."""

    def __init__(self, *_args: Any) -> None:
        _refuse()


def default_path() -> None:
    """Return None where the environment wants no history, and else raise HistoryError."""
    if os.environ.get("POINTSMAN_HISTORY") != "off":
        _refuse()


def _refuse() -> NoReturn:
    if isinstance(File.reason, ModuleNotFoundError):
        remedy = (
            "pointsman was built without SQLite: install its headers (on Debian, libsqlite3-dev) "
            "and build pointsman again"
        )
    else:
        remedy = (
            f"pointsman's module for histories cannot be loaded ({File.reason}): install SQLite "
            "(on Debian, libsqlite3-0)"
        )
    raise HistoryError(f"a history cannot be used here: {remedy}") from File.reason
