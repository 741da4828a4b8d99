"""Small real runs for tests of what reads them."""

from pathlib import Path

from sim import run
from sim.request import Detail, new_request


def make_run(
    folder: Path, x: str, y: str, pairs: int, *, detail: Detail = "deals", seed: int = 11, block_pairs: int = 100
) -> Path:
    """Play a run in this process and give its folder."""
    request = new_request(x, y, pairs=pairs, seed=seed, detail=detail, block_pairs=block_pairs)
    run.play(run.start(request, folder), run.LocalExecutor(1), lambda _: None)
    return folder
