# SPDX-License-Identifier: Apache-2.0
# Counts the kept values before they are written, so that the output can have their exact size.
"""``pm.copy_if`` and ``pm.unique`` under ``pm.device_policy``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pointsman.algorithm._arrays import Values
from pointsman.algorithm._engine import opencl
from pointsman.algorithm._expression import Expression
from pointsman.algorithm._opencl_text import Text, condition_of
from pointsman.opencl import Queue

if TYPE_CHECKING:
    from pointsman._opencl import Kept

ARE_EQUAL = Text("", "", "v0 == v1")


def kept(queue: Queue, values: Values, predicate: Expression | None) -> Kept:
    """Count the values to keep; the result's ``write`` writes them.

    predicate: holds for the values to keep; None keeps the first of each run of equal values.
    """
    text = ARE_EQUAL if predicate is None else condition_of(predicate, (values.dtype,))
    return opencl.Kept(queue, text, values.on(queue), of_runs=predicate is None)
