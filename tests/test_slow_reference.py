"""The slow references are right themselves: rule cases of the national text, recorded lists, and each other."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.rules import NATIONAL, Rules
from tests.slow import brute, brute_native, rulings
from tests.slow.positions import random_position
from tests.support.cases import extra_cases

Case = dict[str, Any]

ODD_PLAYS = Rules(wild_pair_any=True, suited_straight_is_plain=True, copies_beyond_deck=False)

NAMES = {
    "PASS": "PASS",
    "Single": "SINGLE",
    "Pair": "PAIR",
    "Trips": "TRIPLE",
    "ThreePair": "TUBE",
    "ThreeWithTwo": "FULL_HOUSE",
    "TwoTrips": "PLATE",
    "Straight": "STRAIGHT",
    "StraightFlush": "STRAIGHT_FLUSH",
    "Bomb": "BOMB",
}


def national(kind: str) -> Iterator[Case]:
    """Read the national cases of one kind; those that change a rule are about another rule set."""
    for case in extra_cases("rules", "*.jsonl"):
        if case["kind"] == kind and case["ruleset"] == "national" and "rules" not in case:
            yield case


def reading(name: str, key: str) -> brute.Reading:
    """Translate type and rank of the other programs; they differ in how they call the four jokers."""
    if name == "FourKings" or (name, key) == ("Bomb", "JOKER"):
        return "JOKER_BOMB", "JOKER"
    return NAMES[name], key


def play(action: list[Any]) -> brute.Play:
    kind, key = reading(*action[:2])
    return kind, key, () if kind == "PASS" else tuple(sorted(action[2]))


def greater(action: list[Any] | None) -> brute.Greater | None:
    return None if action is None else (*reading(*action[:2]), len(action[2]))


def test_sets_of_cards_have_the_readings_of_the_rule_cases() -> None:
    wrong = []
    for case in national("classify"):
        want = {reading(*pair) for pair in case["expected"]["readings"]}
        got = brute.readings(case["input"]["cards"], case["level"])
        if got != want or case["expected"].get("legal_lead", bool(want)) != bool(got):
            wrong.append((case["id"], sorted(got), case["why"]))
    assert wrong == []


def test_one_play_beats_another_as_in_the_rule_cases() -> None:
    wrong = []
    for case in national("beats"):
        level, (name, key, cards) = case["level"], case["input"]["play"]
        over = greater(case["input"]["prev"])
        assert over is not None
        kind, key = reading(name, key)
        # A reading the cards do not have is no error there: it just beats nothing (B12).
        got = (kind, key) in brute.readings(cards, level) and brute.beats(kind, key, len(cards), *over, level)
        if got != case["expected"]["beats"]:
            wrong.append((case["id"], got, case["why"]))
    assert wrong == []


def test_lists_are_those_of_the_rule_cases() -> None:
    wrong = []
    for case in [*national("legal_follow"), *national("legal_lead")]:
        expected = case["expected"]
        got = brute.plays(case["input"]["hand"], case["level"], greater(case["input"].get("prev")))
        short = {(kind, key) for kind, key, _ in got}
        sized = {(kind, key, len(cards)) for kind, key, cards in got}

        def listed(entry: list[Any], short: set[Any] = short, sized: set[Any] = sized) -> bool:
            named = reading(*entry[:2])
            return named in short if len(entry) == 2 else (*named, entry[2]) in sized

        agrees = all(listed(entry) for entry in expected.get("must_contain", []))
        agrees &= not any(listed(entry) for entry in expected.get("must_not_contain", []))
        if "actions" in expected:
            agrees &= got == {play(action) for action in expected["actions"]}
        if "readings" in expected:
            agrees &= short == {reading(*pair) for pair in expected["readings"]}
        if expected.get("pass_legal") is not None:
            agrees &= (brute.PASS in got) == expected["pass_legal"]
        if not agrees:
            wrong.append((case["id"], sorted(got), case["why"]))
    assert wrong == []


def test_tricks_end_as_in_the_rule_cases() -> None:
    for case in national("trick"):
        given, expected = case["input"], case["expected"]
        trick = rulings.Trick(given["holder"], given["out_before"])
        trick.play(given["holder"], goes_out=given["holder_out_now"])
        for seat, what in given["then"]:
            if what == "PASS":
                trick.give_up(seat)
            else:
                trick.play(seat, goes_out=False)
        name = f"{case['id']}: {case['why']}"
        if expected.get("hand_over"):
            assert rulings.deal_is_over(trick.out), name
            assert trick.out == expected["order_prefix"], name
        elif expected["trick_over"]:
            assert trick.over, name
            assert trick.next_leader() == expected["leader"], name
        else:
            assert not trick.over, name
            assert trick.turn == expected["next"], name


def test_deals_end_as_in_the_rule_cases() -> None:
    for case in national("hand_end"):
        out = case["input"]["out_in_order"]
        assert rulings.deal_is_over(out) == case["expected"]["over"], case["id"]
        if "double_down" in case["expected"]:
            assert rulings.is_double_down(out), case["id"]


def test_promotion_and_pass_a_are_those_of_the_rule_cases() -> None:
    for case in national("promotion"):
        given, expected = case["input"], case["expected"]
        levels = (given["levels"][0], given["levels"][1])
        got = rulings.promote(levels, given["declarer"], (0, 0), given["order"])
        # a_fails there is the counter of a rule the national text does not have; ours counts for the record only.
        seen = {
            "levels": list(got.levels),
            "next_level": got.next_level,
            "declarer": got.declarer,
            "winner": got.winner,
        }
        assert seen == {name: expected[name] for name in seen}, f"{case['id']}: {case['why']}"


def test_tribute_is_that_of_the_rule_cases() -> None:
    for case in national("tribute"):
        given, expected = case["input"], case["expected"]
        name, order = f"{case['id']}: {case['why']}", given["order"]
        payers = rulings.tribute_payers(order)
        jokers = {int(seat): n for seat, n in given.get("hr", {}).items()}
        assert rulings.tribute_is_refused(payers, jokers) == expected["anti"], name
        if expected["anti"]:
            assert expected["leader"] == order[0], name
            continue
        paid = {int(seat): card for seat, card in given["paid"].items()}
        assert tuple(sorted(paid)) == payers, name
        moves = rulings.share_tribute(order, paid, case["level"])
        assert sorted(moves) == sorted(map(tuple, expected["moves"])), name
        assert moves[0][0] == expected["leader"], name
        assert sorted((to, payer) for payer, to, _ in moves) == sorted(map(tuple, expected["returns_to"])), name


def test_tribute_and_return_cards_are_those_of_the_rule_cases() -> None:
    for kind, ruling in (("tribute_card", rulings.tribute_cards), ("return_card", rulings.return_cards)):
        for case in national(kind):
            got = ruling(case["input"]["hand"], case["level"])
            assert got == set(case["expected"]["legal"]), f"{case['id']}: {case['why']}"


def test_brute_force_lists_agree_with_those_another_program_recorded() -> None:
    compared = 0
    for position in extra_cases("moves", "*.jsonl.gz"):
        level, hand = position["level"], position["hand"]
        if len(hand) > 10:
            continue

        def unclear(entry: brute.Play, level: str = level) -> bool:
            """Whether that program calls these cards plain Straights at times only: naturals of one suit and a wild."""
            kind, _, cards = entry
            naturals = [card for card in cards if card != "H" + level]
            return kind == "STRAIGHT" and len(naturals) < 5 and len({card[0] for card in naturals}) == 1

        got = brute.plays(hand, level, greater(position["greater"]))
        want = {play(action) for action in position["actions"]}
        assert {p for p in got if not unclear(p)} == {p for p in want if not unclear(p)}, position["id"]
        compared += 1
    assert compared >= 60


def test_a_shape_keeps_the_counts_left_over_and_forgets_suits() -> None:
    listed = brute.plays(["S3", "H3", "D3", "H7", "S4", "S5", "S6"], "7")
    pairs = {shape for shape in brute.shapes(listed, "7") if shape[0] == "PAIR"}
    assert pairs == {
        ("PAIR", "3", (("3", 2),), 0, ""),
        *(("PAIR", rank, ((rank, 1),), 1, "") for rank in "3456"),
    }
    runs = {shape for shape in brute.shapes(listed, "7") if shape[0].startswith("STRAIGHT")}
    counts = (("3", 1), ("4", 1), ("5", 1), ("6", 1))
    assert runs == {
        (kind, key, counts, 1, suit) for kind, suit in (("STRAIGHT", ""), ("STRAIGHT_FLUSH", "S")) for key in "23"
    }


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return brute_native.build(tmp_path_factory.mktemp("brute"))


@pytest.mark.parametrize(
    "rules", [NATIONAL, Rules(wild_single=False, wild_single_takes_wind=False), ODD_PLAYS], ids=brute_native.digits
)
def test_the_c_brute_force_lists_agree_with_the_python_ones(program: Path, rules: Rules) -> None:
    rng = Random(20)
    positions = [
        random_position(rng, wilds=number % 3, largest=9) for number in range(240 if rules == NATIONAL else 60)
    ]
    for (level, hand, over), got in zip(positions, brute_native.list_all(program, positions, rules), strict=True):
        assert got == brute.plays(hand, level, over, rules), (level, hand, over)


def test_the_c_brute_force_lister_names_the_line_it_can_not_read(program: Path) -> None:
    with pytest.raises(RuntimeError, match="status 2"):
        list(brute_native.list_all(program, [("7", ["H7", "X3"], None)]))
