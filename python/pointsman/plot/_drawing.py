# SPDX-License-Identifier: Apache-2.0
# Figures, colours and axes that all pictures of measurements share.
"""Makes figures, gives some resources colours and the others grey, and labels axes of times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pointsman._representation import names_of

# The palette of Okabe and Ito without its yellow, which is faint on white.
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKERS: Final = "os^DvPX"
_GREY: Final = "0.72"
_LONGEST_NAME: Final = 32


@dataclass(frozen=True)
class Look:
    """How a resource is drawn."""

    label: str
    color: str
    marker: str
    is_grey: bool = False

    @property
    def order(self) -> int:
        """Return the layer: coloured resources are drawn above grey ones."""
        return 2 if self.is_grey else 3


def looks_of(resources: Sequence[Any], ranking: Sequence[int]) -> list[Look]:
    """Return a look for each resource. The first of ``ranking``, indices of resources, get colours
    and markers of their own, in the order of the resources; all others are grey."""
    coloured = sorted(ranking[: len(_COLOURS)])
    labels = [_label_of(name) for name in names_of(resources)]
    looks = [Look(label, _GREY, ".", is_grey=True) for label in labels]
    for number, index in enumerate(coloured):
        looks[index] = Look(labels[index], _COLOURS[number], _MARKERS[number])
    return looks


def _label_of(name: str) -> str:
    """Return a shortened name, which matplotlib does not take for a formula or hide."""
    short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
    return literal(short).lstrip("_") or "resource"


def literal(name: str) -> str:
    """Return a text that matplotlib shows as ``name``, also with the signs of a formula."""
    return name.replace("$", r"\$")


def figure_and_axes(axes: Any, height: float = 5.0) -> tuple[Any, Any]:
    """Return the figure of ``axes``, or a new figure of ``height`` inches with axes if
    that is None.

    Raises ImportError without matplotlib.
    """
    if axes is not None:
        return axes.figure, axes
    try:
        from pointsman.plot._picture import Picture
    except ImportError as error:
        raise ImportError(
            "pictures need matplotlib: pip install 'pointsman[plot]', or install Debian's "
            "python3-matplotlib"
        ) from error
    figure = Picture(figsize=(9, height), layout="constrained", facecolor="white")
    return figure, figure.subplots()


def finish(axes: Any, title: str, xlabel: str, looks: Sequence[Look]) -> None:
    """Label the axes, let the vertical one show times, and add a legend of the drawn resources."""
    from matplotlib.ticker import EngFormatter, LogLocator, NullFormatter

    axes.set_title(literal(title), loc="left")
    axes.set_xlabel(xlabel)
    axes.set_ylabel("time of a task alone, in seconds (s)")
    axes.set_yscale("log")
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1_000 * low else (1,)))
    axes.yaxis.set_major_formatter(EngFormatter(unit="s"))
    axes.yaxis.set_minor_formatter(NullFormatter())
    if high < 4 * low:  # so that the axis has numbers
        axes.set_ylim((low * high) ** 0.5 / 2.1, (low * high) ** 0.5 * 2.1)
    axes.grid(color="0.9")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    greys = sum(look.is_grey for look in looks)
    if greys:
        grey = {"color": _GREY, "marker": ".", "linestyle": "none"}
        axes.plot([], [], label=f"{greys} other resources", **grey)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), borderaxespad=0, frameon=False)
