# SPDX-License-Identifier: Apache-2.0
# Imported when a picture is drawn, as it needs matplotlib.
"""The class of the figures that the functions of this package make."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure


class Picture(Figure):  # type: ignore[misc]  # matplotlib has no types
    """A figure that Jupyter shows although pyplot does not know it."""

    def _repr_png_(self) -> bytes:
        png = BytesIO()
        self.savefig(png, format="png")
        return png.getvalue()
