# SPDX-License-Identifier: Apache-2.0
# The command `explain`: where an algorithm is fastest on this machine, as a table or as JSON.
"""Measures an algorithm under every execution policy, and explains the choice of ``pm.auto``."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from pointsman import _console
from pointsman._explanation import Explanation
from pointsman._representation import text_of_time
from pointsman._text_table import printable
from pointsman.algorithm import inclusive_scan, reduce, sort, transform
from pointsman.execution import AutoPolicy, ExecutionPolicy

# What is called with a policy and an array of floats.
ALGORITHMS: Final[Mapping[str, Callable[[ExecutionPolicy, Any], Any]]] = {
    "inclusive_scan": inclusive_scan,
    "reduce": reduce,
    "sort": sort,
    "transform": lambda policy, values: transform(policy, "2 * x + 1", values),
}
MOST_VALUES: Final = 100_000_000
_LEAST_CALLS: Final = 16
_SECONDS: Final = 0.3  # for the calls beyond these


def add_command(commands: Any) -> None:
    """Add ``explain`` to argparse's subcommands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "explain",
        help="say where an algorithm is fastest on this machine, and why",
        description="Measures an algorithm on arrays of random floats under the policies of the "
        "host and on each OpenCL device, and prints which of them pm.auto takes for each size.",
        epilog="example: pointsman explain sort --size 1000 1000000",
    )
    parser.add_argument("algorithm", choices=ALGORITHMS, help="the algorithm to measure")
    parser.add_argument(
        "--size",
        metavar="N",
        type=_size,
        nargs="+",
        default=[1_000, 100_000, 1_000_000],
        help="numbers of values in the arrays (default: 1000 100000 1000000)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help='print an object with the "algorithm" and with "choices", a list of objects with the '
        'size, the name of the chosen policy, the reason, and "candidates", a list of objects with '
        "the name, the expected seconds or null, and the state of each policy",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print a table of times and a sentence for each size; return 0."""
    call = ALGORITHMS[options.algorithm]
    policy = AutoPolicy()
    found = {size: _measure(call, policy, size) for size in dict.fromkeys(options.size)}
    if options.json:
        choices = [_record(size, each) for size, each in found.items()]
        print(json.dumps({"algorithm": options.algorithm, "choices": choices}, indent=2))
        return 0
    first = next(iter(found.values()))
    headings = ["size", *(repr(each.resource) for each in first.candidates)]
    rows = [[f"{size:,}", *_times_of(each)] for size, each in found.items()]
    print("\n".join(_console.table([headings, *rows], align=">")))
    for size, each in found.items():
        print()
        print(printable(f"{options.algorithm} of {size:,}: {each}"))
    return 0


def _measure(call: Callable[..., Any], policy: AutoPolicy, size: int) -> Explanation:
    """Call an algorithm until the policy knows it; return why it ran where it did at last."""
    values = np.random.default_rng(1).random(size, dtype=np.float32)
    end = time.monotonic() + _SECONDS
    calls = 0
    while calls < _LEAST_CALLS or time.monotonic() < end:
        call(policy, values.copy())
        calls += 1
    explanation = policy.explain()
    assert explanation is not None
    return explanation


def _times_of(explanation: Explanation) -> Iterator[str]:
    """Yield the time under each candidate, with a star at the shortest."""
    known = [each.score for each in explanation.candidates if each.score is not None]
    for each in explanation.candidates:
        if each.score is None:
            yield "-"
        else:
            yield text_of_time(each.score) + (" *" if each.score == min(known) else "")


def _record(size: int, explanation: Explanation) -> dict[str, Any]:
    candidates = [
        {"name": repr(each.resource), "seconds": each.score, "state": each.state}
        for each in explanation.candidates
    ]
    return {
        "size": size,
        "chosen": repr(explanation.resource),
        "reason": explanation.reason,
        "candidates": candidates,
    }


def _size(text: str) -> int:
    is_short = len(text) <= len(str(MOST_VALUES))
    size = int(text) if is_short and text.isdecimal() else 0
    if not 1 <= size <= MOST_VALUES:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size of an array: pass 1 to {MOST_VALUES}"
        )
    return size
