# SPDX-License-Identifier: Apache-2.0
# Types of the extension module fairlead._core.
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Protocol, overload

from fairlead.backend import Backend

__version__: Final[str]

class DeferredInitialization: ...

deferred_initialization: Final[DeferredInitialization]

class Submission:
    def wait(self) -> None: ...
    def result(self) -> Any: ...
    def unwrap(self) -> Any: ...
    def done(self) -> bool: ...
    def _repr_html_(self) -> str: ...
    @property
    def resource(self) -> Any: ...

class SubmissionGroup:
    def wait(self) -> None: ...

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

class Policy(Protocol):
    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Submission: ...
    def try_submit(
        self, work: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Submission | None: ...
    def submit_and_wait(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...
    def get_resources(self) -> list[Any]: ...
    def submission_group(self) -> SubmissionGroup: ...
    def _repr_html_(self) -> str: ...

class CustomPolicy(Policy):
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self, resources: Iterable[Any] | None = None, *, backend: Backend | None = None
    ) -> None: ...
    def statistics(self) -> list[ResourceStatistics]: ...
    def loads(self) -> list[int]: ...
    def notify(self) -> None: ...

class FixedResource(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        index: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        index: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...

class RoundRobin(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...

class DynamicLoad(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        offset: int = 0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def loads(self) -> list[int]: ...

class AutoTune(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        resample_time: float = 0.0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        resample_time: float = 0.0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def loads(self) -> list[int]: ...

class EarliestFinish(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        resample_time: float = 0.0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        resample_time: float = 0.0,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def loads(self) -> list[int]: ...

class Random(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        seed: int | None = None,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        seed: int | None = None,
        *,
        backend: Backend | None = None,
    ) -> None: ...

class Token(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        tokens: int = 1,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        tokens: int = 1,
        *,
        backend: Backend | None = None,
    ) -> None: ...
    def loads(self) -> list[int]: ...

class WeightedRoundRobin(Policy):
    @overload
    def __init__(
        self,
        resources: Iterable[Any] | None = None,
        weights: Sequence[int] = (),
        *,
        backend: Backend | None = None,
    ) -> None: ...
    @overload
    def __init__(self, deferred: DeferredInitialization) -> None: ...
    def initialize(
        self,
        resources: Iterable[Any] | None = None,
        weights: Sequence[int] = (),
        *,
        backend: Backend | None = None,
    ) -> None: ...

class ArenaTask:
    __fairlead_waitable__: Final[Any]
    def wait(self) -> None: ...
    def result(self) -> Any: ...
    def done(self) -> bool: ...

class Arena:
    def __init__(self, concurrency: int | None = None, numa_node: int | None = None) -> None: ...
    def run(self, f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> ArenaTask: ...
    def wait(self) -> None: ...
    @property
    def concurrency(self) -> int: ...
    @property
    def numa_node(self) -> int | None: ...

def _default_arenas() -> list[Arena]: ...
def _task_identity(work: Callable[..., Any]) -> int: ...
def _register_waitable(type: type, make: Callable[[Any], Any]) -> None: ...
def _adopt_waitable(module: str, type: str, functions: Any) -> None: ...
