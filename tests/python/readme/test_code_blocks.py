# SPDX-License-Identifier: Apache-2.0
"""Every code block of README and of the documentation is run as its reader would run it."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_pages import PAGES, README, REPOSITORY, Block, blocks_of

UMBRELLA = "pointsman/pointsman.hpp"
BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def of_language(language: str) -> list[object]:
    """The blocks of a language as parameters with readable ids."""
    return [
        pytest.param(block, id=f"{block.page.relative_to(REPOSITORY)} line {block.line}")
        for block in BLOCKS
        if block.language == language
    ]


def run(command: list[str], cwd: Path) -> str:
    """Output of a command that must succeed."""
    result = subprocess.run(
        command,
        cwd=cwd,
        timeout=900,
        text=True,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    assert result.returncode == 0, f"{shlex.join(command)}\n{result.stdout}"
    return result.stdout


def test_every_block_has_a_language_that_is_run_here():
    assert {block.language for block in BLOCKS} <= {"python", "cpp", "cmake", "sh", "text"}


@pytest.mark.parametrize("block", of_language("python"))
def test_python_block_runs(block: Block, tmp_path: Path, request: pytest.FixtureRequest):
    if "import pyopencl" in block.text:
        request.getfixturevalue("pyopencl_context")
    # Aligned with the page, so that a traceback names the page's own lines.
    program = tmp_path / block.page.name
    program.write_text("\n" * (block.line - 1) + block.text, encoding="utf-8")
    run([sys.executable, str(program)], tmp_path)


def compile_flags(*folders: Path) -> list[str]:
    """How a reader without CMake compiles against the tree, with headers in `folders` before it."""
    if shutil.which("g++") is None:
        pytest.skip("no g++ here")
    flags = ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-pthread"]
    return [*flags, *(f"-I{folder}" for folder in (*folders, REPOSITORY / "cpp" / "include"))]


@pytest.fixture(scope="module")
def precompiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the umbrella header precompiled, which takes most of the time of a block."""
    folder = tmp_path_factory.mktemp("precompiled")
    include = f"#include <{UMBRELLA}>\n"
    (folder / "umbrella.hpp").write_text(include, encoding="utf-8")
    (folder / UMBRELLA).parent.mkdir()
    run([*compile_flags(), "-x", "c++-header", "umbrella.hpp", "-o", f"{UMBRELLA}.gch"], folder)
    return folder


@pytest.mark.parametrize("block", of_language("cpp"))
def test_cpp_block_compiles_and_runs(block: Block, tmp_path: Path, precompiled: Path):
    (tmp_path / "block.cpp").write_text(block.text, encoding="utf-8")
    libraries = []
    # g++ takes a precompiled header only if nothing comes before it.
    folders = [precompiled] if block.text.startswith(f"#include <{UMBRELLA}>") else []
    if "pointsman/dynamic_selection.hpp" not in block.text:
        libraries = ["-ltbb", "-lOpenCL"]
    if "pointsman/history/" in block.text:
        libraries.append("-lsqlite3")
    run([*compile_flags(*folders), "block.cpp", "-o", "block", *libraries], tmp_path)
    run([str(tmp_path / "block")], tmp_path)


@pytest.mark.parametrize("block", of_language("cmake"))
def test_cmake_block_builds_a_program_with_the_installed_package(block: Block, tmp_path: Path):
    if shutil.which("cmake") is None:
        pytest.skip("no cmake here")
    options = ["PYTHON", "TESTS", "BENCH"]
    library = ["cmake", "-S", str(REPOSITORY), "-B", "library"]
    run([*library, *(f"-DPOINTSMAN_{option}=OFF" for option in options)], tmp_path)
    run(["cmake", "--install", "library", "--prefix", "prefix"], tmp_path)
    target = re.search(r"target_link_libraries\((\w+)", block.text)
    assert target is not None, "the block links no target"
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(reader LANGUAGES CXX)\n"
        + ("" if "add_executable" in block.text else f"add_executable({target[1]} main.cpp)\n")
        + block.text,
        encoding="utf-8",
    )
    program = next(other.text for other in blocks_of(README) if other.language == "cpp")
    (tmp_path / "main.cpp").write_text(program, encoding="utf-8")
    run(["cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={tmp_path}/prefix"], tmp_path)
    run(["cmake", "--build", "build"], tmp_path)
    run([str(tmp_path / "build" / target[1])], tmp_path)


def check_make(words: list[str], tmp_path: Path) -> None:
    """The targets exist, and `make` can plan them."""
    run(["make", "--dry-run", "--directory", str(REPOSITORY), *words], tmp_path)


def check_python(words: list[str], tmp_path: Path) -> None:
    """The command runs with this interpreter."""
    if "--image" in words:
        picture = tmp_path / words[words.index("--image") + 1]
        make_picture(picture)
    run([sys.executable, *words], tmp_path)


def make_picture(path: Path) -> None:
    """A small photograph in place of the reader's own."""
    image = pytest.importorskip("PIL.Image")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.new("RGB", (64, 48), (200, 120, 40)).save(path)


def check_pip(words: list[str], tmp_path: Path) -> None:
    """Checks that it installs this tree with existing extras; .ci/run really installs it."""
    assert words[:1] == ["install"]
    text = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    section = text.split("[project.optional-dependencies]")[1].split("\n[")[0]
    extras = set(re.findall(r"^([\w-]+) = \[", section, re.MULTILINE))
    for word in words[1:]:
        match = re.fullmatch(r"\.(?:\[([\w,-]+)\])?", word)
        assert match is not None, f"{word} is not this tree"
        assert set((match[1] or "").split(",")) - {""} <= extras


def check_cmake(words: list[str], tmp_path: Path) -> None:
    """Presets exist; a C++-only configuration is made outside the tree."""
    presets = run(["cmake", f"--list-presets={kind_of(words)}", str(REPOSITORY)], tmp_path)
    if "--preset" in words:
        assert f'"{words[words.index("--preset") + 1]}"' in presets
    for definition in (word for word in words if word.startswith("-DPOINTSMAN_")):
        option = definition.removeprefix("-D").split("=")[0]
        assert option in (REPOSITORY / "CMakeLists.txt").read_text(encoding="utf-8")


def kind_of(words: list[str]) -> str:
    return "build" if "--build" in words else "configure"


def check_ctest(words: list[str], tmp_path: Path) -> None:
    """The test preset exists."""
    presets = run(["ctest", "--list-presets"], REPOSITORY)
    assert f'"{words[words.index("--preset") + 1]}"' in presets


COMMANDS: dict[str, Callable[[list[str], Path], None]] = {
    "make": check_make,
    "python": check_python,
    "pip": check_pip,
    "cmake": check_cmake,
    "ctest": check_ctest,
}


@pytest.mark.parametrize("block", of_language("sh"))
def test_sh_block_runs(block: Block, tmp_path: Path):
    for line in block.text.splitlines():
        words = shlex.split(line, comments=True)
        if not words:
            continue
        command, *arguments = words
        if command.startswith("."):
            assert os.access(REPOSITORY / command, os.X_OK), f"{command} is no program of this tree"
            continue
        assert command in COMMANDS, f"{block.page} {block.line}: nothing here can run `{line}`"
        if command == "cmake" and shutil.which("cmake") is None:
            pytest.skip("no cmake here")
        COMMANDS[command](arguments, tmp_path)
