# SPDX-License-Identifier: Apache-2.0
# The extension's loops and NumPy's, called block by block without the GIL, make no intermediate
# arrays.
"""Expressions as programs of the extension module, where NumPy has a loop for every step."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import (
    COMPARISONS,
    FUNCTIONS,
    MOST_TYPES,
    POWERS,
    Arrays,
    DType,
    Expression,
    Operand,
    Place,
    Step,
)
from pointsman.algorithm._loops import NotFusableError, converted, loop_of
from pointsman.algorithm._operation import Operation
from pointsman.execution import HostPolicy

SUMMED = (np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.int64), np.dtype(np.uint64))
_SELECTED_BYTES = (1, 2, 4, 8)
_COMPARED = "fdil"  # the types of numbers that a loop can compare and choose by


class Fused:
    """An expression for inputs of given types, with the results and the floating-point errors of
    NumPy.

    is_exact: True if the signs of NaN are NumPy's, too.
    Raises NotFusableError if NumPy must compute it.
    """

    def __init__(
        self, expression: Expression, types: tuple[DType, ...], is_exact: bool = False
    ) -> None:
        result = expression.result
        if not isinstance(result, Place) or (result.index < expression.arity and result.index):
            raise NotFusableError
        self._types = expression.types(*types)
        if any(each.kind not in "biufc" for each in self._types):
            raise NotFusableError
        self.dtype = self._types[result.index]
        self._arity = expression.arity
        self._numbers: dict[int, int] = {}  # of the program's steps, by the places of their results
        self._calls: list[tuple[Any, list[DType], list[bool]]] = []
        steps = expression.steps[: max(0, result.index + 1 - expression.arity)]
        conditions = self._conditions(steps)
        read = {
            number: (*steps[conditions[number]].operands, *step.operands[1:])
            if number in conditions
            else step.operands
            for number, step in enumerate(steps)
            if number not in conditions.values()
        }
        made = [
            self._step(number, steps[number], steps[conditions.get(number, number)], operands)
            for number, operands in read.items()
        ]
        sizes = [each.itemsize for each in types]
        self._program = host_engine.make_program(sizes, made, is_exact)
        self._span_size = self._program.span_size
        self.longest_line: int = self._program.longest_line
        self._is_summed = self.dtype in SUMMED

    def transform(self, policy: HostPolicy, inputs: Arrays, out: NDArray[Any]) -> bool:
        """Write the results to ``out``, which is an input or shares no memory with one. Return
        False, with nothing written, unless all arrays are contiguous and aligned."""
        failed = self._program.transform(inputs, out, policy.is_parallel, reported_errors())
        if failed:
            self._report(failed)
        return failed is not None

    def count(self, policy: HostPolicy, inputs: Arrays) -> int | None:
        """The number of results that are True; None unless the inputs are contiguous and aligned.
        The results are of type bool."""
        counted = self._program.count(inputs, policy.is_parallel, reported_errors())
        if counted is None:
            return None
        if counted[1]:
            self._report(counted[1])
        return counted[0]

    def find(self, policy: HostPolicy, inputs: Arrays, wanted: bool) -> slice | None:
        """A part with the first result that is ``wanted``, empty if there is none; None unless the
        inputs are contiguous and aligned. The results are of type bool."""
        errors = reported_errors()
        found = self._program.find(inputs, wanted, policy.is_parallel, errors)
        if found and found[1] and policy.is_parallel:  # some may lie behind the first match
            found = self._program.find(inputs, wanted, False, errors)
        if found is None:
            return None
        if found[1]:
            self._report(found[1])
        begin = found[0]
        return slice(begin, begin + self._span_size) if begin >= 0 else slice(0)

    def sums(self, policy: HostPolicy, inputs: Arrays) -> NDArray[Any] | None:
        """Partial sums of the results; None if adding them raised a floating-point error, and
        unless the inputs are contiguous and aligned."""
        spans = -(-inputs[0].size // self._span_size)
        partial = np.zeros(spans, self.dtype)
        summed = self._program.sum(inputs, partial, policy.is_parallel, reported_errors())
        if summed is None or not summed[0]:
            return None
        if summed[1]:
            self._report(summed[1])
        return partial

    def fold_lines(
        self,
        policy: HostPolicy,
        operation: Operation,
        inputs: Arrays,
        loop: tuple[int, bytes],
        folds: NDArray[Any],
        most_at_once: int,
    ) -> bool:
        """Fold the results, of the shape (outer, n, inner), along the second axis to ``folds``, of
        the shape (outer, inner). Return False if a fold raised a floating-point error, and unless
        the inputs are contiguous and aligned.

        loop: the number of the loop that folds, and the bytes of what it begins with.
        most_at_once: the most results of a line that a call of the loop folds.
        """
        ufunc, is_parallel, errors = operation.ufunc, policy.is_parallel, reported_errors()
        folded = self._program.fold_lines(
            inputs, ufunc, *loop, folds, is_parallel, errors, most_at_once
        )
        # The processor reports the comparison of a NaN, and NumPy does not.
        if folded is None or not (folded[0] or operation.ordered):
            return False
        if folded[1]:
            self._report(folded[1])
        return True

    def fold(self, values: NDArray[Any]) -> Any:
        """Fold ``values``, of the type of both inputs and of the results: the first half with the
        second one and so on. None if a step raised an error, or if NumPy must fold them."""
        if values.size < 2:
            return None
        folded = np.empty(1, self.dtype)
        return folded[0] if self._program.fold(values, folded) else None

    def can_sum(self, operation: Operation, dtype: DType | None) -> bool:
        """Return True if ``operation``, in type ``dtype`` if that is given, adds the results
        without converting them."""
        return operation.name == "+" and self._is_summed and (dtype is None or dtype == self.dtype)

    def _conditions(self, steps: Sequence[Step]) -> dict[int, int]:
        """The numbers of ``where`` steps whose condition is a comparison that nothing else reads,
        and that compares values as wide as theirs, with the number of that: one loop does both."""
        places = [o.index for step in steps for o in step.operands if isinstance(o, Place)]
        found = {}
        for number, step in enumerate(steps):
            condition = step.operands[0]
            if step.name != "where" or not isinstance(condition, Place):
                continue
            compared = condition.index - self._arity
            if (
                compared >= 0
                and steps[compared].name in COMPARISONS
                and places.count(condition.index) == 1
            ):
                types = self._compared(steps[compared])[1]
                itemsize = self._types[self._arity + number].itemsize
                if types[0].char in _COMPARED and types[0].itemsize == itemsize:
                    found[number] = compared
        return found

    def _compared(self, step: Step) -> tuple[int, list[DType]]:
        """The number of the loop of a comparison, and the types that it reads."""
        return loop_of(FUNCTIONS[step.name], step.operands, self._types, np.dtype(bool))

    def _step(
        self, number: int, step: Step, condition: Step, operands: Sequence[Operand]
    ) -> tuple[Any, ...]:
        """The arguments of a step of a program.

        condition: the comparison that the step does too, or the step itself.
        """
        dtype = self._types[self._arity + number]
        function: Any = FUNCTIONS[step.name]
        if step.name in POWERS and dtype.kind not in "fc":  # the loop of integers raises exceptions
            raise NotFusableError
        if step.name == "pow":  # NumPy computes powers that are constant in other ways
            if isinstance(operands[1], Place):
                function = np.power
            elif type(operands[1]) in (int, float) and operands[1] == 2:
                function, operands = np.square, operands[:1]
            else:
                raise NotFusableError
        if function is np.where:
            index, types = 0, [np.dtype(bool), dtype, dtype]
            function = None
            if dtype.itemsize not in _SELECTED_BYTES:
                raise NotFusableError
            if condition is not step:
                function = FUNCTIONS[condition.name]
                index, types = self._compared(condition)
                types = [*types, dtype, dtype]
        else:
            index, types = loop_of(function, operands, self._types, dtype)
        passed = [self._operand(each, of) for each, of in zip(operands, types, strict=True)]
        self._calls.append((function, types, [isinstance(each, bytes) for each in passed]))
        self._numbers[self._arity + number] = len(self._numbers)
        return function, index, passed, dtype.itemsize

    def _operand(self, operand: Operand, dtype: DType) -> tuple[bool, int, int] | bytes:
        if not isinstance(operand, Place):
            return converted(operand, dtype).tobytes()
        if self._types[operand.index] != dtype:
            raise NotFusableError
        is_input = operand.index < self._arity
        index = operand.index if is_input else self._numbers[operand.index]
        return is_input, index, dtype.itemsize

    def _report(self, failed: Sequence[tuple[int, Sequence[bytes]]]) -> None:
        """Have NumPy report the errors of failed steps as its error settings say."""
        for number in sorted({number for number, _ in failed}):  # in the order of NumPy's calls
            function, types, are_constant = self._calls[number]
            parts = [operands for of, operands in failed if of == number]
            arrays = [[np.frombuffer(part[i], of) for part in parts] for i, of in enumerate(types)]
            function(
                *(
                    of[0] if is_constant else np.concatenate(of)
                    for of, is_constant in zip(arrays, are_constant, strict=True)
                )
            )


@lru_cache(maxsize=1024)
def fused_exactly(expression: Expression, *types: DType) -> Fused | None:
    """The program for inputs of these types whose results are NumPy's also in the signs of NaN."""
    return _made(expression, types, is_exact=True)


def fused(expression: Expression, inputs: Arrays) -> Fused | None:
    """The program for inputs of these types; None if NumPy must compute the expression."""
    is_pair = len(inputs) == 2
    types = (
        (inputs[0].dtype, inputs[1].dtype) if is_pair else tuple([each.dtype for each in inputs])
    )
    try:
        known: Fused | None = expression.programs[types]
    except KeyError:
        known = _made(expression, types)
        if len(expression.programs) >= MOST_TYPES:
            expression.programs.clear()
        expression.programs[types] = known
    return known


def _made(
    expression: Expression, types: tuple[DType, ...], *, is_exact: bool = False
) -> Fused | None:
    try:
        return Fused(expression, types, is_exact)
    except NotFusableError:
        return None


def can_add_up(values: NDArray[Any], out: NDArray[Any]) -> bool:
    """Return True if ``add_up`` can write the prefix sums of ``values`` to ``out``."""
    return out.dtype == values.dtype and can_add_up_lines(values, out)


def can_add_up_lines(values: NDArray[Any], out: NDArray[Any]) -> bool:
    """Return True if ``add_up_lines`` can write the prefix sums of ``values`` to ``out``."""
    given = values.dtype
    return (
        out.dtype in SUMMED
        and (out.dtype == given or (out.dtype.kind in "iu" and given.kind in "biu"))
        and given.isnative
        and values.flags.c_contiguous
        and values.flags.aligned
        and out.flags.carray
        and not np.may_share_memory(out, values)
        and np.geterr()["under"] == "ignore"
    )


def add_up(
    values: NDArray[Any],
    out: NDArray[Any],
    initial: Any,
    is_exclusive: bool,
    *,
    is_parallel: bool,
) -> bool:
    """Write the sums of ``initial``, by default nothing, and all values so far to ``out``, in order
    unless ``is_parallel``. Return False if they may raise floating-point errors, which are not
    reported."""
    first = np.array([] if initial is None else [initial], out.dtype)
    host_engine.scan(values, out, first, is_exclusive, is_parallel)
    return bool(np.isfinite(out[-1]))  # what is not finite stays so up to the end


def add_up_lines(
    values: NDArray[Any],
    out: NDArray[Any],
    initial: Any,
    is_exclusive: bool,
    *,
    is_parallel: bool,
) -> bool:
    """Like ``add_up``, for each line along the second of three axes, in order. Return False if an
    addition raised a floating-point error."""
    first = np.array([] if initial is None else [initial], out.dtype)
    given = values.view(np.uint8) if values.dtype.kind == "b" else values
    added: bool = host_engine.scan_lines(given, out, first, is_exclusive, is_parallel)
    return added


# NumPy 2 keeps its settings in an object that it replaces when they change; to read them takes
# longer than the work on a thousand values.
_settings = getattr(sys.modules.get("numpy._core.umath"), "_extobj_contextvar", None)
_known: tuple[Any, int] = (None, 0)  # the settings that were read last, and their errors


def reported_errors() -> int:
    """The errors that NumPy does not ignore, as the extension numbers them."""
    global _known
    settings = None if _settings is None else _settings.get()
    known = _known
    if settings is not None and settings is known[0]:
        return known[1]
    actions = np.geterr()
    errors = _bits_of(actions["divide"], actions["over"], actions["under"], actions["invalid"])
    _known = settings, errors
    return errors


@lru_cache
def _bits_of(divide: str, over: str, under: str, invalid: str) -> int:
    actions = (divide, 1), (over, 2), (under, 4), (invalid, 8)
    return sum(bit for action, bit in actions if action != "ignore")
