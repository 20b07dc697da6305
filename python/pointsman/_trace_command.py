# SPDX-License-Identifier: Apache-2.0
# The commands `trace show`, `trace plot` and `trace replay`.
"""Shows and replays traces that ``pointsman.trace`` has written."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, fields
from statistics import median_high
from typing import Any, NamedTuple

from pointsman import _console, plot
from pointsman._replay import replay
from pointsman._representation import text_of_time
from pointsman._text_table import printable
from pointsman._trace import Trace
from pointsman.error import InvalidOptionError, ResourceIndexError

_EXAMPLES = """examples:
  pointsman trace show run.json
  pointsman trace show run.json --json
  pointsman trace plot run.json --out run.png
  pointsman trace plot run.json --kind load --out load.svg
  pointsman trace replay run.json --policy earliest_finish
  pointsman trace replay run.json --policy token --set tokens=4 --json"""


class _Row(NamedTuple):
    """What one resource did during a trace. Times are seconds; None if there was no such event."""

    resource: str
    tasks: int
    failed: int
    busy: float
    utilisation: float
    median: float | None
    median_wait: float | None


def add_command(commands: Any) -> None:
    """Add ``trace`` and its own subcommands to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "trace",
        help="show or replay what pointsman.trace has recorded",
        description="Shows or replays a file that pointsman.trace has written.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    show = parts.add_parser("show", help="print what each resource did")
    show.add_argument("file", metavar="FILE", help="a JSON file of pointsman.trace")
    show.add_argument(
        "--json",
        action="store_true",
        help='print an object with "resources", a list of objects with the columns of the table in '
        'seconds; with "seconds", the time between the first and the last event; and with "events" '
        'and "dropped"',
    )
    show.set_defaults(run=run_show)
    draw = parts.add_parser("plot", help="draw a picture, with matplotlib")
    draw.add_argument("file", metavar="FILE", help="a JSON file of pointsman.trace")
    draw.add_argument("--kind", choices=("timeline", "load"), default="timeline")
    draw.add_argument(
        "--out", required=True, metavar="PICTURE", help="a file that ends in .png, .svg or .pdf"
    )
    draw.add_argument("--json", action="store_true", help='print an object with "picture"')
    draw.set_defaults(run=run_plot)
    _add_replay(parts)


def _add_replay(parts: Any) -> None:
    again: argparse.ArgumentParser = parts.add_parser(
        "replay", help="print what the recorded program would take under another policy"
    )
    again.add_argument("file", metavar="FILE", help="a JSON file of pointsman.trace")
    again.add_argument(
        "--policy", required=True, metavar="NAME", help="such as earliest_finish or round_robin"
    )
    again.add_argument(
        "--resource",
        action="append",
        metavar="NAME",
        help="use only this resource of the trace; may be repeated",
    )
    again.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a setting of the policy, such as tokens=4; may be repeated",
    )
    again.add_argument(
        "--json",
        action="store_true",
        help='print an object with "makespan", "original_makespan" and "bound" in seconds, and '
        '"resources" and "original_resources", lists of objects',
    )
    again.set_defaults(run=run_replay)


def run_show(options: argparse.Namespace) -> int:
    """Print the resources of a trace; return 0, or 1 if the file cannot be used."""
    trace = _load(options.file)
    if trace is None:
        return _console.FAILURE
    seconds = max((event.time + event.duration for event in trace.events), default=0.0)
    rows = _rows_of(trace, seconds)
    if options.json:
        found = {
            "resources": [row._asdict() for row in rows],
            "seconds": seconds,
            "events": len(trace.events),
            "dropped": trace.dropped,
        }
        print(json.dumps(found, indent=2))
        return 0
    cells = [_cells_of(row) for row in rows]
    headings = ("resource", "tasks", "failed", "busy", "utilisation", "median", "median wait")
    print("\n".join(_console.table([headings, *cells], align=">")))
    print(f"{len(trace.tasks)} tasks, {len(trace.events)} events in {text_of_time(seconds)}")
    if trace.dropped:
        print(
            f"pointsman trace: warning: {trace.dropped} events were dropped: raise max_events",
            file=sys.stderr,
        )
    return 0


def run_plot(options: argparse.Namespace) -> int:
    """Draw a trace to a file; return 0, or 1 if a file cannot be used or matplotlib is missing."""
    trace = _load(options.file)
    if trace is None:
        return _console.FAILURE
    try:
        figure = (plot.load if options.kind == "load" else plot.timeline)(trace)
        figure.savefig(options.out, dpi=150)
    except (ImportError, InvalidOptionError, OSError, ValueError) as error:
        return _fail(str(error))
    print(json.dumps({"picture": options.out}) if options.json else options.out)
    return 0


def run_replay(options: argparse.Namespace) -> int:
    """Replay a trace; return 0, or 1 if the file, the policy or a setting cannot be used."""
    trace = _load(options.file)
    if trace is None:
        return _console.FAILURE
    try:
        settings = dict(map(_setting_of, options.set))
        replayed = replay(trace, options.policy, options.resource, **settings)
    except (InvalidOptionError, ResourceIndexError, TypeError) as error:
        return _fail(str(error))
    if not options.json:
        print(replayed)
        return 0
    found = {each.name: getattr(replayed, each.name) for each in fields(replayed) if each.repr}
    for name in ("resources", "original_resources"):
        found[name] = [asdict(usage) for usage in found[name]]
    print(json.dumps(found, indent=2))
    return 0


def _setting_of(text: str) -> tuple[str, Any]:
    """Return the name and the value of ``name=value``: JSON, or else a text."""
    name, found, value = text.partition("=")
    if not found:
        raise InvalidOptionError(f"--set {text!r} has no value: pass NAME=VALUE")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def _load(path: str) -> Trace | None:
    try:
        return Trace.load(path)
    except (OSError, InvalidOptionError) as error:
        _fail(str(error))
        return None


def _fail(text: str) -> int:
    print(f"pointsman trace: error: {printable(text)}", file=sys.stderr)
    return _console.FAILURE


def _rows_of(trace: Trace, seconds: float) -> list[_Row]:
    rows = []
    for resource in dict.fromkeys(task.resource for task in trace.tasks):
        mine = [task for task in trace.tasks if task.resource == resource]
        spans = [
            (task.begin, task.ended)
            for task in mine
            if task.begin is not None and task.ended is not None
        ]
        busy = _covered(spans)
        rows.append(
            _Row(
                resource,
                len(mine),
                sum(not task.succeeded for task in mine),
                busy,
                busy / seconds if seconds else 0.0,
                _median([end - begin for begin, end in spans]),
                _median(
                    [
                        task.begin - task.submitted
                        for task in mine
                        if task.begin is not None and task.submitted is not None
                    ]
                ),
            )
        )
    return rows


def _covered(spans: list[tuple[float, float]]) -> float:
    """Return the time that at least one of the spans covers."""
    covered = 0.0
    reached = float("-inf")
    for begin, end in sorted(spans):
        covered += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return covered


def _median(values: list[float]) -> float | None:
    return median_high(values) if values else None


def _cells_of(row: _Row) -> list[str]:
    times = [
        "-" if time is None else text_of_time(time)
        for time in (row.busy, row.median, row.median_wait)
    ]
    return [
        row.resource,
        str(row.tasks),
        str(row.failed),
        times[0],
        f"{row.utilisation:.0%}",
        *times[1:],
    ]
