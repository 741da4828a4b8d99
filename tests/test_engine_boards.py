"""Boards: one deal from a given context, the same for all strategies and rules, played and scored as in a match."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import numpy as np
import pytest

from engine import _core
from engine.bulk import A_ATTEMPTS, DEAL_ENDS, FINISH_ORDERS, MATCH_ENDS, SEAT_SETS, SIDES, TRIBUTES, Tables, play_pairs
from engine.cards import CARDS, LEVELS
from engine.context import ORDERS, Context, ContextError, uniform_contexts
from engine.match import Match
from engine.rules import NATIONAL, Rules
from engine.ruleset import load_rules, preset_names
from strategies.registry import load
from tests.slow.referee import MatchState, Referee
from tests.support.native import PythonStrategy, View

SEED = 90
GREEDY, RANDOM = load("greedy"), load("random")
PASSED_A, BOARD = MATCH_ENDS.index("passed_a"), MATCH_ENDS.index("board")
Row = dict[str, int]


def contexts(*lines: str) -> tuple[Context, ...]:
    return tuple(map(Context.parse, lines))


MIXED = (
    *uniform_contexts(40, SEED),
    *contexts(
        *("A/A 0213 2/1 - tribute", "A/5 0123 2/0 - tribute", "A/K 2013 198/0 - tribute", "K/A 1302 0/1 - tribute"),
        *(
            "2/2 - 0/0 - tribute",
            "A/A - 0/0 - tribute",
            "3/9 - 0/0 2 none",
            "K/2 2310 0/0 3 tribute",
            "7/A 1302 0/2 - none",
        ),
    ),
)


def rows(tables: Tables) -> Iterator[tuple[Row, Row]]:
    """Each board's row of matches/ and its row of deals/."""
    both = [
        [dict(zip(table, values, strict=True)) for values in zip(*map(np.ndarray.tolist, table.values()), strict=True)]
        for table in (tables.matches, tables.deals)
    ]
    return zip(*both, strict=True)


def play(boards: Sequence[Context], rules: Rules, pairs: int = 0, x: str = "greedy", y: str = "random") -> Tables:
    return play_pairs(load(x), load(y), rules, SEED, range(pairs or len(boards)), contexts=boards)


def words(row: Row) -> dict[str, object]:
    """Write the codes that the referee judges as texts."""
    labels = {"declarer": SIDES, "winner": SIDES, "tribute": TRIBUTES, "finish_order": FINISH_ORDERS}
    labels |= {"payers": SEAT_SETS, "receivers": SEAT_SETS, "a_attempt": A_ATTEMPTS, "end_reason": DEAL_ENDS}
    labels |= dict.fromkeys(("given_1", "given_2", "returned_1", "returned_2"), CARDS)
    return row | {name: None if row[name] < 0 else known[row[name]] for name, known in labels.items()}


def order_of(code: int) -> tuple[int, ...]:
    return tuple(int(c) for c in FINISH_ORDERS[code] if c.isdigit())


# ---- a context as text ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("context", MIXED, ids=str)
def test_a_context_is_one_line_both_ways(context: Context) -> None:
    assert Context.parse(str(context)) == context


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "write five words such as A/K 0213 1/0 - tribute, not 0"),
        ("A/K 0213 1/0 tribute", "not 4"),
        ("A/K 0213 1/0 - - tribute", "not 6"),
        ("A 0213 1/0 - tribute", "levels A: write two levels such as A/K"),
        ("10/2 0213 0/0 - tribute", "levels 10/2: write two of 2 3 4"),
        ("A/1 0213 0/0 - tribute", "levels A/1: write two of"),
        ("A/K 0212 0/0 - tribute", "order 0212: write each seat 0 to 3 once, or - for a first deal"),
        ("A/K 021 0/0 - tribute", "order 021: write each seat"),
        ("A/K 01230 0/0 - tribute", "order 01230: write each seat"),
        ("A/K 01²3 0/0 - tribute", "order 01²3: write each seat"),
        ("A/K 1320 0/0 - tribute", "order 1320: the losers of a double-down are tied, write them ascending: 1302"),
        ("A/K 0213 1 - tribute", "fails 1: write two numbers such as 1/0"),
        ("A/K 0213 -1/0 - tribute", "fails -1/0: write two numbers"),
        ("A/K 0213 ²/0 - tribute", "fails ²/0: write two numbers"),
        ("A/K 0213 199/0 - tribute", "fails 199/0: write two numbers from 0 to 198"),
        ("A/K 0213 0/1 - tribute", "fails 0/1: a side at K has none, write 0"),
        ("A/A - 1/0 - tribute", "fails 1/0: before a first deal nobody has tried, write 0 or an order"),
        ("A/K 0213 1/0 4 tribute", "lead 4: write a seat 0 to 3, or - for the rules to decide"),
        ("A/K 0213 1/0 - on", "exchange on: write tribute or none"),
    ],
)
def test_a_line_that_is_no_context_is_refused_with_field_value_and_way_out(line: str, message: str) -> None:
    with pytest.raises(ContextError) as error:
        Context.parse(line)
    assert message in str(error.value)
    assert error.value.zh
    assert "\n" not in error.value.zh


def test_the_orders_are_the_finishing_orders_of_the_tables() -> None:
    assert sorted(ORDERS) == sorted(order_of(code) for code in range(len(FINISH_ORDERS)))


def test_the_core_refuses_exactly_the_records_that_are_no_context() -> None:
    rng, verdicts = Random(SEED), Counter[bool]()
    for _ in range(20_000):
        record = bytearray(rng.choice(MIXED).core())
        for _ in range(rng.randrange(3)):
            record[rng.randrange(len(record))] = rng.choice((0, 1, 2, 3, 4, 12, 13, 198, 199, 254, 255))
        try:
            assert context_of(record).core() == record
            known = True
        except ValueError:
            known = False
        try:
            _core.Table(NATIONAL.core(), 1, 2, 1, bytes(record))
            taken = True
        except ValueError:
            taken = False
        assert taken == known, record.hex()
        verdicts[known] += 1
    assert min(verdicts.values()) > 2000


def context_of(record: bytes | bytearray) -> Context:
    """Read a record field by field; ValueError for what cannot be."""
    first, second, is_first, *order = record[:7]
    lead, exchange = record[9:]
    if is_first > 1 or exchange > 1 or max(first, second) > 12 or (is_first and any(order)):
        raise ValueError(record)
    return Context(
        (LEVELS[first], LEVELS[second]),
        None if is_first else tuple(order),
        (record[7], record[8]),
        None if lead == 255 else lead,
        bool(exchange),
    )


@pytest.mark.parametrize("records", [b"", bytes(10), MIXED[0].core() + b"\0", MIXED[0].core() * 2, "x" * 11, 5])
def test_a_table_takes_one_record_and_nothing_else(records: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        _core.Table(NATIONAL.core(), 1, 2, 1, records)  # type: ignore[arg-type]


def test_boards_without_a_context_are_refused() -> None:
    with pytest.raises(ValueError, match="0 bytes are no contexts"):
        play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(3), contexts=())


# ---- what a board is ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "rules"),
    [("random", "random", "national"), ("greedy", "random", "sheet"), ("random", "greedy", "zhuozhou-event")],
)
def test_all_strategies_and_rules_get_the_same_hands_and_contexts(x: str, y: str, rules: str) -> None:
    mine, other = play(MIXED, load_rules(rules).rules, 100, x, y), play(MIXED, NATIONAL, 100)
    for name in ("pair", "leg", "deal", "level", "x_level_before", "y_level_before", "declarer", "x_jokers", "x_wilds"):
        assert np.array_equal(mine.deals[name], other.deals[name]), name
    for pair in range(20):
        hands = _core.deal_cards(SEED, pair, 1)[0]
        table = _core.Table(load_rules(rules).rules.core(), SEED, pair, 2, MIXED[pair].core())
        table.deal()
        assert table.dealt == hands


def test_a_board_is_one_match_of_one_deal_with_the_side_that_won_it_as_winner() -> None:
    for match, deal in rows(play(MIXED, NATIONAL)):
        assert (match["deals"], deal["deal"]) == (1, 1)
        assert match["x_half_points"] == (2 if deal["winner"] == 0 else 0)
        assert match["end_reason"] == (PASSED_A if deal["a_attempt"] == 1 else BOARD)
        assert match["x_steps"] + match["y_steps"] == deal["steps"]


def test_pair_p_starts_from_context_p_modulo_their_number_whatever_the_range() -> None:
    boards = MIXED[:7]
    whole = play(boards, NATIONAL, 30)
    part = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(11, 23), contexts=boards)
    for name, column in part.deals.items():
        assert np.array_equal(column, whole.deals[name][22:46]), name
    for _, deal in rows(whole):
        levels = boards[deal["pair"] % 7].levels
        sides = levels if deal["leg"] == 1 else levels[::-1]
        assert (deal["x_level_before"], deal["y_level_before"]) == tuple(LEVELS.index(level) + 2 for level in sides)


@pytest.mark.parametrize("leg", [1, 2])
def test_a_board_is_replayed_as_the_bulk_loop_played_it(leg: int) -> None:
    boards = MIXED[-8:]
    stored = [deal for _, deal in rows(play(boards, NATIONAL)) if deal["leg"] == leg]
    for pair, context in enumerate(boards):
        (record,) = Match(NATIONAL, SEED, pair, leg, GREEDY, RANDOM, context).deals()
        assert record.row == stored[pair]


@pytest.mark.parametrize("rules", [Rules(limit_deals=1, tie_break=True), Rules(limit_minutes=1)], ids=["deals", "time"])
def test_no_limit_of_the_rules_ends_a_board(rules: Rules) -> None:
    assert set(play(MIXED, rules).matches["end_reason"].tolist()) == {PASSED_A, BOARD}


def test_a_level_beyond_a_wins_a_board_under_a_plus() -> None:
    ends = {
        deal["steps"]: match["end_reason"]
        for match, deal in rows(play(contexts("K/3 0213 0/0 - tribute"), Rules(a_plus=True), 40, "random"))
        if deal["winner"] == deal["leg"] - 1  # the team at K
    }
    assert ends == {1: BOARD, 2: PASSED_A, 3: PASSED_A}


# ---- a board is that deal of a match --------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", preset_names())
def test_a_board_follows_the_rules_as_any_deal_of_a_match_does(preset: str) -> None:
    rules = load_rules(preset).rules
    ends = Counter[int]()
    for match, deal in rows(play(MIXED, rules, 2 * len(MIXED), "random")):
        context = MIXED[deal["pair"] % len(MIXED)]
        check_tribute(context, rules, deal)
        check_promotion(context, rules, match, deal)
        ends[match["end_reason"]] += 1
    assert set(ends) == {PASSED_A, BOARD}


def check_tribute(context: Context, rules: Rules, deal: Row) -> None:
    """Payers by the order of the deal before, the leader by the cards that were paid and returned."""
    level = deal["level"] - 2
    highest = max(context.levels, key=LEVELS.index)
    assert LEVELS[level] == (highest if context.declarer is None else context.levels[context.declarer])
    kind, payers, receivers = 0, b"", b""
    if context.order is not None and context.exchange and rules.first_lead != "rotation":
        hands, _ = _core.deal_cards(SEED, deal["pair"], 1)
        kind, payers, receivers = _core.tribute_due(rules.core(), bytes(context.order), hands)
    assert deal["tribute"] == kind, context
    seats = "" if deal["payers"] < 0 else SEAT_SETS[deal["payers"]]
    assert sorted(map(int, seats)) == sorted(payers), context
    if receivers:
        assert [int(seat) for seat in SEAT_SETS[deal["receivers"]]] == list(receivers)
    if context.lead is not None:
        assert deal["lead_seat"] == context.lead
    elif TRIBUTES[kind] in ("single", "double"):
        assert context.order is not None
        moves = tuple((int(seat), deal[f"given_{k}"], deal[f"returned_{k}"]) for k, seat in enumerate(seats, 1))
        assert deal["lead_seat"] == _core.tribute_leader(rules.core(), bytes(context.order), level, moves)
    elif kind == 0 and context.order is not None:
        assert deal["lead_seat"] == (0 if rules.first_lead == "rotation" else context.order[0])


def check_promotion(context: Context, rules: Rules, match: Row, deal: Row) -> None:
    """Levels after, end and winner as `promote` has them; whether aces went out last is not in the row."""
    most = max(0, rules.a_fail_limit - 1)
    levels = tuple(map(LEVELS.index, context.levels))
    possible = []
    for aces in (0, 15) if rules.ace_last_play else (0,):
        (one, two), _, _, end, _, steps, attempt = _core.promote(
            rules.core(),
            (levels[0], levels[1]),
            -1 if context.declarer is None else context.declarer,
            (min(context.fails[0], most), min(context.fails[1], most)),
            0,
            bytes(order_of(deal["finish_order"])),
            aces,
        )
        possible.append((one + 2, two + 2, PASSED_A if end == PASSED_A else BOARD, steps, attempt))
    after = (deal["x_level_after"], deal["y_level_after"])
    teams = after if deal["leg"] == 1 else after[::-1]
    assert (*teams, match["end_reason"], deal["steps"], deal["a_attempt"]) in possible, context


def test_the_slow_referee_agrees_with_boards_and_their_rows() -> None:
    boards = [board for board in MIXED[:44] if board.order is not None]
    for pair, context in enumerate(boards):
        for leg in (1, 2):
            (record,) = Match(NATIONAL, SEED, pair, leg, GREEDY, RANDOM, context).deals()
            referee = Referee(record.hands, MatchState(context.levels, context.declarer, context.order), leg)
            referee.replay(record.events)
            row = words(record.row) | {"deal": 2}  # to the referee a deal with one before it is no first
            assert referee.differences(row) == []


# ---- exchange, lead, failed tries -----------------------------------------------------------------------------------


def test_without_the_exchange_nobody_pays_and_the_first_of_the_order_leads() -> None:
    boards = tuple(Context(order=order, exchange=False) for order in ORDERS)
    for _, deal in rows(play(boards, NATIONAL)):
        assert TRIBUTES[deal["tribute"]] == "none"
        assert deal["lead_seat"] == ORDERS[deal["pair"]][0]


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("line", ["2/2 - 0/0 {} none", "5/J 0213 0/0 {} tribute", "5/J 1023 0/0 {} none"])
def test_a_given_lead_leads_whatever_was_paid(line: str, seat: int) -> None:
    tables = play(contexts(line.format(seat)), NATIONAL, 20)
    assert set(tables.deals["lead_seat"].tolist()) == {seat}
    assert (tables.deals["tribute"] > 0).any() == ("0213" in line)


@pytest.mark.parametrize(
    ("fails", "limit", "drops"), [(1, 3, False), (2, 3, True), (198, 3, True), (2, 2, True), (2, 0, False)]
)
def test_a_failed_try_drops_a_side_that_stood_one_short_of_the_limit(fails: int, limit: int, drops: bool) -> None:
    boards = contexts(f"A/5 0213 {fails}/0 - tribute")
    lost = [
        deal
        for _, deal in rows(play(boards, Rules(a_fail_limit=limit), 40, "random", "random"))
        if deal["winner"] != deal["declarer"]
    ]
    assert len(lost) > 10
    after = {deal["x_level_after" if deal["leg"] == 1 else "y_level_after"] for deal in lost}
    assert after == {2 if drops else 14}


@pytest.mark.parametrize(
    ("rules", "fails"),
    [
        (NATIONAL, (0, 0)),
        (Rules(a_fail_limit=1), (0, 0)),
        (Rules(a_fail_limit=3), (2, 1)),
        (Rules(a_fail_limit=9), (5, 1)),
    ],
    ids=lambda value: str(value.a_fail_limit) if isinstance(value, Rules) else str(value),
)
def test_a_strategy_sees_the_context_with_as_many_failed_tries_as_the_rules_can_hold(
    rules: Rules, fails: tuple[int, int]
) -> None:
    seen = set()

    def look(view: View) -> int:
        seen.add((tuple(view.levels), view.declarer, tuple(view.a_fails), view.level, view.deal))
        return 0

    looking = PythonStrategy(play=look, tribute=look, return_tribute=look)
    list(Match(rules, SEED, 0, 2, looking, looking, Context.parse("A/A 1302 5/1 - tribute")).deals())
    looking.raise_errors()
    assert seen == {((12, 12), 1, fails, 12, 1)}


# ---- uniform contexts -----------------------------------------------------------------------------------------------


def even(counts: Counter[object], cells: int) -> bool:
    """Tell whether chi-square is within four standard deviations of its mean."""
    n, free = counts.total(), cells - 1
    chi_square = sum(count * count for count in counts.values()) * cells / n - n
    return bool(abs(chi_square - free) < 4 * (2 * free) ** 0.5)


def test_uniform_contexts_are_uniform() -> None:
    drawn = uniform_contexts(20_000, SEED)
    assert even(Counter(context.levels for context in drawn), 169)
    assert even(Counter(context.order for context in drawn), 20)
    assert even(Counter((context.levels[0], context.order) for context in drawn), 260)
    at_a = [context for context in drawn if context.levels == ("A", "A")]
    assert even(Counter(context.fails for context in at_a), 9)
    assert {(context.lead, context.exchange) for context in drawn} == {(None, True)}


def test_uniform_contexts_are_a_function_of_seed_and_number() -> None:
    assert uniform_contexts(20, 1)[:10] == uniform_contexts(10, 1)
    assert uniform_contexts(10, 1) != uniform_contexts(10, 2)
    for n, seed in ((-1, 1), (1, -1), (1, 2**64)):
        with pytest.raises(ValueError, match=r"-1|in 0\.\."):
            uniform_contexts(n, seed)
