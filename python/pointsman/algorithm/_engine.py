# SPDX-License-Identifier: Apache-2.0
# Imported once: an import inside a function takes 0.4 us at each call.
"""The extension modules: ``opencl``, which is there wherever there is a queue or a buffer, and
``host_engine``, which links further libraries, so that only its first use loads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pointsman import _algorithm as host_engine
    from pointsman import _opencl as opencl
else:

    class _Engine:
        def __getattr__(self, name: str) -> Any:
            from pointsman import _algorithm

            vars(self).update(vars(_algorithm))
            return getattr(_algorithm, name)

    host_engine = _Engine()
    try:
        from pointsman import _opencl as opencl
    except ImportError:  # no OpenCL loader
        opencl = None

__all__ = ["host_engine", "opencl"]
