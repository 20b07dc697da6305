# SPDX-License-Identifier: Apache-2.0
"""Modules import only from their own room and earlier ones, without cycles."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import pointsman as pm

ROOMS: dict[str, list[str]] = {
    "engine": ["_algorithm", "_core", "_demo", "_history", "_opencl"],
    "info": [
        "_exception_group",
        "_html",
        "_main_interpreter",
        "_representation",
        "_text_table",
        "error",
    ],
    "trace": ["_explanation", "_trace", "_trace_events"],
    "property": ["_properties"],
    "tuning": ["_domain", "_measured", "_task"],
    "history": ["_histories", "_no_history"],
    "submission": [
        "_attempt",
        "_awaiting",
        "_failures",
        "_recovering_submission",
        "_repeated_work",
        "_suspension",
        "_timer",
        "_waitable",
    ],
    "resource": [
        "_device_list",
        "_device_speed",
        "_discover",
        "_health",
        "_no_opencl",
        "_resource_identity",
        "_resource_table",
        "opencl",
    ],
    "executor": ["executors"],
    "backend": ["_backend", "_completion"],
    "policy": [
        "_async_verbs",
        "_chunk",
        "_concurrency",
        "_late_starts",
        "_map",
        "_options",
        "_places",
        "_policy",
        "_policy_base",
        "_policy_history",
        "_policy_executor",
        "_recovery",
        "_recovery_options",
        "_resource_places",
        "_search",
        "_statistics",
        "_tables",
        "_verbs",
    ],
    "selection": ["_selection"],
    "execution": ["execution"],
    "algorithm": ["algorithm"],
    "cluster": ["dask"],
    "pictures": ["plot"],
    "programs": [
        "",
        "__main__",
        "_console",
        "_devices",
        "_explain",
        "_history_command",
        "_history_files",
        "_joblib",
        "_replay",
        "_trace_command",
        "demo",
        "joblib_backend",
        "testing",
    ],
}
Graph = dict[str, set[str]]


def sources_of(package: Path) -> dict[str, str]:
    """Returns the source of each module of a package by its full name; empty for compiled modules,
    which have only a stub."""
    sources = {}
    for path in [*package.rglob("*.py"), *package.rglob("*.pyi")]:
        parts = [package.name, *path.relative_to(package).with_suffix("").parts]
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        sources[name] = path.read_text(encoding="utf-8") if path.suffix == ".py" else ""
    return sources


def targets_of(source: str) -> Iterator[tuple[str, str]]:
    """Yields what a module imports, also in functions and for type checkers. ``from a import b``
    imports ``a.b`` if that is a module, and else ``a``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno} imports by dots: write the module's name"
            assert node.module is not None
            yield from ((f"{node.module}.{alias.name}", node.module) for alias in node.names)


def graph_of(sources: Mapping[str, str]) -> Graph:
    """Returns the modules that each module imports."""
    return {
        name: {
            next(target for target in targets if target in sources)
            for targets in targets_of(source)
            if not sources.keys().isdisjoint(targets)
        }
        for name, source in sources.items()
    }


def cycle_in(graph: Graph) -> list[str]:
    """Returns a cycle of imports, with the first module again at the end; empty if none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def rooms_of(names: Mapping[str, object], rooms: Mapping[str, list[str]]) -> dict[str, int]:
    """The position of the room of each module that has one."""
    room_of = {module: i for i, modules in enumerate(rooms.values()) for module in modules}
    parts = {name: (*name.split("."), "")[1] for name in names}
    return {name: room_of[part] for name, part in parts.items() if part in room_of}


def imports_of_later_rooms(graph: Graph, rooms: Mapping[str, list[str]]) -> list[str]:
    """Each import of a module whose room comes later, as a line of text."""
    room_of = rooms_of(graph, rooms)
    return [
        f"{name} imports {target}"
        for name, targets in graph.items()
        for target in sorted(targets)
        if room_of[target] > room_of[name]
    ]


@pytest.fixture(scope="module")
def graph() -> Graph:
    """The imports of the package under test."""
    return graph_of(sources_of(Path(pm.__file__).resolve().parent))


def test_no_module_imports_itself_indirectly(graph):
    assert graph["pointsman._options"] >= {"pointsman._map", "pointsman._policy_executor"}
    assert cycle_in(graph) == []


def test_each_module_has_a_room_and_each_room_its_modules(graph):
    assert set(rooms_of(graph, ROOMS)) == set(graph)
    assert {(*name.split("."), "")[1] for name in graph} == set(sum(ROOMS.values(), []))


def test_a_room_imports_only_rooms_before_it(graph):
    assert imports_of_later_rooms(graph, ROOMS) == []


@pytest.mark.parametrize(
    "closing",
    [
        "from house._a import f",
        "import house._a",
        "def late():\n    from house import _a",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house._a import T",
    ],
)
def test_a_cycle_is_found_wherever_its_closing_import_is(closing):
    sources = {"house": "import house._a", "house._a": "from house import _b", "house._b": ""}
    assert cycle_in(graph_of(sources)) == []
    sources["house._b"] = closing
    found = cycle_in(graph_of(sources))
    assert found in (["house._a", "house._b", "house._a"], ["house._b", "house._a", "house._b"])


def test_an_import_from_the_package_itself_closes_a_cycle():
    sources = {"house": "from house._a import f", "house._a": "def late():\n    import house"}
    assert sorted(set(cycle_in(graph_of(sources)))) == ["house", "house._a"]


def test_an_import_of_a_later_room_is_found():
    rooms = {"info": ["_text"], "policy": ["_rule"], "programs": [""]}
    sources = {"house": "import house._rule", "house._rule": "from house import _text"}
    sources["house._text"] = ""
    assert imports_of_later_rooms(graph_of(sources), rooms) == []
    sources["house._rule"], sources["house._text"] = "", "from house._rule import f"
    assert imports_of_later_rooms(graph_of(sources), rooms) == ["house._text imports house._rule"]
