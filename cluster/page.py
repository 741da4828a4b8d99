"""Start the program of the page as a process of its own, on this machine only, and end it on Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from cluster.parsing import CommandLineError
from cluster.progress import tell
from cluster.texts import Texts
from dashboard import launch
from sim.errors import SimError

_HOST = "127.0.0.1"
_SECONDS_TO_START = 60
_SECONDS_TO_END = 5


def open_page(t: Texts, folder: Path, port: int) -> int:
    """Serve the page over the runs in a folder until Ctrl-C; returns 0 then, or 1 if the program ends by itself."""
    if not folder.is_dir():
        raise SimError("folder_is_file" if folder.exists() else "folder_missing", folder=folder)
    if not _is_free(port):
        other = next((n for n in range(port + 1, min(port + 100, 65_536)) if _is_free(n)), 0)
        raise CommandLineError(t("port_taken", port=port, other=other))
    line, variables = launch.command(folder, port, t.language)
    with _process(line, {**os.environ, **variables}) as process, contextlib.suppress(KeyboardInterrupt):
        if _wait_until_open(process, port):
            tell(t("page_at", url=f"http://{_HOST}:{port}"))
            process.wait()
        tell(t("page_failed", code=process.poll()))
        return 1
    return 0


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


@contextlib.contextmanager
def _process(line: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process in a session of its own, so that Ctrl-C reaches it once, from here; it ends with the block."""
    process = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
