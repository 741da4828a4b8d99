"""Play a run from the command line: say what happens, show progress, end cleanly on Ctrl-C."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from cluster import stopping
from cluster.invocation import command
from cluster.progress import shown, tell, unit_of
from cluster.signals import Stopped
from cluster.status_page import excluded_line
from cluster.texts import Texts
from sim import run, run_file, store
from sim.fault_rows import count_faults
from sim.places import Where
from sim.provenance import usable_cpus
from sim.status import status_of
from sim.stored_words import reason_word


def perform(t: Texts, session: run.Session, *, on: str, workers: int | None, address: str | None = None) -> None:
    """Play what is missing of a run, on the Ray cluster at `address` if one is given.

    Raises `SimError` for whatever the user can mend, and `Stopped` on Ctrl-C, after saying how to go on.
    """
    folder, blocks = session.run.folder, f"{session.blocks:,}"
    done = session.blocks - len(session.missing)
    if session.damaged:
        tell(t("run_damaged_blocks", count=len(session.damaged), names=" ".join(session.damaged)))
    if session.complete:
        run.finish(session)
        tell(t("run_complete", folder=folder, blocks=blocks))
        _tell_faults(t, session.run)
        return
    if session.resumed:
        tell(t("run_resumed", folder=folder, done=f"{done:,}", blocks=blocks))
    with store.writing(folder):  # tried before Ray is started, which takes seconds: another process may be at it
        stopping.forget(folder)
    request = session.run.request

    def announce(workers: int, where: str) -> None:
        tell(
            t(
                "run_new" if len(session.run.requests) == 1 else "run_new_several",
                x=request.names[0],
                y=request.names[1],
                match_ups=f"{len(session.run.requests):,}",
                pairs=f"{request.pairs:,}",
                rules=" ".join(dict.fromkeys(each.rules for each in session.run.requests)),
                seed=request.seed,
                blocks=blocks,
                workers=workers,
                on=where,
            )
        )

    try:
        with contextlib.ExitStack() as stack:
            if address is None:
                workers = min(workers or usable_cpus(), len(session.missing))
                announce(workers, on)
                executor = stack.enter_context(_executor(t, on, workers))
            else:  # how many workers there are is known once the cluster has answered
                names = tuple(dict.fromkeys(name for each in session.run.requests for name in (each.x, each.y)))
                executor = stack.enter_context(_on_cluster(t, address, workers, names))
                announce(executor.workers, address)
            report = stack.enter_context(shown(t, session.run))
            stack.enter_context(stopping.heeded(folder))
            try:
                end = run.play(session, executor, report)
            except KeyboardInterrupt:
                tell(t("stopping"))  # the end of Ray takes more than a second
                raise
    except KeyboardInterrupt:
        kept = len(store.committed_stems(folder))
        again = command(*sys.argv[1:])
        tell(t("run_stopped", done=f"{kept:,}", blocks=blocks, command=again))
        raise Stopped from None
    store.clear_half_written(folder)  # of workers that were killed or ended with Ray
    seconds, rate = f"{end.seconds_now:,.1f}", f"{end.rate:,.0f}"
    tell(t("run_done", matches=f"{end.matches_now:,}", unit=unit_of(t, session.run), seconds=seconds, rate=rate))
    _tell_faults(t, session.run)


def say_figures(t: Texts, folder: Where) -> None:
    """Print the figures of a run, of each match-up in a line where there are several, and where its data lie."""
    from sim import figures, overview

    made = run_file.load(folder)
    if len(made.requests) == 1:
        print(figures.as_text(figures.headline(folder), t.language))
    else:
        print(overview.as_text(overview.lines(made), t.language))
    if line := excluded_line(t, status_of(folder)):
        print(line)
    print(t("data_at", folder=folder, tables=" ".join(f"{name}/*.parquet" for name in made.tables)))
    print(t("page_open", command=command("dashboard", str(folder))))


def _tell_faults(t: Texts, made: run_file.Run) -> None:
    """Say which strategy failed, how often and why, and how to see the first deal that was judged for it."""
    for number in range(len(made.requests)):
        for count in count_faults(made.folder, number):
            word = reason_word(count.reason)
            pair, leg, deal = map(str, count.first)
            which = ("--match-up", str(number)) if number else ()
            shown = command("show", str(made.folder), *which, "--pair", pair, "--leg", leg, "--deal", deal)
            tell(
                t(
                    "run_faults",
                    name=made.at(number).request.names["xy".index(count.side)],
                    deals=f"{count.deals:,}",
                    forfeits=f"{count.forfeits:,}",
                    reason=word.zh if t.language == "zh" else word.en,
                    command=shown,
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
    with RayExecutor(workers, *_telling(t)) as executor:
        yield executor


@contextlib.contextmanager
def _on_cluster(t: Texts, address: str, workers: int | None, strategies: tuple[str, ...]) -> Iterator[run.Executor]:
    from cluster.ray_cluster import ClusterExecutor

    tell(t("ray_joining", address=address))
    with ClusterExecutor(address, strategies, workers, *_telling(t)) as executor:
        yield executor


def _telling(t: Texts) -> tuple[Callable[[int], None], Callable[[], None], Callable[[int], None]]:
    return (
        lambda block: tell(t("block_again", block=block)),
        lambda: tell(t("stopping")),
        lambda block: tell(t("block_late", block=block)),
    )
