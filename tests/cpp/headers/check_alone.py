#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles headers alone: ``check_alone.py LIST COMMAND...``.

LIST: a file with a line for each header: its include directory and name, ``cpp/include a/b.hpp``.
COMMAND: how to compile standard input, with its flags.

A header and one that includes it, in this order, are compiled as one: nothing comes before the
first, and all that comes before the second is what it includes itself. Fewer compilations take less
time, most of which goes into other projects' headers.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

INCLUDE = re.compile(r'^#\s*include\s*["<]([^">]+)', re.MULTILINE)


def includes_of(headers: dict[str, Path]) -> dict[str, set[str]]:
    """The names of all files that each header includes, also by way of others."""
    direct = {name: INCLUDE.findall(path.read_text("utf-8")) for name, path in headers.items()}
    reached = {}
    for name in headers:
        found: set[str] = set()
        left = list(direct[name])
        while left:
            other = left.pop()
            if other not in found:
                found.add(other)
                left += direct.get(other, [])
        reached[name] = found
    return reached


def chains_of(reached: dict[str, set[str]]) -> list[list[str]]:
    """Split the headers into chains, in which each header includes the one before it."""
    chains: list[list[str]] = []
    for name in sorted(reached, key=lambda each: (-len(reached[each]), each)):
        hosts = [chain for chain in chains if name in reached[chain[0]]]
        if hosts:
            min(hosts, key=lambda chain: len(reached[chain[0]])).insert(0, name)
        else:
            chains.append([name])
    return chains


def failure_of(chain: list[str], command: list[str]) -> str:
    """The compiler's messages for a list of headers; empty if they compile."""
    source = "".join(f"#include <{name}>\n" for name in chain)
    result = subprocess.run(
        command,
        input=source,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return result.stdout if result.returncode else ""


def main(listed: Path, *command: str) -> None:
    """Compile the listed headers; exit with status 1 and the messages if one does not compile."""
    pairs = [line.rsplit(" ", 1) for line in listed.read_text("utf-8").splitlines()]
    headers = {name: Path(directory) / name for directory, name in pairs}
    chains = chains_of(includes_of(headers))
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        failures = list(threads.map(lambda chain: failure_of(chain, list(command)), chains))
    for chain, failure in zip(chains, failures, strict=True):
        if failure:
            print(f"{' or '.join(chain)} does not compile alone:\n{failure}", file=sys.stderr)
    if any(failures):
        sys.exit(1)
    print(f"headers: {len(headers)} compile alone, in {len(chains)} compilations")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
