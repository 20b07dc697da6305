# SPDX-License-Identifier: Apache-2.0
"""Adds a policy to a copy of the tree, following only the list in CONTRIBUTING.md."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

HEADER = """
#pragma once
#include <cstddef>
#include <string>
#include "pointsman/policy/detail/rule_policy.hpp"

namespace pointsman {
class last_resource_rule {
  public:
    static constexpr auto name = "last_resource";
    using settings = detail::rule_settings<std::size_t>;
    using reports = detail::needed_reports<>;
    using choice = detail::chosen_index;

    explicit last_resource_rule(std::size_t size, std::size_t before = 0)
        : size_{size}, before_{before % size} {}
    template <class... Task>
    [[nodiscard]] choice choose(std::size_t, const Task&...) const noexcept {
        return {size_ - 1 - before_};
    }
    [[nodiscard]] std::string explain(const choice&) const {
        return "it is the last but " + std::to_string(before_);
    }

  private:
    std::size_t size_;
    std::size_t before_;
};

template <class Resource = any_resource, class ResourceAdapter = identity,
          class Backend = default_backend<Resource, ResourceAdapter>>
class last_resource_policy
    : public detail::rule_policy<last_resource_policy<Resource, ResourceAdapter, Backend>,
                                 last_resource_rule, ResourceAdapter, Backend> {
  public:
    using last_resource_policy::rule_policy::rule_policy;
};
POINTSMAN_POLICY_GUIDES(last_resource_policy, std::size_t);

static_assert(detail::policy_by_rule<last_resource_policy<detail::sample_resource>>);
}  // namespace pointsman
"""

EVERY_POLICY = """
#include <iostream>
#include <vector>
#include "support/every_policy.hpp"

int main() {
    const auto show = [](auto kind) {
        auto policy = kind.over(std::vector{1, 2, 3});
        const auto chosen = policy.select([](int) {});
        std::cout << kind.name << " chose " << chosen.unwrap() << ": " << policy.explain(chosen)
                  << '\\n';
    };
    std::apply([&](auto... kinds) { (show(kinds), ...); }, pointsman::test::every_kind{});
}
"""


def insert_before(path: Path, mark: str, text: str) -> None:
    whole = path.read_text()
    assert whole.count(mark) == 1, f"{path} has changed: {mark!r}"
    path.write_text(whole.replace(mark, text + mark))


def write_the_header(tree: Path) -> None:
    (tree / "cpp/include/pointsman/policy/last_resource_policy.hpp").write_text(HEADER)


def add_to_the_list(tree: Path) -> None:
    path = tree / "cpp/include/pointsman/policy/provided_policies.hpp"
    header = '#include "pointsman/policy/last_resource_policy.hpp"\n'
    insert_before(path, '#include "pointsman/policy/random_policy.hpp"\n', header)
    insert_before(path, "random_policy,", "last_resource_policy, ")


def register(tree: Path) -> None:
    line = (
        "    register_with_index<over_objects<last_resource_policy>>("
        'm, "LastResource", "before", "Chooses the last one.");\n'
    )
    insert_before(tree / "python/src/policy/policies.cpp", "    register_random(m);\n", line)


STEPS: dict[str, Callable[[Path], None]] = {
    "header": write_the_header,
    "list": add_to_the_list,
    "binding": register,
}


def tree_without(missing: Collection[str], repository: Path, copy: Path) -> Path:
    """Copy the sources of C++ and the bindings; perform all steps except the missing ones."""
    for folder in ("cpp/include", "python/src", "tests/cpp/support"):
        shutil.copytree(repository / folder, copy / folder)
    for name, step in STEPS.items():
        if name not in missing:
            step(copy)
    return copy


def compiler(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the C++ compiler with the tree's folders; skips the test if there is none."""
    found = shutil.which(os.environ.get("CXX", "c++"))
    if found is None:
        pytest.skip("no C++ compiler here")
    folders = [tree / "cpp/include", tree / "python/src", tree / "tests/cpp"]
    python = sysconfig.get_path("include")
    includes = [f"-I{folder}" for folder in (*folders, python)]
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return subprocess.run(
        [found, "-std=c++20", "-O0", "-fmax-errors=1", *includes, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=600,
        check=False,
    )


def require_header(tree: Path, header: str) -> None:
    probe = tree / "probe.cpp"
    probe.write_text(f"#include <{header}>\n")
    if compiler(tree, "-fsyntax-only", str(probe)).returncode != 0:
        pytest.skip(f"no <{header}> here")


def reasons(tree: Path) -> str:
    """Return every policy's explanation of a choice."""
    require_header(tree, "gtest/gtest.h")
    program = tree / "every_policy"
    source = program.with_suffix(".cpp")
    source.write_text(EVERY_POLICY)
    compiled = compiler(tree, str(source), "-o", str(program), "-pthread")
    assert compiled.returncode == 0, compiled.stderr
    return subprocess.run([program], capture_output=True, text=True, timeout=60, check=True).stdout


def binding(tree: Path) -> subprocess.CompletedProcess[str]:
    require_header(tree, "pybind11/pybind11.h")
    return compiler(tree, "-fsyntax-only", str(tree / "python/src/policy/policies.cpp"))


def test_a_policy_that_followed_the_list_is_among_the_provided_ones(
    repository: Path, tmp_path: Path
):
    said = reasons(tree_without([], repository, tmp_path))
    assert "last_resource chose 3: it is the last but 0\n" in said
    assert "round_robin chose 1: it was the turn of number 1 of 3\n" in said


def test_a_policy_that_is_not_in_the_list_is_not_among_them(repository: Path, tmp_path: Path):
    assert "last_resource" not in reasons(tree_without(["list", "binding"], repository, tmp_path))


def test_a_policy_that_followed_the_list_compiles_as_a_python_class(
    repository: Path, tmp_path: Path
):
    found = binding(tree_without([], repository, tmp_path))
    assert found.returncode == 0, found.stderr


@pytest.mark.parametrize("missing", ["header", "list"])
def test_without_a_step_of_the_list_the_binding_does_not_compile(
    repository: Path, tmp_path: Path, missing: str
):
    assert "last_resource_policy" in binding(tree_without([missing], repository, tmp_path)).stderr


LISTED = {
    "cpp/include/pointsman/policy/{name}_policy.hpp",
    "cpp/include/pointsman/policy/provided_policies.hpp",
    "python/src/policy/policies.cpp",
    "python/src/replay/replay.cpp",
    "python/pointsman/_replay.py",
    "python/pointsman/_core.pyi",
    "python/pointsman/__init__.py",
    "docs/guide/choosing-a-policy.md",
}
# Everything except tests of single policies, generated files and history.
MACHINERY = (
    "README.md",
    "docs/guide",
    "docs/reference",
    "cpp",
    "python",
    "bench/cpp/selection",
    "tests/cpp/conformance",
    "tests/cpp/model",
    "tests/cpp/support",
    "tests/python/conformance",
    "tests/python/conftest.py",
    "tests/python/model",
)


def files_of(path: Path) -> list[Path]:
    return [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]


def test_the_files_that_name_a_policy_are_those_of_the_list(repository: Path):
    named = re.compile(r"\b(weighted_round_robin_(policy|rule)|WeightedRoundRobin)\b")
    found = {
        str(file.relative_to(repository))
        for part in MACHINERY
        for file in files_of(repository / part)
        if named.search(file.read_text(errors="ignore"))
    }
    assert found == {each.format(name="weighted_round_robin") for each in LISTED}


def test_contributing_names_each_file_of_the_list(repository: Path):
    text = (repository / ".github/CONTRIBUTING.md").read_text()
    section = text.split("## Adding a policy")[1].split("\n## ")[0]
    for each in LISTED:
        assert each.replace("{name}", "<name>").removeprefix("cpp/include/pointsman/") in section
