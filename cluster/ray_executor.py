"""Play the blocks of a run as Ray tasks, on a Ray that is started for the run and ends with it."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from cluster.signals import held_back
from sim.errors import SimError
from sim.run import BlockTask, play_block
from sim.run_file import Block
from sim.store import BlockRecord

if TYPE_CHECKING:
    from ray import ObjectRef

_OBJECT_STORE_BYTES = 80 * 1024 * 1024  # workers write their files themselves; only small records come back
_MOST_DEATHS = 5
_LATE_SECONDS, _LATE_TIMES = 60.0, 4.0  # a block is late after so many seconds and so many times the median block
_LOOK_SECONDS = 1.0
_LONGEST_FOLDER = 22
_PREFIX = "gd-ray-"
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",  # else under `uv run` every worker builds an environment of its own
    "RAY_IGNORE_UNHANDLED_ERRORS": "1",  # else Ray prints the deaths that end a run once for each block in flight
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # else Ray prints a tip about graphics cards
    "RAY_AUTH_MODE": "token",  # said explicitly: unset, Ray 2.60 writes a world-readable token into the home folder
}


def _short_folder() -> str:
    """Choose where Ray's files lie: it makes sockets there, whose paths may have 107 bytes, 60 of them its own.

    Up to 24 are the name of our folder.
    """
    folder = os.environ.get("RAY_TMPDIR") or tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= _LONGEST_FOLDER else "/tmp"


def _own_folder(place: str) -> str:
    """Make the folder of this Ray, named by its process, and remove those of processes that were killed."""
    for entry in Path(place).glob(f"{_PREFIX}*-*"):
        owner = entry.name.removeprefix(_PREFIX).partition("-")[0]
        with contextlib.suppress(OSError):
            if owner.isdecimal() and not _lives(int(owner)) and entry.lstat().st_uid == os.getuid():
                shutil.rmtree(entry, ignore_errors=True)
    return tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def stand_somewhere() -> None:
    """Leave a working folder that has been deleted: Ray asks for its path, and so do the processes it starts."""
    try:
        os.getcwd()
    except OSError:
        os.chdir("/")


@contextlib.contextmanager
def without_handlers() -> Iterator[None]:
    """Keep Ray from replacing the handler of SIGTERM while it starts: its own would end this process without a word."""
    from ray._private import utils

    name = "set_sigterm_handler"
    before = getattr(utils, name, None)
    setattr(utils, name, lambda handler: None)
    try:
        yield
    finally:
        setattr(utils, name, before)


def _settings() -> dict[str, str]:
    """Give the variables that Ray reads when it is imported; those that the user has set stay."""
    settings = {name: value for name, value in QUIET.items() if name not in os.environ}
    token_wanted = os.environ.get("RAY_AUTH_MODE", "token") == "token"
    if token_wanted and not {"RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"} & os.environ.keys():
        settings["RAY_AUTH_TOKEN"] = secrets.token_hex(32)  # for this Ray only, in the memory of its processes
    return settings


class RayExecutor:
    """Be an executor (see `sim.run.Executor`) on an embedded Ray; a context that starts it and ends it.

    If this process already has a Ray, that one is used and left running. A block whose worker dies is queued again;
    `lost` is called with its number, `late` with that of one that is played a second time. `stopping` is called when
    Ctrl-C must wait until Ray has started or ended.
    """

    def __init__(
        self,
        workers: int,
        lost: Callable[[int], None] = lambda block: None,
        stopping: Callable[[], None] = lambda: None,
        late: Callable[[int], None] = lambda block: None,
    ) -> None:
        self.workers = workers
        self._lost = lost
        self._stopping = stopping
        self._told_late = late
        self._folder: str | None = None

    def __enter__(self) -> RayExecutor:
        running = sys.modules.get("ray")
        if running is not None and running.is_initialized():
            return self
        os.environ.update(_settings())
        try:
            import ray
        except ImportError:
            raise SimError("ray_missing") from None
        try:
            # Our own, because Ray joins whatever cluster is noted in a shared one.
            self._folder = _own_folder(_short_folder())
            stand_somewhere()
            # Interrupted while it starts, Ray leaves processes behind that linger for a minute.
            with held_back(self._stopping), without_handlers():
                ray.init(
                    address="local",
                    num_cpus=self.workers,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    object_store_memory=_OBJECT_STORE_BYTES,
                    _temp_dir=self._folder,
                )
        except BaseException as error:
            self._end()
            if isinstance(error, Exception):
                raise SimError("ray_start", reason=error) from error
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def _end(self) -> None:
        if self._folder is not None:
            import ray

            with held_back(self._stopping):
                ray.shutdown()
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def execute(self, tasks: Iterable[BlockTask]) -> Generator[BlockRecord]:
        """See `Executor`. Twice as many blocks as workers are in flight, so that none waits for this process.

        When nothing is left to begin and a worker is free, the oldest block that is late is played a second time. The
        first answer counts; both write the same bytes.

        Left early, it does not cancel what is in flight: a task cancelled while its answer is on the way makes Ray 2.60
        abort this process («Tried to complete task that was not pending»). The end of our own Ray is the end of its
        workers, and so is the end of our connection on a cluster; on a Ray that goes on they finish their blocks, which
        are as good as any.
        """
        import ray
        from ray.exceptions import RayError, RaySystemError, RayTaskError, RuntimeEnvSetupError

        # Retries are ours, not Ray's, so that they are counted and told.
        submit = ray.remote(num_cpus=1, max_retries=0, scheduling_strategy="SPREAD")(self._function())
        feed, again = iter(tasks), deque[BlockTask]()
        deaths: Counter[Block] = Counter()
        flying: dict[ObjectRef[BlockRecord | SimError], BlockTask] = {}
        open_since: dict[Block, float] = {}  # blocks without an answer, the oldest first
        doubled: set[Block] = set()
        seconds: list[float] = []
        while True:
            while len(flying) < 2 * self.workers:
                task = again.popleft() if again else next(feed, None)
                if task is None:
                    break
                flying[submit.remote(task)] = task
                open_since[task.block] = time.monotonic()
            if not open_since:
                return
            if len(flying) < self.workers and (late := _late(open_since, doubled, seconds)) is not None:
                task = next(each for each in flying.values() if each.block == late)
                flying[submit.remote(task)] = task
                doubled.add(late)
                self._told_late(late.number)
            done, _ = ray.wait(list(flying), num_returns=1, timeout=_LOOK_SECONDS)
            if not done:
                continue
            task = flying.pop(done[0])
            block = task.block
            if block not in open_since:
                continue  # the other copy was faster
            try:
                result = ray.get(done[0])
            except RayTaskError as error:
                if isinstance(error.cause, RaySystemError):  # the task could not even be read there
                    raise SimError("node_setup", reason=str(error).rstrip().rpartition("\n")[2]) from None
                raise  # an exception inside the worker is a mistake of ours, its traceback is in it
            except RuntimeEnvSetupError as error:
                raise SimError("node_setup", reason=error) from None
            except RayError as error:
                if any(each.block == block for each in flying.values()):
                    continue  # the other copy is still at it
                deaths[block] += 1
                if deaths[block] >= _MOST_DEATHS:
                    reason = str(error).partition("\n")[0]
                    raise SimError("block_lost", block=block.number, times=deaths[block], reason=reason) from None
                self._lost(block.number)
                del open_since[block]
                doubled.discard(block)
                again.append(task)
                continue
            if isinstance(result, SimError):
                raise result
            del open_since[block]
            seconds.append(result.seconds)
            yield result

    def _function(self) -> Callable[[BlockTask], BlockRecord | SimError]:
        """Give what a worker does with a task."""
        return _work


def _late(open_since: dict[Block, float], doubled: set[Block], seconds: list[float]) -> Block | None:
    """Give the oldest open block that has not been doubled, if it has been open for too long."""
    oldest = next((block for block in open_since if block not in doubled), None)
    if oldest is None or not seconds:
        return None
    limit = max(_LATE_SECONDS, _LATE_TIMES * statistics.median(seconds))
    return oldest if time.monotonic() - open_since[oldest] > limit else None


def _work(task: BlockTask) -> BlockRecord | SimError:
    """Play a block in a worker. What the user can mend comes back as a value, since Ray wraps exceptions in its own."""
    try:
        record = play_block(task)
    except SimError as error:
        return error
    assert record is not None  # nobody stops it
    return record
