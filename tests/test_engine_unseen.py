"""A position as one player knows it: hands written as numbers are filled so that the plays given can be made."""

from collections import Counter
from itertools import product

import pytest

from engine.context import Context
from engine.match import DealRecord, Match
from engine.notation import RecordError, read_record
from engine.probe import Position
from engine.rules import NATIONAL
from engine.unseen import fill_unseen
from strategies.registry import load
from tests.support.calls import UNSEEN


def records(pair: int) -> DealRecord:
    return next(Match(NATIONAL, 5, pair, 1, load("greedy"), load("random")).deals())


def written(deal: DealRecord, seen: set[int], cut: int) -> str:
    """Write a deal after so many plays and passes, with the hands of some seats alone."""
    hands = ["".join(hand) if seat in seen else f"?{len(hand)}" for seat, hand in enumerate(deal.hands)]
    words = [
        "-" if e[0] == "pass" else f"{e[2]}:{e[3]}:{''.join(e[4])}" for e in deal.events if e[0] in ("play", "pass")
    ]
    lead = next(event[1] for event in deal.events if event[0] == "lead")
    return " ".join([deal.level, "/".join(hands), "-", str(lead), "-", *words[:cut]])


def test_what_is_asked_of_a_seat_does_not_depend_on_how_the_others_are_filled() -> None:
    greedy, asked = load("greedy").capsule, 0
    for pair, cut in product(range(6), (0, 3, 10, 30, 60, 90)):
        deal = records(pair)
        whole = read_record(written(deal, {0, 1, 2, 3}, cut)).at()
        if whole.turn is None:
            continue
        known = Position.of(read_record(written(deal, {0, 1, 2, 3}, cut)), Context())
        filled = read_record(fill_unseen(written(deal, {whole.turn}, cut)))
        assert filled.at().hands[whole.turn] == whole.hands[whole.turn]
        assert [len(hand) for hand in filled.at().hands] == [len(hand) for hand in whole.hands]
        assert Counter(card for hand in filled.at(0).hands for card in hand).total() == 108
        assert Position.of(filled, Context()).ask(native=greedy) == known.ask(native=greedy)
        asked += 1
    assert asked > 25


def test_other_texts_come_back_as_they_are() -> None:
    for text in ("7 S3D3H7/S9/C4C5/HR - 0 - S3 -", "", "7 ?27", "7 ?27/?27/?27 - 0 -"):
        assert fill_unseen(text) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (UNSEEN.replace("?27", "?26", 1), "have 107 cards, not 108"),
        (UNSEEN.replace("S2", "S3S3", 1), "S3 stands there 3 times; there are two"),
        (UNSEEN.replace("?27", "?x", 1), "write ? and 1 to 28"),
        (UNSEEN.replace("?27", "?0", 1), "write ? and 1 to 28"),
        (UNSEEN.replace("HR", "S9S9S9"), "play 2: seat 1 cannot hold S9"),
        (UNSEEN.replace("HR", "XX"), "'XX' is no card"),
        (UNSEEN.replace("HR", "S2"), "play 2, 'S2'"),
    ],
)
def test_what_cannot_be_is_told(text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason.replace("?", r"\?")):
        fill_unseen(text)
