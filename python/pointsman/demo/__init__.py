# SPDX-License-Identifier: Apache-2.0
# The command `demo`: photographs filtered through every policy.
"""Filters photographs through selection policies over this machine's resources.

Every policy gets the same photographs in the same order: sepia, then a Gaussian blur. Each picture
is compared with a NumPy reference; a table and a timeline show how fast each policy was and what
ran where.
"""

from pointsman.demo._command import POLICIES, add_command

__all__ = ["POLICIES", "add_command"]
