"""Play a run from the command line: say what happens, show progress, end cleanly on Ctrl-C."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from cluster.invocation import command
from cluster.progress import shown, tell
from cluster.signals import Stopped
from cluster.texts import Texts
from sim import run, store
from sim.fault_rows import count_faults
from sim.provenance import usable_cpus
from sim.request import RunRequest
from sim.stored_words import reason_word


def perform(t: Texts, request: RunRequest, folder: Path, *, on: str, workers: int | None) -> None:
    """Play what is missing of a run.

    Raises `SimError` for whatever the user can mend, and `Stopped` on Ctrl-C, after saying how to go on.
    """
    session = run.start(request, folder)
    done = request.blocks - len(session.missing)
    if session.damaged:
        tell(t("run_damaged_blocks", count=len(session.damaged), names=" ".join(session.damaged)))
    if session.complete:
        tell(t("run_complete", folder=folder, blocks=f"{request.blocks:,}"))
        _tell_faults(t, request, folder)
        return
    if session.resumed:
        tell(t("run_resumed", folder=folder, done=f"{done:,}", blocks=f"{request.blocks:,}"))
    with store.writing(folder):  # tried before Ray is started, which takes seconds: another process may be at it
        pass
    workers = min(workers or usable_cpus(), len(session.missing))
    tell(
        t(
            "run_new",
            x=request.names[0],
            y=request.names[1],
            pairs=f"{request.pairs:,}",
            rules=request.rules,
            seed=request.seed,
            blocks=f"{request.blocks:,}",
            workers=workers,
            on=on,
        )
    )
    try:
        with _executor(t, on, workers) as executor, shown(t) as report:
            try:
                end = run.play(session, executor, report)
            except KeyboardInterrupt:
                tell(t("stopping"))  # the end of Ray takes more than a second
                raise
    except KeyboardInterrupt:
        kept = len(store.committed_stems(folder))
        again = command(*sys.argv[1:])
        tell(t("run_stopped", done=f"{kept:,}", blocks=f"{request.blocks:,}", command=again))
        raise Stopped from None
    seconds, rate = f"{end.seconds_now:,.1f}", f"{end.rate:,.0f}"
    tell(t("run_done", matches=f"{end.matches_now:,}", seconds=seconds, rate=rate))
    _tell_faults(t, request, folder)


def _tell_faults(t: Texts, request: RunRequest, folder: Path) -> None:
    """Say which strategy failed, how often and why, and how to see the first deal that was judged for it."""
    for count in count_faults(folder):
        word = reason_word(count.reason)
        pair, leg, deal = map(str, count.first)
        tell(
            t(
                "run_faults",
                name=request.names["xy".index(count.side)],
                deals=f"{count.deals:,}",
                forfeits=f"{count.forfeits:,}",
                reason=word.zh if t.language == "zh" else word.en,
                command=command("show", str(folder), "--pair", pair, "--leg", leg, "--deal", deal),
            )
        )


@contextlib.contextmanager
def _executor(t: Texts, on: str, workers: int) -> Iterator[run.Executor]:
    """Make the executor; Ray is imported only if it is asked for."""
    if on == "local":
        yield run.LocalExecutor(workers)
        return
    from cluster.ray_executor import RayExecutor

    tell(t("ray_starting"))
    lost, stopping = (lambda block: tell(t("block_again", block=block))), (lambda: tell(t("stopping")))
    with RayExecutor(workers, lost, stopping) as executor:
        yield executor
