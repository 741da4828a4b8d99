"""Do what the commands about runs promise: play one, go on with it, widen it, stop it, say how far it is, plan it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from cluster import stopping
from cluster.invocation import command
from cluster.parsing import CommandLineError
from cluster.progress import tell
from cluster.texts import Texts
from sim import experiment, pilot
from sim import run as runs
from sim.experiment import Experiment
from sim.places import place
from sim.request import Stopping
from sim.status import Status, status_of


def run(
    t: Texts, strategies: tuple[str, ...], out: str, on: str, address: str | None, workers: int | None, **given: Any
) -> int:
    """Play an experiment, print its figures and say where it is."""
    from cluster.running import perform, say_figures

    _check_place(t, on, address)
    asked = _experiment(t, strategies, given)
    folder = place(out)
    requests = asked.requests()
    if asked.block_pairs is None:
        requests = pilot.cut(requests, folder)
    perform(t, runs.start(requests, folder, asked.aims), on=on, workers=workers, address=address)
    say_figures(t, folder)
    return 0


def _check_place(t: Texts, on: str, address: str | None) -> None:
    if address is not None and on == "local":
        raise CommandLineError(t("address_local"))


def _experiment(t: Texts, strategies: tuple[str, ...], given: dict[str, Any]) -> Experiment:
    """Make the experiment of a command line: of a file, if one is named, changed by the options that were written."""
    if given["test"] is not None:
        given["test"] = _test(t, given["test"])
    if len(strategies) != 1 or not strategies[0].endswith(".toml"):
        return experiment.make({"strategies": strategies, **given})
    context = click.get_current_context()
    written = {
        name: value
        for name, value in given.items()
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    return experiment.make({**experiment.read_file(Path(strategies[0])), **written})


def _test(t: Texts, text: str) -> Stopping:
    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise CommandLineError(t("test_form", value=text)) from None
    return Stopping(elo0=elo0, elo1=elo1)


def resume(t: Texts, run: str, on: str, address: str | None, workers: int | None) -> int:
    """Go on with the run in a place."""
    from cluster.running import perform, say_figures

    _check_place(t, on, address)
    folder = place(run)
    perform(t, runs.resume(folder), on=on, workers=workers, address=address)
    say_figures(t, folder)
    return 0


def extend(
    t: Texts,
    run: str,
    strategies: tuple[str, ...],
    pairs: int | None,
    rules: tuple[str, ...],
    on: str,
    address: str | None,
    workers: int | None,
) -> int:
    """Ask more of a run and play it."""
    from cluster.running import perform, say_figures

    _check_place(t, on, address)
    if not (strategies or rules or pairs):
        raise CommandLineError(t("extend_nothing"))
    folder = place(run)
    opened = runs.resume(folder)
    before = opened.run.requests
    asked = experiment.wider(before, pairs=pairs, strategies=strategies, rules=rules)
    if asked == before and opened.complete:
        raise CommandLineError(t("extend_nothing"))
    if asked != before:  # else the same command comes again, to go on with an extension that was stopped
        opened = runs.extend(folder, pilot.cut(asked, folder))
    perform(t, opened, on=on, workers=workers, address=address)
    say_figures(t, folder)
    return 0


def stop(t: Texts, run: str) -> int:
    """Ask whoever plays a run to stop, and wait until it has."""
    folder = place(run)
    state = status_of(folder)
    if state.owner is None:
        print(t("stop_idle", folder=folder))
        return 0
    stopping.ask(folder)
    tell(t("stop_asked", owner=state.owner))
    while (state := status_of(folder)).owner is not None:
        time.sleep(0.2)
    again = command("resume", str(folder))
    print(t("stop_done", done=f"{state.blocks_done:,}", blocks=f"{state.blocks:,}", command=again))
    return 0


def status(t: Texts, run: str, watch: bool, as_json: bool) -> int:
    """Say how far a run is; with `watch` until it is done or nobody plays it."""
    from cluster import status_page

    folder = place(run)
    while True:
        state: Status = status_of(folder)
        print(json.dumps(status_page.as_values(state)) if as_json else status_page.as_text(t, state), flush=True)
        if not watch or state.complete or state.owner is None:
            return 0
        time.sleep(2.0)


def report(t: Texts, run: str, match_up: int | None, as_json: bool, html: str | None) -> int:
    """Write the report of a run."""
    from cluster import report_page

    return report_page.write(t, place(run), match_up, as_json, html)


def compare(t: Texts, match_ups: tuple[str, ...], measures: tuple[str, ...], as_json: bool) -> int:
    """Compare match-ups on their common pairs."""
    from cluster import report_page

    return report_page.compare(t, match_ups, measures, as_json)


def scorecard(t: Texts, run: str, reference: str | None, as_json: bool) -> int:
    """Judge the rule sets of a run against one of them."""
    from cluster import report_page

    return report_page.card(t, place(run), reference, as_json)


def plan(t: Texts, strategies: tuple[str, ...], workers: int | None, as_json: bool, **given: Any) -> int:
    """Say what an experiment would take, from a pilot of each match-up."""
    from cluster import plan_page

    asked = _experiment(t, strategies, given)
    plan_page.write(t, asked.requests(), asked.block_pairs, workers, as_json)
    return 0


def tribute(
    t: Texts,
    strategy: str,
    other: str | None,
    out: str,
    policies: tuple[str, ...],
    **given: Any,
) -> int:
    """Play a study of tribute and print its figures."""
    from cluster import tribute_page

    return tribute_page.run(t, strategy, other, place(out), policies, **given)
