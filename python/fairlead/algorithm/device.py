# SPDX-License-Identifier: Apache-2.0
# Algorithms on the device of an OpenCL queue.
"""How ``fl.device_policy`` runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from fairlead.algorithm.arrays import Values
from fairlead.algorithm.expression import DType, Expression
from fairlead.algorithm.opencl_text import (
    C_TYPES,
    PRELUDE,
    body_of,
    helpers_of,
    literal,
    obstacle_to,
)
from fairlead.algorithm.operation import Operation, operation_of
from fairlead.opencl import Buffer, LocalMemory, Queue

MOST_GROUP_ITEMS = 256
VALUES_OF_AN_ITEM = 8
GROUPS_OF_A_UNIT = 8

_MAP = """
kernel void apply({parameters}, global {type}* out, const ulong n) {{
    const ulong i = get_global_id(0);
    if (i >= n) return;
{load}{body}    out[i] = {value};
}}
"""
# Items take every so many-th value, then a group folds by halves in local memory.
_REDUCE = """
kernel void fold({parameters}, global {type}* out, local {type}* part, const ulong n) {{
    const size_t me = get_local_id(0);
    {type} folded = {identity};
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {{
{load}{body}        folded = COMBINE(folded, ({type})({value}));
    }}
    part[me] = folded;
    for (size_t width = get_local_size(0) / 2; width != 0; width /= 2) {{
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < width) part[me] = COMBINE(part[me], part[me + width]);
    }}
    if (me == 0) out[get_group_id(0)] = part[0];
}}
"""
# A group scans one part of the array, tile by tile; each item has neighbours of a tile.
_SCAN = """
kernel void scan({parameters}, global {type}* out, global const {type}* carries,
                 local {type}* sums, const ulong n, const ulong part, const int is_exclusive) {{
    const size_t me = get_local_id(0), items = get_local_size(0);
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    {type} carry = carries[get_group_id(0)];
    for (ulong base = first; base < last; base += items * {each}) {{
        const ulong begin = min(base + me * {each}, last), end = min(begin + {each}, last);
        {type} sum = {identity};
        for (ulong i = begin; i < end; ++i) {{
{load}            sum = COMBINE(sum, ({type})v0);
        }}
        sums[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (size_t width = 1; width < items; width *= 2) {{
            const {type} other = me >= width ? sums[me - width] : {identity};
            barrier(CLK_LOCAL_MEM_FENCE);
            sums[me] = COMBINE(other, sums[me]);
            barrier(CLK_LOCAL_MEM_FENCE);
        }}
        {type} before = me == 0 ? carry : COMBINE(carry, sums[me - 1]);
        for (ulong i = begin; i < end; ++i) {{
{load}            const {type} now = COMBINE(before, ({type})v0);
            out[i] = is_exclusive ? before : now;
            before = now;
        }}
        carry = COMBINE(carry, sums[items - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }}
}}
"""


def obstacle(expression: Expression, inputs: Sequence[Values]) -> str:
    """Why no device can compute the expression of these values; empty where one can."""
    return obstacle_to(expression, tuple(each.dtype for each in inputs))


def transform(
    queue: Queue, expression: Expression, inputs: Sequence[Values], out: Buffer, dtype: DType
) -> None:
    """Write the expression's values, which are of type ``dtype``, to ``out``."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(expression, types)
    text = (
        PRELUDE
        + helpers_of(expression, types)
        + _MAP.format(type=C_TYPES[dtype], body=body, value=value, **_inputs_text(types))
    )
    size, group = inputs[0].size, _group(queue)
    queue.enqueue(
        queue.build(text).kernel("apply"),
        _rounded(size, group),
        *(each.on(queue) for each in inputs),
        out,
        np.uint64(size),
        local_size=group,
    )


def reduce(
    queue: Queue,
    operation: Operation,
    expression: Expression,
    inputs: Sequence[Values],
    dtype: DType,
) -> Any:
    """One value of type ``dtype`` for each of some groups, at least one."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(expression, types)
    return fold(queue, operation, inputs, dtype, helpers_of(expression, types), body, value)


def find(queue: Queue, predicate: Expression, inputs: Sequence[Values]) -> int | None:
    """The first place that the predicate holds for."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(predicate, types)
    dtype, size = np.dtype(np.int64), inputs[0].size
    helpers = helpers_of(predicate, types)
    place = f"{value} != 0 ? (long)i : (long)n"
    first = int(fold(queue, operation_of("min"), inputs, dtype, helpers, body, place).min())
    return None if first == size else first


def count(queue: Queue, predicate: Expression, inputs: Sequence[Values]) -> int:
    """How many values the predicate holds for."""
    types = tuple(each.dtype for each in inputs)
    body, value = body_of(predicate, types)
    helpers, dtype = helpers_of(predicate, types), np.dtype(np.int64)
    holds = f"{value} != 0 ? 1 : 0"
    return int(fold(queue, operation_of("+"), inputs, dtype, helpers, body, holds).sum())


def fold(
    queue: Queue,
    operation: Operation,
    inputs: Sequence[Values],
    dtype: DType,
    helpers: str,
    body: str,
    value: str,
) -> Any:
    """Fold the ``value`` at each place, group by group."""
    types = tuple(each.dtype for each in inputs)
    text = (
        PRELUDE
        + helpers
        + _combine(operation, dtype)
        + _REDUCE.format(
            type=C_TYPES[dtype],
            identity=literal(operation.identity(dtype), dtype),
            body=body,
            value=value,
            **_inputs_text(types),
        )
    )
    size, group = inputs[0].size, _group(queue)
    groups = min(-(-size // group), GROUPS_OF_A_UNIT * queue.device.compute_units)
    out = queue.empty(groups, _stored(dtype))
    queue.enqueue(
        queue.build(text).kernel("fold"),
        groups * group,
        *(each.on(queue) for each in inputs),
        out,
        LocalMemory(group * dtype.itemsize),
        np.uint64(size),
        local_size=group,
    )
    return queue.read(out).view(dtype)


def scan(
    queue: Queue,
    operation: Operation,
    values: Values,
    out: Buffer,
    dtype: DType,
    initial: Any,
    is_exclusive: bool,
) -> None:
    """Write the folds of all values up to each place: parts are folded, then each is scanned."""
    text = (
        PRELUDE
        + _combine(operation, dtype)
        + (_FOLD_PARTS + _SCAN).format(
            type=C_TYPES[dtype],
            identity=literal(operation.identity(dtype), dtype),
            each=VALUES_OF_AN_ITEM,
            **_inputs_text((values.dtype,)),
        )
    )
    program, group, size = queue.build(text), _group(queue), values.size
    tile = group * VALUES_OF_AN_ITEM
    tiles = -(-size // tile)
    part = -(-tiles // (GROUPS_OF_A_UNIT * queue.device.compute_units)) * tile
    groups = -(-size // part)
    source, folds = values.on(queue), queue.empty(groups, _stored(dtype))
    local = LocalMemory(group * dtype.itemsize)
    sizes = np.uint64(size), np.uint64(part)
    queue.enqueue(
        program.kernel("fold_parts"), groups * group, source, folds, local, *sizes,
        local_size=group,
    )  # fmt: skip
    start = operation.identity(dtype) if initial is None else dtype.type(initial)
    totals = np.concatenate([[start], queue.read(folds).view(dtype)[:-1]]).astype(dtype)
    carries = operation.ufunc.accumulate(totals, dtype=dtype)
    queue.enqueue(
        program.kernel("scan"), groups * group, source, out,
        queue.buffer(carries.view(_stored(dtype))), local, *sizes, np.int32(is_exclusive),
        local_size=group,
    )  # fmt: skip


_FOLD_PARTS = """
kernel void fold_parts({parameters}, global {type}* out, local {type}* sums, const ulong n,
                       const ulong part) {{
    const size_t me = get_local_id(0);
    const ulong first = get_group_id(0) * part, last = min(first + part, n);
    {type} folded = {identity};
    for (ulong i = first + me; i < last; i += get_local_size(0)) {{
{load}        folded = COMBINE(folded, ({type})v0);
    }}
    sums[me] = folded;
    for (size_t width = get_local_size(0) / 2; width != 0; width /= 2) {{
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < width) sums[me] = COMBINE(sums[me], sums[me + width]);
    }}
    if (me == 0) out[get_group_id(0)] = sums[0];
}}
"""


def _inputs_text(types: tuple[DType, ...]) -> dict[str, str]:
    parameters, load = [], ""
    for index, dtype in enumerate(types):
        parameters.append(f"global const {C_TYPES[dtype]}* x{index}")
        load += f"    const {C_TYPES[dtype]} v{index} = x{index}[i];\n"
    return {"parameters": ", ".join(parameters), "load": load}


def _combine(operation: Operation, dtype: DType) -> str:
    """A function, as a macro would evaluate what it is given more than once."""
    c_type, text = C_TYPES[dtype], operation.opencl
    if dtype.kind == "i" and operation.name in "+*":  # whose overflow wraps around
        wide = "ulong" if dtype.itemsize == 8 else "uint"
        text = text.replace("(a)", f"({wide})a").replace("(b)", f"({wide})b")
    return f"{c_type} COMBINE({c_type} a, {c_type} b) {{ return ({c_type})({text}); }}\n"


def _stored(dtype: DType) -> DType:
    return np.dtype(np.uint8) if dtype.kind == "b" else dtype


def _rounded(size: int, group: int) -> int:
    return -(-size // group) * group


@lru_cache(maxsize=256)
def _group(queue: Queue) -> int:
    size = MOST_GROUP_ITEMS
    while size > queue.device.max_work_group_size:
        size //= 2
    return size
