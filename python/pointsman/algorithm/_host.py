# SPDX-License-Identifier: Apache-2.0
# NumPy on chunks that fit into the caches, in the calling thread or in the threads of an arena.
"""The algorithms under ``pm.seq``, ``pm.unseq``, ``pm.par`` and ``pm.par_unseq``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from pointsman.algorithm import _host_folds
from pointsman.algorithm._arena import arena
from pointsman.algorithm._engine import host_engine
from pointsman.algorithm._expression import CHUNK as CHUNK
from pointsman.algorithm._expression import LIGHT as LIGHT
from pointsman.algorithm._expression import Arrays, DType, Expression, truth_of
from pointsman.algorithm._fused import fused
from pointsman.algorithm._operation import Operation
from pointsman.algorithm._typed import typed
from pointsman.execution import HostPolicy

T = TypeVar("T")

SPANS_OF_A_THREAD = 4
FOLDED_AT_ONCE = 131_072  # values of a function, up to which it is as fast as in chunks
CHUNKS_PER_LOOK = 8  # that are evaluated between two looks for a match
FEW_COMPUTED = 196_608  # bytes to fold, up to which NumPy is as fast as C++
FEW_KEPT = 1_024  # values, up to which NumPy is faster than C++


def most_spans() -> int:
    """The number of spans that keep all threads busy."""
    return SPANS_OF_A_THREAD * arena().concurrency


def on_spans(
    policy: HostPolicy, size: int, work: Callable[[int, int], T], least: int = 2 * CHUNK
) -> list[T]:
    """The partial results of ``work(begin, end)`` for consecutive spans of [0, size), in order.

    least: the number of values from which threads share the work.
    Arena threads use the caller's NumPy error settings. When all spans are finished, the first
    exception is raised.
    """
    chunks = -(-size // CHUNK)
    if not policy.is_parallel or size < least:
        return [work(0, size)]
    errors: dict[str, Any] = {"call": np.geterrcall(), **np.geterr()}
    spans = min(2 * size // least, most_spans())
    bounds = [chunks * i // spans * CHUNK for i in range(spans)] + [size]

    def run(begin: int, end: int) -> T:
        with np.errstate(**errors):
            return work(begin, end)

    tasks = [arena().run(run, *bound) for bound in zip(bounds, bounds[1:], strict=False)]
    for each in tasks:
        each.wait()
    return [each.result() for each in tasks]


def is_for_one_thread(policy: HostPolicy, size: int) -> bool:
    """Return True if a single call of NumPy beats threads for so many values, at less than 0.5 ns
    for each."""
    return not policy.is_parallel or size < LIGHT


def chunks_of(begin: int, end: int, size: int = CHUNK) -> Iterator[slice]:
    """Consecutive chunks of a span."""
    for at in range(begin, end, size):
        yield slice(at, min(at + size, end))


def all_values(expression: Expression, inputs: Arrays) -> NDArray[Any]:
    """The expression's values, or the only input itself."""
    value = expression.evaluate(*inputs)
    return np.full(inputs[0].shape, value) if expression.is_constant else value


def values_in(expression: Expression, inputs: Arrays, index: Any) -> NDArray[Any]:
    """The expression's values for the part of the arrays at an index, such as a slice."""
    return all_values(expression, [each[index] for each in inputs])


def transformed(
    policy: HostPolicy, expression: Expression, inputs: list[NDArray[Any]], dtype: DType
) -> NDArray[Any]:
    """The expression's values in a new array of type ``dtype``, which they have.

    inputs: contiguous, of one shape.
    """
    few = expression.few if policy.is_parallel else expression.few_alone
    if inputs[0].size <= few and not expression.is_copied:
        values: NDArray[Any] = expression.evaluate(*inputs)
        return values
    out = np.empty(inputs[0].shape, dtype)
    transform(policy, expression, inputs, out)
    return out


def transform(
    policy: HostPolicy, expression: Expression, inputs: list[NDArray[Any]], out: NDArray[Any]
) -> None:
    """Write the expression's values to ``out``, which has their type.

    inputs, out: contiguous, of one shape.
    """
    few = expression.few if policy.is_parallel else expression.few_alone
    if out.size <= few or (expression.is_new and out.size <= CHUNK):
        expression.is_new = False
        expression.values(inputs, out)
        return
    program = fused(expression, inputs) if expression.steps else None
    if program is not None and program.transform(policy, inputs, out):
        return
    inputs, out = [each.reshape(-1) for each in inputs], out.reshape(-1)
    has_intermediates = len(expression.steps) > 1

    def work(begin: int, end: int) -> None:
        for chunk in chunks_of(begin, end, CHUNK if has_intermediates else end - begin):
            expression.values([each[chunk] for each in inputs], out[chunk])

    is_light = expression.is_light and not has_intermediates
    on_spans(policy, out.size, work, LIGHT if is_light else 2 * CHUNK)


def broadcast(
    policy: HostPolicy, expression: Expression, a: NDArray[Any], b: NDArray[Any], size: int
) -> NDArray[Any]:
    """Evaluate an expression of two arrays after broadcasting one to the shape of the other.

    size: the number of results.
    """
    expression, dtype, _ = typed(expression, a.dtype, b.dtype)
    least = LIGHT if expression.is_light else 2 * CHUNK
    if expression.evaluate_both is not None and (size < least or not policy.is_parallel):
        values: NDArray[Any] = expression.evaluate_both(a, b)
        return values
    out = np.empty(np.broadcast_shapes(a.shape, b.shape), dtype)
    if not expression.is_of_both or len(out) < most_spans():
        full = [np.ascontiguousarray(np.broadcast_to(each, out.shape)) for each in (a, b)]
        transform(policy, expression, full, out)
        return out
    of_row = size // len(out)

    # In parts of whole rows.
    def work(begin: int, end: int) -> None:
        rows = slice(-(-begin // of_row), -(-end // of_row))
        of_rows = [
            each[rows] if each.ndim == out.ndim and len(each) > 1 else each for each in (a, b)
        ]
        expression.values(of_rows, out[rows])

    on_spans(policy, size, work, least)
    return out


def reduce(
    policy: HostPolicy,
    operation: Operation,
    expression: Expression,
    inputs: Arrays,
    options: dict[str, Any],
) -> Any:
    """Reduce each chunk of the expression's values with NumPy, then reduce the partial results.

    inputs: contiguous, of one shape.
    options: those of NumPy's ``ufunc.reduce``: ``initial`` and ``dtype``.
    """
    size, fold = inputs[0].size, operation.reduce
    if size <= expression.few_folded:
        values = expression.evaluate(*inputs)
        values = values if values.ndim == 1 else values.reshape(-1)
        return fold(values, **options) if options else fold(values)
    dtype = options.get("dtype")
    program = fused(expression, inputs)
    if program is not None and program.can_sum(operation, dtype):
        sums = program.sums(policy, inputs)
        if sums is not None:
            return sums[0] if sums.size == 1 and not options else fold(sums, **options)
    elif (
        program is not None
        and size * program.dtype.itemsize > FEW_COMPUTED
        and not expression.is_copied
    ):
        every = tuple(range(inputs[0].ndim))
        folded = _host_folds.fold_computed(policy, operation, program, inputs, every, options)
        if folded is not None:
            return folded[()]
    makes_arrays = operation.makes_arrays(expression)
    is_at_once = size <= FOLDED_AT_ONCE or not (policy.is_parallel or makes_arrays)
    if is_at_once or is_rounded_once(operation, expression, inputs):
        return fold(all_values(expression, inputs).reshape(-1), **options)
    inputs = [each.reshape(-1) for each in inputs]

    def work(begin: int, end: int) -> list[Any]:
        chunks = chunks_of(begin, end, CHUNK if makes_arrays else end - begin)
        return [fold(values_in(expression, inputs, chunk), dtype=dtype) for chunk in chunks]

    folds = list(chain.from_iterable(on_spans(policy, size, work, LIGHT)))
    return fold(np.array(folds), **options)


def is_rounded_once(operation: Operation, expression: Expression, inputs: Arrays) -> bool:
    """Return True for sums of float16: newer NumPy adds in float32 and rounds only the whole."""
    if operation.name != "+":
        return False
    return expression.result_type(*[each.dtype for each in inputs]).char == "e"


def count(policy: HostPolicy, predicate: Expression, inputs: Arrays) -> int:
    """The number of values for which the predicate holds; the inputs are contiguous."""
    size = inputs[0].size
    if size <= predicate.few:
        holds = predicate.evaluate(*inputs)
        return (size if holds else 0) if predicate.is_constant else int(np.count_nonzero(holds))
    inputs = [each.reshape(-1) for each in inputs]
    program = fused(predicate, inputs)
    if program is not None and program.dtype == bool:
        counted = program.count(policy, inputs)
        if counted is not None:
            return counted

    def work(begin: int, end: int) -> int:
        return sum(
            int(np.count_nonzero(values_in(predicate, inputs, chunk)))
            for chunk in chunks_of(begin, end)
        )

    return sum(on_spans(policy, inputs[0].size, work))


def find(
    policy: HostPolicy, predicate: Expression, inputs: Arrays, wanted: bool = True
) -> int | None:
    """The first index for which the predicate holds, or does not if False is ``wanted``; chunks
    after a match are skipped. The inputs are flat."""
    size = inputs[0].size
    few = predicate.few if policy.is_parallel else predicate.few_alone
    if size <= CHUNK or (size <= CHUNKS_PER_LOOK * CHUNK and size <= few):
        return _first_in(predicate, inputs, wanted)
    is_for_program = policy.is_parallel or size > predicate.few_alone
    program = fused(predicate, inputs) if is_for_program else None
    if program is not None and program.dtype == bool:
        part = program.find(policy, inputs, wanted)
        if part is not None:
            with np.errstate(all="ignore"):  # the program has reported the errors
                index = _first_in(predicate, [each[part] for each in inputs], wanted)
            return None if index is None else part.start + index
    found: list[int] = []

    def work(begin: int, end: int) -> None:
        for chunk in chunks_of(begin, end, CHUNKS_PER_LOOK * CHUNK):
            if any(index < chunk.start for index in found):
                return
            index = _first_in(predicate, [each[chunk] for each in inputs], wanted)
            if index is not None:
                found.append(chunk.start + index)
                return

    on_spans(policy, inputs[0].size, work)
    return min(found, default=None)


def _first_in(predicate: Expression, inputs: Arrays, wanted: bool) -> int | None:
    holds = predicate.evaluate(*inputs)
    if predicate.is_constant:
        return 0 if bool(holds) is wanted and inputs[0].size else None
    if holds.dtype.kind != "b":
        holds = holds != 0
    if not holds.size:
        return None
    index = int(holds.argmax() if wanted else holds.argmin())
    return index if bool(holds[index]) is wanted else None


def fill(policy: HostPolicy, out: NDArray[Any], value: Any) -> None:
    """Write ``value`` to every element of ``out``."""
    if not policy.is_parallel or out.size < LIGHT:
        out.fill(value)
        return

    def work(begin: int, end: int) -> None:
        out[begin:end] = value

    on_spans(policy, out.size, work, LIGHT)


def keep(policy: HostPolicy, values: NDArray[Any], is_kept: NDArray[Any]) -> NDArray[Any]:
    """The values at which ``is_kept`` is True, in a new array; both are flat and contiguous. NumPy
    selects a few, and objects and structures."""
    if values.size > FEW_KEPT:
        is_shared = policy.is_parallel and values.size >= 8 * CHUNK
        of_span = CHUNK if is_shared else values.size
        selected = host_engine.selected(values, is_kept, of_span)
        if selected is not None:
            return selected
    kept: NDArray[Any] = values[is_kept]
    return kept


def holds(
    policy: HostPolicy, predicate: Expression, values: NDArray[Any], kind: str
) -> NDArray[Any]:
    """Whether the predicate, whose results have a type of this kind, holds for each of flat,
    contiguous values."""
    if predicate.is_constant or values.size <= predicate.few or kind not in "biufc":
        found = all_values(predicate, [values])
        return found if kind == "b" else found.astype(bool)
    if kind != "b":
        predicate = truth_of(predicate)
    truths = np.empty(values.shape, bool)
    transform(policy, predicate, [values], truths)
    return truths


def indices_of(
    policy: HostPolicy, values: NDArray[Any], finders: Sequence[Callable[..., Any]]
) -> tuple[int, ...]:
    """The index that each of the finders, ``ndarray.argmin`` or ``ndarray.argmax``, returns."""
    if _host_folds.are_worth_threads(policy, values):
        indices = [
            _host_folds.indices(values, is_greatest=find is np.ndarray.argmax) for find in finders
        ]
        if None not in indices:
            return tuple(map(int, indices))
    if is_for_one_thread(policy, values.size):
        return tuple(int(find(values)) for find in finders)

    def work(begin: int, end: int) -> list[int]:
        return [begin + int(find(values[begin:end])) for find in finders]

    found = np.array(on_spans(policy, values.size, work, LIGHT))
    return tuple(
        int(of_spans[find(values[of_spans])])
        for find, of_spans in zip(finders, found.T, strict=True)
    )
