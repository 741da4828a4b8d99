"""Play the blocks of a run on a Ray cluster that runs already, and goes on running."""

from __future__ import annotations

import contextlib
import logging
import os
import platform
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from cluster import shipping
from cluster.ray_executor import QUIET, RayExecutor, stand_somewhere, without_handlers
from cluster.signals import held_back
from sim import run_file
from sim.errors import SimError
from sim.request import strategy_error
from sim.run import BlockTask, play_block
from sim.store import BlockRecord
from strategies.naming import StrategyError

_CONNECT_SECONDS = 5.0
_VERSIONS = re.compile(r"Ray: (\S+)\s+Python: (\S+).*?Ray: (\S+)\s+Python: (\S+)", re.DOTALL)


class ClusterExecutor(RayExecutor):
    """Be an executor on the Ray at `address`, HOST:PORT or auto; a context that joins it and leaves it.

    The code of this process goes along (`cluster.shipping`). workers: by default the processors of the cluster. Tokens
    are on unless RAY_AUTH_MODE says otherwise. `SimError` where it cannot be joined.
    """

    def __init__(
        self,
        address: str,
        strategies: tuple[str, ...],
        workers: int | None = None,
        lost: Callable[[int], None] = lambda block: None,
        stopping: Callable[[], None] = lambda: None,
        late: Callable[[int], None] = lambda block: None,
    ) -> None:
        super().__init__(workers or 0, lost, stopping, late)
        self._address, self._strategies = address, strategies
        self._joined = False

    def __enter__(self) -> ClusterExecutor:
        # Else Ray tries a refused token twenty times, a second each.
        settings = {**QUIET, "RAY_BACKEND_LOG_LEVEL": "fatal", "RAY_NUM_REDIS_GET_RETRIES": "3"}
        os.environ.update({name: value for name, value in settings.items() if name not in os.environ})
        try:
            import ray
        except ImportError:
            raise SimError("ray_missing") from None
        _check_answers(self._address)
        staged = Path(tempfile.mkdtemp(prefix="guandan-ship-"))
        try:
            modules = shipping.stage(staged, self._strategies)
            stand_somewhere()
            with held_back(self._stopping), without_handlers(), _stderr_shut():
                ray.init(
                    address=self._address,
                    runtime_env={"py_modules": modules},
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
                self._joined = True
            self.workers = self.workers or int(ray.cluster_resources().get("CPU", 0))  # type: ignore[no-untyped-call]
            if not self.workers:
                raise SimError("cluster_no_cpus", address=self._address)
        except BaseException as error:
            self._end()
            if isinstance(error, StrategyError):
                raise strategy_error(error) from None
            if isinstance(error, Exception) and not isinstance(error, SimError):
                raise _refusal(self._address, error) from error
            raise
        finally:
            shutil.rmtree(staged, ignore_errors=True)
        return self

    def _end(self) -> None:
        if self._joined:
            import ray

            with held_back(self._stopping):
                ray.shutdown()
            self._joined = False

    def _function(self) -> Callable[[BlockTask], BlockRecord | SimError]:
        return work_on_node


@contextlib.contextmanager
def _stderr_shut() -> Iterator[None]:
    """Keep the lines away that Ray's own code writes there for each try to connect, whatever its log level."""
    sys.stderr.flush()
    kept = os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 2)
    os.close(nothing)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _check_answers(address: str) -> None:
    """Raise `SimError` at once where nobody answers: Ray itself would wait for two minutes and end the process."""
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS", "auto")
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise SimError("cluster_unreachable", address=address, reason=error.strerror or error) from None


def _refusal(address: str, error: Exception) -> SimError:
    """Say why Ray did not let us in."""
    from ray.exceptions import AuthenticationError

    text = str(error)
    if isinstance(error, AuthenticationError):
        return SimError("cluster_no_token")
    if (found := _VERSIONS.search(text)) is not None:
        ray, python, own_ray, own_python = found.groups()
        return SimError("cluster_version", ray=ray, python=python, own_ray=own_ray, own_python=own_python)
    if "Failed to merge the Job's runtime env" in text:
        return SimError("cluster_job")
    if isinstance(error, ConnectionError):
        if "Could not find any running Ray" in text:
            return SimError("cluster_none")
        return SimError("cluster_refused", address=address, mode=os.environ.get("RAY_AUTH_MODE"))
    return SimError("cluster_failed", address=address, reason=text.partition("\n")[0].rstrip("."))


def work_on_node(task: BlockTask) -> BlockRecord | SimError:
    """Play a block in a worker that may be on another machine; what is wrong there comes back as a value."""
    node = platform.node()
    shipping.find_shipped()
    try:
        if run_file.load(task.folder).id != task.run:
            return SimError("node_folder", node=node, folder=task.folder)
        record = play_block(task)
    except SimError as error:
        if error.code in ("folder_missing", "run_missing", "run_inside", "folder_is_file"):
            return SimError("node_folder", node=node, folder=task.folder)
        if error.code == "code_differs":
            return SimError("node_differs", node=node, **error.values)
        if error.code == "strategy_wrong":
            return SimError(
                error.code, **{**error.values, **{key: f"{node}: {error.values[key]}" for key in ("en", "zh")}}
            )
        return error
    assert record is not None  # nobody stops it
    return record
