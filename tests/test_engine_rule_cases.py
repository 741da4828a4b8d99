"""The engine decides the rule cases as they are written.

Cases come from tests/data/rules and from the folder that GUANDAN_EXTRA_CASES names; `null` in an expected answer is not
compared. A case that this version cannot decide is counted with the reason, never dropped.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine import _core
from engine.bulk import Coin, play_coin_pairs
from engine.cards import RANKS, level_rank
from engine.deal import Deal
from engine.faults import start_levels_when_late
from engine.match import DealRecord, Match
from engine.plays import PASS, Kind, LegalPlays, Play, beats, readings
from engine.rules import Rules
from engine.ruleset import load_rules
from engine.tribute import pair_tribute, return_options, tribute_due, tribute_leader, tribute_options
from strategies.registry import load
from tests.slow import brute
from tests.support.cases import DATA, extra_cases
from tests.support.expected import Expected, LaterError, level_of
from tests.support.notation import is_pass, plain, play_like, play_of_action, reading_of
from tests.support.people import first_lead, layout, penalty, report

Case = dict[str, Any]
Decide = Callable[["Expected", Mapping[str, Any], str | None, Rules], None]

EVENT_CASES = frozenset({"S02", "S05", "S11", "S12", "S13", "S15", "N02", "N04", "N08"})
"""Cases that wait until whole events are played: byes and forfeits, warnings, disqualification, time limits; and the
faults that cost no deal, which an event records."""

EVENT_RULES = {"jiangsu2023": "national"}
"""Rules of an event that are no rules of a match -> the rules by which its matches are taken to be played."""


# ---- plays -----------------------------------------------------------------------------------------------------------


def read_all(pairs: Sequence[Sequence[Any]]) -> set[tuple[str, str]]:
    return {reading_of(pair) for pair in pairs}


def classify(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    cards, level = given["cards"], level_of(level)
    found = {(play.kind.name, play.key) for play in readings(cards, level, rules)}
    whole = [play for play in LegalPlays(cards, level, rules=rules) if len(play.cards) == len(cards)]
    expected.check("readings", found, read_all)
    expected.check("legal_lead", bool(whole))
    assert {(play.kind.name, play.key) for play in whole} == found, "the list of plays knows other readings"


def compare(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    level, play, over = level_of(level), play_of_action(given["play"]), play_of_action(given["prev"])
    readable = any(play.kind == known.kind and play.key == known.key for known in readings(play.cards, level, rules))
    # A declaration that the cards do not bear is no error: it beats nothing.
    expected.check("beats", readable and beats(play, over, level, rules))


def list_plays(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    level, prev = level_of(level), given.get("prev")
    over = None if prev is None or is_pass(prev) else play_of_action(prev)
    listed = [plain(play) for play in LegalPlays(given["hand"], level, over, rules=rules)]
    assert len(set(listed)) == len(listed), "a play is listed twice"

    def has(entry: Sequence[Any]) -> bool:
        """Look for a play of this type and rank and, where the entry says so, of this size or these cards."""
        if is_pass(entry):
            return plain(PASS) in listed
        if len(entry) > 2 and not isinstance(entry[2], int):
            return plain(play_of_action(entry)) in listed
        sizes = {len(cards) for *reading, cards in listed if tuple(reading) == reading_of(entry)}
        return entry[2] in sizes if len(entry) > 2 else bool(sizes)

    expected.check("actions", set(listed), lambda actions: {plain(play_of_action(action)) for action in actions})
    expected.check("readings", {(kind, key) for kind, key, _ in listed if kind != "PASS"}, read_all)
    expected.check("pass_legal", plain(PASS) in listed if listed else None)
    expected.check("must_contain", [], lambda entries: [entry for entry in entries if not has(entry)])
    expected.check("must_not_contain", [], lambda entries: [entry for entry in entries if has(entry)])


# ---- tricks and the end of a deal ------------------------------------------------------------------------------------


def ladders(level: str) -> Iterator[list[Play]]:
    """Yield series of plays, each beating the one before: singles, pairs, triples, bombs on a single."""
    ranks = [rank for rank in RANKS if rank != level]
    for kind, suits in ((Kind.SINGLE, "S"), (Kind.PAIR, "SD"), (Kind.TRIPLE, "SHC"), (Kind.BOMB, "SHCD")):
        ladder = [play_like(kind, [suit + rank for suit in suits], level) for rank in ranks]
        if kind == Kind.BOMB:
            ladder[0] = play_like(Kind.SINGLE, ["S" + ranks[0]], level)
        yield ladder


class Fillers:
    """Cards that a seat holds so as not to be out; second copies, so that they never collide with a ladder."""

    def __init__(self, level: str, each: int) -> None:
        self._cards = iter([suit + rank for rank in RANKS if rank != level for suit in "CD"])
        self._each = each

    def take(self) -> list[str]:
        return [next(self._cards) for _ in range(self._each)]


def levels_of(level: str | None) -> list[str]:
    return [level] if level else ["2", "7", "A"]


def last_card(what: Any) -> bool:
    return "OUT" in str(what).upper() or "LAST" in str(what).upper()


def follow_trick(given: Mapping[str, Any], level: str, ladder: Sequence[Play], fillers: Fillers, rules: Rules) -> Deal:
    """Play the trick of the case with these plays: the holder's, then the answers."""
    steps = [(given["holder"], "OUT" if given["holder_out_now"] else "PLAY"), *given["then"]]
    laid = [(seat, what) for seat, what in steps if not is_pass(what)]
    going_out = {seat for seat, what in laid if last_card(what)}
    hands: list[list[str]] = [[], [], [], []]
    for (seat, _), play in zip(laid, ladder, strict=False):
        hands[seat] += play.cards
    for seat in set(range(4)) - going_out - set(given["out_before"]):
        hands[seat] += fillers.take()
    if "partner_hand" in given:
        hands[given["holder"] ^ 2] = list(given["partner_hand"])
    deal = Deal(hands, level, given["holder"], given["out_before"], rules)
    plays = iter(ladder)
    for seat, what in steps:
        assert deal.turn == seat, f"seat {deal.turn} is to act, not {seat}"
        deal.play(PASS if is_pass(what) else next(plays))
    return deal


def check_end(expected: Expected, deal: Deal, where: str) -> None:
    order = deal.order
    losers = sorted(order[2:]) if deal.over and order[0] % 2 == order[1] % 2 else None
    for key in ("over", "hand_over"):
        expected.check(key, deal.over, where=where)
    expected.check("first_two", list(order[:2]), where=where)
    expected.check("double_down", losers, sorted, where=where)
    expected.check("order_prefix", True, lambda prefix: list(order[: len(prefix)]) == prefix, where=where)
    # After a double-down the two losers are tied, whichever way the case writes them.
    ranked = order[:2] if losers else order
    expected.check("order", list(ranked), lambda want: want[: len(ranked)], where=where)


def trick(expected: Expected, given: Mapping[str, Any], named: str | None, rules: Rules) -> None:
    for level in levels_of(named or given.get("level")):
        for ladder in ladders(level):
            for each in (1, 3):
                deal = follow_trick(given, level, ladder, Fillers(level, each), rules)
                where = f" at level {level}, first play {' '.join(ladder[0].cards)}, {each} cards left to the others"
                over = deal.over or deal.to_beat is None
                expected.check("trick_over", over, where=where)
                expected.check("leader", deal.turn if over else None, where=where)
                expected.check("next", None if over else deal.turn, where=where)
                expected.check("partner_may_take_wind", deal.turn == given["holder"] ^ 2, where=where)
                check_end(expected, deal, where)


def hand_end(expected: Expected, given: Mapping[str, Any], named: str | None, rules: Rules) -> None:
    """Let the seats go out in the order of the case, each on the play of the one before, the others passing."""
    finishers: list[int] = given["out_in_order"]
    for level in levels_of(named):
        for ladder in ladders(level):
            fillers = Fillers(level, 2)
            hands = [list(ladder[finishers.index(s)].cards) if s in finishers else fillers.take() for s in range(4)]
            deal = Deal(hands, level, finishers[0] if finishers else 0, rules=rules)
            for seat, play in zip(finishers, ladder, strict=False):
                while deal.turn not in (seat, None):
                    deal.play(PASS)
                deal.play(play)
            check_end(expected, deal, f" at level {level}, by {ladder[-1].kind.name}")


# ---- levels ----------------------------------------------------------------------------------------------------------


def ranked(order: Sequence[int | None]) -> bytes:
    """Fill the places that a case leaves open after a double-down."""
    seats = [seat for seat in order if seat is not None]
    return bytes(seats + [seat for seat in range(4) if seat not in seats])


def promotion(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    levels = (level_rank(given["levels"][0]), level_rank(given["levels"][1]))
    declarer, fails = given["declarer"], tuple(given.get("a_fails") or (0, 0))
    after, side, counted, end, winner, steps, _ = _core.promote(
        rules.core(), levels, -1 if declarer is None else declarer, (fails[0], fails[1]), 3, ranked(given["order"])
    )
    expected.check("levels", [RANKS[rank] for rank in after])
    expected.check("next_level", None if end >= 0 else RANKS[after[side]])
    expected.check("declarer", side)
    expected.check("winner", None if winner < 0 else winner)
    expected.check("a_fails", list(counted))
    expected.check("steps", steps)


def score(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    """Decide who wins a format by deals, from the last deal of it; other scores belong to events."""
    if {"hands", "final_levels"} <= set(given):
        deals, final = given["hands"], [level_rank(level) for level in given["final_levels"]]
        end, winner = last_deal(replace(rules, limit_deals=deals), deals, final)
        assert end == DEAL_LIMIT, f"the match ended as {end}"
        expected.check("winner", None if winner < 0 else winner)
        expected.check("draw", winner < 0)
    elif {"hands_planned", "passed_A_after_hand", "team"} <= set(given):
        planned, deals, team = given["hands_planned"], given["passed_A_after_hand"], given["team"]
        limited = replace(rules, limit_deals=planned)
        order = bytes([team, team + 2, 1 - team, 3 - team])
        *_, end, winner, _, _ = _core.promote(limited.core(), (12, 12), team, (0, 0), deals - 1, order)
        expected.check("winner", winner)
        expected.check("ended_early", end == PASSED_A and deals < planned)
    elif given.get("event") == "late" and "non_offender_start" in expected.values:
        theirs, ours = start_levels_when_late(given["minutes"], late=1) or (None, None)
        expected.check("non_offender_start", theirs)
        expected.check("offender_start", ours)
    elif set(given) == {"final_levels"} and "level_points" in expected.values:
        expected.check("level_points", level_points_at(given["final_levels"], rules))
    elif {"format", "last_round"} <= set(given):
        last = tie_break_deal(rules)
        expected.check(
            "extra_hand", {"level": last.level, "tribute": last.row["tribute"] > 0, "ends_at": "first finisher"}
        )
        assert [event[0] for event in last.events].count("out") == 1
    else:
        raise LaterError("points, penalties and times of a whole event")


def level_points_at(final: Sequence[str], rules: Rules) -> list[int]:
    """Level points of both sides of a match that a limit ends at these levels: whoever wins the deals, by coins."""
    x, y = (level_rank(level) + 2 for level in final)
    for deals in range(2, 13):
        limited = replace(rules, limit_deals=deals)
        matches = play_coin_pairs(Coin(0.5, (0.3, 0.3, 0.4)), limited, 1, range(1000), detail="matches").matches
        found = (matches["x_level"] == x) & (matches["y_level"] == y) & (matches["end_reason"] == DEAL_LIMIT)
        if found.any():
            (points,) = set(matches["x_level_points"][found].tolist())
            return [points, 26 - points]
    raise LaterError("final levels at which no match of a thousand ends")


def tie_break_deal(rules: Rules) -> DealRecord:
    """Play matches until one is level at its limit; its extra deal."""
    greedy = load("greedy")
    for pair in range(1000):
        deals = list(Match(rules, 1, pair, 1, greedy, greedy).deals())
        if len(deals) > rules.limit_deals:
            return deals[-1]
    raise AssertionError("no match of a thousand was level at its limit")


PASSED_A, DEAL_LIMIT = 0, 1  # engine.bulk.MATCH_ENDS


def last_deal(rules: Rules, deals: int, final: list[int]) -> tuple[int, int]:
    """Find a last deal after which the sides stand at these levels, and score it: (end, winner)."""
    for side in (0, 1):
        for partner_place in (1, 2, 3):
            others = [1 - side, 3 - side]
            order = bytes([side, *others[: partner_place - 1], side + 2, *others[partner_place - 1 :]])
            before = list(final)
            before[side] -= 4 - partner_place
            if before[side] < 0:
                continue
            after, _, _, end, winner, _, _ = _core.promote(
                rules.core(), (before[0], before[1]), -1, (0, 0), deals - 1, order
            )
            if list(after) == final:
                return end, winner
    raise LaterError("final levels at which no deal can end")


# ---- tribute ---------------------------------------------------------------------------------------------------------


def deal_for_tribute(given: Mapping[str, Any], level: str, payers: Sequence[int]) -> list[list[str]]:
    """Deal 27 cards a seat, as far as they go, so that payers hold the jokers and pay the cards of the case."""
    pack = Counter(brute.PACK) + Counter(brute.PACK)
    hands: list[list[str]] = [[], [], [], []]
    for name, joker in (("hr", "HR"), ("sb", "SB")):
        for seat, number in given.get(name, {}).items():
            hands[int(seat)] += [joker] * number
    for seat, card in given.get("paid", {}).items():
        hands[int(seat)] += [card] * (card not in hands[int(seat)])
    pack -= sum((Counter(hand) for hand in hands), Counter[str]())
    by_power = sorted(pack.elements(), key=lambda card: (card == "H" + level, brute.power(card, level), card))
    for seat in sorted(range(4), key=lambda seat: seat not in payers):
        card = given.get("paid", {}).get(str(seat))
        below = brute.power(card, level) if card else 11 if seat in payers else 99
        fitting = [card for card in by_power if brute.power(card, level) < below][: 27 - len(hands[seat])]
        for card in fitting:
            by_power.remove(card)
        hands[seat] += fitting
    return hands


def tribute(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    level, order = level_of(level), list(ranked(given["order"]))
    payers = tribute_due(order, [""] * 4, rules).payers
    hands = deal_for_tribute(given, level, payers)
    due = tribute_due(order, hands, rules)
    moves: list[list[Any]] = []
    if due.payers and not due.refused:
        said = given.get("paid", {})
        paid = {seat: said.get(str(seat), tribute_options(hands[seat], level)[0]) for seat in due.payers}
        for seat, card in paid.items():
            assert card in tribute_options(hands[seat], level), f"seat {seat} may not pay {card} of {hands[seat]}"
        moves = [list(move) for move in pair_tribute(order, level, paid, rules)]
    expected.check("anti", due.refused)
    expected.check("moves", sorted(moves), sorted)
    returned = {payer: card for payer, _, card in moves}  # where a case does not say, it does not matter
    returned |= {int(seat): card for seat, card in given.get("returned", {}).items()}
    leader = tribute_leader(order, level, [tuple(move) for move in moves], returned, rules) if moves else order[0]
    expected.check("leader", leader)
    expected.check("returns_to", sorted([receiver, payer] for payer, receiver, _ in moves), sorted)


def tribute_card(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    expected.check("legal", set(tribute_options(given["hand"], level_of(level))), set)


def return_card(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    expected.check("legal", set(return_options(given["hand"], level_of(level), rules)), set)


# ---- all of them -----------------------------------------------------------------------------------------------------

DECIDERS: Mapping[str, Decide] = {
    "classify": classify,
    "beats": compare,
    "legal_follow": list_plays,
    "legal_lead": list_plays,
    "trick": trick,
    "hand_end": hand_end,
    "promotion": promotion,
    "score": score,
    "tribute": tribute,
    "tribute_card": tribute_card,
    "return_card": return_card,
    "first_lead": first_lead,
    "penalty": penalty,
    "layout": layout,
    "report": report,
}


def rules_of(case: Case) -> Rules:
    """Take the rule set of the case with the single points that it changes."""
    name: str = case["ruleset"]
    changes = case.get("rules") or {}
    try:
        return replace(load_rules(EVENT_RULES.get(name, name)).rules, **changes)
    except (TypeError, ValueError) as error:
        raise LaterError(f"{name} with {changes}: {error}") from None


def decide(case: Case) -> list[str]:
    """Tell where the engine differs from the case. LaterError: this version does not play it."""
    rules = rules_of(case)
    decider = DECIDERS.get(case["kind"])
    if decider is None:
        raise LaterError("a kind of case that this test has no word for")
    expected = Expected(case["expected"])
    try:
        decider(expected, case["input"], case.get("level"), rules)
    except LaterError:
        raise
    except Exception as error:  # also what the test cannot read: the case must be named, the others decided
        return [*expected.wrong.values(), f"{type(error).__name__}: {error}"]
    if not expected.known & set(expected.values):
        raise LaterError(f"{case['kind']} that asks only for {', '.join(sorted(expected.values))}")
    return list(expected.wrong.values())


def own_ids() -> set[str]:
    """Ids of the cases that come with the repository."""
    lines = [line for path in sorted((DATA / "rules").glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return {json.loads(line)["id"] for line in lines if line.strip()}


def test_engine_decides_the_rule_cases(capsys: pytest.CaptureFixture[str]) -> None:
    decided: Counter[str] = Counter()
    later: Counter[tuple[str, str]] = Counter()
    waiting = set()
    wrong = []
    for case in extra_cases("rules", "*.jsonl"):
        try:
            differences = decide(case)
        except LaterError as reason:
            later[case["kind"], str(reason)] += 1
            waiting.add(case.get("id"))
            continue
        decided[case["kind"]] += 1
        if differences:
            wrong.append(f"{case.get('id')} {case['kind']}: {'; '.join(differences)} ({case.get('why', '')})")
    with capsys.disabled():
        print(f"\nrule cases: {decided.total() + later.total()} read, {decided.total()} decided by the engine")
        print("  decided: " + ", ".join(f"{number} {kind}" for kind, number in sorted(decided.items())))
        for (kind, why), number in sorted(later.items()):
            print(f"  for a later version: {number} {kind}: {why}")
    assert not wrong, "\n".join(wrong)
    assert waiting & own_ids() == EVENT_CASES, "of our own cases only those of whole events wait"
    assert set(decided) == set(DECIDERS), "a kind of case was never decided"
