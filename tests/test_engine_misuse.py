"""Deals, tables and lists refuse what is not legal or not their turn, name the reason, and stay as they were."""

import copy
import pickle
from random import Random

import pytest

from engine import _core, deal, plays
from engine.plays import PASS, Kind, Play
from engine.rules import NATIONAL, change_rules
from strategies.registry import load

RULES = NATIONAL.core()
GREEDY = load("greedy")
DEALT = _core.deal_cards(1, 2, 3)[0]


def test_any_code_with_any_cards_is_found_in_a_list_exactly_when_it_stands_there() -> None:
    rng = Random(110)
    for i in range(150):
        pool = [card for card in range(54) for _ in range(2) if i % 2 or card // 4 in (3, 4, 5) or card > 51]
        hand, level = sorted(rng.sample(pool, rng.randint(5, min(27, len(pool))))), rng.randrange(13)
        listed = {all_: _core.Plays(bytes(hand), level, 0, all_) for all_ in (True, False)}
        places = {entry: place for place, entry in enumerate(listed[True])}
        codes = listed[True].codes()
        shapes = {code: place for place, code in enumerate(codes)}
        for _ in range(200):
            code, cards = rng.choice(codes), bytes(sorted(rng.sample(hand, min(len(hand), rng.randint(0, 10)))))
            assert listed[True].index_of(code, cards) == places.get((code, cards), -1)
            assert listed[False].index_of(code, cards) == (shapes[code] if (code, cards) in places else -1)


def test_a_deal_takes_a_play_exactly_when_it_stands_in_the_list() -> None:
    rng = Random(111)
    taken = refused = 0
    for i in range(40):
        played = _core.Deal(_core.deal_cards(111, i, 1)[0], i % 13, i % 4)
        for _ in range(80):
            turn, to_beat, *_ = played.state
            before = played.state, played.hands
            hand = before[1][turn]
            listed = list(_core.Plays(hand, i % 13, to_beat))
            code, cards = rng.choice(listed)
            if rng.random() < 0.5:
                cards = bytes(sorted(rng.sample(hand, min(len(hand), rng.choice([1, 2, 3, 5, len(cards)])))))
            if (code, cards) in listed:
                played.play(code, cards)
                taken += 1
                assert played.state != before[0]
            else:
                with pytest.raises(ValueError, match="seat"):
                    played.play(code, cards)
                refused += 1
                assert (played.state, played.hands) == before
    assert min(taken, refused) > 500


@pytest.mark.parametrize(
    ("hands", "leader", "out", "words"),
    [
        (["S5", "S6", "S7"], 0, [], "four hands"),
        (["S5", "S6", "S7", ""], 0, [], "seat 3 holds no card"),
        (["S5", "S6", "S7", ""], 3, [3], "seat 3 may not lead"),
        (["S5", "S6", "S7", "S8"], 0, [3], "seat 3 cannot be out"),
        (["S5", "", "S7", ""], 0, [1, 3], "over"),
        (["S5", "S6", "", ""], 0, [2, 2], "seat 2 cannot be out"),
        (["S5", "", "", ""], 0, [1, 2, 3], "over"),
        (["S5 S5", "S5", "S7", "S8"], 0, [], "more than twice"),
        (["S5", "S6", "S7", "S8"], 4, [], "seat 4"),
        (["S5", "S6", "S7", "SX"], 0, [], "'SX' is no card"),
        (["S5", "S6", "S7", "S8"], 0, [7], "seat 7"),
        (["S5", "S6", "S7", "S8"], 0, [256], "range"),
    ],
)
def test_a_deal_that_cannot_be_is_refused_with_the_reason(
    hands: list[str], leader: int, out: list[int], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        deal.Deal(hands, "9", leader, out)


def test_a_seat_with_nothing_to_lead_cannot_be_the_leader() -> None:
    no_wild_alone = change_rules(NATIONAL, {"wild_single": False, "wild_single_takes_wind": False})
    with pytest.raises(ValueError, match="seat 0 has nothing to lead"):
        deal.Deal(["H9", "S6", "S7", "S8"], "9", 0, rules=no_wild_alone)
    assert len(deal.Deal(["H9", "S6", "S7", "S8"], "9", 0).legal_plays()) == 1
    trick = deal.Trick(3, plays.readings("S8", "9")[0], 0)
    assert list(deal.Deal(["H9", "S6", "S7", "S8"], "9", 0, (), no_wild_alone, trick).legal_plays()) == [PASS]


def test_a_deal_in_play_refuses_what_is_not_legal_and_stays_as_it_is() -> None:
    played = deal.Deal(["S5 D5 S9", "S6", "S7", "S8"], "9", 0)
    for wrong in (
        PASS,  # leading
        Play(Kind.SINGLE, "6", ("S6",)),  # another seat's card
        Play(Kind.PAIR, "5", ("S5", "S5")),
        Play(Kind.SINGLE, "9", ("S5",)),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - reasons differ
            played.play(wrong)
        assert (played.turn, played.to_beat, played.order) == (0, None, ())
    played.play(Play(Kind.PAIR, "5", ("D5", "S5")))
    assert list(played.legal_plays()) == [PASS]
    with pytest.raises(ValueError, match="does not beat PAIR 5"):
        played.play(Play(Kind.SINGLE, "6", ("S6",)))


def test_a_deal_that_is_over_takes_no_more_plays() -> None:
    played = deal.Deal(["S5", "S6", "S7", "S8"], "9", 0)
    for text in ("S5", "S6", "S7"):
        played.play(plays.readings(text, "9")[0])
    assert (played.over, played.order, played.turn) == (True, (0, 1, 2, 3), None)
    with pytest.raises(ValueError, match="over"):
        played.play(PASS)
    with pytest.raises(ValueError, match="over"):
        played.legal_plays()


def test_a_table_answers_only_what_it_asks() -> None:
    table = _core.Table(RULES, 1, 2, 1)
    for too_early in (table.score, lambda: table.decide(GREEDY.capsule)):
        with pytest.raises(ValueError, match="does not wait for that"):
            too_early()
    table.deal()
    for not_now in (table.score, table.deal):
        with pytest.raises(ValueError, match="does not wait for that"):
            not_now()
    while table.state[0] != 5:
        step = {0: table.deal, 4: table.score}.get(table.state[0], lambda: table.decide(GREEDY.capsule))
        step()
    for too_late in (table.score, table.deal, lambda: table.decide(GREEDY.capsule)):
        with pytest.raises(ValueError, match="does not wait for that"):
            too_late()


def test_objects_of_the_core_are_neither_copied_nor_pickled_nor_subclassed() -> None:
    for thing in (_core.Plays(b"\0", 5), _core.Deal(DEALT, 5, 0), _core.Table(RULES, 1, 2, 1)):
        for take in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError):
                take(thing)
        with pytest.raises(TypeError):
            type("Sub", (type(thing),), {})
        with pytest.raises(TypeError):
            object.__new__(type(thing))
