"""Start the program of the page as a process of its own, on this machine only, and end it on Ctrl-C."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from cluster.invocation import command
from cluster.parsing import CommandLineError
from cluster.progress import tell
from cluster.signals import Ended
from cluster.texts import Texts
from dashboard import launch
from sim import store
from sim.errors import SimError
from sim.places import Place

_HOST = "127.0.0.1"
_SECONDS_TO_START = 60
_SECONDS_TO_END = 5
_SIGNAL_AT_PARENTS_DEATH = 1  # PR_SET_PDEATHSIG of prctl(2)


def open_page(t: Texts, folder: Place, port: int) -> int:
    """Serve the page over the runs in a place: `Ended` on Ctrl-C, 1 if the program of the page ends by itself."""
    fill = command("demo", "--out", str(folder / "demo"))
    try:
        folder.check()
    except SimError as error:
        if error.code == "folder_missing":
            raise CommandLineError(t("page_no_folder", folder=folder, command=fill)) from None
        raise
    runs = store.find_runs(folder)
    if not _is_free(port):
        near = (*range(port + 1, min(port + 100, 65_536)), *range(port - 1, max(port - 100, 1_023), -1))
        raise CommandLineError(t("port_taken", port=port, other=next(filter(_is_free, near), port ^ 1)))
    if not runs:
        tell(t("page_empty", folder=folder, command=fill))
    line, variables = launch.command(folder, port, t.language)
    try:
        with _process(line, {**os.environ, **variables}) as process:
            if _wait_until_open(process, port):
                tell(t("page_at", url=f"http://{_HOST}:{port}"))
                process.wait()
            tell(t("page_failed", code=process.poll()))
            return 1
    except KeyboardInterrupt:
        raise Ended from None


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As the server does it: a port whose last connection has just been closed is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_HOST, port))
        except OSError:
            return False
    return True


def _wait_until_open(process: subprocess.Popen[bytes], port: int) -> bool:
    end = time.monotonic() + _SECONDS_TO_START
    while process.poll() is None and time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection((_HOST, port), timeout=1):
            return True
        time.sleep(0.1)
    return False


def _end_with(parent: int) -> Callable[[], None] | None:
    """Give what a new process does so that it ends with its parent, even if that is killed; Linux only."""
    if not sys.platform.startswith("linux"):
        return None
    control = ctypes.CDLL(None).prctl  # looked up here: after the fork as little as possible is done

    def follow() -> None:
        control(_SIGNAL_AT_PARENTS_DEATH, int(signal.SIGTERM))
        if os.getppid() != parent:  # it has ended already
            os._exit(1)

    return follow


@contextlib.contextmanager
def _process(line: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process in a session of its own, so that Ctrl-C reaches it once, from here; it ends with the block."""
    process = subprocess.Popen(
        line, env=environment, stdout=subprocess.DEVNULL, start_new_session=True, preexec_fn=_end_with(os.getpid())
    )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
