# SPDX-License-Identifier: Apache-2.0
# Translates expressions to OpenCL C with NumPy's rules for types, division and overflow.
"""The engine builds kernels from ``text_of(expression, types)``.

Integers wrap around and are divided as in NumPy, also by zero. Floating-point values go through the
same operations as in NumPy, each rounded once. Functions such as ``exp`` have the accuracy of the
device.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pointsman.algorithm._expression import POWERS, DType, Expression, Operand, Place, Step
from pointsman.algorithm._opencl_operations import (
    C_TYPES,
    HELPERS,
    ORDERS,
    is_known,
    text_for,
    typed,
)


@lru_cache(maxsize=1024)
def obstacle_to(expression: Expression, types: tuple[DType, ...]) -> str:
    """Why devices cannot compute the expression for values of these types; empty if they can."""
    values = expression.types(*types)
    conditions = [_own_type(s.operands[0], values) for s in expression.steps if s.name == "where"]
    operands = [_own_type(each, values) for step in expression.steps for each in step.operands]
    others = [dtype for dtype in operands if dtype.kind not in "biuf"]  # such as durations
    for dtype in (*values, *conditions, *others, expression.result_type(*types)):
        if dtype not in C_TYPES:
            return f"{dtype} is no type of values on devices"
    for step, dtype in zip(expression.steps, values[len(types) :], strict=True):
        exponent = step.operands[-1]
        is_counted = not isinstance(exponent, Place) or dtype.kind == "u"
        if step.name in POWERS and dtype.kind in "iu" and not is_counted:
            return "an integer's power needs an exponent that is a number or unsigned"
        if not is_known(step, _computed_type(step, dtype, values)):
            return f"{step.name} that gives {dtype} is no operation of devices"
    return ""


class Text(NamedTuple):
    """OpenCL C for inputs v0 and v1: helper functions, statements, and the resulting value."""

    functions: str
    statements: str
    value: str


@lru_cache(maxsize=1024)
def text_of(expression: Expression, types: tuple[DType, ...]) -> Text:
    """The expression in OpenCL C, for inputs of these types."""
    values = expression.types(*types)
    statements = "".join(
        f"    {C_TYPES[values[index]]} v{index};\n    {{\n{_statement(step, index, values)}    }}\n"
        for index, step in enumerate(expression.steps, expression.arity)
    )
    value = _operand(expression.result, expression.result_type(*types))
    return Text(_functions_of(expression, types), statements, value)


@lru_cache(maxsize=1024)
def condition_of(expression: Expression, types: tuple[DType, ...]) -> Text:
    """Whether the result is not 0, in OpenCL C, which takes no floats as conditions."""
    text = text_of(expression, types)
    if expression.is_constant:
        return text._replace(value="1" if expression.result else "0")
    is_float = expression.result_type(*types).kind == "f"
    return text._replace(value=f"{text.value} != 0") if is_float else text


def _functions_of(expression: Expression, types: tuple[DType, ...]) -> str:
    texts: dict[str, None] = {}
    for step, dtype in zip(expression.steps, expression.types(*types)[len(types) :], strict=True):
        helper = HELPERS.get(dtype.kind, {}).get(step.name)
        if helper is not None:
            texts[typed(helper, dtype)] = None
    return "".join(texts)


def _statement(step: Step, index: int, values: tuple[DType, ...]) -> str:
    result = values[index]
    dtype = _computed_type(step, result, values)
    condition, operands = "", list(step.operands)
    if step.name == "where":
        first = operands.pop(0)
        own = _own_type(first, values)
        condition = f"        const {C_TYPES[own]} c = {_operand(first, own)};\n"
    if step.name in ORDERS and _is_of_both_signs(step, values):
        condition += _order_of_both_signs(step, values)
    else:
        for name, operand in zip("ab", operands, strict=False):
            condition += f"        const {C_TYPES[dtype]} {name} = {_operand(operand, dtype)};\n"
    text = typed(text_for(step, dtype), dtype)
    return f"{condition}        v{index} = {_rounded(result, text)};\n"


def _rounded(dtype: DType, value: str) -> str:
    """Convert a computed value to ``dtype``; the engine provides ``to_half`` and ``from_half``."""
    if dtype == np.float16:
        return f"from_half(to_half({value}))"
    return f"({C_TYPES[dtype]})({value})"


def _computed_type(step: Step, result: DType, values: tuple[DType, ...]) -> DType:
    """The type in which a step computes: its result type, or for a bool result the common type of
    its operands."""
    if result.kind != "b" or step.name == "where":
        return result
    if step.name in ORDERS and _are_compared_exactly(step, values):
        return np.result_type(*(_own_type(each, values) for each in step.operands))
    operands = [np.empty(0, values[o.index]) if isinstance(o, Place) else o for o in step.operands]
    return np.dtype(np.result_type(*operands))


def _own_type(operand: Operand, values: tuple[DType, ...]) -> DType:
    return values[operand.index] if isinstance(operand, Place) else np.asarray(operand).dtype


def _are_compared_exactly(step: Step, values: tuple[DType, ...]) -> bool:
    """Return True if NumPy compares the operands, integers of any types, by their exact values;
    older versions convert them to a common type first."""
    kinds = {_own_type(each, values).kind for each in step.operands}
    return kinds <= set("biu") and "qQ->?" in np.less.types


def _is_of_both_signs(step: Step, values: tuple[DType, ...]) -> bool:
    """Return True if no integer type of C can hold both operands of an exact comparison."""
    types = [_own_type(each, values) for each in step.operands]
    return _are_compared_exactly(step, values) and np.result_type(*types).kind == "f"


def _order_of_both_signs(step: Step, values: tuple[DType, ...]) -> str:
    """Declare ints a and b that compare as a signed and an unsigned operand do."""
    texts = [_operand(each, _own_type(each, values)) for each in step.operands]
    signed = [_own_type(each, values).kind for each in step.operands].index("i")
    zero, order = ("b", "a") if signed == 0 else ("a", "b")
    return (
        f"        const long s = {texts[signed]};\n"
        f"        const ulong u = {texts[1 - signed]};\n"
        f"        const int {order} = s < 0 ? -1 : ((ulong)s > u) - ((ulong)s < u), {zero} = 0;\n"
    )


def _operand(operand: Operand, dtype: DType) -> str:
    if isinstance(operand, Place):
        return f"({C_TYPES[dtype]})v{operand.index}"
    return _literal(operand, dtype)


def _literal(value: Any, dtype: DType) -> str:
    """A number of type ``dtype`` as a literal of OpenCL C."""
    c_type = C_TYPES[dtype]
    if dtype.kind == "f":
        number = float(dtype.type(value))
        if math.isnan(number):
            return _nan(dtype.type(value))
        if math.isinf(number):
            return f"({c_type})({'-' if number < 0 else ''}INFINITY)"
        return f"({c_type}){number!r}{'' if dtype.itemsize == 8 else 'f'}"
    whole = int(value)
    if dtype.kind == "u" or dtype.kind == "b":
        return f"({c_type}){whole}UL"
    return f"({c_type})(-{-whole - 1}L - 1)" if whole < 0 else f"({c_type}){whole}L"


def _nan(value: np.generic) -> str:
    """NaN as a literal with the same sign and payload; of type float for float16."""
    computed = np.asarray(value, np.float64 if value.itemsize == 8 else np.float32)
    bits = int(computed.view(f"u{computed.itemsize}"))
    return f"as_double(0x{bits:x}UL)" if computed.itemsize == 8 else f"as_float(0x{bits:x}U)"
