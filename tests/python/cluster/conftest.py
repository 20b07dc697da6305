# SPDX-License-Identifier: Apache-2.0
"""Dask clusters: in this process, in worker processes, and started from the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Lets Dask complain of workers that are killed or closed in the middle of their work."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::ResourceWarning"))


@pytest.fixture
def client() -> Iterator[Any]:
    """A client of a cluster in this process: two workers, of 1 and of 2 threads."""
    workers = {
        "single": {"cls": distributed.Worker, "options": {"nthreads": 1}},
        "double": {"cls": distributed.Worker, "options": {"nthreads": 2, "resources": {"GPU": 2}}},
    }
    scheduler = {
        "cls": distributed.Scheduler,
        "options": {"dashboard_address": "127.0.0.1:0", "host": "127.0.0.1", "port": 0},
    }
    with distributed.SpecCluster(workers=workers, scheduler=scheduler, silence_logs=50) as cluster:
        with distributed.Client(cluster) as client:
            client.wait_for_workers(2)
            yield client


@pytest.fixture(scope="session")
def four_processes() -> Iterator[Any]:
    """A client of four workers, each a process with one thread."""
    options = {"dashboard_address": ":0", "memory_limit": 0, "silence_logs": 50}
    with distributed.LocalCluster(n_workers=4, threads_per_worker=1, **options) as cluster:
        with distributed.Client(cluster) as client:
            client.wait_for_workers(4)
            yield client


class CommandLineCluster:
    """A scheduler and workers as processes of the command line, on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.file = folder / "scheduler.json"
        self._start("scheduler", "scheduler", "--port", "0")
        self.client = distributed.Client(scheduler_file=str(self.file), timeout=60)

    def start_worker(self, name: str, **environment: str) -> None:
        """Starts a worker that has the given environment variables in addition."""
        options = ["--name", name, "--nthreads", "1", "--no-nanny", "--memory-limit", "0"]
        options += ["--local-directory", str(self.folder)]
        self._start(name, "worker", *options, environment=environment)

    def kill(self, name: str) -> None:
        """Ends a process as the kernel does when memory is short."""
        process = self.processes.pop(name)
        process.kill()
        process.wait()

    def close(self) -> None:
        self.client.close()
        for name in list(self.processes):
            self.kill(name)

    def _start(self, name: str, *command: str, environment: dict[str, str] | None = None) -> None:
        self.processes[name] = subprocess.Popen(
            [sys.executable, "-m", "dask", *command, "--scheduler-file", str(self.file)]
            + ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"],
            env={**os.environ, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture
def start_cluster(tmp_path: Path) -> Iterator[Callable[..., CommandLineCluster]]:
    """Starts a scheduler and the named workers from the command line."""
    started: list[CommandLineCluster] = []

    def start(*names: str) -> CommandLineCluster:
        started.append(CommandLineCluster(tmp_path))
        for name in names:
            started[-1].start_worker(name)
        if names:
            started[-1].client.wait_for_workers(len(names), timeout=60)
        return started[-1]

    yield start
    for cluster in started:
        cluster.close()
