# SPDX-License-Identifier: Apache-2.0
"""Programs that tests run in processes of their own, all with one invented clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

# A policy over two resources: "fast" takes 1 ms and "slow" 5 ms.
POLICY = """
import pointsman as pm

class Timed(pm.Backend):
    def submit(self, selection, work, /, *args, **kwargs):
        selection.report("task_time", 0.001 if selection.resource == "fast" else 0.005)
        return selection.resource

def work(resource, n):
    return n + {constant}

policy = pm.AutoTune(backend=Timed(["slow", "fast"]), history={history})
"""
FIRST_CHOICE = "print(policy.submit(work, 1000).unwrap())\n"
LEARN = "for _ in range(20): policy.submit(work, 1000)\n"


def program(*then: str, constant: int = 1, history: str = "True") -> str:
    """Returns a program that makes the policy, and then does as it is told."""
    return POLICY.format(constant=constant, history=history) + "".join(then)


def start(source: str, path: Path | str, **environment: str) -> subprocess.Popen[str]:
    """Starts a program whose default history is at ``path``; texts have other hashes in each."""
    return subprocess.Popen(
        # Python 3.12 and newer warn of forks beside threads, which some programs are about.
        [sys.executable, "-W", "always", "-W", "ignore::DeprecationWarning", "-c", source],
        env={**os.environ, "POINTSMAN_HISTORY": str(path), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def output_of(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Returns what a program prints and its warnings, once it has ended well."""
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    return printed, errors


def run(source: str, path: Path | str, **environment: str) -> tuple[str, str]:
    """Runs a program to its end."""
    return output_of(start(source, path, **environment))


def counts(history: Any) -> dict[str, int]:
    """Returns the number of timings by the first word of each resource."""
    return {each.resource.split("'")[1]: each.count for each in history.records()}
