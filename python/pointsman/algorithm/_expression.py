# SPDX-License-Identifier: Apache-2.0
# Elementwise functions as sequences of NumPy operations without branches.
"""An ``Expression`` is the common form of lambdas and strings, for host and device."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from types import CodeType
from typing import Any

import numpy as np
from numpy.typing import NDArray

DType = np.dtype[Any]
Arrays = Sequence[NDArray[Any]]

# The operations of steps. "pow" is `**`, which differs from numpy.power: NumPy computes some
# exponents, such as 2 and 0.5, by other operations.
FUNCTIONS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in (
        "add subtract multiply true_divide floor_divide remainder negative positive absolute "
        "power float_power fmod gcd lcm copysign heaviside logaddexp logaddexp2 conjugate "
        "reciprocal minimum maximum fmin fmax fabs "
        "less less_equal greater greater_equal equal not_equal "
        "bitwise_and bitwise_or bitwise_xor invert left_shift right_shift "
        "logical_and logical_or logical_xor logical_not isnan isinf isfinite signbit sign square "
        "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan arctan2 "
        "sinh cosh tanh arcsinh arccosh arctanh hypot deg2rad rad2deg degrees radians "
        "floor ceil trunc rint where"
    ).split()
}
FUNCTIONS["pow"] = operator.pow
POWERS = ("pow", "power")
COMPARISONS = ("less", "less_equal", "greater", "greater_equal", "equal", "not_equal")
CHUNK = 32_768  # values: intermediate results stay in the L2 cache
LIGHT = 1_048_576  # values; for less of what takes under 0.1 ns a value, threads are not worth it
MOST_TYPES = 64  # entries in the caches of an expression, one for each combination of input types
# What NumPy's calls cost, relative to the time of a program's call, which measured 1.7 us: for each
# step, for each step with a constant, and for each value and step but the first. ``where`` costs as
# much as three steps, and ten for each value; beside a constant, ``maximum`` as much as two.
_CALL, _CONSTANT, _VALUE = 0.26, 0.33, 1.6e-4
_COSTS = {
    "where": (3 * _CALL, 10 * _VALUE),
    **dict.fromkeys(["maximum", "minimum"], (_CALL, 2 * _VALUE)),
    **dict.fromkeys(
        [*COMPARISONS, *"add subtract multiply true_divide negative absolute square".split()],
        (_CALL, _VALUE),
    ),
}


@dataclass(frozen=True)
class Place:
    """An operand that is an input or the result of a step; inputs have the first indices."""

    index: int


Operand = Place | bool | int | float | np.generic


def text_of(operand: Operand) -> str:
    """A text that identifies the operand; equal numbers of different types differ in it."""
    if isinstance(operand, Place):
        return f"v{operand.index}"
    if isinstance(operand, np.generic):
        return f"{operand.dtype}({operand.tobytes().hex()})"
    sign = "-" if operand != operand and math.copysign(1, operand) < 0 else ""  # repr omits it
    return f"{type(operand).__name__}({sign}{operand!r})"


@dataclass(frozen=True, eq=False)
class Step:
    """One operation, named as in ``FUNCTIONS``."""

    name: str
    operands: tuple[Operand, ...]

    @property
    def text(self) -> str:
        """The step as text, such as "add(v0, int(2))"."""
        return f"{self.name}({', '.join(map(text_of, self.operands))})"

    def apply(self, values: list[Any]) -> Any:
        """Apply the step to the inputs and earlier results."""
        operands = [values[o.index] if isinstance(o, Place) else o for o in self.operands]
        return FUNCTIONS[self.name](*operands)


class Expression:
    """A function of ``arity`` arrays, element by element, that NumPy can compute.

    result: a ``Place``, or a number if the function is constant.
    is_constant: True if it is a number.
    is_copied: True if it is a number or an input, for which ``evaluate`` makes no array.
    text: equal for equal functions.
    kind: equal for functions that cost the same; the text, unless it is set.
    is_light: True if no step takes much longer than to read and write its values.
    is_new: True until few values have been computed once. NumPy computes the first few: a function
        with another number in each call never needs the program, which takes longer to make.
    is_of_both: True if its only step reads two inputs, so that NumPy broadcasts them.
    few, few_alone, few_folded: the numbers of values up to which NumPy's calls cost less than those
        of a program: for the results, also in several threads, or in one alone; and for a fold of
        them, for which -1 means that they are a number, not an array.
    """

    def __init__(self, arity: int, steps: Sequence[Step], result: Operand) -> None:
        self.arity = arity
        self.steps = tuple(steps)
        self.result = result
        self.is_constant = not isinstance(result, Place)
        self.text = "; ".join([*(step.text for step in self.steps), text_of(result)])
        self.kind: Hashable = self.text
        self.few = _few(self.steps)
        self.few_alone = LIGHT if len(self.steps) == 1 else self.few
        self.few_folded = -1 if self.is_constant else _few_folded(self.steps)
        self.for_types: dict[tuple[DType, ...], Any] = {}  # see ``typed``
        self.programs: dict[tuple[DType, ...], Any] = {}  # see ``fused``
        self.is_new = True
        self._types: dict[tuple[DType, ...], tuple[DType, ...]] = {}
        self._needless = self._needless_after_steps()
        self.is_light = all(step.name in _COSTS for step in self.steps)
        self.is_of_both = len(self.steps) == 1 and self._inputs_of(self.steps[0]) == {0, 1}
        self.is_copied = not isinstance(result, Place) or result.index < arity

    @cached_property
    def evaluate(self) -> Callable[..., Any]:
        """A function of the inputs, which are arrays of one shape, and of ``out``, by default None:
        an array of the result's type that may be used for the result. Returns ``out``, another
        array, or a number if the expression is constant."""
        names: dict[str, Any] = {}

        def text_in_body(operand: Operand, step: str = "pow") -> str:
            if isinstance(operand, Place):
                return f"v{operand.index}"
            name = f"c{len(names)}"
            is_converted = step == "pow" or not isinstance(operand, np.generic)
            names[name] = operand if is_converted else np.asarray(operand)  # which is faster
            return name

        lines = []
        for number, (step, needless) in enumerate(zip(self.steps, self._needless, strict=True)):
            place, function = Place(self.arity + number), FUNCTIONS[step.name]
            # Up to NumPy 1.24, `where` is wrapped in Python to let other classes override it.
            names[step.name] = getattr(function, "__wrapped__", function)
            operands = [text_in_body(each, step.name) for each in step.operands]
            if place == self.result and isinstance(function, np.ufunc):
                operands.append("out=out")
            lines.append(f"v{place.index} = {step.name}({', '.join(operands)})")
            # The next steps reuse this memory.
            lines.extend(f"del v{index}" for index in needless if index >= self.arity)
        lines.append(f"return {text_in_body(self.result)}")
        arguments = ", ".join([*(f"v{index}" for index in range(self.arity)), "out=None"])
        exec(_compiled(f"def evaluate({arguments}):\n    " + "\n    ".join(lines)), names)
        compiled: Callable[..., Any] = names["evaluate"]
        return compiled

    @cached_property
    def evaluate_both(self) -> Callable[[NDArray[Any], NDArray[Any]], Any] | None:
        """``evaluate`` for two arrays of any strides that NumPy broadcasts, if the only step is a
        function of NumPy and reads both; else None."""
        if not self.is_of_both or self.result != Place(2) or len(self.steps[0].operands) > 2:
            return None
        function = FUNCTIONS[self.steps[0].name]
        if not isinstance(function, np.ufunc):
            return None
        in_order = partial(function, order="C")
        return in_order if self.steps[0].operands[0] == Place(0) else lambda a, b: in_order(b, a)

    def values(self, inputs: Arrays, out: NDArray[Any] | None = None) -> Any:
        """The values for arrays of one shape: in ``out``, which has the result's type, or in a new
        array."""
        value = self.evaluate(*inputs, out)
        if value is out or (out is None and not self.is_copied):
            return value
        if out is None:
            out = np.empty(inputs[0].shape, self.result_type(*(each.dtype for each in inputs)))
        np.copyto(out, value)
        return out

    def types(self, *inputs: DType) -> tuple[DType, ...]:
        """The types of the inputs and of each step's result, as NumPy has them.

        Raises as NumPy does for these types, whatever the values: TypeError if NumPy does not
        define an operation for them, OverflowError if their type cannot hold a constant. Raises
        ValueError for integers to a constant negative power.
        """
        known = self._types.get(inputs)
        if known is None:
            values = [np.empty(0, dtype) for dtype in inputs]
            for step in self.steps:
                values.append(np.asarray(step.apply(values)))
                _check_power(step, values[-1].dtype)
            if len(self._types) >= MOST_TYPES:
                self._types.clear()
            known = self._types[inputs] = tuple(value.dtype for value in values)
        return known

    def result_type(self, *inputs: DType) -> DType:
        """The type of the result."""
        types = self.types(*inputs)
        if isinstance(self.result, Place):
            return types[self.result.index]
        return np.asarray(self.result).dtype

    def _inputs_of(self, step: Step) -> set[int]:
        """The indices of the inputs that a step reads."""
        places = [each.index for each in step.operands if isinstance(each, Place)]
        return {index for index in places if index < self.arity}

    def _needless_after_steps(self) -> list[list[int]]:
        """For each step, the indices of values that neither a later step nor the result needs."""
        last: dict[int, int] = {}
        for number, step in enumerate(self.steps):
            for operand in (Place(self.arity + number), *step.operands):
                if isinstance(operand, Place) and operand != self.result:
                    last[operand.index] = number
        needless: list[list[int]] = [[] for _ in self.steps]
        for index, number in last.items():
            needless[number].append(index)
        return needless


def with_first(expression: Expression, number: Any) -> Expression:
    """The function of one value that the expression, of two, is for ``number`` and that value."""

    def moved(operand: Operand) -> Operand:
        if not isinstance(operand, Place):
            return operand
        return Place(operand.index - 1) if operand.index else number

    return Expression(1, _steps_with(expression, moved), moved(expression.result))


@lru_cache(maxsize=1024, typed=True)
def where_selected(expression: Expression, otherwise: np.generic) -> Expression:
    """The expression with truth values as one more input; the result is ``otherwise`` for False."""
    arity = expression.arity

    def moved(operand: Operand) -> Operand:
        if not isinstance(operand, Place) or operand.index < arity:
            return operand
        return Place(operand.index + 1)

    selection = Step("where", (Place(arity), moved(expression.result), otherwise))
    steps = [*_steps_with(expression, moved), selection]
    selected = Expression(arity + 1, steps, Place(arity + len(steps)))
    selected.kind = "where", expression.kind
    return selected


@lru_cache(maxsize=1024)
def truth_of(expression: Expression) -> Expression:
    """The expression with True for every result that is not 0."""
    steps = [*expression.steps, Step("not_equal", (expression.result, 0))]
    return Expression(expression.arity, steps, Place(expression.arity + len(expression.steps)))


def _steps_with(expression: Expression, moved: Callable[[Operand], Operand]) -> list[Step]:
    """The steps with other operands."""
    return [Step(each.name, tuple(map(moved, each.operands))) for each in expression.steps]


def _check_power(step: Step, dtype: DType) -> None:
    """Check the exponent: NumPy does not check it for the empty arrays of ``types``."""
    exponent = step.operands[-1]
    if step.name not in POWERS or dtype.kind not in "iu" or isinstance(exponent, Place):
        return
    if int(exponent) < 0:
        raise ValueError(
            f"integers cannot be raised to {exponent}, a negative integer: write "
            f"{float(exponent)}, which gives floats"
        )


def _few(steps: Sequence[Step]) -> int:
    """The number of values up to which NumPy's calls cost less than those of a program."""
    if len(steps) < 2:
        return 2 * CHUNK  # beyond, threads share the work
    if not all(step.name in _COSTS for step in steps):
        return CHUNK
    of_calls = sum([_COSTS[step.name][0] for step in steps])
    constants = sum([not all(isinstance(o, Place) for o in step.operands) for step in steps])
    of_value = sum([_COSTS[step.name][1] for step in steps[1:]])
    return min(CHUNK, max(0, int((1 - of_calls - _CONSTANT * constants) / of_value)))


def _few_folded(steps: Sequence[Step]) -> int:
    """The largest number of values that NumPy's calls fold in less time than a program does."""
    if not steps:
        return CHUNK
    return 256 if any(step.name == "where" for step in steps) else 2_048


@lru_cache(maxsize=1024)
def _compiled(text: str) -> CodeType:
    """The code of a function, kept by its text: expressions that differ only in their numbers share
    it."""
    return compile(text, "<expression>", "exec")


IDENTITY = Expression(1, (), Place(0))
