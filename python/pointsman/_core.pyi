# SPDX-License-Identifier: Apache-2.0
# Types of the extension module for policies, submissions and arenas; names with _ are private.
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Generator,
    Iterable,
    Iterator,
    Sequence,
)
from typing import Any, Final, Literal, Protocol, TypeVar, final

from pointsman._backend import Backend
from pointsman._domain import Domain
from pointsman._explanation import Explanation
from pointsman._options import PolicyWithOptions
from pointsman._policy_executor import PolicyExecutor

T = TypeVar("T")
_Timeout = TypeVar("_Timeout", bound=float | None)

__version__: Final[str]

class DeferredInitialization: ...

deferred_initialization: Final[DeferredInitialization]

@final
class Submission:
    def wait(self, timeout: float | None = None) -> bool: ...
    def result(self, timeout: float | None = None) -> Any: ...
    def unwrap(self) -> Any: ...
    def done(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    def cancel(self) -> bool: ...
    def explain(self) -> Explanation: ...
    def add_done_callback(self, callback: Callable[[Submission], object], /) -> None: ...
    def __await__(self) -> Generator[Any, None, Any]: ...
    def _state(self) -> str: ...
    def _help(self) -> None: ...
    @property
    def resource(self) -> Any: ...
    @property
    def elapsed(self) -> float | None: ...

class Selection:
    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission: ...
    def report(self, info: str, seconds: float | None = None) -> None: ...
    def unwrap(self) -> Any: ...
    @property
    def resource(self) -> Any: ...
    @property
    def policy(self) -> Policy: ...

class SubmissionGroup:
    def wait(self, timeout: float | None = None) -> bool: ...

class Placement:
    @property
    def resource(self) -> Any: ...
    def unwrap(self) -> Any: ...
    def report(self, info: str, value: float | None = None) -> None: ...

class ResourceStatistics:
    @property
    def resource(self) -> Any: ...
    @property
    def index(self) -> int: ...
    @property
    def load(self) -> int: ...
    @property
    def completed(self) -> int: ...
    @property
    def failed(self) -> int: ...
    @property
    def mean_elapsed(self) -> float | None: ...
    @property
    def runs_functions(self) -> bool: ...
    _scores: list[Any] | None

class Policy(Protocol):
    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission: ...
    def try_submit(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission | None: ...
    def submit_and_wait(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...
    def run(self, func: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission: ...
    def select(self, /, *task: Any) -> Selection: ...
    def map(
        self,
        func: Callable[..., T],
        /,
        *iterables: Iterable[Any],
        chunksize: int | None = None,
        ordered: bool = True,
        timeout: float | None = None,
        in_flight: int | None = None,
        progress: bool = False,
    ) -> Iterator[T]: ...
    def submit_async(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Coroutine[Any, Any, Submission]: ...
    def run_async(
        self, func: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Coroutine[Any, Any, Submission]: ...
    def map_async(
        self,
        func: Callable[..., T],
        /,
        *iterables: Iterable[Any],
        chunksize: int | None = None,
        ordered: bool = True,
        in_flight: int | None = None,
    ) -> AsyncIterator[T]: ...
    def as_executor(self) -> PolicyExecutor: ...
    def with_options(self, *, timeout: float | None = None) -> PolicyWithOptions: ...
    def _try_run(
        self, func: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission | None: ...
    def _submit_within(
        self, timeout: float | None, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission: ...
    def _run_within(
        self, timeout: float | None, func: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission: ...
    def _select_within(self, timeout: float | None, /, *task: Any) -> Selection: ...
    def get_resources(self) -> list[Any]: ...
    def submission_group(self) -> SubmissionGroup: ...
    def statistics(self) -> list[ResourceStatistics]: ...
    def loads(self) -> list[int]: ...
    def _repr_html_(self) -> str: ...
    def _setting(self) -> tuple[Backend | None, str]: ...

class CustomPolicy(Policy):
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self, resources: Iterable[Any] | None = None, *, backend: Backend | None = None
    ) -> None: ...
    def notify(self) -> None: ...

class FixedResource(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        index: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        index: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...

class RoundRobin(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...

class DynamicLoad(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        offset: int = 0,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        offset: int = 0,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
    ) -> None: ...

class AutoTune(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        backend: Backend | None = None,
    ) -> None: ...

class EarliestFinish(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        resample_time: float = 0.0,
        *,
        exact_times: bool = False,
        backend: Backend | None = None,
    ) -> None: ...

class Random(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        seed: int | None = None,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        seed: int | None = None,
        *,
        backend: Backend | None = None,
    ) -> None: ...

class Token(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        tokens: int = 1,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        tokens: int = 1,
        *,
        tie_break: Literal["rotate", "first"] = "rotate",
        backend: Backend | None = None,
    ) -> None: ...

class WeightedRoundRobin(Policy):
    def __init__(
        self,
        resources: Iterable[Any] | DeferredInitialization | None = None,
        weights: Sequence[int] = (),
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        weights: Sequence[int] = (),
        *,
        backend: Backend | None = None,
    ) -> None: ...

class ArenaTask:
    __pointsman_waitable__: Final[Any]
    def wait(self, timeout: float | None = None) -> bool: ...
    def result(self, timeout: float | None = None) -> Any: ...
    def done(self) -> bool: ...
    def cancel(self) -> bool: ...

class Arena:
    def __init__(self, concurrency: int | None = None, numa_node: int | None = None) -> None: ...
    def run(self, f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> ArenaTask: ...
    def wait(self, timeout: float | None = None) -> bool: ...
    @property
    def concurrency(self) -> int: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def numa_node(self) -> int | None: ...

def stop_requested() -> bool: ...
def _default_arenas() -> list[Arena]: ...
def _runner_of(resource: Any) -> Callable[..., Any]: ...
def _runs_functions(resource: Any) -> bool: ...
def _task_identity(work: Callable[..., Any]) -> int: ...
def _register_waitable(type: type, make: Callable[[Any], Any]) -> None: ...
def _check_interpreter() -> None: ...
def _checked_timeout(timeout: _Timeout) -> _Timeout: ...
def _adopt_waitable(module: str, type: str, functions: Any) -> None: ...
