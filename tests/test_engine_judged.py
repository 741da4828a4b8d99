"""Deals that a referee judges: a double-down against a side, or one seat last. National art. 10, 11."""

import pytest

from engine import _core
from engine.bulk import DEAL_ENDS, FINISH_ORDERS
from engine.rules import NATIONAL, Rules
from strategies.registry import load

SEED = 20261130
GREEDY = load("greedy").capsule
DEAL, TRIBUTE, PLAY, OVER = 0, 1, 3, 4  # gd_table.h, enum gd_ask


def dealt(pair: int = 0, rules: Rules = NATIONAL) -> _core.Table:
    table = _core.Table(rules.core(), SEED, pair, 1)
    table.deal()
    return table


def out_of(table: _core.Table) -> list[int]:
    return [seat for seat in range(4) if not table.hands[seat]]


def played_until(table: _core.Table, number_out: int) -> list[int]:
    """Play until so many seats are out, or the deal is over; the seats that are out, in order."""
    order: list[int] = []
    while table.state[0] == PLAY and len(order) < number_out:
        table.decide(GREEDY)
        order += [seat for seat in out_of(table) if seat not in order]
    return order


def order_of(row: dict[str, int]) -> str:
    return FINISH_ORDERS[row["finish_order"]]


def finished(first_and_second: bool) -> tuple[_core.Table, list[int]]:
    """A deal that is over and not scored yet: a double-down or not."""
    for pair in range(100):
        table = dealt(pair)
        order = played_until(table, 4)
        assert table.state[0] == OVER
        if (len(order) == 2) == first_and_second:
            return table, order + [seat for seat in range(4) if seat not in order]
    raise AssertionError("no such deal of a hundred")


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("double_down", [False, True])
def test_who_is_judged_last_after_the_deal_leaves_its_place_to_those_behind(double_down: bool, place: int) -> None:
    """The partner keeps what it earned; the tied losers of a double-down move up by seat."""
    table, order = finished(double_down)
    offender = order[place]
    table.judge(offender, "last")
    row = table.score()
    after = [seat for seat in order if seat != offender] + [offender]
    if after[0] ^ 2 == after[1]:  # one of the losers of a double-down was judged: still one
        assert order_of(row)[:2] == f"{after[0]}{after[1]}"
    else:
        assert order_of(row) == "".join(map(str, after))
    assert DEAL_ENDS[row["end_reason"]] == "judged_last"
    assert row["winner"] == after[0] % 2  # side x sits on seats 0 and 2 in leg 1
    assert row["steps"] == NATIONAL.steps[after.index(after[0] ^ 2) - 1]


@pytest.mark.parametrize("number_out", [0, 1, 2])
@pytest.mark.parametrize("offender", range(4))
def test_who_is_judged_last_during_play_ends_the_deal(number_out: int, offender: int) -> None:
    """Seats that are out keep their order, those still in follow in turn after the offender, who is last."""
    for pair in range(100):
        table = dealt(pair)
        out = played_until(table, number_out)
        if table.state[0] == PLAY:
            break
    table.judge(offender, "last")
    row = table.score()
    behind = [(offender + step) % 4 for step in (1, 2, 3)]
    after = [seat for seat in out if seat != offender] + [seat for seat in behind if seat not in out] + [offender]
    tied = after[0] ^ 2 == after[1]
    assert order_of(row)[: 2 if tied else 4] == "".join(map(str, after))[: 2 if tied else 4]


@pytest.mark.parametrize("verdict", ["double_down", "last"])
@pytest.mark.parametrize("over", [False, True])
def test_the_deal_after_a_judged_one_has_no_tribute_and_the_seat_before_the_offender_leads(
    verdict: str, over: bool
) -> None:
    table = finished(False)[0] if over else dealt()
    table.judge(2, verdict)
    table.score()
    table.deal()
    assert table.state[0] == PLAY
    assert not table.tribute
    assert table.state[2] == 1


def test_a_fault_found_when_the_deal_is_over_can_still_lose_it() -> None:
    """Out without announcing and the partner after it: the double-down they made is the others'."""
    table, order = finished(True)
    table.judge(order[0], "double_down")
    row = table.score()
    assert (row["winner"], row["steps"], DEAL_ENDS[row["end_reason"]]) == (1 - order[0] % 2, 3, "judged")


def test_the_verdict_of_one_deal_is_not_that_of_the_next() -> None:
    table = dealt()
    table.judge(2, "last")
    table.score()
    table.deal()
    played_until(table, 4)
    assert DEAL_ENDS[table.score()["end_reason"]] in ("double_down", "three_out")
    table.deal()
    assert table.state[0] == TRIBUTE or table.tribute  # due again; refused or not


def test_a_tie_break_whose_first_is_judged_last_goes_to_the_others() -> None:
    rules = Rules(limit_deals=2, tie_break=True)
    for pair in range(200):
        table = dealt(pair, rules)
        for _ in range(2):
            while table.state[0] != OVER:
                table.decide(GREEDY)
            table.score()
            if table.state[0] == DEAL:
                table.deal()
        if table.state[0] == PLAY:
            break
    first, *_ = played_until(table, 1)
    assert table.state[0] == OVER
    table.judge(first, "last")
    assert table.score()["winner"] == 1 - first % 2


def test_a_deal_is_judged_once_and_never_before_it_lies_or_after_it_is_scored() -> None:
    table = _core.Table(NATIONAL.core(), SEED, 0, 1)
    with pytest.raises(ValueError, match="does not wait for that"):
        table.judge(0, "last")
    table.deal()
    table.judge(0)
    with pytest.raises(ValueError, match="does not wait for that"):
        table.judge(1, "last")
    table.score()
    with pytest.raises(ValueError, match="does not wait for that"):
        table.judge(0)


def test_while_tribute_is_paid_only_the_deal_can_be_lost() -> None:
    for pair in range(20):
        table = dealt(pair)
        played_until(table, 4)
        table.score()
        table.deal()
        if table.state[0] == TRIBUTE:
            break
    with pytest.raises(ValueError, match="does not wait for that"):
        table.judge(0, "last")
    table.judge(0, "double_down")
    assert table.score()["winner"] == 1


@pytest.mark.parametrize(("offender", "verdict"), [(4, "last"), (0, "third"), (0, "")])
def test_a_seat_or_a_verdict_that_is_none_is_refused(offender: int, verdict: str) -> None:
    with pytest.raises(ValueError, match=r"seats are 0\.\.3|write double_down or last"):
        dealt().judge(offender, verdict)
