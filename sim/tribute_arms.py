"""Lay out a study of tribute: the same boards in arms that differ in exchange and lead alone (docs/tribute.md).

    exchange       tribute and return as the rules have it; the rules say who leads
    payer-leads    no card changes hands; the seat leads that would lead after the exchange
    winner-leads   no card changes hands; the first of the deal before leads

Further arms, `policy-1`, `policy-2` and so on, are `exchange` with another strategy for those who return.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine import _core
from engine.cards import card_texts
from engine.context import Context
from engine.rules import Rules
from engine.tribute import Due, pair_tribute, tribute_due, tribute_leader, tribute_options
from sim.boards import find_boards
from sim.errors import SimError
from sim.request import MAX_BOARDS, RunRequest, new_request

ARMS: Final = ("exchange", "payer-leads", "winner-leads")
POLICY: Final = "policy-"

_NOBODY: Final = ("", "", "", "")


def arms(
    x: str,
    y: str,
    *,
    pairs: int,
    seed: int,
    rules: str = "national",
    contexts: str = "uniform",
    policies: Sequence[str] = (),
) -> dict[str, RunRequest]:
    """Make the request of each arm: those of `ARMS`, then one for each policy, on the same pair ids and levels.

    x, y: the strategies, equal for a study of one; a policy takes the place of x, and of y where that is equal. rules:
    as for `new_request`. contexts: as `find_boards` takes them; those before which no tribute can be due are left out.
    Every pair has a line of its own, since who leads depends on its cards. Raises `SimError` for more pairs than a
    request has lines, for rules without tribute, and where no context is left.
    """
    if not 1 <= pairs <= MAX_BOARDS:
        raise SimError("tribute_pairs", value=pairs, limit=MAX_BOARDS)
    base = new_request(x, y, pairs=pairs, seed=seed, rules=rules)
    played = base.make_rules()
    if not played.tribute:
        raise SimError("tribute_none", rules=base.rules)
    found = (replace(Context.parse(line), lead=None, exchange=True) for line in find_boards(contexts, pairs, seed))
    kept = [context for context in found if context.order is not None and _payers(context.order, played)]
    if not kept:
        raise SimError("tribute_contexts", value=contexts, rules=base.rules)
    boards = [kept[pair % len(kept)] for pair in range(pairs)]
    lines = {
        "exchange": boards,
        "payer-leads": [
            replace(board, lead=payer_to_lead(board, played, seed, pair), exchange=False)
            for pair, board in enumerate(boards)
        ],
        "winner-leads": [replace(board, lead=_first(board), exchange=False) for board in boards],
    }
    asked = {arm: replace(base, boards=tuple(map(str, lines[arm]))) for arm in ARMS}
    for number, name in enumerate(policies, start=1):
        other = name if x == y else y
        made = new_request(name, other, pairs=pairs, seed=seed, rules=rules)
        asked[f"{POLICY}{number}"] = replace(made, boards=asked["exchange"].boards)
    return asked


def payer_to_lead(board: Context, rules: Rules, seed: int, pair: int) -> int:
    """Tell who leads the pair after tribute, or would if it were not refused: a function of the cards dealt.

    Where the rules look at the cards returned (`smaller_return_leads`, equal tributes), these count as equal too: the
    seat after the first leads. Raises ValueError for a board before which no tribute is due.
    """
    if board.order is None or board.declarer is None:
        raise ValueError(f"board {board}: before a first deal no tribute is due")
    hands, _ = _core.deal_cards(seed, pair, 1)
    level = board.levels[board.declarer]
    payers = _payers(board.order, rules)
    paid = {seat: tribute_options(card_texts(hands[seat]), level)[0] for seat in payers}
    moves = pair_tribute(board.order, level, paid, rules)
    return tribute_leader(board.order, level, moves, dict.fromkeys(payers, "S2"), rules)


def _payers(order: Sequence[int], rules: Rules) -> tuple[int, ...]:
    due: Due = tribute_due(order, _NOBODY, rules)
    return due.payers


def _first(board: Context) -> int:
    assert board.order is not None
    return board.order[0]


def check_arms(requests: Mapping[str, RunRequest]) -> None:
    """Raise `SimError` unless all arms are of one study: equal but for strategies of policies, lead and exchange."""
    base = requests["exchange"]
    for arm, request in requests.items():
        same = replace(request, x=base.x, y=base.y) if arm.startswith(POLICY) else request
        same = replace(same, boards=base.boards, block_pairs=base.block_pairs, earlier=base.earlier)
        if same != base or _alike(request) != _alike(base):
            raise SimError("tribute_arms", arm=arm)


def _alike(request: RunRequest) -> list[Context]:
    return [replace(Context.parse(line), lead=None, exchange=True) for line in request.boards or ()]
