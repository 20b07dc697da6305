# SPDX-License-Identifier: Apache-2.0
# An executor is a value: `require` and `prefer` return another one.
"""The base class of executors, and its methods as free functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pointsman._html import html_table
from pointsman._properties import Property, Value, blocking
from pointsman._representation import text_of
from pointsman.error import InvalidOptionError

if TYPE_CHECKING:
    from typing_extensions import Self

_Resource = TypeVar("_Resource")


@dataclass(frozen=True)
class Executor:
    """Base class of executors. Equal executors run work on the same resource.

    >>> executor = pm.executors.inline()
    >>> executor.execute(lambda: print("once"))
    once
    >>> executor.bulk_execute(print, 2)
    0
    1
    """

    name: ClassVar[str]
    blocks: str = "always"
    allowed: ClassVar[tuple[str, ...]] = ("always",)

    def _repr_html_(self) -> str:
        settings = [each.name for each in fields(self)]
        row = [self.name, *(text_of(getattr(self, name)) for name in settings)]
        return html_table("Executor", ["name", *settings], [row])

    def _answers(self) -> dict[Property, Any]:
        return {blocking: self.blocks}

    def query(self, wanted: Property) -> Any:
        """Return the executor's value of ``wanted``, or the default of a property unknown to it."""
        return self._answers().get(wanted, wanted.default)

    def require(self, *wanted: Value) -> Self:
        """Return an executor like this one that has these values, or raise InvalidOptionError."""
        result = self
        for value in wanted:
            if not isinstance(value, Value):
                raise TypeError(f"{value!r} is required: pass a value such as blocking.never")
            if result.query(value.property) == value.value:
                continue
            if value.property is not blocking or value.value not in self.allowed:
                raise InvalidOptionError(
                    f"the executor '{self.name}' cannot have {value}: use prefer(), which ignores "
                    "values that an executor cannot have, or another executor"
                )
            result = replace(result, blocks=value.value)
        return result

    def prefer(self, *wanted: Value) -> Self:
        """Return an executor like this one that has as many of the values as it can have."""
        result = self
        for value in wanted:
            try:
                result = result.require(value)
            except InvalidOptionError:
                continue
        return result

    def execute(self, f: Callable[..., Any]) -> Any:
        """Call ``f()`` once."""
        raise NotImplementedError

    def bulk_execute(self, f: Callable[..., Any], shape: Any) -> Any:
        """Call ``f(index)`` for each index of the shape."""
        raise NotImplementedError


def checked_resource(where: _Resource, kind: type[_Resource]) -> _Resource:
    if not isinstance(where, kind):
        raise TypeError(f"the executor was to run on {where!r}: pass {kind.__name__}")
    return where


def execute(executor: Executor, f: Callable[..., Any]) -> Any:
    """Call ``f()`` once on an executor."""
    return executor.execute(f)


def bulk_execute(executor: Executor, f: Callable[..., Any], shape: Any) -> Any:
    """Call ``f(index)`` on an executor for each index of the shape."""
    return executor.bulk_execute(f, shape)


def query(executor: Executor, wanted: Property) -> Any:
    """Return an executor's value of a property."""
    return executor.query(wanted)


def require(executor: Executor, *wanted: Value) -> Executor:
    """Return an executor like this one that has these values, or raise InvalidOptionError."""
    return executor.require(*wanted)


def prefer(executor: Executor, *wanted: Value) -> Executor:
    """Return an executor like this one that has as many of the values as it can have."""
    return executor.prefer(*wanted)
