# SPDX-License-Identifier: Apache-2.0
"""README is short, begins with what a reader needs, and its numbers are the measured ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_pages import README, REPOSITORY, blocks_of, text_of

LINES_AT_MOST = 150
FIRST_SCREEN = 70


def test_it_is_short():
    assert len(text_of(README).splitlines()) <= LINES_AT_MOST


def test_the_first_screen_shows_the_commands_and_both_languages():
    shown = [block for block in blocks_of(README) if block.line < FIRST_SCREEN]
    assert {"python", "cpp", "sh"} <= {block.language for block in shown}
    commands = "".join(block.text for block in shown if block.language == "sh")
    for command in ("make demo", "make test", "pip install ."):
        assert command in commands


def test_a_reader_knows_why_before_the_second_heading():
    beginning, _, _ = text_of(README).partition("\n## ")
    assert "will finish it first, chosen again at every call" in beginning
    assert len(bullets()) == 4


def bullets() -> list[str]:
    """The items of README's first list, each as one line without the link at its end."""
    items = re.findall(r"^- .*(?:\n  .*)*", text_of(README).partition("\n## ")[0], re.MULTILINE)
    return [" ".join(item.split()) for item in items]


def results(name: str) -> str:
    return text_of(REPOSITORY / f"bench/results/{name}.md")


def tables_of(text: str) -> Iterator[list[list[str]]]:
    """The rows of each table of a Markdown text, the heading first."""
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in table.splitlines()]
        yield [rows[0], *rows[2:]]


def column(name: str, row: tuple[str, ...], heading: str) -> list[str]:
    """The cells of a column in the rows that begin with `row`, in all tables of a result."""
    return [
        each[table[0].index(heading)]
        for table in tables_of(results(name))
        if heading in table[0]
        for each in table[1:]
        if tuple(each[: len(row)]) == row
    ]


def number(cell: str) -> float:
    """The first number of a cell, such as `1.013 (1.039)` or `5,875`."""
    found = re.search(r"-?[\d,]*\.?\d+", cell)
    assert found is not None, f"no number in {cell!r}"
    return float(found[0].replace(",", ""))


def measured() -> Iterator[str]:
    """The sentences of README with numbers, as the results of the benchmarks give them."""
    scene = ("speeds 1, 2, 4, 8, W = 8",)
    (ours,) = map(number, column("choice", scene, "earliest_finish"))
    (onedpl,) = map(number, column("choice", scene, "oneDPL"))
    yield (
        "four unlike resources with 8 tasks outstanding, `earliest_finish_policy` takes "
        f"{(ours - 1) * 100:.1f} % longer than the least possible time; the auto-tuning rule of "
        f"oneDPL takes {(onedpl - 1) * 100:.0f} % longer"
    )
    (cpp,) = map(number, column("selection", ("auto_tune", "1", "4"), "2-core VM"))
    yield f"under `auto_tune_policy` takes {cpp:.0f} ns"
    (python,) = column("python", ("`AutoTune.submit`, steady",), "ratio to pure Python round robin")
    (nanoseconds, *_) = column("python", ("`AutoTune.submit`, steady",), "ns")[::-1]
    yield f"under `AutoTune` {nanoseconds} ns, which is {python} of what a round robin"
    (pool,) = column("python", ("`map` of 100,000",), "beside")
    (each_call,) = column("python", ("`map` of 100,000",), "ns")
    other = pool.partition("`, ")[2]
    yield f"`policy.map` takes {each_call} ns for each call, `ThreadPoolExecutor.map` {other} ns"
    (speed,) = column("algorithm", ("`reduce`", "1e7"), "speed")
    yield f"`reduce` of 10 million floats on all cores is {speed} times as fast as oneTBB's"
    adds = added("fixed_resource", "round_robin", "dynamic_load")
    yield (
        f"adds {min(adds)} to {max(adds)} % to a bare OpenCL enqueue on an H200, under "
        f"`auto_tune_policy` {max(added('auto_tune')):.0f} %"
    )
    found = re.search(r"on one and on both: ([\d.]+) times as fast", results("opencl"))
    assert found is not None
    yield f"two H200s are {found[1]} times as fast as one"


def added(*policies: str) -> list[float]:
    """What a submission adds to an enqueue on an H200, in per cent."""
    rows = [f"{policy}, {device}" for policy in policies for device in ("behind", "idle")]
    return [number(cell) for row in rows for cell in column("opencl", (row,), "adds on 2026-11-27")]


def test_each_number_is_the_measured_one():
    shown = " ".join(bullets())
    for sentence in measured():
        assert sentence in shown
        shown = shown.replace(sentence, "")
    assert not re.search(r"\d", shown), f"no measurement is compared with the numbers in: {shown}"
