# SPDX-License-Identifier: Apache-2.0
# Ends a command as Unix tools end: in one line, with the status that shells expect.
"""The output of every command: interruptions, closed pipes, full disks, widths."""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Final

from pointsman._text_table import aligned, printable

FAILURE: Final = 1
INTERRUPTED: Final = 128 + signal.SIGINT
CLOSED_PIPE: Final = 128 + 13  # SIGPIPE, which Windows lacks
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def run(command: Callable[[], int]) -> int:
    """Run ``command()``, write all of its output and return its exit status.

    The status is 130 after Ctrl-C and 141 if the reader closed the pipe, as for programs that these
    signals terminate, and 1 if the output cannot be written. Ctrl-C and a failed write print one
    line to stderr.
    """
    try:
        try:
            return command()
        finally:
            _flush()
    except KeyboardInterrupt:
        _discard_output()
        print("pointsman: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return CLOSED_PIPE
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        _discard_output()
        print(f"pointsman: error: cannot write the output: {error.strerror}", file=sys.stderr)
        return FAILURE


def prepare_streams() -> None:
    """Let ``print`` write characters that the encoding of the output lacks, as escapes.

    If the parent closed stderr, errors are discarded; ``print`` would write them to the output.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def end_process(status: int) -> None:
    """End the process with ``status``, or by the signal of Ctrl-C, so that a shell's loop ends."""
    if status == INTERRUPTED and os.name == "posix":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    sys.exit(status)


def width() -> int | None:
    """Return the columns of the terminal; None for a file or a pipe."""
    if sys.stdout is None or not sys.stdout.isatty():
        return None
    return shutil.get_terminal_size().columns


def table(rows: Sequence[Sequence[str]], *, align: str = "<", rule: bool = False) -> list[str]:
    """Return ``rows`` as lines with aligned columns. The first row holds the headings.

    align: "<" or ">", how every column but the first is aligned. rule: draw a line below the
    headings. A table that is too wide for the terminal becomes a block of lines for each row.
    """
    rows = [[printable(cell) for cell in row] for row in rows]
    lines = aligned(rows, align)
    columns = width()
    if columns is not None and max(map(len, lines)) > columns:
        return _blocks(rows)
    if rule:
        lines.insert(1, "-" * len(lines[0]))
    return lines


def _blocks(rows: Sequence[Sequence[str]]) -> list[str]:
    (_, *headings), *entries = rows
    return [
        line
        for first, *cells in entries
        for line in (
            first,
            *(f"  {name}: {cell}" for name, cell in zip(headings, cells, strict=True)),
        )
    ]


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _discard_output() -> None:
    """Drop what is still buffered: the interpreter would fail to write it when it ends."""
    if sys.stdout is not None:
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, sys.stdout.fileno())
        os.close(devnull)
