# SPDX-License-Identifier: Apache-2.0
"""plot.crossover: which resource is the fastest at which size."""

from __future__ import annotations

from typing import Any

import pytest
from invented_times import blur, by_size, measured

import pointsman as pm

pytest.importorskip("matplotlib")

SIZES = [2**exponent for exponent in (7, 8, 9, 11, 12, 13)]


@pytest.fixture(scope="module")
def policy() -> Any:
    return measured(["host", "device"], by_size, SIZES)


def drawn(figure: Any) -> dict[str, Any]:
    """The lines with points, by their labels in the legend."""
    (axes,) = figure.axes
    return {line.get_label(): line for line in axes.lines if len(line.get_xdata()) > 0}


def crossings(figure: Any) -> list[float]:
    """The places of the dotted lines."""
    (axes,) = figure.axes
    return [line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == ":"]


def legend(figure: Any) -> list[str]:
    (axes,) = figure.axes
    return [text.get_text() for text in axes.get_legend().get_texts()]


def test_each_resource_has_a_line_of_its_mean_times(policy: Any):
    lines = drawn(pm.plot.crossover(policy, blur))
    for name in ("host", "device"):
        line = lines[repr(name)]
        assert len(line.get_xdata()) >= 2
        for exponent, seconds in zip(line.get_xdata(), line.get_ydata(), strict=True):
            assert seconds == pytest.approx(by_size(name, 2**exponent), rel=1e-3)


def test_a_dotted_line_marks_where_another_resource_becomes_the_fastest(policy: Any):
    (crossing,) = crossings(pm.plot.crossover(policy, blur))
    assert crossing == pytest.approx(10, abs=0.3)


def test_nothing_is_marked_if_one_resource_is_always_the_fastest():
    policy = measured(["a", "b"], lambda resource, _: 1e-3 if resource == "a" else 2e-3, SIZES)
    assert crossings(pm.plot.crossover(policy, blur)) == []


def test_a_callable_can_be_passed_by_name(policy: Any):
    by_name = drawn(pm.plot.crossover(policy, "blur"))
    assert by_name.keys() == drawn(pm.plot.crossover(policy, blur)).keys()


def test_axes_name_their_quantity_and_unit(policy: Any):
    (axes,) = pm.plot.crossover(policy, blur).axes
    assert axes.get_title(loc="left") == "blur: time by size"
    assert axes.get_xlabel() == "size of the arguments (bytes, length or integer)"
    assert axes.get_ylabel() == "time of a task alone, in seconds (s)"
    assert axes.yaxis.get_major_formatter()(2e-3) == "2 ms"
    assert axes.xaxis.get_major_formatter()(12) == "$2^{12}$"


def test_resources_differ_in_colour_and_marker(policy: Any):
    lines = drawn(pm.plot.crossover(policy, blur))
    looks = {(lines[name].get_color(), lines[name].get_marker()) for name in ("'host'", "'device'")}
    assert len({colour for colour, _ in looks}) == len({marker for _, marker in looks}) == 2


def test_of_64_resources_seven_have_colours_and_the_others_share_an_entry():
    policy = measured(range(64), lambda resource, size: (1 + resource + size) * 1e-6, SIZES)
    assert len(legend(pm.plot.crossover(policy, blur))) == 8
    assert legend(pm.plot.crossover(policy, blur))[-1] == "57 other resources"


def test_jupyter_shows_it_without_pyplot(policy: Any):
    assert pm.plot.crossover(policy, blur)._repr_png_().startswith(b"\x89PNG")


def test_draws_into_given_axes(policy: Any):
    figure = pm.plot.learning(policy, blur)
    (axes,) = figure.axes
    assert pm.plot.crossover(policy, blur, axes=axes) is figure
    assert axes.get_title(loc="left") == "blur: time by size"


def test_a_name_with_signs_of_a_formula_is_drawn_as_it_is(tmp_path: Any):
    policy = measured(["$x^{", "_b"], lambda *_: 1e-3, SIZES[:1])
    figure = pm.plot.crossover(policy, blur)
    figure.savefig(tmp_path / "picture.png")
    assert legend(figure) == [r"'\$x^{'", "'_b'"]
