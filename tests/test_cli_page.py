"""`guandan dashboard`: serves on this machine only, ends on Ctrl-C, and refuses a port that is taken."""

import errno
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from cluster import page
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


def test_number_named_for_the_last_port_is_possible(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "_is_free", lambda port: port != 65_535)
    assert main(["dashboard", str(tmp_path), "--port", "65535", "--lang", "en"]) == 2
    assert "--port 65534\n" in capsys.readouterr().err


def test_page_that_may_not_read_its_folder_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "listdir", refuse)
    assert main(["dashboard", str(tmp_path), "--lang", "en"]) == 2
    assert capsys.readouterr().err == f"guandan: cannot read {tmp_path}: Permission denied\n"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGKILL, -9)])
def test_page_ends_with_the_command(tmp_path: Path, number: signal.Signals, code: int) -> None:
    port = free_port()
    line = [str(Path(sys.executable).with_name("guandan")), "dashboard", str(tmp_path), "--port", str(port)]
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=os.environ | {"LC_ALL": "C.UTF-8"}) as command:
        assert command.stderr is not None
        first = command.stderr.readline()
        assert f"there are no runs in {tmp_path} yet; this makes one:" in first
        assert first.endswith(f" demo --out {tmp_path}/demo\n")
        assert any(f"http://127.0.0.1:{port}" in line for line in command.stderr)
        command.send_signal(number)
        assert command.wait(10) == code
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.1)
    pytest.fail("the page is still served")


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
