"""`guandan dashboard`: serves on this machine only, ends on Ctrl-C, and refuses a port that is taken."""

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from cluster.cli import main
from tests.support.small_run import heed_ctrl_c


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_taken_port_is_refused_with_a_free_one_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["dashboard", str(tmp_path), "--port", str(port), "--lang", "en"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert f"port {port} is taken" in err
    assert re.search(r"--port \d+\n", err)


def test_page_is_served_until_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    command = [str(Path(sys.executable).with_name("guandan")), "dashboard", str(tmp_path), "--port", str(port)]
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    with subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    ) as page:
        assert page.stderr is not None
        assert any(f"http://127.0.0.1:{port}" in line for line in page.stderr)  # after lines of the server itself
        with urllib.request.urlopen(f"http://127.0.0.1:{port}", timeout=10) as answer:
            assert answer.status == 200
        os.killpg(page.pid, signal.SIGINT)
        _, rest = page.communicate(timeout=10)
        assert page.returncode == 0
        assert "Traceback" not in rest
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0
