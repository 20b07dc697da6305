# SPDX-License-Identifier: Apache-2.0
# The kernels of algorithms, in OpenCL C with gaps.
"""Templates for ``str.format``: ``text_of_inputs`` fills ``parameters`` and ``load``."""

from __future__ import annotations

from fairlead.algorithm.expression import DType
from fairlead.algorithm.opencl_operations import C_TYPES
from fairlead.algorithm.operation import Operation

PRELUDE = "#pragma OPENCL FP_CONTRACT OFF\n"

FILL = """
kernel void fill(global {type}* out, const {type} value, const ulong n) {{
    const ulong i = get_global_id(0);
    if (i < n) out[i] = value;
}}
"""
MAP = """
kernel void apply({parameters}, global {type}* out, const ulong n) {{
    const ulong i = get_global_id(0);
    if (i >= n) return;
{load}{body}    out[i] = {value};
}}
"""
# Items take every so many-th value, then a group folds by halves in local memory.
REDUCE = """
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
SCAN = """
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
FOLD_PARTS = """
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
# An item counts what is kept of its part of the array, and writes it from where the parts before
# end: without a branch, so that a value stays which no other is written over.
KEEP = """
kernel void count_kept({parameters}, global ulong* counts, const ulong n, const ulong part) {{
    const ulong begin = get_global_id(0) * part, end = min(begin + part, n);
    if (begin >= n) return;
    ulong kept = 0;
    for (ulong i = begin; i < end; ++i) {{
{load}{body}        kept += {is_kept} ? 1 : 0;
    }}
    counts[get_global_id(0)] = kept;
}}
kernel void write_kept({parameters}, global const ulong* counts, global const ulong* starts,
                       global {type}* out, const ulong n, const ulong part) {{
    const ulong begin = get_global_id(0) * part;
    if (begin >= n) return;
    ulong place = starts[get_global_id(0)];
    const ulong past = place + counts[get_global_id(0)];
    for (ulong i = begin; place < past; ++i) {{
{load}{body}        out[place] = v0;
        place += {is_kept} ? 1 : 0;
    }}
}}
"""


def text_of_inputs(types: tuple[DType, ...]) -> dict[str, str]:
    """The arrays x0, x1 of a kernel, and what loads their values at ``i`` into v0, v1."""
    parameters, load = [], ""
    for index, dtype in enumerate(types):
        parameters.append(f"global const {C_TYPES[dtype]}* x{index}")
        load += f"    const {C_TYPES[dtype]} v{index} = x{index}[i];\n"
    return {"parameters": ", ".join(parameters), "load": load}


def text_of_operation(operation: Operation, dtype: DType) -> str:
    """The function COMBINE."""
    c_type, text = C_TYPES[dtype], operation.opencl(dtype)
    return f"{c_type} COMBINE({c_type} a, {c_type} b) {{ return ({c_type})({text}); }}\n"
