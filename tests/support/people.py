"""Rule cases of people at a table: who shuffles and draws, how cards lie, what is announced, what a fault costs."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

from engine import _core
from engine.bulk import FINISH_ORDERS
from engine.drawing import PLACES, Drawing, drawing_after_fault, first_drawer, later_drawing
from engine.faults import Verdict, verdict_on_fouls, verdict_on_silence
from engine.layout import read_laid
from engine.match import Match
from engine.plays import Kind
from engine.report import must_report
from engine.rules import Rules
from strategies.registry import load
from tests.support.expected import Expected, LaterError, level_of
from tests.support.notation import reading_of


def first_lead(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    """Decide who leads, and who shuffles, cuts and draws; a seat is written by the name of its place."""
    names = PLACES
    if "flipped" in given:
        drawer = first_drawer(given["flipped"])
        expected.check("recut", drawer is None)
        expected.check("first_drawer", None if drawer is None else names[drawer])
    elif "order" in given:
        check_drawing(expected, later_drawing([names.index(place) for place in given["order"] if place is not None]))
    elif "hands" in given and rules.first_lead == "rotation":
        expected.check("leaders", [names[seat] for seat in leaders_of(rules, given["hands"])])
    elif given.get("duplicate") and "hand_no" in given:
        rules = replace(rules, first_lead="rotation", tribute=False)
        expected.check("leader", names[leaders_of(rules, given["hand_no"])[-1]])
    elif given.get("penalty") == "judged double-down" and given.get("violator") in names:
        offender = names.index(given["violator"])
        after = after_a_double_down(offender, rules)
        expected.check("leader", names[after.state[2]])
        expected.check("tribute", bool(after.tribute))
        check_drawing(expected, drawing_after_fault(offender))
    else:
        raise LaterError("a first lead that this test has no word for")


def check_drawing(expected: Expected, drawing: Drawing) -> None:
    for key in ("shuffles", "cuts", "draws_first"):
        expected.check(key, PLACES[getattr(drawing, key)])
    if drawing.leads is not None:
        expected.check("leader", PLACES[drawing.leads])


def leaders_of(rules: Rules, deals: int) -> list[int]:
    """Seats that lead the first deals of a match that is long enough."""
    for pair in range(1000):
        played = Match(rules, 1, pair, 1, load("random"), load("random")).deals()
        seats = [deal.row["lead_seat"] for deal in islice(played, deals)]
        if len(seats) == deals:
            return seats
    raise LaterError(f"no match of a thousand takes {deals} deals")


def after_a_double_down(offender: int, rules: Rules) -> _core.Table:
    """Judge a deal a double-down for a fault of this seat, and deal the next."""
    table = _core.Table(rules.core(), 1, 0, 1)
    table.deal()
    table.judge(offender)
    table.score()
    table.deal()
    return table


def silent_deal(rules: Rules, partner_out_before: bool) -> tuple[_core.Table, list[int]]:
    """Play until a seat is out, its partner before it or not: the table, and the seats that are out."""
    greedy = load("greedy")
    for pair in range(100):
        table, out = _core.Table(rules.core(), 1, pair, 1), list[int]()
        table.deal()
        while table.state[0] == 3 and (partner_out_before or not out):  # it waits for a play
            table.decide(greedy.capsule)
            out += [seat for seat in range(4) if not table.hands[seat] and seat not in out]
            if out and out[-1] ^ 2 in out:
                return table, out
        if not partner_out_before:
            return table, out
    raise AssertionError("no deal of a hundred has two partners out")


def penalty(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    """Decide what a fault does to the deal; who sees it, and when, is a referee's business."""
    fault = given.get("fault", "")
    if fault.startswith("did not report, has gone out"):
        table, out = silent_deal(rules, "finished before" in fault)
        verdict: Verdict | None = verdict_on_silence(out, out[-1])
    else:
        table, out = _core.Table(rules.core(), 1, 0, 1), [1]
        table.deal()
        verdict = verdict_on_fault(expected, given)
    expected.check("hand_lost", verdict is not None)
    if verdict is None:
        return
    offender, partner = out[-1], out[-1] ^ 2
    table.judge(offender, verdict)
    row = table.score()
    order = FINISH_ORDERS[row["finish_order"]]
    places = [int(letter) for letter in order if letter.isdigit()]
    lost = row["winner"] == 1 - offender % 2 and row["steps"] == rules.steps[0] and order.endswith(")")
    table.deal()
    expected.check("hand_lost", lost)
    expected.check("hand_lost_as", "double-down" if lost else None)
    expected.check("next_hand_tribute", bool(table.tribute))
    expected.check("offender_place", places.index(offender) + 1)
    expected.check("partner_place_kept", partner in out and places.index(partner) == out.index(partner))


def verdict_on_fault(expected: Expected, given: Mapping[str, Any]) -> Verdict | None:
    if "fouls_of_side_in_hand" in given:
        return verdict_on_fouls(given["fouls_of_side_in_hand"])
    if expected.values.get("hand_lost_as") == "double-down":
        return "double_down"
    raise LaterError("a turn lost, cards taken back, a foul noted: that is the record of an event")


def layout(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    said = given.get("said")
    kind_and_key = None if said is None else reading_of(said)
    announced = None if kind_and_key is None else (Kind[kind_and_key[0]], kind_and_key[1])
    play = read_laid(given["cards_left_to_right"], level_of(level), announced, rules)
    expected.check("reading", (play.kind.name, play.key), reading_of)


def report(expected: Expected, given: Mapping[str, Any], level: str | None, rules: Rules) -> None:
    """The number or the numbers of cards that a seat has left after its plays, one after the other."""
    left = given["left_after_play"]
    numbers = left if isinstance(left, list) else [left]
    told = [must_report(before, after, rules) for before, after in pairwise([27, *numbers])]
    expected.check("must_report", told if isinstance(left, list) else told[0])
