# SPDX-License-Identifier: Apache-2.0
# The built-in class from Python 3.11 on, and what stands for it in Python 3.10.
"""``ExceptionGroup``, the base class of ``SeveralFailuresError``."""

import sys
from collections.abc import Sequence

__all__ = ["ExceptionGroup"]

if sys.version_info >= (3, 11):
    from builtins import ExceptionGroup
else:

    class ExceptionGroup(Exception):
        """Several exceptions with a message; ``except*`` needs Python 3.11."""

        def __init__(self, message: str, exceptions: Sequence[Exception]) -> None:
            super().__init__(message, list(exceptions))
            self.message = message
            self.exceptions = tuple(exceptions)

        def __str__(self) -> str:
            return f"{self.message}: {', '.join(map(repr, self.exceptions))}"
