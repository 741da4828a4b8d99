"""A small run of nine blocks, and how to compare two runs."""

import signal
from pathlib import Path

from sim import store
from sim.request import TABLES, new_request
from sim.run import Progress

REQUEST = new_request("greedy", "random", pairs=90, seed=7, block_pairs=10)
ARGUMENTS = ("greedy", "random", "--pairs", "90", "--seed", "7", "--block-pairs", "10")
"""The same request on the command line."""


def heed_ctrl_c() -> None:
    """Let a child take SIGINT, for `preexec_fn`: it would be deaf if the tests themselves run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def quiet(state: Progress) -> None:
    """Report nothing."""


def data_of(folder: Path) -> dict[str, bytes]:
    """Read every committed data file of a run."""
    return {f"{name}/{path.name}": path.read_bytes() for name in TABLES for path in store.committed_files(folder, name)}
