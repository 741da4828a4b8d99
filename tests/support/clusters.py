"""Real clusters for tests: nodes on this machine in an environment that has Ray but not guandan-sim."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.compiling import ROOT

TOKEN = "5" * 64
SETTINGS = {
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": TOKEN,
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_memory_monitor_refresh_ms": "0",
    "PYTHONPATH": "",
}


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs.

    address: HOST:PORT. folder: where commands are started, with nothing of ours in it. packages: where those are that
    only the nodes have; they hide others of the same name.
    """

    address: str
    folder: Path
    packages: Path
    process: subprocess.Popen[str]

    def kill_last_node(self) -> None:
        """End a node without a word while it is at work, and return when it is gone."""
        self._have("kill")

    def add_node(self) -> None:
        """Add a node, and return when it is there."""
        self._have("add")

    def _have(self, what: str) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == "done\n"

    def start(self, *words: str, address: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start `guandan run` with words, in English, on this cluster or as `address` says."""
        program = "import sys; from cluster.cli import main; sys.exit(main())"
        return subprocess.Popen(
            [sys.executable, "-c", program, "run", *words, "--address", address or self.address, "--lang", "en"],
            cwd=self.folder,
            env={**os.environ, **SETTINGS, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, address: str = "", **environment: str) -> tuple[int, str]:
        """Do the same and wait; give the exit code and what was said on stderr."""
        process = self.start(*words, address=address, **environment)
        said = process.communicate(timeout=100)[1]
        return process.returncode, said


@contextmanager
def cluster(folder: Path, nodes: int) -> Iterator[Cluster]:
    """Run a cluster of a head without processors and nodes with one each. Its socket paths need a short folder."""
    place, started = folder / "nodes", folder / "started"
    venv.create(place, symlinks=True)
    inside = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    # A plain line adds the packages, without what their own .pth files would add: this project.
    (inside / "packages.pth").write_text(sysconfig.get_path("purelib") + "\n")
    started.mkdir()
    with subprocess.Popen(
        [str(place / "bin" / "python"), str(ROOT / "tests/support/two_nodes.py"), str(nodes)],
        cwd=started,
        env={**os.environ, **SETTINGS, "RAY_TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert ":" in address, "the cluster did not start"
        yield Cluster(address, started, inside, process)
        assert process.stdin is not None
        process.stdin.close()
