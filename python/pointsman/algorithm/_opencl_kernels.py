# SPDX-License-Identifier: Apache-2.0
# The kernels of algorithms, in OpenCL C with gaps.
"""Templates for ``str.format``: ``text_of_inputs`` fills ``parameters`` and ``load``."""

from __future__ import annotations

from pointsman.algorithm._expression import DType
from pointsman.algorithm._opencl_memory import loaded, memory_type
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._operation import Operation

PRELUDE = "#pragma OPENCL FP_CONTRACT OFF\n"

# An item reads all its values before it writes, so that memory has several to fetch; the items of a
# group have neighbours beside one another.
MAP = """
#define EACH {each}
kernel void apply({parameters}, global {type}* out, const ulong n) {{
    const ulong step = get_local_size(0);
    const ulong first = get_group_id(0) * step * EACH + get_local_id(0);
    if (first + (EACH - 1) * step < n) {{
        {type} values[EACH];
        #pragma unroll
        for (int k = 0; k < EACH; ++k) {{
            const ulong i = first + k * step;
{load}{body}            values[k] = {value};
        }}
        #pragma unroll
        for (int k = 0; k < EACH; ++k) out[first + k * step] = values[k];
    }} else {{
        for (ulong i = first; i < n; i += step) {{
{load}{body}            out[i] = {value};
        }}
    }}
}}
"""
# An item writes the values of a part.
MAP_ALONE = """
kernel void apply({parameters}, global {type}* out, const ulong n, const ulong part) {{
    const ulong begin = get_global_id(0) * part, end = min(begin + part, n);
    for (ulong i = begin; i < end; ++i) {{
{load}{body}        out[i] = {value};
    }}
}}
"""
# Items take every so many-th value, several at a time, so that memory has several to fetch; then a
# group folds by halves in local memory.
REDUCE = """
kernel void fold({parameters}, global {type}* out, local {type}* part, const ulong n) {{
    const size_t me = get_local_id(0);
    const ulong step = get_global_size(0);
    {type} folded[4] = {{{identity}, {identity}, {identity}, {identity}}};
    ulong at = get_global_id(0);
    for (; at + 3 * step < n; at += 4 * step) {{
        #pragma unroll
        for (int k = 0; k < 4; ++k) {{
            const ulong i = at + k * step;
{load}{body}            folded[k] = COMBINE(folded[k], ({type})({value}));
        }}
    }}
    for (ulong i = at; i < n; i += step) {{
{load}{body}        folded[0] = COMBINE(folded[0], ({type})({value}));
    }}
    part[me] = COMBINE(COMBINE(folded[0], folded[1]), COMBINE(folded[2], folded[3]));
    for (size_t width = get_local_size(0) / 2; width != 0; width /= 2) {{
        barrier(CLK_LOCAL_MEM_FENCE);
        if (me < width) part[me] = COMBINE(part[me], part[me + width]);
    }}
    if (me == 0) out[get_group_id(0)] = part[0];
}}
"""
# An item folds its part in as many lanes as a register may have.
REDUCE_ALONE = """
#define LANES 16
kernel void fold({parameters}, global {type}* out, const ulong n, const ulong part) {{
    const ulong begin = get_global_id(0) * part, end = min(begin + part, n);
    {type} lanes[LANES];
    for (int k = 0; k < LANES; ++k) lanes[k] = {identity};
    ulong block = begin;
    for (; block + LANES <= end; block += LANES)
        for (int k = 0; k < LANES; ++k) {{
            const ulong i = block + k;
{load}{body}            lanes[k] = COMBINE(lanes[k], ({type})({value}));
        }}
    for (ulong i = block; i < end; ++i) {{
{load}{body}        lanes[0] = COMBINE(lanes[0], ({type})({value}));
    }}
    for (int k = 1; k < LANES; ++k) lanes[0] = COMBINE(lanes[0], lanes[k]);
    out[get_global_id(0)] = lanes[0];
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
{load}{body}        out[place] = x0[i];
        place += {is_kept} ? 1 : 0;
    }}
}}
"""


def text_of_inputs(types: tuple[DType, ...]) -> dict[str, str]:
    """The arrays x0, x1 of a kernel, and what loads their values at ``i`` into v0, v1."""
    parameters, load = [], ""
    for index, dtype in enumerate(types):
        parameters.append(f"global const {memory_type(dtype)}* x{index}")
        load += f"    const {C_TYPES[dtype]} v{index} = {loaded(dtype, f'x{index}[i]')};\n"
    return {"parameters": ", ".join(parameters), "load": load}


def text_of_operation(operation: Operation, dtype: DType) -> str:
    """The function COMBINE."""
    c_type, text = C_TYPES[dtype], operation.opencl(dtype)
    return f"{c_type} COMBINE({c_type} a, {c_type} b) {{ return ({c_type})({text}); }}\n"
