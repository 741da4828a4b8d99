"""Deals of the engine are replayed event by event by judges who know the rule text and nothing of the engine.

The slow referee replays whole matches from their records and works out the rows. A faster watch follows the engine's
own hands through many more deals: 108 cards at every step, every play held, readable and beating what lies there.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import cycle, product
from random import Random
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
from engine.deal import Deal
from engine.match import DealRecord, Match
from engine.plays import PASS, Kind, code_key
from engine.rules import NATIONAL, SAFETY_CAP, Rules
from engine.ruleset import load_rules, preset_names
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


ODD_RULES: Mapping[str, Rules] = {
    "next seat takes the wind, third pays, receiver chooses": Rules(
        wild_pair_any=True,
        suited_straight_is_plain=True,
        copies_beyond_deck=False,
        wild_single_takes_wind=False,
        wind_to="next",
        steps=(4, 2, 1),
        pass_a_partner="last",
        last_is_partner="third_pays",
        tribute_choice="receiver",
        equal_tribute="upstream",
        return_level_card=True,
        lead_after_refusal="payer",
        first_lead="turned_card",
        start_levels=("9", "J"),
        refuse_with_small_jokers=True,
    ),
    "aces as the last play drop to 9, own failures drop": Rules(
        wild_single=False,
        wild_single_takes_wind=False,
        wind_to="next",
        a_fail_limit=1,
        a_fail_counts="own_last",
        a_drop_level="9",
        ace_last_play=True,
        last_is_partner="nobody_pays",
        double_tribute="by_seat",
        start_levels=("A", "A"),
        limit_minutes=300,
        tie_break=True,
        seconds=(90, 20, 7, 1),
    ),
    "reaching A wins, six deals at most": Rules(
        win_on_reaching_a=True,
        steps=(5, 3, 0),
        lead_after_refusal="payer",
        equal_tribute="smaller_return_leads",
        start_levels=("7", "7"),
        limit_deals=6,
        tie_break=True,
    ),
    "no tribute and no end but the cap": Rules(tribute=False, pass_a_partner="second", start_levels=("A", "A")),
}
"""Rules of switches that no preset uses, some of them together."""

RULES: Mapping[str, Rules] = {**{name: load_rules(name).rules for name in preset_names()}, **ODD_RULES}


def replay(rules: Rules, x: str, y: str, pair: int, leg: int) -> Iterator[tuple[Referee, DealRecord]]:
    """Let the referee judge each deal of a match, its row, and how the match goes on from there."""
    state = MatchState(levels=rules.start_levels)
    for record in Match(rules, SEED, pair, leg, load(x), load(y)).deals():
        referee = Referee(record.hands, state, leg, rules)
        side = leg - 1  # the team of x
        assert record.level == referee.level
        assert record.levels_before == (state.levels[side], state.levels[1 - side])
        referee.replay(record.events)
        assert referee.differences(readable(record.row)) == []
        state = referee.next_state()
        assert record.levels_after == (state.levels[side], state.levels[1 - side])
        yield referee, record
    assert state.end is not None, "the match ends without a reason"


def rows_of(tables: Tables, leg: int) -> list[dict[str, int]]:
    columns = {name: column[tables.deals["leg"] == leg].tolist() for name, column in tables.deals.items()}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]


def judge_match(rules: Rules, x: str, y: str, pair: int) -> Iterator[tuple[Referee, dict[str, object]]]:
    """Judge both legs of a pair, deal by deal and as a whole: the rows of the bulk loop, the points and the time."""
    tables = play_pairs(load(x), load(y), rules, SEED, range(pair, pair + 1))
    for leg in range(1, tables.pairs["legs"][0] + 1):
        played = list(replay(rules, x, y, pair, leg))
        assert [record.row for _, record in played] == rows_of(tables, leg)
        match = {name: column[leg - 1] for name, column in tables.matches.items()}
        last = played[-1][0].next_state()
        assert match["x_half_points"] == (1 if last.winner is None else 2 if last.winner == leg - 1 else 0)
        assert MATCH_ENDS[match["end_reason"]] == last.end
        assert match["seconds"] == last.seconds
        for referee, record in played:
            yield referee, readable(record.row)


def judge_deals(rules: Rules, deals: int) -> Counter[str]:
    """Judge at least so many deals between random and greedy in turn; count what was seen."""
    seen: Counter[str] = Counter()
    for pair, (x, y) in enumerate(cycle(product(("random", "greedy"), repeat=2))):
        for referee, row in judge_match(rules, x, y, pair):
            seen.update(f"{name} {row[name]}" for name in ("tribute", "a_attempt", "end_reason"))
            for name in ("winds", "passed over"):
                seen[name] += referee.count[name]
            state = referee.next_state()
            seen.update([f"match {state.end}"] * (state.end is not None))
            seen["deals"] += 1
        if seen["deals"] >= deals:
            return seen
    raise AssertionError("a cycle has no end")


@pytest.mark.parametrize("name", RULES)
def test_slow_referee_agrees_with_300_deals_and_their_rows(name: str) -> None:
    rules = RULES[name]
    seen = judge_deals(rules, 300)
    assert seen["winds"] > 0
    if rules.tribute:
        for kind in TRIBUTES:
            assert seen[f"tribute {kind}"] > 0, f"no deal with {kind} tribute was judged"
    else:
        assert seen["tribute none"] == seen["deals"]
    if not (rules.a_plus or rules.win_on_reaching_a or rules.limit_deals or rules.pass_a_partner == "last"):
        for kind in A_ATTEMPTS:
            assert seen[f"a_attempt {kind}"] > 0, f"no deal with {kind} at A was judged"


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


def watch_play(table: _core.Table, capsules: list[Any], level: str, rules: Rules, first_ends: bool) -> int:
    """Follow the play of a deal to its end, the turns by the rule text's trick. Count seats that could not lead."""
    hands, gone = table.hands, b""
    trick, over = Trick(table.state[2], (), rules, first_ends), None
    wild = bytes([CARDS.index("H" + level)])
    skipped = 0
    while table.state[0] == ASK_PLAY:
        if trick.over:
            stuck = [seat for seat in range(4) if hands[seat] == wild]
            leader = trick.next_leader(stuck)
            assert leader is not None, "the deal goes on though nobody can lead"
            skipped += leader != trick.due
            trick, over = Trick(leader, trick.out, rules, first_ends), None
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
        assert play[:2] in brute.readings(card_texts(cards), level, rules)
        assert over is None or brute.beats(*play, *over, level)
        over = play
        trick.play(seat, goes_out=not hands[seat])
    if not trick.deal_over:
        assert trick.next_leader([seat for seat in range(4) if hands[seat] == wild]) is None
        skipped += 1
    return skipped


def watch(rules: Rules, x: str, y: str, deals: int) -> int:
    """Watch whole matches, leg 1 and leg 2 in turn, until so many deals are seen. Count seats that could not lead."""
    match = skipped = 0
    while deals > 0:
        leg = match % 2 + 1
        table = _core.Table(rules.core(), SEED + 1, match // 2, leg)
        capsules = [load((x, y)[(seat + leg + 1) % 2]).capsule for seat in range(4)]
        while table.state[0] == ASK_DEAL:
            levels = table.state[4:6]
            table.deal()
            assert together(*table.dealt) == DECK
            watch_tribute(table, capsules)
            first_ends = rules.limit_deals > 0 and table.state[7] >= rules.limit_deals
            row_level = LEVELS[0 if first_ends else max(levels) if table.state[6] < 0 else levels[table.state[6]]]
            skipped += watch_play(table, capsules, row_level, rules, first_ends)
            assert LEVELS[table.score()["level"] - 2] == row_level
            deals -= 1
        match += 1
    return skipped


@pytest.mark.parametrize(("x", "y", "deals"), [("random", "random", 1500), ("greedy", "random", 500)])
def test_108_cards_and_a_legal_play_at_every_step_of_2000_deals(x: str, y: str, deals: int) -> None:
    watch(NATIONAL, x, y, deals)


def endgame(rng: Random, level: str) -> list[list[str]]:
    """Deal the last cards of a deal, few a seat and the wilds among them; now and then a seat has nothing else."""
    wild = "H" + level
    others = [card for card in brute.PACK for _ in range(2) if card != wild]
    cards = rng.sample(others, 16)
    hands = [cards[4 * seat : 4 * seat + rng.randint(1, 4)] for seat in range(4)]
    for seat in rng.sample(range(4), 2):
        hands[seat] = [wild] if rng.random() < 0.5 else [*hands[seat][1:], wild]
    return hands


def play_out(rng: Random, hands: list[list[str]], level: str, rules: Rules) -> tuple[int, bool]:
    """Play an endgame to its end, at random, beside the trick of the rule text.

    Count seats that were passed over, and tell whether the deal ended because nobody had anything to lead.
    """
    leader = next(seat for seat in range(4) if hands[seat] != ["H" + level])
    deal, trick, skipped = Deal(hands, level, leader, rules=rules), Trick(leader, (), rules), 0
    while not trick.deal_over:
        if trick.over:
            lone = [seat for seat in range(4) if deal.hands[seat] == ("H" + level,)]
            heir = trick.next_leader(lone)
            skipped += heir != trick.due
            if heir is None:
                assert deal.over
                assert trick.holder is not None
                seats = [seat % 4 for seat in range(trick.holder, trick.holder + 4)]
                assert deal.order == (*trick.out, *(seat for seat in seats if seat not in trick.out))
                return skipped, True
            trick = Trick(heir, trick.out, rules)
        assert deal.turn == trick.turn
        play = rng.choice(deal.legal_plays())
        deal.play(play)
        if play == PASS:
            trick.give_up(trick.turn)
        else:
            trick.play(trick.turn, goes_out=not deal.hands[trick.turn])
    assert deal.over
    assert list(deal.order[: len(trick.out)]) == trick.out
    return skipped, False


@pytest.mark.parametrize("wind_to", ["partner", "next"])
def test_a_seat_left_with_a_wild_it_may_not_lead_is_passed_over_and_every_deal_ends(wind_to: str) -> None:
    """Rules B3, B4 of the sheet: who has only a wild leads never; where nobody has anything to lead the deal ends."""
    rules, rng = replace(load_rules("sheet").rules, wind_to=wind_to), Random(9)
    seen: Counter[str] = Counter()
    for number in range(2000):
        level = LEVELS[number % 13]
        skipped, stuck = play_out(rng, endgame(rng, level), level, rules)
        seen.update({"passed over": skipped, "nobody leads": stuck})
    assert seen["passed over"] > 300
    assert seen["nobody leads"] > 20


def test_a_seat_is_passed_over_in_whole_deals_of_the_sheet_too() -> None:
    assert watch(load_rules("sheet").rules, "greedy", "random", 3000) > 0


@pytest.mark.parametrize("name", preset_names())
def test_matches_by_the_thousand_come_to_an_end_that_the_rules_know(name: str) -> None:
    rules, random, greedy = load_rules(name).rules, load("random"), load("greedy")
    known = {"passed_a", "deal_limit", "tie_break"} if rules.limit_deals else {"passed_a", "safety_cap"}
    for x, y in ((random, random), (greedy, random)):
        matches = play_pairs(x, y, rules, SEED, range(1000), detail="matches").matches
        ends = Counter(MATCH_ENDS[code] for code in matches["end_reason"].tolist())
        assert ends.total() == 2000
        assert set(ends) <= known
        assert matches["deals"].max() <= SAFETY_CAP


@pytest.mark.soak
@pytest.mark.parametrize("name", preset_names())
def test_108_cards_and_a_legal_play_at_every_step_of_100_000_deals(name: str) -> None:
    watch(load_rules(name).rules, "random", "random", 100_000)
