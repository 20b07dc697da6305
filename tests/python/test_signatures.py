# SPDX-License-Identifier: Apache-2.0
"""help() and notebook tooltips show the parameters of public classes and functions."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import pointsman as pm

MODULES: list[ModuleType] = [pm, pm.opencl, pm.executors]
CLASSES: dict[str, type] = {}
FUNCTIONS: dict[str, Any] = {}
for module in MODULES:
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.isclass(found):
            CLASSES[f"{module.__name__}.{name}"] = found
        elif callable(found):
            FUNCTIONS[f"{module.__name__}.{name}"] = found


def methods_of(cls: type) -> Iterator[tuple[str, Any]]:
    for name in dir(cls):
        member = inspect.getattr_static(cls, name)
        if not name.startswith("_") and callable(getattr(cls, name)):
            assert not isinstance(member, property)
            yield name, member.__func__ if isinstance(member, classmethod) else getattr(cls, name)


def is_of_an_exception(cls: type) -> bool:
    """Returns true if the constructor is that of built-in exceptions, which have no signature."""
    return issubclass(cls, BaseException)


def cannot_be_made(cls: type) -> bool:
    """Returns true if only pointsman creates objects of the class: it needs no signature."""
    try:
        cls()
    except TypeError as error:
        refusals = ("No constructor defined", "cannot create", "Protocols cannot be instantiated")
        return any(words in str(error) for words in refusals)
    except pm.Error:
        return False
    return False


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_that_can_be_instantiated_has_a_signature(name: str):
    cls = CLASSES[name]
    if is_of_an_exception(cls) or cannot_be_made(cls):
        return
    parameters = inspect.signature(cls).parameters
    assert "self" not in parameters
    assert "args" not in parameters or cls.__module__ == "pointsman._no_opencl"


def test_few_classes_cannot_be_instantiated():
    assert {name for name, cls in CLASSES.items() if cannot_be_made(cls)} <= {
        "pointsman.ArenaTask",
        "pointsman.Placement",
        "pointsman.Policy",
        "pointsman.ResourceStatistics",
        "pointsman.Selection",
        "pointsman.Submission",
        "pointsman.SubmissionGroup",
        "pointsman.opencl.Buffer",
        "pointsman.opencl.Device",
        "pointsman.opencl.Event",
        "pointsman.opencl.Kernel",
        "pointsman.opencl.Program",
    }


@pytest.mark.parametrize("name", CLASSES)
def test_every_method_has_a_signature_that_begins_with_self(name: str):
    if is_of_an_exception(CLASSES[name]):
        return
    for method_name, method in methods_of(CLASSES[name]):
        first = next(iter(inspect.signature(method).parameters))
        assert first in ("self", "cls"), method_name


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_has_a_signature(name: str):
    inspect.signature(FUNCTIONS[name])


def test_signatures_name_the_parameters(policy_class: Any):
    policy = policy_class(["a"])
    assert list(inspect.signature(policy_class).parameters)[0] == "resources"
    assert list(inspect.signature(policy_class).parameters)[-2:] == ["backend", "health"]
    for method, text in {
        "submit": "(work, /, *args, **kwargs)",
        "run": "(func, /, *args, **kwargs)",
        "get_resources": "()",
        "with_options": (
            "(*, timeout=None, on_failure='raise', time_limit=None, max_outstanding=None, "
            "max_outstanding_per_resource=None)"
        ),
    }.items():
        assert str(inspect.signature(getattr(policy, method))) == text
    assert str(inspect.signature(pm.RoundRobin)) == (
        "(resources=None, offset=0, *, backend=None, health=None)"
    )
    assert str(inspect.signature(pm.Arena)) == "(concurrency=None, numa_node=None)"


def test_docstrings_begin_with_prose():
    assert pm.RoundRobin.__doc__.startswith("Takes the resources in turn")
    assert pm.RoundRobin.submission_group.__doc__.startswith("Return an object")


def test_a_user_defined_class_has_its_own_signature():
    class Mine(pm.RoundRobin):
        def __init__(self, colour: str) -> None:
            super().__init__([colour])

    assert list(inspect.signature(Mine).parameters) == ["colour"]
    assert list(inspect.signature(pm.PolicyBase).parameters) == [
        "resources",
        "backend",
        "health",
    ]
