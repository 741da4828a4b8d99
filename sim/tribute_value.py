"""Compute what tribute is worth from the arms of a study: card value, lead value and their sum (docs/tribute.md).

The arms play the same deals, so each difference is taken deal by deal and clustered by pair: a counterfactual, not a
comparison of deals that happened to have tribute with others. Everything is for the side that receives, the declarer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from numpy.typing import NDArray

from engine.bulk import TRIBUTES
from engine.cards import LEVELS
from engine.value import VALUE_SCALE, result_values
from sim.errors import SimError
from sim.reading import Snapshot, open_tables
from sim.request import RunRequest
from sim.run import contexts_of
from sim.stats import ClusterSums, Estimate, NotEstimable, cluster_ratio, enough, holm
from sim.tribute_arms import ARMS, POLICY, check_arms

Figure = Estimate | NotEstimable
Ints = NDArray[Any]

RANKS: Final = (*LEVELS, "level", "SB", "HR")
"""Ranks of cards that move, ascending; level cards apart."""


@dataclass(frozen=True, slots=True)
class Worth:
    """Hold the differences of arms: exchange - payer leads, payer leads - winner leads, exchange - winner leads."""

    card: Figure
    lead: Figure
    both: Figure


@dataclass(frozen=True, slots=True)
class Group:
    """Say what tribute is worth to the side that receives on some of the deals on which it was paid.

    by: "kind", "receiver", "given" or "returned"; name: which kind, side or rank. levels: levels a deal; match: chance
    to win the match, valued by the level-state model at that context.
    """

    by: str
    name: str
    deals: int
    pairs: int
    levels: Worth
    match: Worth


@dataclass(frozen=True, slots=True)
class Refused:
    """Deals on which tribute was refused: what the lead of the payer would be worth to the side due to receive."""

    name: str
    deals: int
    pairs: int
    levels: Figure
    match: Figure


@dataclass(frozen=True, slots=True)
class Policy:
    """Compare a return policy with the one of the study, on the deals on which the side that plays it receives.

    levels, match: policy minus base, for the side that returns. p: Student's, of levels; adjusted: by Holm over the
    policies. stray: deals on which that side returns nothing, and which yet ended otherwise; above 0 the strategies
    differ in more than what they return.
    """

    name: str
    deals: int
    pairs: int
    levels: Figure
    match: Figure
    p: float | None
    adjusted: float | None
    stray: int


@dataclass(frozen=True, slots=True)
class TributeValue:
    """Hold the figures of a study.

    deals: deals played in all arms, `paid` and `refused` among them; left_out: those judged in some arm. led_otherwise:
    deals on which the exchange gave the lead to another payer than the arm without it.
    """

    x: str
    y: str
    rules: str
    seed: int
    pairs: int
    deals: int
    paid: int
    refused: int
    left_out: int
    led_otherwise: int
    groups: tuple[Group, ...]
    refusals: tuple[Refused, ...]
    policies: tuple[Policy, ...]


_COLUMNS: Final = (
    *("pair", "leg", "declarer", "winner", "steps", "finish_order", "level", "lead_seat", "tribute"),
    *("payers", "receivers", "given_1", "given_2", "returned_1", "returned_2", "end_reason"),
)
_ROWS: Final = f"select {', '.join(_COLUMNS)} from deals order by pair, leg"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Arm:
    """Rows of an arm by (pair, leg), with what the receiving side got: levels, and chance in millionths."""

    rows: Mapping[tuple[int, int], Row]
    worth: Mapping[tuple[int, int], tuple[int, int]]


def figures(snapshots: Mapping[str, Snapshot], requests: Mapping[str, RunRequest]) -> TributeValue:
    """Compute the figures of a study from snapshots of its arms and their requests, keyed by arm.

    Pairs that are not yet played in every arm are left out. Raises `SimError` where the arms are not those of one
    study, or where an arm keeps no deals.
    """
    check_arms(requests)
    read = {arm: _read(taken, requests[arm]) for arm, taken in snapshots.items()}
    whole = set.intersection(*(set(read[arm].rows) for arm in ARMS))
    keys = sorted(key for key in whole if not any(_is_judged(read[arm].rows[key]) for arm in ARMS))
    base = read["exchange"]
    paid = [key for key in keys if base.rows[key]["given_1"] is not None]
    refused = [key for key in keys if base.rows[key]["tribute"].endswith("refused")]
    request = requests["exchange"]
    same = request.x == request.y
    policies = [
        _policy(requests[arm].names[0], base, read[arm], paid, refused, receivers="xy" if same else "x")
        for arm in read
        if arm.startswith(POLICY)
    ]
    return TributeValue(
        x=request.names[0],
        y=request.names[1],
        rules=request.rules,
        seed=request.seed,
        pairs=len({pair for pair, _ in keys}),
        deals=len(keys),
        paid=len(paid),
        refused=len(refused),
        left_out=len(whole) - len(keys),
        led_otherwise=sum(base.rows[key]["lead_seat"] != read["payer-leads"].rows[key]["lead_seat"] for key in paid),
        groups=tuple(_groups(read, paid, with_sides=not same)),
        refusals=tuple(_refusals(read, refused)),
        policies=_adjusted(policies),
    )


def _is_judged(row: Row) -> bool:
    return str(row["end_reason"]).startswith("judged")


def _read(taken: Snapshot, request: RunRequest) -> _Arm:
    if not taken.has("deals") and taken.blocks:
        raise SimError("boards_no_deals", folder=taken.folder, detail=request.detail)
    with open_tables(taken) as tables:
        found = [dict(zip(_COLUMNS, row, strict=True)) for row in tables.rows(_ROWS)]
    contexts = contexts_of(request.boards or ())
    values = result_values(contexts, request.make_rules())
    rows, worth = {}, {}
    for row in found:
        key = row["pair"], row["leg"]
        board = row["pair"] % len(contexts)
        levels = int(row["steps"]) if row["winner"] == row["declarer"] else -int(row["steps"])
        chance = int(values[board, result_of(row["finish_order"])])
        rows[key] = row
        worth[key] = levels, chance if contexts[board].declarer == 0 else VALUE_SCALE - chance
    return _Arm(rows, worth)


def result_of(finish_order: str) -> int:
    """Give the place of a finishing order among the six results of `engine.value`.

    >>> result_of("02(13)"), result_of("1203")
    (0, 5)
    """
    seats = [int(c) for c in finish_order if c.isdigit()]
    return 3 * (seats[0] & 1) + seats.index(seats[0] ^ 2) - 1


def _difference(first: _Arm, second: _Arm, keys: list[tuple[int, int]], unit: int) -> Figure:
    """Estimate the mean of first minus second over deals; unit: 0 levels, 1 chance to win the match."""
    gaps: dict[int, list[int]] = {}
    for key in keys:
        gaps.setdefault(key[0], []).append(first.worth[key][unit] - second.worth[key][unit])
    sums = ClusterSums.of([len(gap) for gap in gaps.values()], [sum(gap) for gap in gaps.values()])
    found = enough(cluster_ratio(sums, scale=(1, VALUE_SCALE)[unit]))
    if isinstance(found, Estimate) and found.se == 0:
        return NotEstimable("no_variation", found.units, found.events)
    return found


def _worth(read: Mapping[str, _Arm], keys: list[tuple[int, int]], unit: int) -> Worth:
    exchange, payer, winner = (read[arm] for arm in ARMS)
    return Worth(
        _difference(exchange, payer, keys, unit),
        _difference(payer, winner, keys, unit),
        _difference(exchange, winner, keys, unit),
    )


def _groups(read: Mapping[str, _Arm], paid: list[tuple[int, int]], *, with_sides: bool) -> Iterator[Group]:
    members: dict[tuple[str, str], list[tuple[int, int]]] = {("kind", name): [] for name in KINDS}
    for key in paid:
        row = read["exchange"].rows[key]
        labels = set(_labels(row))
        if with_sides:
            labels.add(("receiver", row["declarer"]))
        for label in labels:
            members.setdefault(label, []).append(key)
    for by, name in sorted(members, key=_place):
        keys = members[by, name]
        yield Group(by, name, len(keys), len({pair for pair, _ in keys}), _worth(read, keys, 0), _worth(read, keys, 1))


KINDS: Final = ("all", "single", "single_opponent", "single_partner", "double")
"""Kinds of tribute paid; a single tribute may come from an opponent or from the first's own partner."""

_BY: Final = ("kind", "receiver", "given", "returned")


def _labels(row: Row) -> Iterator[tuple[str, str]]:
    """Name the groups of a deal. Of a double tribute `given` has both cards, the greater first; `returned` each."""
    kind = row["tribute"]
    yield "kind", "all"
    yield "kind", kind
    given, returned = (
        [rank_of(row[f"{what}_{k}"], row["level"]) for k in (1, 2) if row[f"{what}_{k}"] is not None]
        for what in ("given", "returned")
    )
    if kind == TRIBUTES[1]:
        partner = (int(row["payers"][0]) ^ int(row["receivers"][0])) & 1 == 0
        yield "kind", "single_partner" if partner else "single_opponent"
    yield "given", f"{kind} {' '.join(sorted(given, key=RANKS.index, reverse=True))}"
    for rank in returned:
        yield "returned", f"{kind} {rank}"


def rank_of(card: str, level: int) -> str:
    """Give the rank of a card as tables of tribute name it.

    >>> rank_of("SB", 5), rank_of("H5", 5), rank_of("ST", 5)
    ('SB', 'level', 'T')
    """
    if card in ("SB", "HR"):
        return card
    return "level" if LEVELS.index(card[1]) + 2 == level else card[1]


def _place(label: tuple[str, str]) -> tuple[int, int, list[int]]:
    by, name = label
    if by == "kind":
        return 0, KINDS.index(name), []
    if by == "receiver":
        return 1, "xy".index(name), []
    kind, *ranks = name.split()
    return _BY.index(by), TRIBUTES.index(kind), [-RANKS.index(rank) for rank in ranks]


def _refusals(read: Mapping[str, _Arm], refused: list[tuple[int, int]]) -> Iterator[Refused]:
    payer, winner = read["payer-leads"], read["winner-leads"]
    for name in ("single_refused", "double_refused"):
        keys = [key for key in refused if read["exchange"].rows[key]["tribute"] == name]
        figures = [_difference(payer, winner, keys, unit) for unit in (0, 1)]
        yield Refused(name, len(keys), len({pair for pair, _ in keys}), *figures)


def _policy(
    name: str,
    base: _Arm,
    arm: _Arm,
    paid: list[tuple[int, int]],
    refused: list[tuple[int, int]],
    *,
    receivers: str,
) -> Policy:
    keys = [
        key
        for key in paid
        if key in arm.rows and not _is_judged(arm.rows[key]) and base.rows[key]["declarer"] in receivers
    ]
    others = [*refused, *(key for key in paid if base.rows[key]["declarer"] not in receivers)]
    stray = sum(key in arm.rows and arm.rows[key]["finish_order"] != base.rows[key]["finish_order"] for key in others)
    levels, match = (_difference(arm, base, keys, unit) for unit in (0, 1))
    return Policy(name, len(keys), len({pair for pair, _ in keys}), levels, match, _p(levels), None, stray)


def _p(figure: Figure) -> float | None:
    """Test a mean against 0, two-sided, by Student's t over the pairs."""
    if isinstance(figure, NotEstimable):
        return None
    from scipy.special import stdtr  # imported here: it takes a third of a second, most commands do not need it

    return 2 * float(stdtr(figure.units - 1, -abs(figure.value) / figure.se))


def _adjusted(policies: list[Policy]) -> tuple[Policy, ...]:
    known = [each.p for each in policies if each.p is not None]
    feed = iter(holm(known).tolist())
    return tuple(each if each.p is None else replace(each, adjusted=next(feed)) for each in policies)
