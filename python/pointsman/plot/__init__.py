# SPDX-License-Identifier: Apache-2.0
# Needs matplotlib only once a picture is drawn: the package imports without it.
"""Pictures of what policies do and have learnt, drawn with matplotlib.

The extra ``pointsman[plot]`` installs it.

Each function returns a ``matplotlib.figure.Figure``, which Jupyter shows and ``savefig`` writes to
a file. With ``axes=`` it draws into axes of your own. The colour-blind can tell the colours apart.
"""

from pointsman.plot._crossover import crossover
from pointsman.plot._learning import learning
from pointsman.plot._load import load
from pointsman.plot._timeline import timeline

__all__ = ["crossover", "learning", "load", "timeline"]


def __dir__() -> list[str]:
    return __all__
