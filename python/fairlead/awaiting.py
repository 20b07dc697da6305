# SPDX-License-Identifier: Apache-2.0
# Submissions in asyncio: their end wakes the loop that waits.
"""How ``await submission`` works. Nothing is polled: the end of the work calls into the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairlead._core import Submission


def wait_for(submission: Submission) -> Generator[Any, None, Any]:
    """Return what ``submission.__await__()`` returns: it ends with the result or the error.

    A task that is cancelled in here cancels the submission, as it would a concurrent future.
    """
    if not submission.done():
        loop = asyncio.get_running_loop()
        over = loop.create_future()

        def wake() -> None:
            if not over.done():
                over.set_result(None)

        def tell(_submission: Submission) -> None:
            try:
                loop.call_soon_threadsafe(wake)
            except RuntimeError:
                if not loop.is_closed():
                    raise

        submission.add_done_callback(tell)
        submission._wait_in_background()
        try:
            yield from over.__await__()
        except asyncio.CancelledError:
            submission.cancel()
            raise
    return submission.result()
