"""Do what the subcommands of `guandan` promise. Each function returns an exit code; heavy imports wait until needed."""

from __future__ import annotations

import sys

from rich.console import Console

from cluster.parsing import CommandLineError
from cluster.progress import tell
from cluster.texts import Pasted, Texts
from sim.errors import SimError
from sim.places import place
from sim.request import new_request

DEMO_X, DEMO_Y, DEMO_SEED = "greedy", "random", 1


def demo(t: Texts, pairs: int, out: str, on: str, workers: int | None, fresh: bool) -> int:
    """Play the demonstration and print its figures."""
    from cluster.running import perform, say_figures
    from sim import run, store

    folder = place(out)
    request = new_request(DEMO_X, DEMO_Y, pairs=pairs, seed=DEMO_SEED)
    if fresh and store.has_run(folder):
        if names := store.strangers(folder):  # a new run would be refused there
            raise SimError("remove_strangers", folder=folder, names=" ".join(names))
        with store.writing(folder):
            kept = store.remove(folder)
        if kept:
            tell(t("fresh_kept", folder=folder, names=" ".join(kept)))
    try:
        perform(t, run.start(request, folder), on=on, workers=workers)
    except SimError as error:
        if error.code in ("run_differs", "code_differs"):
            raise CommandLineError(t("demo_other", error=Pasted(t.error(error)))) from None
        raise
    say_figures(t, folder)
    return 0


def rules(t: Texts, first: str | None, second: str | None, as_json: bool) -> int:
    """List the rule sets, show one, or compare two."""
    from cluster import rule_pages

    rule_pages.write(t, first, second, as_json)
    return 0


def schema(t: Texts, as_json: bool) -> int:
    """Print the columns of the stored tables."""
    from cluster import schema_page

    schema_page.write(t, as_json)
    return 0


def sql(t: Texts, run: str, query: str | None, as_json: bool, as_csv: bool) -> int:
    """Ask a run in SQL."""
    from cluster import sql_page

    return sql_page.run(t, place(run), query, sql_page.form_of(t, as_json, as_csv))


def show(
    t: Texts,
    run: str | None,
    match_up: int | None,
    pair: int | None,
    leg: int | None,
    deal: int | None,
    state: str | None,
    rules: str | None,
    at: int | None,
    plays: bool,
    as_json: bool,
) -> int:
    """Replay one deal, exit code 1 if it differs from its stored row although the code is the same; or show a state."""
    key = {"RUN": run, "--pair": pair, "--leg": leg, "--deal": deal}
    if state is not None:
        if strangers := [name for name, value in {**key, "--match-up": match_up}.items() if value is not None]:
            raise CommandLineError(t("show_both", names=" ".join(strangers)))
        return _show_state(t, state, rules or "national", at, plays, as_json)
    if strangers := [
        name for name, value in (("--rules", rules), ("--at", at), ("--plays", plays or None)) if value is not None
    ]:
        raise CommandLineError(t("show_stateless", names=" ".join(strangers)))
    if run is None or pair is None or leg is None or deal is None:
        raise CommandLineError(t("show_missing", names=" ".join(name for name, value in key.items() if value is None)))
    from cluster import show as pages
    from sim.replay import replay

    found = replay(place(run), pair, leg, deal, match_up or 0)
    if as_json:
        print(pages.as_json(found))
    else:
        pages.write(_console(), t, found)
    return 1 if found.differences and not found.code_changed else 0


def _show_state(t: Texts, state: str, rules: str, at: int | None, plays: bool, as_json: bool) -> int:
    from cluster import position_page

    record = position_page.read(t, state, rules, at)
    if as_json:
        print(position_page.as_json(record, rules, plays))
    else:
        position_page.write(_console(), t, record, plays)
    return 0


def _console() -> Console:
    return Console(highlight=False, markup=False, emoji=False)


def strategies(t: Texts, name: str | None, as_json: bool) -> int:
    """List the strategies, or show one."""
    from cluster import strategy_pages

    strategy_pages.write(t, name, as_json)
    return 0


def check(
    t: Texts, strategy: str, positions: int, rules: str | None, seed: int, position: int | None, as_json: bool
) -> int:
    """Check a strategy, exit code 1 if it breaks a promise."""
    from cluster import check_page

    return check_page.run(t, strategy, rules, positions, seed, position, as_json)


def advise(
    t: Texts,
    state: str,
    strategy: str,
    rules: str,
    context: str | None,
    at: int | None,
    seed: int,
    as_json: bool,
) -> int:
    """Tell what a strategy would play at a position."""
    from cluster import advise_page

    return advise_page.run(t, _console(), state, strategy, rules, context, at, seed, as_json)


def moves(t: Texts) -> int:
    """Answer JSON lines until stdin ends."""
    from cluster.moves import serve

    serve(sys.stdin.buffer, sys.stdout, t)
    return 0


def dashboard(t: Texts, dir: str | None, port: int) -> int:
    """Start the page and wait for it."""
    from cluster.page import open_page

    return open_page(t, place("runs" if dir is None else dir), port)
