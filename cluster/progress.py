"""Show how far a run is: a bar on a terminal, single lines elsewhere; on stderr, so that stdout holds results only."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from cluster.texts import Texts
from sim import run
from sim.run_file import Run

_SECONDS_BETWEEN_LINES = 10.0


_MOST_BARS = 12


@contextmanager
def shown(t: Texts, played: Run) -> Iterator[Callable[[run.Progress], None]]:
    """Give a function that takes the state of a run and shows it: a bar a match-up, and one for all of them."""
    if sys.stderr.isatty():
        with _bar() as bar:
            yield _on_bar(bar, t, played)
    else:
        yield _in_lines(t, unit_of(t, played))


def unit_of(t: Texts, played: Run) -> str:
    """Say what a run plays: matches, or single deals from boards."""
    return t("unit_matches" if played.request.boards is None else "unit_deals")


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _on_bar(bar: Progress, t: Texts, played: Run) -> Callable[[run.Progress], None]:
    single = len(played.requests) == 1
    of_match_ups = [
        bar.add_task(f"{' v '.join(each.names)} {each.rules}", total=each.pairs, state="")
        for each in played.requests[: 0 if single else _MOST_BARS]
    ]
    task = bar.add_task(t("bar"), total=None, state="")
    unit = unit_of(t, played)

    def show(state: run.Progress) -> None:
        text = f"{state.matches_done:,}/{state.matches:,} {unit}"
        if state.rate > 0:
            text += f"  {state.rate:,.0f} {unit}/{t('unit_second')}  {t('unit_left')} {clock(state.seconds_left)}"
        if state.faults:
            text += f"  {t('unit_faults')} {state.faults:,}"
        for each, request, pairs in zip(of_match_ups, played.requests, state.pairs_done, strict=False):
            bar.update(each, completed=pairs, state=f"{pairs:,}/{request.pairs:,} {t('unit_pairs')}")
        bar.update(task, total=state.matches, completed=state.matches_done, state=text)

    return show


def _in_lines(t: Texts, unit: str) -> Callable[[run.Progress], None]:
    last = time.monotonic()

    def show(state: run.Progress) -> None:
        nonlocal last
        if time.monotonic() - last < _SECONDS_BETWEEN_LINES or state.blocks_done == state.blocks:
            return
        last = time.monotonic()
        tell(
            t(
                "plain",
                done=state.blocks_done,
                blocks=state.blocks,
                matches=f"{state.matches_done:,}",
                unit=unit,
                rate=f"{state.rate:,.0f}",
                left=clock(state.seconds_left),
            )
        )

    return show


@contextmanager
def counted(t: Texts, total: int) -> Iterator[Callable[[int], None]]:
    """Give a function that takes how many positions of `total` were asked and shows it."""
    if sys.stderr.isatty():
        with _bar() as bar:
            task = bar.add_task(t("checking"), total=total, state="")
            yield lambda done: bar.update(
                task, completed=done, state=t("counted", done=f"{done:,}", total=f"{total:,}")
            )
        return
    last = time.monotonic()

    def show(done: int) -> None:
        nonlocal last
        if time.monotonic() - last >= _SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            tell(t("counted", done=f"{done:,}", total=f"{total:,}"))

    yield show


@contextmanager
def staged(t: Texts) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function that takes a stage (a key `stage_...` of the texts), and how much of how much of it is done."""
    bar = _bar() if sys.stderr.isatty() else None
    task = bar.add_task("", total=None, state="") if bar is not None else None
    began = last = time.monotonic()
    at = ""

    def show(stage: str, done: int, total: int) -> None:
        nonlocal at, began, last
        now = time.monotonic()
        if stage != at:
            at, began = stage, now
        line = t(f"stage_{stage}", done=f"{done:,}", total=f"{total:,}")
        if 0 < done < total:
            line = t("stage_left", stage=line, left=clock((now - began) / done * (total - done)))
        if bar is not None and task is not None:
            bar.update(task, total=max(total, 1), completed=done, state=line)
        elif now - last >= _SECONDS_BETWEEN_LINES:
            last = now
            tell(line)

    if bar is None:
        yield show
    else:
        with bar:
            yield show


def clock(seconds: float | None) -> str:
    """Show a span as h:mm:ss; "?" if it is not known."""
    if seconds is None:
        return "?"
    whole = round(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def tell(line: str) -> None:
    """Print a line on stderr; where that cannot be written, nothing is said and the work goes on."""
    with suppress(OSError):
        print(line, file=sys.stderr, flush=True)
