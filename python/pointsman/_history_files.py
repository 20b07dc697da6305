# SPDX-License-Identifier: Apache-2.0
# Histories as JSON, and what differs between two of them; other files are left as they are.
"""Reads and writes the records of histories for the command ``history``."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple

from pointsman._histories import History, HistoryPin, HistoryRecord
from pointsman.error import InvalidOptionError

_FORMAT: Final = "pointsman history"
_VERSION: Final = 1
_MARK: Final = b"poin"  # at byte 68 of the file, the number of the application


class Difference(NamedTuple):
    """The means of a kind on a resource in two histories, in seconds; None where one has none."""

    kind: str
    resource: str
    first: float | None
    second: float | None

    @property
    def ratio(self) -> float | None:
        """The second mean divided by the first."""
        return None if self.first is None or self.second is None else self.second / self.first


def to_json(records: Iterable[HistoryRecord], pins: Iterable[HistoryPin] | None = None) -> str:
    """Return the records as JSON, the numbers of their kinds as hexadecimal texts, and the pins."""

    def rows(of: Iterable[HistoryRecord | HistoryPin]) -> list[dict[str, Any]]:
        return [{**asdict(each), "key": [f"{part:016x}" for part in each.key]} for each in of]

    content = {"format": _FORMAT, "version": _VERSION, "records": rows(records)}
    return json.dumps(content if pins is None else {**content, "pins": rows(pins)}, indent=2)


def from_json(text: str, name: str) -> list[HistoryRecord]:
    """Return the records that ``to_json`` has written to the file ``name``."""
    try:
        content = json.loads(text)
        if content["format"] != _FORMAT or content["version"] != _VERSION:
            raise ValueError
        return [_record_of(**each) for each in content["records"]]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise InvalidOptionError(
            f"{name} is no exported history of this version: write one with pointsman history "
            "export"
        ) from None


def _record_of(key: list[str], **fields: Any) -> HistoryRecord:
    callable_, sizes = (int(part, 16) for part in key)
    return HistoryRecord((callable_, sizes), **fields)


def records_in(path: str) -> list[HistoryRecord]:
    """Return the records of a history or of an exported one."""
    content = Path(path).read_bytes()
    if content[:1] == b"{":
        return from_json(content.decode(errors="replace"), path)
    return existing(path).records()


def existing(path: str) -> History:
    """Open a history without creating it, and without setting another program's file aside."""
    with open(path, "rb") as file:
        header = file.read(100)
    is_open_elsewhere = Path(f"{path}-wal").exists()  # with the header still to be written
    if not (header.startswith(b"SQLite format 3\0") and header[68:72] == _MARK) and not (
        is_open_elsewhere
    ):
        raise InvalidOptionError(
            f"{path} is no history: pass a file that pointsman.History has written"
        )
    return History(path)


def differences(
    first: Iterable[HistoryRecord], second: Iterable[HistoryRecord]
) -> list[Difference]:
    """Return what the records of two histories say of each kind and resource in either."""
    old = {(each.key, each.resource): each for each in first}
    new = {(each.key, each.resource): each for each in second}
    found = []
    for place in {**old, **new}:
        before, after = old.get(place), new.get(place)
        kind = next((each.kind for each in (after, before) if each and each.kind), "")
        means = (each.mean if each else None for each in (before, after))
        found.append(Difference(kind, place[1], *means))
    return found
