# SPDX-License-Identifier: Apache-2.0
# The grammar that text made from an expression must keep to, whatever the user's values are.
"""``check``: no word, number or sign in generated OpenCL C is one that a user chose."""

from __future__ import annotations

import re

from pointsman.algorithm._opencl_operations import C_TYPES
from pointsman.algorithm._opencl_text import Text

NUMBER = r"0x[0-9a-f]{8,16}UL?|\d+(?:\.\d+)?(?:e[+-]?\d+)?(?:UL|L|f)?(?![\w.])"
WORD = r"[A-Za-z_][A-Za-z0-9_]*"
SIGN = r"<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>=!&|^~?:;,(){}]"
TOKEN = re.compile(rf"\s+|(?P<number>{NUMBER})|(?P<word>{WORD})|(?P<sign>{SIGN})")
OPENCL_TYPES = "|".join(sorted(set(C_TYPES.values())))
KNOWN = re.compile(
    rf"const|if|return|for|while|{OPENCL_TYPES}|NAN|INFINITY|as_float|as_double|to_half|from_half|v\d{{1,5}}|[abcsu]|"
    rf"(?:remainder|floor_divide|power|logaddexp2?|divisor|gcd|lcm)_(?:{OPENCL_TYPES})|left|difference|quotient|whole|factor|rest|per_bit|divisor|"
    r"fabs|fmod|copysign|signbit|pow|power|atan2|hypot|a?(?:sin|cos|tan)h?|sqrt|cbrt|exp|exp2|"
    r"expm1|log|log2|log10|log1p|floor|ceil|trunc|rint"
)
CLOSING = {"(": ")", "{": "}"}


def check(text: Text) -> None:
    """Raise AssertionError unless all parts consist of known words, numbers and signs."""
    for part in text:
        _check_part(part)
    assert ";" not in text.value and "{" not in text.value, text.value


def _check_part(part: str) -> None:
    open_brackets: list[str] = []
    position = 0
    while position < len(part):
        token = TOKEN.match(part, position)
        assert token is not None, f"no token at {part[position : position + 40]!r}"
        word, sign = token["word"], token["sign"]
        assert word is None or KNOWN.fullmatch(word), f"unknown word {word!r}"
        if sign in CLOSING:
            open_brackets.append(CLOSING[sign])
        elif sign in CLOSING.values():
            assert open_brackets and open_brackets.pop() == sign, "unbalanced brackets"
        position = token.end()
    assert not open_brackets, "unbalanced brackets"
    assert "//" not in part and "/*" not in part and "--" not in part and "++" not in part
