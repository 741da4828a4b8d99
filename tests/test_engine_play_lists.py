"""The lists of legal plays: complete, without duplicates, in their order, and the same whoever counts them.

The judges are brute force from the rule text (tests/slow/brute.py), the lists of another program (tests/data/moves) and
properties that tie large hands, where brute force is too slow, to small ones.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import _core
from engine.cards import RANKS, card_bytes, level_rank
from engine.plays import PASS, Kind, LegalPlays, Play, beats, readings
from engine.rules import Rules
from tests.slow import brute, brute_native
from tests.slow.positions import Position, random_position
from tests.support.cases import extra_cases
from tests.support.notation import is_pass, plain, play_of_action
from tests.support.shapes import DOUBLE_PACK, hands_of_all_sizes, model_plays, some_plays, suited_hand

CSRC = Path(_core.__file__).parent / "csrc"
LARGEST_HAND = 28  # 27 and a card received before one is returned


def play_to_beat(position: Position) -> Play | None:
    """Find cards for the play to beat, which the slow positions give without."""
    level, _, greater = position
    return None if greater is None else model_plays(level)[Kind[greater[0]], greater[1], greater[2]]


# ---- complete --------------------------------------------------------------------------------------------------------


def weak_straight(play: tuple[str, str, tuple[str, ...]], level: str) -> bool:
    """Find straights of one suit with a wild: listed by the reference except in hearts, so they are not compared."""
    naturals = [card for card in play[2] if card != "H" + level]
    return play[0] == "STRAIGHT" and len(naturals) < 5 and len({card[0] for card in naturals}) == 1


def test_all_plays_of_the_reference_positions_are_listed_and_no_others() -> None:
    number = 0
    for case in extra_cases("moves", "*.jsonl.gz"):
        name, level, over = case.get("id", number), case["level"], case.get("greater")
        over = None if over is None or is_pass(over) else play_of_action(over)
        listed = LegalPlays(case["hand"], level, over)
        mine = {plain(play) for play in listed}
        theirs = {plain(play_of_action(action)) for action in case["actions"] if not is_pass(action)}
        assert len(mine) == len(listed), f"{name}: a play is listed twice"
        assert (plain(PASS) in mine) == (over is not None), f"{name}: PASS is for following only"
        differing = {play for play in mine ^ theirs if not weak_straight(play, level)} - {plain(PASS)}
        assert not differing, f"{name}: {sorted(differing)[:5]}"
        number += 1
    assert number >= 400


def assert_listed(position: Position, wanted: set[brute.Play]) -> None:
    level, hand, _ = position
    over = play_to_beat(position)
    listed = [plain(play) for play in LegalPlays(hand, level, over)]
    assert len(set(listed)) == len(listed), f"{position}: a play is listed twice"
    assert set(listed) == wanted, f"{position}: {sorted(set(listed) ^ wanted)[:5]}"
    shapes = [brute.shape(plain(play), level) for play in LegalPlays(hand, level, over, "shapes")]
    assert len(set(shapes)) == len(shapes), f"{position}: a shape is listed twice"
    assert set(shapes) == brute.shapes(wanted, level), f"{position}: shapes"


def test_brute_force_lists_the_same_plays_of_hands_up_to_nine_cards() -> None:
    rng = Random(20)
    leads = 0
    for i in range(1500):
        position = level, hand, greater = random_position(rng, i % 3, 9)
        assert_listed(position, brute.plays(hand, level, greater))
        leads += greater is None
    assert 600 < leads < 900


@pytest.mark.soak
def test_brute_force_in_c_lists_the_same_plays_of_hands_up_to_twelve_cards(tmp_path: Path) -> None:
    rng = Random(21)
    positions = [random_position(rng, i % 3, 12) for i in range(20_000)]
    lists = brute_native.list_all(brute_native.build(tmp_path), positions)
    for position, wanted in zip(positions, lists, strict=True):
        assert_listed(position, wanted)


def test_a_hand_has_all_plays_of_a_part_of_it() -> None:
    for rng, level, hand in hands_of_all_sizes(300, seed=22):
        part = rng.sample(hand, min(len(hand), 8))
        missing = brute.plays(part, level) - {plain(play) for play in LegalPlays(hand, level)}
        assert not missing, f"{hand} at level {level}: {sorted(missing)[:5]}"


# ---- legal -----------------------------------------------------------------------------------------------------------


def assert_consistent(hand: Sequence[str], level: str, overs: Sequence[Play]) -> None:
    """Check one hand against everything that needs no full brute force."""
    name = f"{' '.join(hand)} at level {level}"
    lead = list(LegalPlays(hand, level))
    held = Counter(hand)
    for play in lead:
        assert not Counter(play.cards) - held, f"{name}: {play} is not held"
        assert (play.kind.name, play.key) in brute.readings(play.cards, level), f"{name}: {play} is no such play"
    assert len({plain(play) for play in lead}) == len(lead), f"{name}: a play is listed twice"
    assert_ordered(lead, level)
    for over in overs:
        greater = (over.kind.name, over.key, len(over.cards))
        better = [p for p in lead if brute.beats(p.kind.name, p.key, len(p.cards), *greater, level)]
        assert list(LegalPlays(hand, level, over)) == [PASS, *better], f"{name}: answers to {over}"
    for to_beat in (None, *overs):
        everything = [brute.shape(plain(play), level) for play in LegalPlays(hand, level, to_beat)]
        shapes = [brute.shape(plain(play), level) for play in LegalPlays(hand, level, to_beat, "shapes")]
        assert shapes == list(dict.fromkeys(everything)), f"{name}: shapes are not the projection, or in another order"
        assert len(set(shapes)) == len(shapes), f"{name}: a shape is listed twice"


def test_every_listed_play_is_held_readable_and_beats_and_shapes_are_the_projection_of_all() -> None:
    for rng, level, hand in hands_of_all_sizes(300, seed=23):
        assert_consistent(hand, level, some_plays(rng, level, 2))


def test_engine_and_rule_text_agree_which_play_beats_which() -> None:
    for level in RANKS:
        rng = Random(level)
        for play, over in zip(some_plays(rng, level, 400), some_plays(rng, level, 400), strict=True):
            mine, theirs = [(p.kind.name, p.key, len(p.cards)) for p in (play, over)]
            assert beats(play, over, level) == brute.beats(*mine, *theirs, level), (
                f"{play} over {over} at level {level}"
            )


def test_a_set_of_cards_has_the_readings_of_the_rule_text() -> None:
    """Cards of a play, as they are or with one card exchanged."""
    rng = Random(24)
    several = unreadable = 0
    for i in range(4000):
        level = RANKS[i % 13]
        cards = list(some_plays(rng, level, 1)[0].cards)
        cards[rng.randrange(len(cards))] = rng.choice((cards[0], "H" + level, rng.choice(brute.PACK)))
        if max(Counter(cards).values()) > 2:
            continue
        found = [(play.kind.name, play.key) for play in readings(cards, level)]
        assert len(set(found)) == len(found)
        assert set(found) == brute.readings(cards, level), f"{cards} at level {level}"
        several += len(found) > 1
        unreadable += not found
    assert several > 300
    assert unreadable > 300


# ---- in order --------------------------------------------------------------------------------------------------------


def order_of(play: Play, level: str) -> tuple[int, int, int, int]:
    """Tell where a play stands: kind, size, power, wilds; of sequences the place of the lowest card is the power."""
    if play.kind in (Kind.PASS, Kind.JOKER_BOMB):
        return play.kind, 0, 0, 0
    in_sequence = play.kind in (Kind.TUBE, Kind.PLATE, Kind.STRAIGHT, Kind.STRAIGHT_FLUSH)
    power = ("A" + RANKS).index(play.key) if in_sequence else brute.power(play.key, level)
    return play.kind, len(play.cards), power, play.cards.count("H" + level)


def assert_ordered(plays: Sequence[Play], level: str) -> None:
    for before, after in pairwise(plays):
        assert order_of(before, level) <= order_of(after, level), f"{before} stands before {after} at level {level}"


def test_lists_ascend_by_kind_then_size_then_power_then_wilds() -> None:
    for rng, level, hand in hands_of_all_sizes(120, seed=25):
        for greater in (None, *some_plays(rng, level, 2)):
            for listing in ("all", "shapes"):
                plays = list(LegalPlays(hand, level, greater, listing))
                assert (PASS in plays) == (greater is not None)
                assert_ordered(plays, level)


def test_codes_of_shapes_strictly_ascend() -> None:
    for _, level, hand in hands_of_all_sizes(300, seed=26):
        codes = _core.Plays(card_bytes(hand), level_rank(level)).codes()
        assert all(before < after for before, after in pairwise(codes))


def test_the_cheapest_play_stands_first_when_leading_and_second_when_following() -> None:
    answered = 0
    for rng, level, hand in hands_of_all_sizes(200, seed=27):
        weakest = min(hand, key=lambda card: brute.power(card, level))
        first = LegalPlays(hand, level)[0]
        assert (first.kind, brute.power(first.key, level)) == (Kind.SINGLE, brute.power(weakest, level))
        for over in some_plays(rng, level, 3):
            plays = LegalPlays(hand, level, over)
            assert plays[0] == PASS
            if len(plays) > 1:
                assert order_of(plays[1], level) == min(order_of(play, level) for play in plays if play != PASS)
                answered += 1
    assert answered > 200


# ---- a sequence ------------------------------------------------------------------------------------------------------


def test_length_index_iteration_membership_and_slices_tell_the_same() -> None:
    for rng, level, hand in hands_of_all_sizes(60, seed=28):
        for greater in (None, *some_plays(rng, level, 1)):
            everything = LegalPlays(hand, level, greater)
            plays = list(everything)
            assert len(everything) == len(plays)
            assert [everything[i] for i in range(len(plays))] == plays
            assert [everything[i - len(plays)] for i in range(len(plays))] == plays
            assert [everything.index(play) for play in plays] == list(range(len(plays)))
            assert all(play in everything for play in plays)
            assert everything[3:50:7] == plays[3:50:7]
            assert everything[::-1] == plays[::-1]
            assert list(reversed(everything)) == plays[::-1]
            for i in (len(plays), -len(plays) - 1):
                with pytest.raises(IndexError):
                    everything[i]


def test_a_play_is_found_among_shapes_at_the_place_of_its_shape() -> None:
    for rng, level, hand in hands_of_all_sizes(60, seed=29):
        shapes = LegalPlays(hand, level, listing="shapes")
        places = {brute.shape(plain(play), level): i for i, play in enumerate(shapes)}
        for play in rng.sample(list(LegalPlays(hand, level)), 20 if len(hand) > 20 else 1):
            assert play in shapes
            assert shapes.index(play) == places[brute.shape(plain(play), level)]


def test_index_looks_only_between_start_and_stop() -> None:
    plays = LegalPlays("S3 S4 S5", "9")
    last = plays[2]
    assert plays.index(last, 2) == plays.index(last, -1) == plays.index(last, -9) == plays.index(last, 0, 3) == 2
    absent = Play(Kind.SINGLE, "K", ("SK",))
    for play, start, stop in ((last, 3, None), (last, 0, 2), (last, 0, -1), (absent, 0, None), (absent, -9, None)):
        with pytest.raises(ValueError, match="not in the list"):
            plays.index(play, start, stop)


def test_what_is_not_legal_here_is_no_member() -> None:
    plays = LegalPlays("S3 D3 C3 H7 S9", "7", Play(Kind.PAIR, "2", ("S2", "D2")))
    assert Play(Kind.PAIR, "3", ("S3", "D3")) in plays
    assert Play(Kind.PAIR, "3", ("D3", "S3")) in plays  # the order of the cards means nothing
    for play in (
        Play(Kind.PAIR, "3", ("S3", "H3")),  # not held
        Play(Kind.PAIR, "4", ("S3", "D3")),  # no such reading
        Play(Kind.SINGLE, "9", ("S9",)),  # does not follow
        Play(Kind.PAIR, "3", ("S3", "X3")),  # no card
        Play(Kind.PAIR, "3", ()),
    ):
        assert play not in plays
    not_a_play: object = "S3 D3"
    assert not_a_play not in plays
    assert PASS not in LegalPlays("S3", "7")


# ---- other rules -----------------------------------------------------------------------------------------------------

PLAY_RULES = [
    Rules(
        wild_single=single,
        wild_single_takes_wind=single,
        wild_pair_any=pair,
        suited_straight_is_plain=plain_too,
        copies_beyond_deck=copies,
    )
    for single, pair, plain_too, copies in product((True, False), repeat=4)
]


@pytest.mark.parametrize("rules", PLAY_RULES, ids=brute_native.digits)
def test_lists_under_every_switch_of_plays_are_those_of_brute_force(rules: Rules) -> None:
    rng = Random(40)
    for number in range(60):
        level, hand, greater = position = random_position(rng, wilds=number % 3, largest=8)
        if number % 10 == 0:  # a whole rank and the wilds, a run of one suit, or the wilds alone
            rank = RANKS[number // 5 % 13]
            hand, greater = [*[suit + rank for suit in "SHCD"] * 2, "H" + level, "H" + level], None
            hand = hand if rank != level else hand[:-2]
            position = level, hand, greater
        listed = [plain(play) for play in LegalPlays(hand, level, play_to_beat(position), rules=rules)]
        assert len(set(listed)) == len(listed)
        assert set(listed) == brute.plays(hand, level, greater, rules), (level, hand, greater)


# ---- suits -----------------------------------------------------------------------------------------------------------


def flushes_left(hand: Sequence[str], level: str) -> int:
    """Count windows of five places in one suit that the hand could fill, each with all its wilds."""
    wilds = list(hand).count("H" + level)
    held = {suit: {card[1] for card in hand if card[0] == suit and card != "H" + level} for suit in brute.SUITS}
    held["S"] -= {"B"}  # the small joker is written SB
    held["H"] -= {"R"}
    windows = [("A" + RANKS)[low : low + 5] for low in range(10)]
    return sum(len(ranks.intersection(window)) + wilds >= 5 for ranks in held.values() for window in windows)


def test_the_suits_of_a_shape_leave_the_most_straight_flushes_possible_and_are_the_first_such() -> None:
    rng = Random(30)
    decided = 0
    for i in range(120):
        level = RANKS[i % 13]
        hand = suited_hand(rng, level)
        choices: dict[brute.Shape, list[tuple[str, ...]]] = {}
        for play in LegalPlays(hand, level):
            choices.setdefault(brute.shape(plain(play), level), []).append(play.cards)
        shown = LegalPlays(hand, level, listing="shapes")
        for play in rng.sample(list(shown), min(len(shown), 60)):
            among = choices[brute.shape(plain(play), level)]
            left = [flushes_left(list((Counter(hand) - Counter(cards)).elements()), level) for cards in among]
            assert play.cards == among[left.index(max(left))], f"{play} of {hand} at level {level}"
            decided += max(left) > min(left)
    assert decided > 300


# ---- borders ---------------------------------------------------------------------------------------------------------

cards_of_the_pack = st.lists(st.integers(0, 107), unique=True, max_size=LARGEST_HAND)
some_levels = st.sampled_from(RANKS)


@settings(derandomize=True, deadline=None, max_examples=150)
@given(places=cards_of_the_pack, level=some_levels, number=st.integers(0, 10**6))
def test_any_hand_of_up_to_28_cards_has_a_consistent_list(places: list[int], level: str, number: int) -> None:
    hand = [DOUBLE_PACK[place] for place in places]
    assert_consistent(hand, level, some_plays(Random(number), level, 1))


@settings(derandomize=True, deadline=None, max_examples=60)
@given(rank=some_levels, level=some_levels, others=st.lists(st.integers(0, 107), unique=True, max_size=18))
def test_a_hand_with_all_cards_of_a_rank_all_wilds_and_others(rank: str, level: str, others: list[int]) -> None:
    kept = {suit + rank for suit in brute.SUITS} | {"H" + level}
    hand = [card for card in DOUBLE_PACK if card in kept] + [
        DOUBLE_PACK[place] for place in others if DOUBLE_PACK[place] not in kept
    ]
    assert_consistent(hand, level, some_plays(Random(rank + level), level, 1))
    bombs = {len(play.cards) for play in LegalPlays(hand, level) if play.kind == Kind.BOMB and play.key == rank}
    assert bombs == set(range(4, 9 if rank == level else 11))


def test_every_card_alone_is_a_single_and_nothing_else() -> None:
    for level, card in product(RANKS, brute.PACK):
        assert list(LegalPlays([card], level)) == [Play(Kind.SINGLE, card[1], (card,))]


def test_an_empty_hand_has_nothing_to_lead_and_only_passes() -> None:
    for listing in ("all", "shapes"):
        assert list(LegalPlays("", "2", listing=listing)) == []
        assert list(LegalPlays("", "2", Play(Kind.SINGLE, "3", ("S3",)), listing)) == [PASS]


@pytest.mark.parametrize("level", ["2", "A"])
def test_four_jokers_are_singles_pairs_and_the_joker_bomb(level: str) -> None:
    names = [(play.kind.name, play.key) for play in LegalPlays("SB HR SB HR", level)]
    assert names == [("SINGLE", "B"), ("SINGLE", "R"), ("PAIR", "B"), ("PAIR", "R"), ("JOKER_BOMB", "JOKER")]
    assert list(LegalPlays("S3 S4", level, Play(Kind.JOKER_BOMB, "JOKER", ("SB", "SB", "HR", "HR")))) == [PASS]
