# SPDX-License-Identifier: Apache-2.0
# Functions of numbers of every type: constants reach the kernel with all of their bits.
"""Fuzz target: the tracer, and numbers as literals of OpenCL C."""

from __future__ import annotations

import operator
import re
import struct
import warnings
from typing import Any

import expression
import numpy as np
from fuzz_bytes import FuzzBytes

from pointsman.algorithm._expression import FUNCTIONS
from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._opencl_text import _literal
from pointsman.algorithm._tracing import Tracer, trace

OPERATORS = (operator.add, operator.sub, operator.mul, operator.pow, operator.lt, operator.and_)
CALLED = (*FUNCTIONS.values(), *OPERATORS)
LITERAL = re.compile(
    r"as_(?P<nan>float|double)\(0x(?P<bits>[0-9a-f]+)UL?\)|\((?P<type>\w+)\)(?:\((?P<sign>-?)INFINITY\)|(?P<real>-?\d[\d.e+-]*)f?|"
    r"(?P<whole>\d+)U?L|\(-(?P<below>\d+)L - 1\))"
)
SUFFIXES = {"float": "f", "double": ""}


def number_from(given: FuzzBytes) -> Any:
    """A number of Python or NumPy, with any bits."""
    kind = given.number() % 4
    if kind == 0:
        return struct.unpack("<d", given.take(8))[0]
    if kind == 1:
        return int.from_bytes(given.take(9), "little", signed=True)
    if kind == 2:
        return given.number() % 2 == 1
    dtype = given.choice((*C_TYPES, np.dtype("complex64"), np.dtype("timedelta64[s]")))
    if dtype.kind == "b":
        return np.bool_(given.number() % 2)
    return np.frombuffer(given.take(dtype.itemsize), dtype)[0]


def test_one_input(data: bytes) -> None:
    given = FuzzBytes(data)
    types = tuple(given.choice(tuple(C_TYPES)) for _ in range(2))

    def function(x: Any, y: Any) -> Any:
        values = [x, y]
        while given and len(values) < 40:
            called = given.choice(CALLED)
            taken = getattr(called, "nin", 3 if called is np.where else 2)
            operands = [
                number_from(given) if given.number() % 3 == 0 else given.choice(values)
                for _ in range(taken)
            ]
            if not any(isinstance(each, Tracer) for each in operands):
                operands[0] = x  # Python's own powers of integers may take for ever
            values.append(called(*operands))
        return values[-1]

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            traced = trace(function, 2)
        except (TypeError, OverflowError):
            return
        expression.check(traced, types)
        for step in traced.steps:
            for operand in step.operands:
                if isinstance(operand, (bool, int, float, np.generic)):
                    check_literal(operand)


def check_literal(number: Any) -> None:
    """Raise AssertionError unless the literal has the value and the sign of the number."""
    dtype = np.asarray(number).dtype
    if dtype not in C_TYPES:
        return
    text = _literal(number, dtype)
    read = LITERAL.fullmatch(text)
    assert read is not None and (read["type"] or read["nan"]) == C_TYPES[dtype], text
    if dtype.kind != "f":
        value = -int(read["below"]) - 1 if read["below"] else int(read["whole"])
        assert value == int(number), text
    elif read["nan"]:
        computed = np.asarray(number, np.dtype(read["nan"].replace("float", "float32")))
        assert int(read["bits"], 16) == int(computed.view(f"u{computed.itemsize}")), text
    else:
        real = read["real"]
        assert real is None or text.endswith(SUFFIXES[C_TYPES[dtype]]), text
        value = float(real) if real else float(f"{read['sign']}inf")
        assert struct.pack("<d", value) == struct.pack("<d", float(number)), text
