"""A deal is written as one line and read back to the same state; a play is refused with the reason."""

from random import Random

import pytest

from engine import _core
from engine.cards import LEVELS, card_texts
from engine.deal import Deal, IllegalPlayError, Trick
from engine.notation import read_state, write_state
from engine.plays import PASS, Kind, Play
from engine.rules import Rules

SEED = 20261130
ASKED = "7 S3D3H7/S9D9SB/C4C5/HR - 1 0:PAIR:2:S2D2:0"


def pair(rank: str) -> Play:
    return Play(Kind.PAIR, rank, ("S" + rank, "D" + rank))


def random_deals(number: int) -> list[Deal]:
    """Deals at random points of random play, leads, answers and winds among them."""
    rng, found = Random(SEED), []
    for i in range(number):
        hands, leader = _core.deal_cards(SEED, i, 1)
        deal = Deal([card_texts(hand) for hand in hands], LEVELS[i % 13], leader)
        for _ in range(rng.randrange(110)):
            plays = deal.legal_plays("shapes")
            deal.play(plays[rng.randrange(len(plays))])
            if deal.over:
                break
        if not deal.over:
            found.append(deal)
    return found


def test_a_state_is_read_back_and_goes_on_alike() -> None:
    rng = Random(SEED)
    deals = random_deals(80)
    assert {deal.trick is None for deal in deals} == {True, False}
    assert any(deal.order for deal in deals)
    for deal in deals:
        line = write_state(deal)
        again = read_state(line)
        assert write_state(again) == line
        while not deal.over:
            plays = deal.legal_plays("shapes")
            assert list(again.legal_plays("shapes")) == list(plays), line
            play = plays[rng.randrange(len(plays))]
            deal.play(play)
            again.play(play)
            assert (again.hands, again.turn, again.trick) == (deal.hands, deal.turn, deal.trick), line
        assert again.order == deal.order


def test_what_is_played_on_a_copy_is_undone_by_dropping_it() -> None:
    for deal in random_deals(30):
        before, trial = write_state(deal), deal.copy()
        trial.play(trial.legal_plays()[0])
        assert write_state(deal) == before


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (pair("9"), None),
        (PASS, None),
        (pair("8"), "does not hold S8 D8"),
        (Play(Kind.PAIR, "9", ("S9", "S9")), "does not hold S9"),
        (Play(Kind.SINGLE, "B", ("SB",)), "SINGLE B does not beat PAIR 2"),
        (Play(Kind.PAIR, "9", ("S9", "SB")), "S9 SB is no play, not PAIR 9"),
        (Play(Kind.PAIR, "A", ("S9", "D9")), "S9 D9 is PAIR 9, not PAIR A"),
    ],
)
def test_a_play_is_verified_with_the_reason(play: Play, reason: str | None) -> None:
    deal = read_state(ASKED)
    assert deal.can_play(play) == (reason is None)
    if reason is None:
        deal.play(play)
        return
    with pytest.raises(IllegalPlayError, match=reason):
        deal.play(play)
    assert write_state(deal) == ASKED


def test_a_leader_may_not_pass_and_a_deal_that_is_over_takes_nothing() -> None:
    deal = read_state("7 S3/S9/C4/HR - 1 -")
    with pytest.raises(IllegalPlayError, match="leads"):
        deal.play(PASS)
    deal.play(Play(Kind.SINGLE, "9", ("S9",)))
    deal.play(PASS)
    deal.play(Play(Kind.SINGLE, "R", ("HR",)))
    assert deal.over
    assert not deal.can_play(PASS)
    with pytest.raises(ValueError, match="over"):
        write_state(deal)
    with pytest.raises(ValueError, match="over"):
        deal.copy()


def test_the_rules_of_a_state_are_given_beside_it() -> None:
    line = "5 H5/S3/S4/S6 - 0 -"
    assert len(read_state(line).legal_plays()) == 1
    assert not read_state(line, Rules(wild_single=False, wild_single_takes_wind=False)).legal_plays()


def test_a_holder_who_is_out_still_holds_the_trick() -> None:
    deal = read_state("7 -/S9/C4C5/HR 0 1 0:SINGLE:3:S3:0")
    for _ in range(3):
        deal.play(PASS)
    assert (deal.turn, deal.trick) == (2, None)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("", "LEVEL HANDS OUT TURN TRICK"),
        ("7 S3/S4/S5 - 0 -", "four hands"),
        ("1 S3/S4/S5/S6 - 0 -", "level"),
        ("7 S3/S4/S5/S1 - 0 -", "S1"),
        ("7 S3S/S4/S5/S6 - 0 -", "S"),
        ("7 S3S3/S3/S5/S6 - 0 -", "more than twice"),
        ("7 S3/S4/S5/- - 0 -", "name it in `out`"),
        ("7 S3/S4/S5/S6 4 0 -", "no seat"),
        ("7 -/S4/-/S6 02 1 -", "over"),
        ("7 S3/S4/S5/S6 - 9 -", "no seat"),
        ("7 S3/S4/S5/S6 - 0 x", "HOLDER:KIND"),
        ("7 S3/S4/S5/S6 - 0 3:TRIO:9:S9:0", "TRIO"),
        ("7 S3/S4/S5/S6 - 0 3:PASS:PASS::0", "PASS"),
        ("7 S3/S4/S5/S6 - 0 3:PAIR:9:S9:0", "cannot be read"),
        ("7 S3/S4/S5/S6 - 0 0:SINGLE:9:S9:0", "cannot be to act"),
        ("7 S3/S4/S5/S6 - 0 3:SINGLE:9:S9:1", "cannot be to act"),
        ("7 S3/S4/S5/S6 - 0 3:SINGLE:9:S9:3", "cannot be to act"),
    ],
)
def test_a_line_that_is_no_state_is_refused_by_name(line: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        read_state(line)


def test_a_trick_tells_holder_play_and_passes() -> None:
    assert read_state(ASKED).trick == Trick(0, pair("2"), 0)
