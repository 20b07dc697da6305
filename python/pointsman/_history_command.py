# SPDX-License-Identifier: Apache-2.0
# The command `history`: where it is, what it contains, and how it goes to other machines.
"""Shows, prunes, exports and compares histories of timings."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from pointsman import _console
from pointsman._discover import discover
from pointsman._histories import History, HistoryPin, HistoryRecord, default_path
from pointsman._history_files import differences, existing, records_in, to_json
from pointsman._representation import text_of_time
from pointsman._resource_identity import cpu, hardware_of, is_of_hardware
from pointsman._text_table import printable
from pointsman.error import Error, InvalidOptionError

_EXAMPLES: Final = """examples:
  pointsman history where
  pointsman history show --kind blur --resource NVIDIA
  pointsman history show --json
  pointsman history prune --older-than 30d
  pointsman history prune --unknown-devices
  pointsman history pin "blur(2^20)" NVIDIA
  pointsman history unpin "blur(2^20)"
  pointsman history export timings.json
  pointsman history import timings.json
  pointsman history diff yesterday.db today.db
  pointsman history merge one.db other.json -o both.db"""
_UNITS: Final = {"s": 1, "min": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def add_command(commands: Any) -> None:
    """Add ``history`` and its own subcommands to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "history",
        help="show or change what policies have learnt in earlier processes",
        description="Works on the history of POINTSMAN_HISTORY, or else of the user's cache. diff, "
        "merge and import take histories and exported ones.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, run: Callable[[argparse.Namespace], None], help: str, output: str) -> Any:
        part = parts.add_parser(name, help=help)
        part.add_argument("--json", action="store_true", help=f"print an object with {output}")
        part.set_defaults(run=lambda options: _guarded(run, options))
        return part

    add("where", _where, "print the path of the history", '"path" and "exists"')
    show = add(
        "show", _show, "print the records and pins", '"records" as export does, and "pins", lists'
    )
    show.add_argument("--kind", metavar="K", help="only kinds of task whose name contains K")
    show.add_argument("--resource", metavar="R", help="only resources whose text contains R")
    prune = add("prune", _prune, "remove records", '"removed", their number')
    prune.add_argument(
        "--older-than", metavar="TIME", type=_duration, help="without an update since, such as 30d"
    )
    prune.add_argument(
        "--unknown-devices",
        action="store_true",
        help="of OpenCL devices and CPUs that this machine lacks",
    )
    pin = add("pin", _pin, "put a kind of task on one resource", '"pinned", their number')
    pin.add_argument("kind", metavar="KIND", help="the name of the kind, as show prints it")
    pin.add_argument("resource", metavar="RESOURCE", help="a part of the text of one resource")
    unpin = add("unpin", _unpin, "let policies choose again", '"unpinned", their number')
    unpin.add_argument("kind", metavar="KIND", help="the name of the kind, as show prints it")
    export = add("export", _export, "write the records as JSON", '"records", their number')
    export.add_argument("file", metavar="FILE", nargs="?", help="default: the standard output")
    into = add("import", _import, "add the records of a file", '"records", their number')
    into.add_argument("file", metavar="FILE")
    diff = add("diff", _diff, "compare the mean times", '"differences", a list of objects')
    diff.add_argument("first", metavar="A")
    diff.add_argument("second", metavar="B")
    merge = add("merge", _merge, "write a history of two", '"records", their number')
    merge.add_argument("first", metavar="A")
    merge.add_argument("second", metavar="B")
    merge.add_argument("-o", "--out", metavar="C", required=True, help="a new file")


def _guarded(run: Callable[[argparse.Namespace], None], options: argparse.Namespace) -> int:
    """Return 0, or 1 if a file cannot be used."""
    try:
        run(options)
    except BrokenPipeError:
        raise
    except (Error, OSError) as error:
        if isinstance(error, OSError) and error.filename is None:
            raise
        print(f"pointsman history: error: {printable(str(error))}", file=sys.stderr)
        return _console.FAILURE
    return 0


def _default_path() -> str:
    path = default_path()
    if path is None:
        raise InvalidOptionError("there is no history here: set POINTSMAN_HISTORY to a path")
    return path


def _default_history() -> History:
    return existing(_default_path())


def _print_count(options: argparse.Namespace, name: str, count: int) -> None:
    print(json.dumps({name: count}) if options.json else f"{name}: {count}")


def _where(options: argparse.Namespace) -> None:
    path = _default_path()
    print(json.dumps({"path": path, "exists": os.path.exists(path)}) if options.json else path)


def _show(options: argparse.Namespace) -> None:
    def is_wanted(of: HistoryRecord | HistoryPin) -> bool:
        return (options.kind or "") in of.kind and (options.resource or "") in of.resource

    history = _default_history()
    records = list(filter(is_wanted, history.records()))
    pins = list(filter(is_wanted, history.pins()))
    if options.json:
        print(to_json(records, pins))
        return
    headings = ("kind of task", "resource", "mean", "timings", "updated")
    print("\n".join(_console.table([headings, *map(_cells_of, records)])))
    for each in pins:
        print(f"pinned: {printable(each.kind or '(no name)')} to {printable(each.resource)}")


def _cells_of(record: HistoryRecord) -> tuple[str, ...]:
    day = time.strftime("%Y-%m-%d", time.gmtime(record.updated))
    mean = f"{'' if record.is_exact else '<= '}{text_of_time(record.mean)}"
    return (record.kind or "(no name)", record.resource, mean, str(record.count), day)


def _prune(options: argparse.Namespace) -> None:
    if options.older_than is None and not options.unknown_devices:
        raise InvalidOptionError(
            "nothing says what to remove: pass --older-than or --unknown-devices"
        )
    history = _default_history()
    removed = 0 if options.older_than is None else history.prune(options.older_than)
    if options.unknown_devices:
        removed += sum(map(history.forget, _unknown(history.records())))
    _print_count(options, "removed", removed)


def _unknown(records: Iterable[HistoryRecord]) -> set[str]:
    """Return the identities of devices and CPUs that this machine lacks."""
    here = {cpu(), *map(hardware_of, discover())}
    found = {each.resource for each in records if is_of_hardware(each.resource)}
    return {each for each in found if not any(known in each for known in here)}


def _pin(options: argparse.Namespace) -> None:
    history = _default_history()
    records = history.records()
    keys = _keys_of(options.kind, records)
    resources = {each.resource for each in records if options.resource in each.resource}
    found = {options.resource} & resources or resources
    if len(found) != 1:
        known = ", ".join(sorted(found or {each.resource for each in records}))
        raise InvalidOptionError(
            f"{options.resource!r} is part of {len(found)} resources: pass a part of one of {known}"
        )
    for key in keys:
        history.pin(key, *found)
    _print_count(options, "pinned", len(keys))


def _unpin(options: argparse.Namespace) -> None:
    history = _default_history()
    keys = _keys_of(options.kind, history.pins())
    _print_count(options, "unpinned", sum(map(history.unpin, keys)))


def _keys_of(
    kind: str, among: Sequence[HistoryRecord] | Sequence[HistoryPin]
) -> set[tuple[int, int]]:
    keys = {each.key for each in among if each.kind == kind}
    if not keys:
        known = ", ".join(sorted({each.kind for each in among if each.kind})) or "none"
        raise InvalidOptionError(f"no kind of task has the name {kind!r}: pass one of {known}")
    return keys


def _export(options: argparse.Namespace) -> None:
    records = _default_history().records()
    if options.file is None:
        print(to_json(records))
        return
    with open(options.file, "w", encoding="utf-8") as file:
        file.write(to_json(records) + "\n")
    _print_count(options, "records", len(records))


def _import(options: argparse.Namespace) -> None:
    records = records_in(options.file)
    History(_default_path()).add(records)
    _print_count(options, "records", len(records))


def _diff(options: argparse.Namespace) -> None:
    found = differences(records_in(options.first), records_in(options.second))
    if options.json:
        rows = [{**each._asdict(), "ratio": each.ratio} for each in found]
        print(json.dumps({"differences": rows}, indent=2))
        return
    headings = ("kind of task", "resource", options.first, options.second, "ratio")
    cells = [
        (
            each.kind or "(no name)",
            each.resource,
            *map(_text_of, (each.first, each.second)),
            "-" if each.ratio is None else f"{each.ratio:.2f}",
        )
        for each in found
    ]
    print("\n".join(_console.table([headings, *cells])))


def _text_of(seconds: float | None) -> str:
    return "-" if seconds is None else text_of_time(seconds)


def _merge(options: argparse.Namespace) -> None:
    records = [records_in(options.first), records_in(options.second)]
    if os.path.exists(options.out):
        raise InvalidOptionError(f"{options.out} exists: pass a new file, or remove it first")
    merged = History(options.out)
    for each in records:
        merged.add(each)
    _print_count(options, "records", len(merged.records()))


def _duration(text: str) -> float:
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(s|min|h|d|w)", text)
    if found is None:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no duration: pass a number with s, min, h, d or w, such as 30d"
        )
    return float(found[1]) * _UNITS[found[2]]
