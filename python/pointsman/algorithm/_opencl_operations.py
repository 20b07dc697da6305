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
    "logical_xor": "(a != 0) != (b != 0)",
    "logical_not": "a == 0",
}
ANY_TYPE = {
    "positive": "a",
    "conjugate": "a",
    "minimum": "a <= b ? a : b",
    "maximum": "a >= b ? a : b",
    "fmin": "a <= b ? a : b",
    "fmax": "a >= b ? a : b",
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
    "signbit": "0",
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
    "gcd": "gcd_T(a, b)",
    "lcm": "lcm_T(a, b)",
    **{
        name: BOOL[name]
        for name in ("floor", "ceil", "trunc", "rint", "isnan", "isinf", "isfinite")
    },
}
SIGNED = {
    "absolute": "a < 0 ? 0 - (U)a : (U)a",
    "sign": "(a > 0) - (a < 0)",
    "signbit": "a < 0",
    "fmod": "b == 0 || b == -1 ? 0 : a % b",
    "floor_divide": "b == 0 ? 0 : b == -1 ? (T)(0 - (U)a) : "
    "(T)(a / b - (a % b != 0 && (a < 0) != (b < 0)))",
    "remainder": "b == 0 || b == -1 ? 0 : a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0)",
    "right_shift": "(ulong)b < BITS ? a >> b : a < 0 ? -1 : 0",
}
UNSIGNED = {
    "absolute": "a",
    "sign": "a > 0",
    "signbit": "0",
    "fmod": "b == 0 ? 0 : a % b",
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
    "reciprocal": "1 / a",
    "absolute": "fabs(a)",
    "fabs": "fabs(a)",
    "copysign": "copysign(a, b)",
    "fmod": "fmod(a, b)",
    # `a != a` is true for NaN, which is propagated.
    "minimum": "a <= b || a != a ? a : b",
    "maximum": "a >= b || a != a ? a : b",
    "fmin": "a <= b || b != b ? a : b",
    "fmax": "a >= b || b != b ? a : b",
    "heaviside": "a != a ? a : a == 0 ? b : (T)(a > 0)",
    "sign": "a != a ? a : (T)((a > 0) - (a < 0))",
    "remainder": "remainder_T(a, b)",
    "floor_divide": "floor_divide_T(a, b)",
    "power": "pow(a, b)",
    "float_power": "pow(a, b)",
    "logaddexp": "logaddexp_T(a, b)",
    "logaddexp2": "logaddexp2_T(a, b)",
    **dict.fromkeys(("deg2rad", "radians"), "a * ((T)3.14159265358979323846 / (T)180)"),
    **dict.fromkeys(("rad2deg", "degrees"), "a * ((T)180 / (T)3.14159265358979323846)"),
    "signbit": "signbit(a) != 0",
    "isnan": "a != a",
    "isinf": "fabs(a) == INFINITY",
    "isfinite": "fabs(a) < INFINITY",
    **{f"arc{name}": f"a{name}(a)" for name in "sin cos tan sinh cosh tanh".split()},
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
# The logarithm of the sum of two exponentials, of base e and 2.
FLOAT_SUMS = """
T logaddexp_T(T a, T b) {
    if (a == b) return a + (T)0.693147180559945309417;
    const T difference = a - b;
    if (difference > 0) return a + log1p(exp(-difference));
    return difference <= 0 ? b + log1p(exp(difference)) : difference;
}
T logaddexp2_T(T a, T b) {
    if (a == b) return a + 1;
    const T difference = a - b;
    const T per_bit = (T)1.44269504088896340736;
    if (difference > 0) return a + per_bit * log1p(exp2(-difference));
    return difference <= 0 ? b + per_bit * log1p(exp2(difference)) : difference;
}
"""
INTEGER_DIVISORS = """
U divisor_T(U a, U b) {
    while (a != 0) {
        const U rest = b % a;
        b = a;
        a = rest;
    }
    return b;
}
T gcd_T(T a, T b) {
    return (T)divisor_T(a < 0 ? 0 - (U)a : (U)a, b < 0 ? 0 - (U)b : (U)b);
}
T lcm_T(T a, T b) {
    const U whole = a < 0 ? 0 - (U)a : (U)a, factor = b < 0 ? 0 - (U)b : (U)b;
    const U divisor = divisor_T(whole, factor);
    return divisor == 0 ? 0 : (T)(whole / divisor * factor);
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


# The functions that operations on floats and integers call.
_DIVISIONS = dict.fromkeys(("remainder", "floor_divide"), FLOAT_DIVISION)
_DIVISORS = dict.fromkeys(("gcd", "lcm"), INTEGER_DIVISORS)
HELPERS: dict[str, dict[str, str]] = {
    "f": _DIVISIONS | dict.fromkeys(("logaddexp", "logaddexp2"), FLOAT_SUMS),
    "i": _DIVISORS | dict.fromkeys(POWERS, INTEGER_POWER),
}
HELPERS["u"] = HELPERS["i"]


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
