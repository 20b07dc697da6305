# SPDX-License-Identifier: Apache-2.0
# Expressions as OpenCL C that computes what NumPy does.
"""``body_of(expression, types)`` gives the statements of a kernel.

Integers wrap around, and are divided as NumPy does, zero included; floating values go through the
same operations, which each round once. Functions such as ``exp`` are as exact as the device's.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from fairlead.algorithm.expression import DType, Expression, Operand, Place, Step

C_TYPES = {
    np.dtype(name): c_type
    for name, c_type in {
        "bool": "uchar",
        "int8": "char",
        "int16": "short",
        "int32": "int",
        "int64": "long",
        "uint8": "uchar",
        "uint16": "ushort",
        "uint32": "uint",
        "uint64": "ulong",
        "float32": "float",
        "float64": "double",
    }.items()
}

PRELUDE = "#pragma OPENCL FP_CONTRACT OFF\n"

_COMPARISONS = {
    "less": "a < b",
    "less_equal": "a <= b",
    "greater": "a > b",
    "greater_equal": "a >= b",
    "equal": "a == b",
    "not_equal": "a != b",
    "logical_and": "a != 0 && b != 0",
    "logical_or": "a != 0 || b != 0",
    "logical_not": "a == 0",
}
_ANY_TYPE = {
    "positive": "a",
    "minimum": "a <= b || a != a ? a : b",
    "maximum": "a >= b || a != a ? a : b",
    "where": "c != 0 ? a : b",
}
_BOOL = {
    "add": "a | b",
    "multiply": "a & b",
    "absolute": "a",
    "bitwise_and": "a & b",
    "bitwise_or": "a | b",
    "bitwise_xor": "a ^ b",
    "invert": "!a",
    "isnan": "0",
    "isinf": "0",
    "isfinite": "1",
}
# U is the unsigned type in which T wraps around.
_INTEGER = {
    "add": "(U)a + (U)b",
    "subtract": "(U)a - (U)b",
    "multiply": "(U)a * (U)b",
    "square": "(U)a * (U)a",
    "negative": "0 - (U)a",
    "bitwise_and": "a & b",
    "bitwise_or": "a | b",
    "bitwise_xor": "a ^ b",
    "invert": "~a",
    "left_shift": "(ulong)b < BITS ? (U)a << b : 0",
    **{name: "a" for name in ("floor", "ceil", "trunc", "rint")},
    **{name: _BOOL[name] for name in ("isnan", "isinf", "isfinite")},
}
_SIGNED = {
    "absolute": "a < 0 ? 0 - (U)a : (U)a",
    "sign": "(a > 0) - (a < 0)",
    "floor_divide": "b == 0 ? 0 : b == -1 ? (T)(0 - (U)a) : "
    "(T)(a / b - (a % b != 0 && (a < 0) != (b < 0)))",
    "remainder": "b == 0 || b == -1 ? 0 : a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0)",
    "right_shift": "(ulong)b < BITS ? a >> b : a < 0 ? -1 : 0",
}
_UNSIGNED = {
    "absolute": "a",
    "sign": "a > 0",
    "floor_divide": "b == 0 ? 0 : a / b",
    "remainder": "b == 0 ? 0 : a % b",
    "right_shift": "(ulong)b < BITS ? a >> b : 0",
}
_FLOAT = {
    "add": "a + b",
    "subtract": "a - b",
    "multiply": "a * b",
    "square": "a * a",
    "true_divide": "a / b",
    "negative": "-a",
    "absolute": "fabs(a)",
    "sign": "a != a ? a : (T)((a > 0) - (a < 0))",
    "remainder": "remainder_T(a, b)",
    "floor_divide": "floor_divide_T(a, b)",
    "power": "pow(a, b)",
    "isnan": "a != a",
    "isinf": "fabs(a) == INFINITY",
    "isfinite": "fabs(a) < INFINITY",
    **{f"arc{name}": f"a{name}(a)" for name in ("sin", "cos", "tan")},
    **{
        name: f"{name}(a)"
        for name in (
            "sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh "
            "floor ceil trunc rint"
        ).split()
    },
    "arctan2": "atan2(a, b)",
    "hypot": "hypot(a, b)",
}
# The remainder has the sign of the divisor, and the quotient goes with it.
_FLOAT_DIVISION = """
T remainder_T(T a, T b) {
    T left = fmod(a, b);
    if (b == 0) return left;
    if (left == 0) return copysign((T)0, b);
    return (b < 0) != (left < 0) ? left + b : left;
}
T floor_divide_T(T a, T b) {
    if (b == 0) return a / b;
    const T left = fmod(a, b);
    T quotient = (a - left) / b;
    if (left != 0 && (b < 0) != (left < 0)) quotient -= 1;
    if (quotient == 0) return copysign((T)0, a / b);
    const T whole = floor(quotient);
    return quotient - whole > (T)0.5 ? whole + 1 : whole;
}
"""
_INTEGER_POWER = """
T power_T(T a, T b) {
    U power = 1, factor = (U)a;
    for (U rest = (U)b; rest != 0; rest >>= 1) {
        if (rest & 1) power *= factor;
        factor *= factor;
    }
    return (T)power;
}
"""


def obstacle_to(expression: Expression, types: tuple[DType, ...]) -> str:
    """Why a device cannot compute the expression for values of these types; empty where it can."""
    for dtype in (*expression.types(*types), expression.result_type(*types)):
        if dtype not in C_TYPES:
            return f"{dtype} is no type of values on devices"
    for step, dtype in zip(expression.steps, expression.types(*types)[len(types) :], strict=True):
        exponent = step.operands[-1]
        is_counted = not isinstance(exponent, Place) or dtype.kind == "u"
        if step.name == "power" and dtype.kind in "iu" and not is_counted:
            return "an integer's power needs an exponent that is a number or unsigned"
    return ""


def helpers_of(expression: Expression, types: tuple[DType, ...]) -> str:
    """The functions that the statements call."""
    texts: dict[str, None] = {}
    for step, dtype in zip(expression.steps, expression.types(*types)[len(types) :], strict=True):
        if step.name in ("remainder", "floor_divide") and dtype.kind == "f":
            texts[_typed(_FLOAT_DIVISION, dtype)] = None
        if step.name == "power" and dtype.kind in "iu":
            texts[_typed(_INTEGER_POWER, dtype)] = None
    return "".join(texts)


def body_of(expression: Expression, types: tuple[DType, ...]) -> tuple[str, str]:
    """Statements that compute the expression of the inputs v0, v1, and its value after them."""
    values = expression.types(*types)
    lines = [
        f"    {C_TYPES[values[index]]} v{index};\n    {{\n{_statement(step, index, values)}    }}\n"
        for index, step in enumerate(expression.steps, expression.arity)
    ]
    return "".join(lines), _operand(expression.result, expression.result_type(*types))


def _statement(step: Step, index: int, values: tuple[DType, ...]) -> str:
    result = values[index]
    dtype = _computed_type(step, result, values)
    condition, operands = "", list(step.operands)
    if step.name == "where":
        first = operands.pop(0)
        own = values[first.index] if isinstance(first, Place) else np.asarray(first).dtype
        condition = f"        const {C_TYPES[own]} c = {_operand(first, own)};\n"
    for name, operand in zip("ab", operands, strict=False):
        condition += f"        const {C_TYPES[dtype]} {name} = {_operand(operand, dtype)};\n"
    text = _typed(_text(step, dtype), dtype)
    return f"{condition}        v{index} = ({C_TYPES[result]})({text});\n"


def _computed_type(step: Step, result: DType, values: tuple[DType, ...]) -> DType:
    """The type in which a step computes: that of its result unless it only tells yes from no."""
    if result.kind != "b" or step.name == "where":
        return result
    operands = [np.empty(0, values[o.index]) if isinstance(o, Place) else o for o in step.operands]
    return np.dtype(np.result_type(*operands))


def _text(step: Step, dtype: DType) -> str:
    if step.name in _COMPARISONS:
        return _COMPARISONS[step.name]
    if step.name in _ANY_TYPE:
        return _ANY_TYPE[step.name]
    if step.name == "power":
        return _power(step.operands[-1], dtype)
    if dtype.kind == "b":
        return _BOOL[step.name]
    if dtype.kind == "f":
        return _FLOAT[step.name]
    return {**_INTEGER, **(_SIGNED if dtype.kind == "i" else _UNSIGNED)}[step.name]


def _power(exponent: Operand, dtype: DType) -> str:
    if dtype.kind != "f":
        return "power_T(a, b)"
    if isinstance(exponent, (int, float)):  # NumPy has shorter ways for these
        short = {2.0: "a * a", 1.0: "a", 0.5: "sqrt(a)", -1.0: "1 / a"}
        return short.get(float(exponent), "pow(a, b)")
    return "pow(a, b)"


def _typed(text: str, dtype: DType) -> str:
    c_type = C_TYPES[dtype]
    wide = "ulong" if dtype.itemsize == 8 else "uint"
    text = re.sub(r"\bU\b", wide, text)
    text = re.sub(r"\bBITS\b", str(8 * dtype.itemsize), text)
    return re.sub(r"(?<=_)T\b|\bT\b", c_type, text)


def _operand(operand: Operand, dtype: DType) -> str:
    if isinstance(operand, Place):
        return f"({C_TYPES[dtype]})v{operand.index}"
    return literal(operand, dtype)


def literal(value: Any, dtype: DType) -> str:
    """A number of the type, in OpenCL C."""
    c_type = C_TYPES[dtype]
    if dtype.kind == "f":
        number = float(dtype.type(value))
        if math.isnan(number):
            return f"({c_type})NAN"
        if math.isinf(number):
            return f"({c_type})({'-' if number < 0 else ''}INFINITY)"
        return f"({c_type}){number!r}{'f' if dtype.itemsize == 4 else ''}"
    whole = int(value)
    if dtype.kind == "u" or dtype.kind == "b":
        return f"({c_type}){whole}UL"
    return f"({c_type})(-{-whole - 1}L - 1)" if whole < 0 else f"({c_type}){whole}L"
