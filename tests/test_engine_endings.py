"""Every deal and every match ends, also where a seat is left with one wild that it may not lead (rule point B4).

Under the common rule sheet such a seat is passed over for the next that has something to lead; where none has, the deal
ends and those still in are placed in seat order from the last holder.
"""

from collections import Counter
from random import Random

import numpy as np
import pytest

from engine.bulk import MATCH_ENDS, play_pairs
from engine.cards import RANKS
from engine.deal import Deal
from engine.plays import PASS
from engine.rules import Rules
from engine.ruleset import load_rules, preset_names
from strategies.registry import load
from tests.support.shapes import DOUBLE_PACK

SEED = 90
SHEET = load_rules("sheet").rules


def endgame(rng: Random, number: int) -> Deal:
    """Deal a few cards to each seat, one of the two wilds to each of two seats."""
    level = RANKS[number % 13]
    others = rng.sample([card for card in DOUBLE_PACK if card != "H" + level], 12)
    hands = [[others.pop() for _ in range(rng.randint(1, 3))] for _ in range(4)]
    for seat in rng.sample(range(4), 2):
        hands[seat][0] = "H" + level
        if not rng.randrange(4):
            del hands[seat][1:]
    able = [seat for seat in range(4) if hands[seat] != ["H" + level]]
    return Deal(hands, level, rng.choice(able), rules=SHEET) if able else endgame(rng, number)


def stuck(deal: Deal, seat: int) -> bool:
    """Tell whether the seat is left with one wild."""
    return deal.hands[seat] == ("H" + deal.level,)


def wanted_lead(deal: Deal, holder: int) -> tuple[int | None, bool]:
    """Seat that leads after the trick that `holder` won, None where nobody can; and whether one was passed over."""
    heir = holder if deal.hands[holder] else holder ^ 2
    seats = [seat for seat in ((heir + i) % 4 for i in range(4)) if deal.hands[seat]]
    able = [seat for seat in seats if not stuck(deal, seat)]
    return (able[0] if able else None), bool(seats) and stuck(deal, seats[0])


def test_deals_under_the_sheet_end_although_seats_are_left_with_a_wild_they_may_not_lead() -> None:
    rng = Random(SEED)
    seen: Counter[str] = Counter()
    for number in range(4000):
        deal = endgame(rng, number)
        moves = 0
        while not deal.over:
            plays = deal.legal_plays()
            assert len(plays) > 0
            trick, gone = deal.trick, deal.order
            play = rng.choice(plays)
            deal.play(play)
            moves += 1
            assert moves < 100
            if trick is None or play != PASS or deal.trick is not None:
                continue
            leader, passed_over = wanted_lead(deal, trick.holder)  # the trick is over
            assert deal.turn == leader
            seen["passed over"] += passed_over
            if leader is None:
                seen["nobody can lead"] += 1
                assert deal.order == gone + tuple(
                    seat for seat in ((trick.holder + i) % 4 for i in range(4)) if seat not in gone
                )
        assert sorted(deal.order) == [0, 1, 2, 3]
        seen["ended"] += 1
    assert seen["ended"] == 4000
    assert seen["passed over"] > 400
    assert seen["nobody can lead"] > 40


def reasons_of(rules: Rules) -> set[str]:
    """Reasons for which a match may end, the safety cap of 200 deals aside: none of these matches comes near it."""
    reasons = {"passed_a"}
    reasons |= {"deal_limit"} if rules.limit_deals else set()
    reasons |= {"time_limit"} if rules.limit_minutes else set()
    return reasons | ({"tie_break"} if rules.tie_break else set())


@pytest.mark.heavy
@pytest.mark.parametrize("names", [("random", "random"), ("greedy", "greedy"), ("random", "greedy")], ids="-".join)
@pytest.mark.parametrize("preset", preset_names())
def test_matches_by_the_thousand_all_end_for_a_reason_of_their_rules(preset: str, names: tuple[str, str]) -> None:
    x, y = (load(name) for name in names)
    rules = load_rules(preset).rules
    rows = play_pairs(x, y, rules, SEED, range(1000), detail="matches")
    counted = np.bincount(rows.matches["end_reason"], minlength=len(MATCH_ENDS))
    ends = {reason: int(n) for reason, n in zip(MATCH_ENDS, counted, strict=True) if n}
    legs = 1 if names == ("greedy", "greedy") else 2  # who draws nothing plays both legs against itself alike
    assert sum(ends.values()) == 1000 * legs
    assert set(ends) <= reasons_of(rules), ends
