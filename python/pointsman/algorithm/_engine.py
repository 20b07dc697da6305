# SPDX-License-Identifier: Apache-2.0
# Imported once: an import inside a function takes 0.4 us at each call.
"""``opencl``, the extension module, which is there wherever there is a queue or a buffer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pointsman import _opencl as opencl
else:
    try:
        from pointsman import _opencl as opencl
    except ImportError:  # no OpenCL loader
        opencl = None

__all__ = ["opencl"]
