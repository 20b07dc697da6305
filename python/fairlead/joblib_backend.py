# SPDX-License-Identifier: Apache-2.0
# A parallel backend of joblib that runs on a policy.
"""joblib on the resources of a policy::

    import fairlead as fl
    from fairlead import joblib_backend
    import joblib

    joblib_backend.register(fl.DynamicLoad())
    with joblib.parallel_backend("fairlead"):
        joblib.Parallel()(joblib.delayed(pow)(2, i) for i in range(10))

Needs joblib, which fairlead itself does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from joblib import register_parallel_backend
from joblib._parallel_backends import AutoBatchingMixin, ParallelBackendBase

from fairlead import verbs
from fairlead.executor import PolicyExecutor

if TYPE_CHECKING:
    from concurrent.futures import Future

    from fairlead._core import Policy
    from fairlead.options import PolicyWithOptions


def register(policy: Policy | PolicyWithOptions, name: str = "fairlead") -> None:
    """Let ``joblib.parallel_backend(name)`` run on the resources of ``policy``, which share memory
    with the program."""
    register_parallel_backend(name, lambda **options: _Backend(policy, **options))


class _Result:
    """joblib's name for the result of a future."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future

    def get(self, timeout: float | None = None) -> Any:
        return self._future.result(timeout)


class _Backend(AutoBatchingMixin, ParallelBackendBase):  # type: ignore[misc]
    """Runs joblib's batches as calls of an executor."""

    supports_timeout = True
    supports_sharedmem = True
    uses_threads = True

    def __init__(self, policy: Policy | PolicyWithOptions, **options: Any) -> None:
        super().__init__(**options)
        self._policy = policy
        self._executor = PolicyExecutor(policy)

    def configure(self, n_jobs: int = 1, parallel: Any = None, **_options: Any) -> int:
        self.parallel = parallel
        return self.effective_n_jobs(n_jobs)

    def effective_n_jobs(self, n_jobs: int | None) -> int:
        threads = verbs.threads_of(self._policy)
        if n_jobs == 0:
            raise ValueError("n_jobs is 0: pass the number of jobs, or -1 for all threads")
        if n_jobs is None or n_jobs < 0:
            return max(threads + 1 + n_jobs if n_jobs is not None else threads, 1)
        return n_jobs

    def apply_async(
        self, func: Callable[[], Any], callback: Callable[[Any], None] | None = None
    ) -> _Result:
        future = self._executor.submit(func)
        if callback is not None:
            future.add_done_callback(callback)
        return _Result(future)

    submit = apply_async  # joblib 1.5's name for it

    def abort_everything(self, ensure_ready: bool = True) -> None:
        self._executor.shutdown(wait=False, cancel_futures=True)
        if ensure_ready:
            self._executor = PolicyExecutor(self._policy)
