# SPDX-License-Identifier: Apache-2.0
# Traces a lambda into an expression by calling it with recording proxies.
"""Tracing: ``trace(lambda x, y: 2 * x + y, 2)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

import numpy as np

from pointsman.algorithm._expression import FUNCTIONS, Expression, Operand, Place, Step
from pointsman.algorithm._scalars import is_number, plain

_NAMES = {function: name for name, function in FUNCTIONS.items()}


def trace(function: Callable[..., Any], arity: int) -> Expression:
    """The expression that ``function`` computes from ``arity`` values; raises as ``trace_with``."""
    return trace_with(function, (None,) * arity)


def trace_with(function: Callable[..., Any], numbers: Sequence[Any]) -> Expression:
    """The expression that ``function`` computes from arrays.

    numbers: for each argument its value, or None for an array.

    Raises TypeError for a function that cannot be traced; it names the construct and a replacement.
    """
    steps, given = _Steps(), len(numbers)
    try:
        inspect.signature(function).bind(*numbers)
    except TypeError:
        raise TypeError(
            f"{function!r} cannot be called with {given} value{'s' if given != 1 else ''}: "
            "give it a parameter for each operand"
        ) from None
    except ValueError:
        pass  # a built-in function without a signature
    arity = sum(each is None for each in numbers)
    arrays = iter([Tracer(steps, Place(index), arity) for index in range(arity)])
    returned = function(*(next(arrays) if each is None else each for each in numbers))
    return _expression_of(arity, steps.in_order, steps.operand_of(returned))


def _expression_of(arity: int, steps: list[Step], result: Operand) -> Expression:
    """The expression of those steps that the result needs."""
    read = _places_in([result])
    for number in reversed(range(len(steps))):
        if arity + number in read:
            read |= _places_in(steps[number].operands)
    needed = [number for number in range(len(steps)) if arity + number in read]
    places = {arity + before: Place(arity + number) for number, before in enumerate(needed)}

    def moved(operand: Operand) -> Operand:
        return places.get(operand.index, operand) if isinstance(operand, Place) else operand

    kept = [Step(steps[n].name, tuple(map(moved, steps[n].operands))) for n in needed]
    return Expression(arity, kept, moved(result))


def _places_in(operands: Iterable[Operand]) -> set[int]:
    """The indices of the operands that are no numbers: NumPy may warn of comparisons with those."""
    return {each.index for each in operands if isinstance(each, Place)}


class _Steps:
    """The recorded steps, without duplicates."""

    def __init__(self) -> None:
        self.in_order: list[Step] = []
        self._numbers: dict[str, int] = {}

    def number_of(self, step: Step) -> int:
        """The index of ``step``; adds the step if it is new."""
        number = self._numbers.setdefault(step.text, len(self.in_order))
        if number == len(self.in_order):
            self.in_order.append(step)
        return number

    def operand_of(self, value: Any) -> Operand:
        """Convert ``value``, a ``Tracer`` of this function or a number, to an operand."""
        if isinstance(value, Tracer):
            if value._steps is not self:
                _refuse("a value of another traced function", "pass an array as an argument")
            return value._operand
        if type(value) is np.ndarray and value.ndim == 0:  # NumPy's left operands
            value = value[()]
        if is_number(value):
            number: Operand = plain(value)
            return number
        raise TypeError(
            f"{type(value).__qualname__} cannot be part of a traced function: use the function's "
            "values, numbers, operators and NumPy's functions, and pass arrays as arguments"
        )


class Tracer:
    """Stands for each element of an array while a function is traced."""

    __slots__ = ("_arity", "_operand", "_steps")

    def __init__(self, steps: _Steps, operand: Operand, arity: int) -> None:
        self._steps = steps
        self._operand = operand
        self._arity = arity

    def _apply(self, name: str, *operands: Any) -> Tracer:
        step = Step(name, tuple(map(self._steps.operand_of, operands)))
        number = self._steps.number_of(step)
        return Tracer(self._steps, Place(self._arity + number), self._arity)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Tracer:
        if method != "__call__" or options or ufunc not in _NAMES:
            what = f"numpy.{ufunc.__name__}" + ("" if method == "__call__" else f".{method}")
            _refuse(what, "use the operators and numpy." + ", numpy.".join(_SHOWN))
        return self._apply(_NAMES[ufunc], *inputs)

    def __array_function__(self, function: Any, _types: Any, args: Any, kwargs: Any) -> Tracer:
        if function is np.clip:
            return _clipped(*args, **kwargs)
        if function is not np.where or len(args) != 3 or kwargs:
            _refuse(f"numpy.{function.__name__}", "use numpy.where(condition, a, b) or a ufunc")
        return self._apply("where", *args)

    def __abs__(self) -> Tracer:
        return self._apply("absolute", self)

    def __neg__(self) -> Tracer:
        return self._apply("negative", self)

    def __pos__(self) -> Tracer:
        return self._apply("positive", self)

    def __invert__(self) -> Tracer:
        return self._apply("invert", self)

    def __hash__(self) -> NoReturn:
        _refuse("a lookup in a dict or set", "use numpy.where")

    def __bool__(self) -> NoReturn:
        _refuse(
            "a decision (`if`, `and`, `or`, `not`, `min`, `max` or a chained comparison)",
            "use numpy.where(condition, a, b), `&`, `|`, `~`, numpy.minimum and numpy.maximum",
        )

    def __float__(self) -> NoReturn:
        _refuse("float() or a function of `math`", "use NumPy's function, such as numpy.sin")

    def __int__(self) -> NoReturn:
        _refuse("int()", "use numpy.trunc, or an `out` of an integer type")

    def __index__(self) -> NoReturn:
        _refuse("an index or range()", "pass the array that is to be looked up as an argument")

    def __complex__(self) -> NoReturn:
        _refuse("complex()", "use real numbers")

    def __round__(self, *_digits: int) -> NoReturn:
        _refuse("round()", "use numpy.rint")

    def __floor__(self) -> NoReturn:
        _refuse("math.floor()", "use numpy.floor")

    def __ceil__(self) -> NoReturn:
        _refuse("math.ceil()", "use numpy.ceil")

    def __trunc__(self) -> NoReturn:
        _refuse("math.trunc()", "use numpy.trunc")

    def __divmod__(self, _other: Any) -> NoReturn:
        _refuse("divmod()", "use // and %")

    def __matmul__(self, _other: Any) -> NoReturn:
        _refuse("@", "use pm.transform_reduce for an inner product")

    def __iter__(self) -> NoReturn:
        _refuse("`for` or unpacking", "write what happens to one element")

    def __len__(self) -> NoReturn:
        _refuse("len()", "write what happens to one element")

    def __getitem__(self, _index: Any) -> NoReturn:
        _refuse("x[...]", "write what happens to one element, and pass slices as arguments")

    def __contains__(self, _value: Any) -> NoReturn:
        _refuse("`in`", "compare with ==")

    def __format__(self, _spec: str) -> NoReturn:
        _refuse("text made of a value", "work with numbers")

    def __array__(self, *_args: Any, **_options: Any) -> NoReturn:
        _refuse("an array made of a value", "pass arrays as arguments")

    def __getattr__(self, name: str) -> NoReturn:
        _refuse(f"the attribute .{name}", "use the operators and NumPy's functions")


_SHOWN = ("where", "minimum", "maximum", "sqrt", "exp", "floor")


def _refuse(construct: str, remedy: str) -> NoReturn:
    raise TypeError(f"{construct} cannot be traced to an expression: {remedy}") from None


def _clipped(
    a: Any,
    a_min: Any = None,
    a_max: Any = None,
    *,
    min: Any = None,
    max: Any = None,
    **options: Any,
) -> Tracer:
    """``numpy.clip`` as ``numpy.maximum`` and ``numpy.minimum``."""
    remedy = "write numpy.minimum(numpy.maximum(x, lower), upper)"
    lower, upper = (a_min if min is None else min), (a_max if max is None else max)
    if options:
        _refuse(f"numpy.clip with {'=, '.join(options)}=", remedy)
    if lower is None and upper is None:
        _refuse("numpy.clip without bounds", remedy)
    if not isinstance(a, Tracer) and not isinstance(lower, Tracer):
        _refuse(f"numpy.clip of the number {a!r}", remedy)
    raised = a if lower is None else np.maximum(a, lower)
    clipped: Tracer = raised if upper is None else np.minimum(raised, upper)
    return clipped


def _binary(name: str) -> tuple[Any, Any]:
    def method(self: Tracer, other: Any) -> Tracer:
        return self._apply(name, self, other)

    def reflected(self: Tracer, other: Any) -> Tracer:
        return self._apply(name, other, self)

    return method, reflected


for _dunder, _name in {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "pow": "pow",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}.items():
    _method, _reflected = _binary(_name)
    setattr(Tracer, f"__{_dunder}__", _method)
    setattr(Tracer, f"__r{_dunder}__", _reflected)
for _dunder, _name in {
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
    "eq": "equal",
    "ne": "not_equal",
}.items():
    setattr(Tracer, f"__{_dunder}__", _binary(_name)[0])
