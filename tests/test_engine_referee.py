"""Deals of the engine are replayed event by event by judges who know the rule text and nothing of the engine.

The slow referee replays whole matches from their records and works out the rows. A faster watch follows the engine's
own hands through many more deals: 108 cards at every step, every play held, readable and beating what lies there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from engine import _core
from engine.bulk import (
    A_ATTEMPTS,
    DEAL_ENDS,
    FINISH_ORDERS,
    MATCH_ENDS,
    SEAT_SETS,
    SIDES,
    TRIBUTES,
    Tables,
    play_pairs,
)
from engine.cards import CARDS, LEVELS, card_texts
from engine.match import DealRecord, Match
from engine.plays import Kind, code_key
from engine.rules import NATIONAL
from strategies.registry import load
from tests.slow import brute
from tests.slow.referee import MatchState, Referee
from tests.slow.rulings import Trick

pytestmark = pytest.mark.heavy

SEED = 50
LABELS: Mapping[str, tuple[str, ...]] = {
    "declarer": SIDES,
    "winner": SIDES,
    "tribute": TRIBUTES,
    "payers": SEAT_SETS,
    "receivers": SEAT_SETS,
    "given_1": CARDS,
    "given_2": CARDS,
    "returned_1": CARDS,
    "returned_2": CARDS,
    "finish_order": FINISH_ORDERS,
    "a_attempt": A_ATTEMPTS,
    "end_reason": DEAL_ENDS,
}


def readable(row: Mapping[str, int]) -> dict[str, object]:
    """Write the small codes of a raw row as texts, -1 as None; other columns are numbers anyway."""
    labelled = {name: None if row[name] < 0 else labels[row[name]] for name, labels in LABELS.items()}
    return {**row, **labelled}


def replay(x: str, y: str, pair: int, leg: int) -> Iterator[tuple[Referee, DealRecord]]:
    """Let the referee judge each deal of a match, its row, and how the match goes on from there."""
    state = MatchState()
    for record in Match(NATIONAL, SEED, pair, leg, load(x), load(y)).deals():
        referee = Referee(record.hands, state, leg)
        side = leg - 1  # the team of x
        assert record.level == referee.level
        assert record.levels_before == (state.levels[side], state.levels[1 - side])
        referee.replay(record.events)
        assert referee.differences(readable(record.row)) == []
        state = referee.next_state()
        assert record.levels_after == (state.levels[side], state.levels[1 - side])
        yield referee, record
    assert state.winner is not None, "the match ends without a passed A"


def rows_of(tables: Tables, leg: int) -> list[dict[str, int]]:
    columns = {name: column[tables.deals["leg"] == leg].tolist() for name, column in tables.deals.items()}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def test_slow_referee_agrees_with_300_deals_and_their_rows() -> None:
    seen: Counter[str] = Counter()
    for x, y, pairs in (
        ("random", "random", 5),
        ("greedy", "random", 10),
        ("random", "greedy", 6),
        ("greedy", "greedy", 6),
    ):
        for pair in range(pairs):
            tables = play_pairs(load(x), load(y), NATIONAL, SEED, range(pair, pair + 1))
            for leg in range(1, tables.pairs["legs"][0] + 1):
                played = list(replay(x, y, pair, leg))
                assert [record.row for _, record in played] == rows_of(tables, leg)
                match = {name: column[leg - 1] for name, column in tables.matches.items()}
                last = played[-1][0].next_state()
                assert match["x_half_points"] == (2 if last.winner == leg - 1 else 0)
                assert MATCH_ENDS[match["end_reason"]] == "passed_a"
                for _, record in played:
                    row = readable(record.row)
                    seen.update(
                        (f"tribute {row['tribute']}", f"a_attempt {row['a_attempt']}", f"end {row['end_reason']}")
                    )
                    seen["winds"] += record.row["winds"]
                    seen.update(f"event {event[0]}" for event in record.events)
                    seen["deals"] += 1
    assert seen["deals"] >= 300
    for occasion in (*(f"tribute {kind}" for kind in TRIBUTES), *(f"a_attempt {kind}" for kind in A_ATTEMPTS)):
        assert seen[occasion] > 0, f"no deal with {occasion} was judged"
    assert seen["event wind"] == seen["winds"] > 0
    assert seen["event out"] > 2 * seen["deals"]


DECK = bytes(card for card in range(54) for _ in range(2))
ASK_DEAL, ASK_TRIBUTE, ASK_RETURN, ASK_PLAY = range(4)


def together(*cards: bytes) -> bytes:
    return bytes(sorted(b"".join(cards)))


def watch_tribute(table: _core.Table, capsules: list[Any]) -> None:
    """Follow tribute and return: 108 cards at each step; 27 a seat again at its end."""
    while table.state[0] in (ASK_TRIBUTE, ASK_RETURN):
        table.decide(capsules[table.state[1]])
        assert together(*table.hands) == DECK
    assert [len(hand) for hand in table.hands] == [27] * 4


def watch_play(table: _core.Table, capsules: list[Any], level: str) -> None:
    """Follow the play of a deal to its end, the turns by the rule text's trick."""
    hands, gone = table.hands, b""
    trick, over = Trick(table.state[2]), None
    while table.state[0] == ASK_PLAY:
        if trick.over:
            trick, over = Trick(trick.next_leader, trick.out), None
        seat = table.state[1]
        assert trick.turn == seat
        code, cards = table.decide(capsules[seat])
        before, hands = hands, table.hands
        if not code:
            assert hands == before
            trick.give_up(seat)
            continue
        gone += cards
        assert together(*hands, gone) == DECK
        assert together(hands[seat], cards) == before[seat]
        assert [hands[s] for s in range(4) if s != seat] == [before[s] for s in range(4) if s != seat]
        play = Kind(code >> 28).name, code_key(code), len(cards)
        assert play[:2] in brute.readings(card_texts(cards), level)
        assert over is None or brute.beats(*play, *over, level)
        over = play
        trick.play(seat, goes_out=not hands[seat])
    assert len(trick.out) == 3 or trick.out[0] % 2 == trick.out[1] % 2


def watch(x: str, y: str, deals: int) -> None:
    """Watch whole matches, leg 1 and leg 2 in turn, until so many deals are seen."""
    match = 0
    while deals > 0:
        leg = match % 2 + 1
        table = _core.Table(NATIONAL.core(), SEED + 1, match // 2, leg)
        capsules = [load((x, y)[(seat + leg + 1) % 2]).capsule for seat in range(4)]
        while table.state[0] == ASK_DEAL:
            table.deal()
            assert together(*table.dealt) == DECK
            watch_tribute(table, capsules)
            row_level = LEVELS[table.state[4 + max(table.state[6], 0)]]
            watch_play(table, capsules, row_level)
            assert LEVELS[table.score()["level"] - 2] == row_level
            deals -= 1
        match += 1


@pytest.mark.parametrize(("x", "y", "deals"), [("random", "random", 1500), ("greedy", "random", 500)])
def test_108_cards_and_a_legal_play_at_every_step_of_2000_deals(x: str, y: str, deals: int) -> None:
    watch(x, y, deals)


@pytest.mark.soak
def test_108_cards_and_a_legal_play_at_every_step_of_100_000_deals() -> None:
    watch("random", "random", 100_000)
