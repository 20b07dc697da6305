# SPDX-License-Identifier: Apache-2.0
# Runs a target of this folder under Atheris, which is libFuzzer with the coverage of Python code.
"""Usage: ``fuzz.py TARGET [OPTION OF LIBFUZZER]... [FOLDER OF INPUTS]...``"""

from __future__ import annotations

import importlib
import sys

import atheris


def main() -> None:
    """Run the target in the first argument until libFuzzer's limits end the process."""
    program, target, *arguments = sys.argv
    with atheris.instrument_imports(include=["pointsman"]):
        test_one_input = importlib.import_module(target).test_one_input
    atheris.Setup([program, *arguments], test_one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
