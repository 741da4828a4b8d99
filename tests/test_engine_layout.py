"""Cards as they lie on a table are read as the play that was meant."""

import pytest

from engine.layout import read_laid
from engine.plays import Kind
from engine.rules import Rules


@pytest.mark.parametrize(
    ("cards", "level", "kind", "key"),
    [
        ("H9 S4 D5 C6 D7", "9", Kind.STRAIGHT, "3"),  # sheet section 6: x4567 is 34567
        ("S4 D5 C6 D7 H9", "9", Kind.STRAIGHT, "4"),
        ("S5 D6 HK C8 D9", "K", Kind.STRAIGHT, "5"),
        ("HK SA DA S4 D4", "K", Kind.FULL_HOUSE, "A"),
        ("S4 D4 HK SA DA", "K", Kind.FULL_HOUSE, "4"),
        ("S3 D3 S4 D4 H9 H9", "9", Kind.TUBE, "3"),
        ("H9 H9 S3 D3 S4 D4", "9", Kind.TUBE, "2"),
        ("S3 D3 H9 S4 D4 H9", "9", Kind.PLATE, "3"),
        ("H9 S5 D5 C5", "9", Kind.BOMB, "5"),  # sheet section 6: x555 is 5555
        ("H9", "9", Kind.SINGLE, "9"),
        ("SB HR SB HR", "9", Kind.JOKER_BOMB, "JOKER"),
    ],
)
def test_a_wild_stands_for_the_card_at_whose_place_it_lies(cards: str, level: str, kind: Kind, key: str) -> None:
    play = read_laid(cards, level)
    assert (play.kind, play.key) == (kind, key)
    assert sorted(play.cards) == sorted(cards.split())


@pytest.mark.parametrize(
    ("cards", "plain", "more"),
    [
        ("S3 S4 H9 S6 S7", (Kind.STRAIGHT, "3"), (Kind.STRAIGHT_FLUSH, "3")),
        ("S5 D5 C5 H9 H9", (Kind.FULL_HOUSE, "5"), (Kind.BOMB, "5")),
    ],
)
def test_who_wants_the_greater_of_two_readings_that_lie_alike_must_say_so(
    cards: str, plain: tuple[Kind, str], more: tuple[Kind, str]
) -> None:
    unsaid, said = read_laid(cards, "9"), read_laid(cards, "9", more)
    assert (unsaid.kind, unsaid.key) == plain
    assert (said.kind, said.key) == more


def test_two_wilds_are_a_pair_of_the_level_unless_another_is_announced() -> None:
    rules = Rules(wild_pair_any=True)
    assert read_laid("H9 H9", "9", rules=rules).key == "9"
    assert read_laid("H9 H9", "9", (Kind.PAIR, "A"), rules).key == "A"


def test_what_was_announced_holds_wherever_the_wild_lies() -> None:
    assert read_laid("H9 S4 D5 C6 D7", "9", (Kind.STRAIGHT, "4")).key == "4"


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("S4 D4 S5", None),
        ("S7 D6 C5 H4 S3", None),  # a straight ascends
        ("S4 D4 SA DA HK", None),  # the triple lies left of the pair
        ("H9 S4 D5 C6 D7", (Kind.STRAIGHT, "5")),
        ("H9 S4 D5 C6 D7", (Kind.BOMB, "4")),
        ("", None),
    ],
)
def test_what_fits_no_reading_is_refused(cards: str, said: tuple[Kind, str] | None) -> None:
    with pytest.raises(ValueError, match="lies as no play" if said is None else said[0].name):
        read_laid(cards, "9", said)
