# SPDX-License-Identifier: Apache-2.0
# Importing it raises ImportError in a sub-interpreter, to which Python copies modules that the main
# interpreter has imported.
"""Restricts the package to the main interpreter."""

from pointsman import _core

_core._check_interpreter()
