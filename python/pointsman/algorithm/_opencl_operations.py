# SPDX-License-Identifier: Apache-2.0
# NumPy's operations in OpenCL C, in a table for each kind of type.
"""``text_for(step, dtype)``: an expression in the operands ``a`` and ``b``."""

from __future__ import annotations

import re

import numpy as np

from pointsman.algorithm._expression import POWERS, DType, Place, Step

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
        "float16": "float",  # kernels compute in float32
        "float32": "float",
        "float64": "double",
    }.items()
}

ORDERS = {
    "less": "a < b",
    "less_equal": "a <= b",
    "greater": "a > b",
    "greater_equal": "a >= b",
    "equal": "a == b",
    "not_equal": "a != b",
}
COMPARISONS = {
    **ORDERS,
    "logical_and": "a != 0 && b != 0",
    "logical_or": "a != 0 || b != 0",
    "logical_not": "a == 0",
}
ANY_TYPE = {
    "positive": "a",
    "minimum": "a <= b ? a : b",
    "maximum": "a >= b ? a : b",
    "where": "c != 0 ? a : b",
}
BOOL = {
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
    **{name: "a" for name in ("floor", "ceil", "trunc", "rint")},
}
# U is the unsigned type in which T wraps around.
INTEGER = {
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
    **{
        name: BOOL[name]
        for name in ("floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite")
    },
}
SIGNED = {
    "absolute": "a < 0 ? 0 - (U)a : (U)a",
    "sign": "(a > 0) - (a < 0)",
    "floor_divide": "b == 0 ? 0 : b == -1 ? (T)(0 - (U)a) : "
    "(T)(a / b - (a % b != 0 && (a < 0) != (b < 0)))",
    "remainder": "b == 0 || b == -1 ? 0 : a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0)",
    "right_shift": "(ulong)b < BITS ? a >> b : a < 0 ? -1 : 0",
}
UNSIGNED = {
    "absolute": "a",
    "sign": "a > 0",
    "floor_divide": "b == 0 ? 0 : a / b",
    "remainder": "b == 0 ? 0 : a % b",
    "right_shift": "(ulong)b < BITS ? a >> b : 0",
}
FLOAT = {
    "add": "a + b",
    "subtract": "a - b",
    "multiply": "a * b",
    "square": "a * a",
    "true_divide": "a / b",
    "negative": "-a",
    "absolute": "fabs(a)",
    # `a != a` is true for NaN, which is propagated.
    "minimum": "a <= b || a != a ? a : b",
    "maximum": "a >= b || a != a ? a : b",
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
OF_KIND = {
    "b": ANY_TYPE | BOOL,
    "i": ANY_TYPE | INTEGER | SIGNED,
    "u": ANY_TYPE | INTEGER | UNSIGNED,
    "f": ANY_TYPE | FLOAT,
}
# The remainder has the sign of the divisor, and the quotient is consistent with it. Compilers
# differ in how they fold fmod() of constants whose remainder is zero.
FLOAT_DIVISION = """
T remainder_T(T a, T b) {
    if (!(fabs(a) < INFINITY) || b != b) return (T)NAN;
    T left = fmod(a, b);
    if (b == 0) return left;
    if (left == 0) return copysign((T)0, b);
    return (b < 0) != (left < 0) ? left + b : left;
}
T floor_divide_T(T a, T b) {
    if (b == 0) return a / b;
    if (!(fabs(a) < INFINITY) || b != b) return (T)NAN;
    const T left = fmod(a, b);
    T quotient = (a - left) / b;
    if (left != 0 && (b < 0) != (left < 0)) quotient -= 1;
    if (quotient == 0) return copysign((T)0, a / b);
    const T whole = floor(quotient);
    return quotient - whole > (T)0.5 ? whole + 1 : whole;
}
"""
INTEGER_POWER = """
T power_T(T a, T b) {
    U power = 1, factor = (U)a;
    for (U rest = (U)b; rest != 0; rest >>= 1) {
        if (rest & 1) power *= factor;
        factor *= factor;
    }
    return (T)power;
}
"""


def text_for(step: Step, dtype: DType) -> str:
    """The operation of ``step`` in OpenCL C, for operands of type ``dtype``; ``typed`` replaces the
    type names T and U in it."""
    if step.name in COMPARISONS:
        return COMPARISONS[step.name]
    if step.name in POWERS:
        return _power(step, dtype)
    return OF_KIND[dtype.kind][step.name]


def is_known(step: Step, dtype: DType) -> bool:
    """Return True if ``text_for`` supports the operation on operands of type ``dtype``."""
    return dtype in C_TYPES and (
        step.name in COMPARISONS or step.name in POWERS or step.name in OF_KIND[dtype.kind]
    )


def _power(step: Step, dtype: DType) -> str:
    if dtype.kind != "f":
        return "power_T(a, b)"
    exponent = step.operands[-1]
    if step.name == "pow" and not isinstance(exponent, Place):  # NumPy computes these differently
        short = {2.0: "a * a", 1.0: "a", 0.5: "sqrt(a)", -1.0: "1 / a"}
        return short.get(float(exponent), "pow(a, b)")
    return "pow(a, b)"


def typed(text: str, dtype: DType) -> str:
    """Replace T by the type, U by its unsigned type and BITS by its size in ``text``."""
    c_type = C_TYPES[dtype]
    wide = "ulong" if dtype.itemsize == 8 else "uint"
    text = re.sub(r"\bU\b", wide, text)
    text = re.sub(r"\bBITS\b", str(8 * dtype.itemsize), text)
    return re.sub(r"(?<=_)T\b|\bT\b", c_type, text)
