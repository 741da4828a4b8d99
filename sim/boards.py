"""Find the boards of a run: single deals from given contexts, as lines of text that go into its request.

A specification is one of four: the word `uniform`, the folder of a run, a text file, or a context itself.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from engine.cards import LEVELS
from engine.context import Context, ContextError, draw_below, uniform_contexts
from engine.rules import Rules
from sim import run_file
from sim.errors import SimError
from sim.exclusions import excluded_blocks
from sim.places import Where, place
from sim.reading import Tables, open_tables, snapshot
from sim.request import MAX_BOARDS, context_error
from sim.run_file import Run

DRAWN: Final = 5000
"""Most contexts that are drawn; a run with more pairs goes through them again, with other cards.

Its interval is then that of these contexts: what another draw of them would give is not in it.
"""

UNIFORM: Final = "uniform"


def find_boards(spec: str, pairs: int, seed: int) -> tuple[str, ...]:
    """Give the context lines of a specification for a run of `pairs` pairs with this seed.

    `uniform` draws contexts evenly; the folder of a run samples those of its matches, or takes the boards of a run of
    boards; a file holds one a line, where `#` begins a comment; and a context is taken as it is. Raises `SimError` that
    names what is wrong and the four ways.
    """
    if spec == UNIFORM:
        return tuple(map(str, uniform_contexts(min(pairs, DRAWN), seed)))
    if spec.startswith(("s3://", "gs://")):
        return sample_run(place(spec), min(pairs, DRAWN), seed)
    path = Path(spec)
    is_folder = is_file = False
    with contextlib.suppress(OSError):  # what cannot be the name of a file, such as one too long, is none
        is_folder, is_file = path.is_dir(), path.is_file()
    if is_folder:
        return sample_run(path, min(pairs, DRAWN), seed)
    if is_file:
        return _read_lines(path)
    if len(spec.split()) < 2:
        raise SimError("boards_unknown", value=spec)
    return (str(_parse(spec)),)


def _parse(line: str, place: str = "--boards") -> Context:
    try:
        return Context.parse(line)
    except ContextError as error:
        raise context_error(error, place) from None


def _read_lines(path: Path) -> tuple[str, ...]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise SimError("file_unreadable", path=path, reason="UTF-8") from None
    except OSError as error:
        raise SimError("file_unreadable", path=path, reason=error.strerror) from None
    lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0].strip()
        if written:
            lines.append(str(_parse(written, f"{path}:{number}")))
    if not 1 <= len(lines) <= MAX_BOARDS:
        raise SimError("boards_range", value=len(lines), limit=MAX_BOARDS)
    return tuple(lines)


def sample_run(folder: Where, n: int, seed: int) -> tuple[str, ...]:
    """Draw `n` contexts from the deals of a finished run, of its first match-up, with equal chance and replacement.

    Draw i comes from a stream keyed by (seed, i), so that the lines are a function of the two runs' requests. Boards
    have no deal before them: a run of boards gives its own. Left out are tie-break deals, and deals after a judged one,
    whose lead no rule decides. Raises `SimError` if the folder is no run, is not finished, has excluded blocks, or
    keeps no deals.
    """
    run = run_file.load(folder)
    if run.request.boards is not None:
        return run.request.boards
    if run.request.detail != "deals":
        raise SimError("boards_no_deals", folder=folder, detail=run.request.detail)
    if out := sum(block.match_up == run.match_up for block in excluded_blocks(run)):
        raise SimError("boards_excluded", folder=folder, count=out)
    taken = snapshot(folder, run.match_up)
    if taken.blocks < run.request.blocks:
        raise SimError("boards_unfinished", folder=folder, done=taken.blocks, blocks=run.request.blocks)
    with open_tables(taken) as tables:
        return tuple(str(context) for context in _sample(tables, run, n, seed))


_ELIGIBLE: Final = """
select pair, leg, deal, end_reason <> 'first_out' and coalesce(before, '') not in ('judged', 'judged_last') as eligible
from (select pair, leg, deal, end_reason, lag(end_reason) over (partition by pair, leg order by deal) as before
      from deals)
"""

_DRAWN: Final = f"""
with chosen as materialized (
    select pair, leg, deal, row_number() over (order by pair, leg, deal) - 1 as place
    from ({_ELIGIBLE}) where eligible)
select place, pair, leg, deal from chosen join (select distinct unnest($places::bigint[]) as place) using (place)
"""

_MATCHES: Final = """
select pair, leg, x_level_before, y_level_before, x_level_after, y_level_after, declarer, winner, a_attempt,
       finish_order
from deals join (select unnest($pairs::bigint[]) as pair, unnest($legs::tinyint[]) as leg) using (pair, leg)
order by pair, leg, deal
"""

_COUNT: Final = f"select count(*) from ({_ELIGIBLE}) where eligible"


def _sample(tables: Tables, run: Run, n: int, seed: int) -> Iterator[Context]:
    ((deals,),) = tables.rows(_COUNT)
    places = [next(draw_below((deals,), seed, board)) for board in range(n)]
    drawn = {place: (pair, leg, deal) for place, pair, leg, deal in tables.rows(_DRAWN, {"places": places})}
    keys = sorted({(pair, leg) for pair, leg, _ in drawn.values()})
    matches: dict[tuple[int, int], list[Row]] = defaultdict(list)
    values = {"pairs": [pair for pair, _ in keys], "legs": [leg for _, leg in keys]}
    for pair, leg, *row in tables.rows(_MATCHES, values):
        matches[pair, leg].append(tuple(row))
    rules = run.request.make_rules()
    found = {key: contexts_of_match(matches[key], key[1], rules) for key in keys}
    for index in places:
        pair, leg, deal = drawn[index]
        yield found[pair, leg][deal - 1]


Row = tuple[int, int, int, int, str | None, str, str, str]
"""Of one deal: levels of x and y before and after it (2-14), declarer, winner, result at A, finishing order."""


def contexts_of_match(deals: Sequence[Row], leg: int, rules: Rules) -> list[Context]:
    """Give the context before each deal of a match, from its rows in order, the exchange on.

    The rules decide who leads, except where the seats take turns and the number of the deal does. Failed tries are
    counted as these rules count them. Places are those of seats 0, 2 and 1, 3: side x sits on the first in leg 1.
    """
    in_turn = rules.first_lead == "rotation"
    contexts: list[Context] = []
    order: tuple[int, ...] | None = None
    fails = {"x": 0, "y": 0}
    sides = "xy" if leg == 1 else "yx"
    for x_before, y_before, x_after, y_after, declarer, winner, attempt, finish_order in deals:
        before, after = {"x": x_before, "y": y_before}, {"x": x_after, "y": y_after}
        first, second = (LEVELS[before[side] - 2] for side in sides)
        lead = len(contexts) % 4 if in_turn else None
        contexts.append(Context((first, second), order, (fails[sides[0]], fails[sides[1]]), lead))
        order = tuple(int(c) for c in finish_order if c.isdigit())
        if declarer is None or not rules.a_fail_limit or attempt not in ("deal_lost", "partner_last"):
            continue
        partner_last = winner == declarer and order[3] == order[0] ^ 2
        fails[declarer] += rules.a_fail_counts == "every" or partner_last
        if after[declarer] != 14:  # it dropped, and begins to count anew
            fails[declarer] = 0
    return contexts
