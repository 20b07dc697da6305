# SPDX-License-Identifier: Apache-2.0
"""Pictures that cannot be drawn, and how the errors help."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from invented_times import blur, by_size, measured

import pointsman as pm

pytestmark = pytest.mark.parametrize("draw", [pm.plot.crossover, pm.plot.learning])


def test_a_policy_that_does_not_measure_is_refused(draw: Any):
    with pytest.raises(TypeError, match="RoundRobin measures no kinds of task: pass an AutoTune"):
        draw(pm.RoundRobin(["a"]), blur)


def test_a_task_that_was_not_measured_is_refused_with_those_that_were(draw: Any):
    policy = measured(["a"], by_size, [8])
    with pytest.raises(pm.InvalidOptionError, match=r"no task of <built-in .*abs>, but of 'blur'"):
        draw(policy, abs)
    with pytest.raises(pm.InvalidOptionError, match="no task of 'sharpen', but of 'blur'"):
        draw(policy, "sharpen")
    with pytest.raises(pm.InvalidOptionError, match="but of none"):
        draw(pm.AutoTune(["a"]), blur)


def test_without_matplotlib_the_error_says_how_to_install_it(draw: Any, monkeypatch: Any):
    policy = measured(["a"], by_size, [8])
    monkeypatch.delitem(sys.modules, "pointsman.plot._picture", raising=False)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install 'pointsman\[plot\]'"):
        draw(policy, blur)
