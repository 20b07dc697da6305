# SPDX-License-Identifier: Apache-2.0
"""How much memory the demo thinks it has."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("PIL")
pytest.importorskip("matplotlib")

from pointsman.demo import _memory  # noqa: E402  (it needs these two packages)


@pytest.mark.parametrize(
    ("limit", "available"), [("1048576\n", 2**20), ("max\n", 2**21), (None, 2**21)], ids=repr
)
def test_a_container_has_at_most_its_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str | None, available: int
) -> None:
    monkeypatch.setattr(_memory, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(_memory, "LIMIT_OF_CONTAINER", tmp_path / "memory.max")
    (tmp_path / "meminfo").write_text("MemTotal: 9999 kB\nMemAvailable:    2048 kB\n")
    if limit is not None:
        (tmp_path / "memory.max").write_text(limit)
    assert _memory.available_bytes() == available


def test_the_memory_of_the_machine_is_the_limit_where_nothing_else_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_memory, "MEMINFO", tmp_path / "none")
    monkeypatch.setattr(_memory, "LIMIT_OF_CONTAINER", tmp_path / "none")
    assert _memory.available_bytes() > 2**24


def test_as_many_results_are_counted_as_exist_at_a_time() -> None:
    small, large = [2**20] * 2, [2**30]
    assert (_memory.rounds(small), _memory.rounds(large)) == (36, 1)
    assert _memory.needed_bytes(small) > 36 * 2 * 2**20 * 3
    assert _memory.rounds([2**24] * 3) == 3
