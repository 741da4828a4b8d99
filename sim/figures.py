"""Compute the headline figures of a run: score, tribute, pass-A, promotion and length.

They come from `pairs/`, which every run keeps, so that they cost the same whatever else is recorded; from `deals/`
the same numbers follow by the statements of `sim.counts`. The command line and the page both show what is computed
here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.rules import NATIONAL, Rules
from sim import counts, glossary, run_file
from sim.errors import Language, SimError
from sim.places import Where
from sim.reading import Snapshot, Tables, open_tables, snapshot
from sim.stats import (
    ClusterSums,
    Duplicate,
    DuplicateSteps,
    Estimate,
    LevelModel,
    LevelSolution,
    NotEstimable,
    cluster_rate,
    cluster_ratio,
    duplicate,
    duplicate_steps,
    enough,
    refusal_probability,
)

Figure = Estimate | NotEstimable

SIDES: Final[tuple[counts.Side, counts.Side]] = ("x", "y")
TRIBUTE_PAYERS: Final = {"single": 1, "double": 2}
TRY_RESULTS: Final = ("passed", "deal_lost", "partner_last")
STEPS: Final = ("3", "2", "1")


@dataclass(frozen=True, slots=True)
class Score:
    """Say how strong x is.

    `match` and `seat` are those of `duplicate` with at least 30 pairs. `deal_win` and `signed_steps` (levels a deal,
    positive for x) look at deals instead of matches. `boards` is of a run of boards, one deal each in two legs, and
    None for matches.
    """

    duplicate: Duplicate
    match: Figure
    seat: Figure
    deal_win: Figure
    signed_steps: Figure
    boards: DuplicateSteps | None = None


@dataclass(frozen=True, slots=True)
class Tribute:
    """Refusals of single and double tribute, what counting the deck says, and wins of the side that receives.

    `next_win` is keyed single, double, refused. `expected` is empty under rules without tribute.
    """

    refusal: Mapping[str, Figure]
    expected: Mapping[str, float]
    next_win: Mapping[str, Figure]


@dataclass(frozen=True, slots=True)
class PassA:
    """Deals that a side plays at its own A: share of each result, and how many there are a match."""

    results: Mapping[str, Figure]
    tries_per_match: Figure


@dataclass(frozen=True, slots=True)
class Length:
    """Deals a match; `capped` matches were ended by the technical safety cap."""

    deals: Figure
    capped: int


@dataclass(frozen=True, slots=True)
class Headline:
    """Hold the headline figures of a run with what they are of. Keys of `pass_a` and `steps` are the sides x and y.

    `played` is None for rules that are not known here.
    """

    x: str
    y: str
    rules: str
    played: Rules | None
    pairs: int
    matches: int
    deals: int
    asked_pairs: int
    score: Score
    tribute: Tribute
    pass_a: Mapping[counts.Side, PassA]
    steps: Mapping[counts.Side, Mapping[str, Figure]]
    length: Length


def share(found: Mapping[str, Mapping[str, ClusterSums]], part: str, cell: str) -> Figure:
    """Give the rate of a cell within its part; a cell that never occurred has the rate 0, with its interval."""
    cells = found.get(part)
    if not cells:
        return NotEstimable("no_data")
    sums = cells.get(cell)
    if sums is None:
        other = next(iter(cells.values()))
        sums = ClusterSums(other.clusters, other.n, 0, other.nn, 0, 0)
    return enough(cluster_rate(sums))


def rate_of_half_points(sums: ClusterSums) -> Figure:
    """Give a match score where y counts half points and n matches."""
    return enough(cluster_rate(sums, scale=2))


def ratio(found: Mapping[str, ClusterSums], cell: str) -> Figure:
    """Give the mean of a cell."""
    return enough(cluster_ratio(found[cell])) if cell in found else NotEstimable("no_data")


def _rules(run: run_file.Run) -> Rules | None:
    """Find the rules of a run; None for a rule set that this version does not know."""
    try:
        return run.request.make_rules()
    except SimError:
        return None


def expected_refusal(rules: Rules | None) -> dict[str, float]:
    """Count how often tribute should be refused under these rules; empty where none is paid, or they are not known."""
    if rules is None or not rules.tribute:
        return {}
    small = rules.refuse_with_small_jokers
    return {kind: float(refusal_probability(payers, small=small)) for kind, payers in TRIBUTE_PAYERS.items()}


_LEVEL_RULES: Final = (
    *("steps", "a_plus", "win_on_reaching_a", "a_fail_limit", "ace_last_play"),
    *("start_levels", "limit_deals", "limit_minutes"),
)
"""The rules by which levels move and matches end: the model knows the national values only."""


def level_model(figures: Headline) -> LevelSolution | NotEstimable:
    """Solve the coin-flip model with the run's own deal win rate and step shares, deals being independent.

    NotEstimable where those are, and under rules for which the model by levels alone is not exact: a limit of failed
    tries or of deals, other steps, a match that ends on reaching A; and for boards, which are no matches.
    """
    known, won = figures.played, figures.score.deal_win
    shares = [[figures.steps[side][k] for k in reversed(STEPS)] for side in SIDES]
    values = [[figure.value for figure in side if isinstance(figure, Estimate)] for side in shares]
    if figures.score.boards is not None:
        return NotEstimable("no_data")
    if known is None or any(getattr(known, name) != getattr(NATIONAL, name) for name in _LEVEL_RULES):
        return NotEstimable("no_data")
    if not isinstance(won, Estimate) or any(len(side) != len(STEPS) for side in values):
        return NotEstimable("no_data")
    x, y = ((one, two, max(0.0, 1 - one - two)) for one, two, _ in values)
    pass_steps = {"second": 3, "third": 2, "last": 1}[known.pass_a_partner]
    return LevelModel(won.value, x, y, pass_steps=pass_steps).solve()


def headline(folder: Where, match_up: int = 0) -> Headline:
    """Compute the headline figures of the committed blocks of a match-up.

    Raises `SimError` for a folder that is no run or whose files are damaged. A run without blocks has no number but
    gives a result.
    """
    return headline_at(snapshot(folder, match_up), run_file.load(folder, match_up))


def headline_at(taken: Snapshot, run: run_file.Run) -> Headline:
    """Compute the headline figures of the match-up that `run` looks at, from a snapshot of it."""
    with open_tables(taken) as tables:
        return headline_in(tables, run)


def headline_in(tables: Tables, run: run_file.Run) -> Headline:
    """Compute the headline figures of a match-up from its open tables."""
    ((pairs, matches, deals, capped, most_legs),) = tables.rows(counts.PAIR_TOTALS)
    means = counts.ratios(tables, counts.PAIR_MEANS)
    refusals = counts.shares(tables, counts.PAIR_REFUSALS)
    wins = counts.shares(tables, counts.PAIR_NEXT_WIN)
    results = counts.shares(tables, counts.PAIR_TRIES)
    steps = counts.shares(tables, counts.PAIR_STEPS)
    tribute = Tribute(
        refusal={kind: share(refusals, kind, "refused") for kind in TRIBUTE_PAYERS},
        expected=expected_refusal(_rules(run)),
        next_win={kind: share(wins, kind, "won") for kind in ("single", "double", "refused")},
    )
    return Headline(
        x=run.request.names[0],
        y=run.request.names[1],
        rules=run.request.rules,
        played=_rules(run),
        pairs=pairs,
        matches=int(matches),
        deals=int(deals),
        asked_pairs=run.request.pairs,
        score=_score(tables, means, pairs if most_legs == 1 else 0, run.request.boards is not None),
        tribute=tribute,
        pass_a={
            side: PassA({name: share(results, side, name) for name in TRY_RESULTS}, ratio(means, f"{side} tries"))
            for side in SIDES
        },
        steps={side: {k: share(steps, side, k) for k in STEPS} for side in SIDES},
        length=Length(ratio(means, "deals a match"), int(capped)),
    )


def _score(tables: Tables, means: Mapping[str, ClusterSums], single_legs: int, of_boards: bool) -> Score:
    results = {(first, second): count for first, second, count in tables.rows(counts.PAIR_RESULTS)}
    legs = duplicate(results)
    won = share(counts.shares(tables, counts.PAIR_DEALS_WON), "all", "x")
    signed = ratio(means, "signed steps")
    boards = _boards(tables, single_legs) if of_boards else None
    if single_legs:
        same = NotEstimable("same_strategy", single_legs, single_legs)
        deals = NotEstimable("same_strategy", single_legs, won.events)
        return Score(legs, same, same, deals, deals, boards)
    return Score(legs, enough(legs.score), enough(legs.seat), won, signed, boards)


def _boards(tables: Tables, single_legs: int) -> DuplicateSteps:
    if single_legs:
        same = NotEstimable("same_strategy", single_legs, single_legs)
        return DuplicateSteps(single_legs, same, same, same, same)
    if tables.snapshot.has("matches"):
        found = duplicate_steps({(first, second): count for first, second, count in tables.rows(counts.BOARD_RESULTS)})
        return replace(found, score=enough(found.score), seat=enough(found.seat))
    both = duplicate_steps({(total, 0): count for total, count in tables.rows(counts.BOARD_TOTALS)})
    missing = NotEstimable("no_data", both.pairs, both.pairs)  # pairs/ does not tell the legs apart
    return DuplicateSteps(both.pairs, enough(both.score), missing, missing, missing)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the printed report; a line without a value is a heading."""

    label: str
    value: str = ""
    interval: str = ""
    sample: str = ""
    pairs: str = ""
    note: str = ""


def lines(figures: Headline, language: Language) -> list[Line]:
    """Write every headline figure with interval and sample, in reading order."""

    def word(key: str) -> str:
        return glossary.word(key, language)

    def sample(figure: Figure, unit: str) -> tuple[str, str]:
        return f"{glossary.whole(figure.events)} {word(unit)}", glossary.whole(figure.units)

    def line(label: str, figure: Figure, unit: str, value: str, interval: str, note: str) -> Line:
        if isinstance(figure, NotEstimable):
            value, note = "—", " · ".join(part for part in (glossary.reason(figure, language), note) if part)
        return Line(f"  {label}", value, interval, *sample(figure, unit), note)

    def of_rate(label: str, figure: Figure, unit: str, note: str = "") -> Line:
        value, interval = glossary.rate(figure, language), glossary.rate_interval(figure)
        return line(label, figure, unit, value, interval, note)

    def of_mean(label: str, figure: Figure, unit: str, note: str = "") -> Line:
        value, interval = glossary.mean(figure, language), glossary.mean_interval(figure)
        return line(label, figure, unit, value, interval, note)

    score, names = figures.score, glossary.side_names(figures.x, figures.y)
    legs = score.duplicate if score.boards is None else score.boards
    gained = "" if isinstance(legs.gain, NotEstimable) else f"{word('gain')} {legs.gain:.2f}"
    if score.boards is None:
        written = [
            Line(f"{word('score')} · {names['x']}"),
            of_rate(word("score"), score.match, "pair", gained),
            of_rate(word("deal_win"), score.deal_win, "deal"),
            of_mean(word("signed_steps"), score.signed_steps, "deal"),
        ]
    else:
        related = "" if isinstance(legs.rho, NotEstimable) else f"{word('rho')} {legs.rho:.2f}"
        written = [
            Line(f"{word('board_score')} · {names['x']}"),
            of_mean(word("signed_steps"), score.boards.score, "pair", " · ".join(filter(None, (gained, related)))),
            of_rate(word("deal_win"), score.deal_win, "board"),
        ]
    written.append(Line(word("tribute")))
    for kind, figure in figures.tribute.refusal.items():
        exact = figures.tribute.expected.get(kind)
        note = "" if exact is None else f"{word('exact')} {glossary.percent(exact, 2)}"
        written.append(of_rate(word(f"refusal_{kind}"), figure, "deal", note))
    for kind, figure in figures.tribute.next_win.items():
        written.append(of_rate(f"{word('next_win')} · {word(kind)}", figure, "deal"))
    for side, at_a in figures.pass_a.items():
        written.append(Line(f"{word('pass_a')} · {names[side]}"))
        written += [of_rate(word(f"a_{name}"), figure, "deal") for name, figure in at_a.results.items()]
        if score.boards is None:
            written.append(of_mean(word("a_tries"), at_a.tries_per_match, "match"))
    for side, taken in figures.steps.items():
        written.append(Line(f"{word('promotion')} · {names[side]}"))
        written += [of_rate(word(f"steps_{k}"), figure, "deal") for k, figure in taken.items()]
    if score.boards is not None:  # one deal each, from contexts that were chosen
        return written
    written.append(Line(word("length")))
    capped = f"{word('capped')} {glossary.whole(figures.length.capped)}"
    written.append(of_mean(word("deals_per_match"), figures.length.deals, "match", capped))
    return written


def sizes(figures: Headline) -> tuple[tuple[str, int], ...]:
    """Say how much was played, coarsest first: words of the glossary and counts. A board is one deal."""
    if figures.score.boards is not None:
        return (("pair", figures.pairs), ("board", figures.deals))
    return (("pair", figures.pairs), ("match", figures.matches), ("deal", figures.deals))


def as_text(figures: Headline, language: Language) -> str:
    """Lay the headline figures out as a plain table that can be pasted anywhere."""

    def word(key: str) -> str:
        return glossary.word(key, language)

    title = f"{figures.x} {word('versus')} {figures.y} · {word('rules')} {figures.rules} · " + " / ".join(
        f"{glossary.whole(count)} {word(unit)}" for unit, count in sizes(figures)
    )
    head = Line("", word("value"), word("interval"), "n", word("pair"))
    table = [head, *lines(figures, language)]
    cells = [(line.label, line.value, line.interval, line.sample, line.pairs, line.note) for line in table]
    widths = [max(display_width(row[k]) for row in cells) for k in range(6)]
    text = [title]
    for row in cells:
        padded = [_pad(row[0], widths[0]), *(_pad(row[k], widths[k], right=True) for k in range(1, 5)), row[5]]
        text.append("  ".join(padded).rstrip())
    return "\n".join(text) + "\n"


def display_width(text: str) -> int:
    """Count the columns of a terminal that a text takes; a Chinese character takes two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - display_width(text))
    return space + text if right else text + space
