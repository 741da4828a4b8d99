"""Strategies that answer for many tables at once: the records of the loop pair by pair, and what their arrays hold."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from engine import _core, bulk
from engine.batch import Batch, TributeBatch
from engine.bulk import Team, play_pairs
from engine.context import uniform_contexts
from engine.match import Match
from engine.plays import play_of
from engine.rules import NATIONAL
from engine.strategy_faults import REASONS, Decision, KnownFault, StrategyFaultError
from engine.style import Style
from engine.view import View
from strategies.api import BatchStrategy, Strategy, wrap
from strategies.registry import load
from tests.support.greedy import BatchGreedy, PythonGreedy
from tests.support.players import Uniform
from tests.test_strategies_python import assert_same, seatings

SEED = 71
GREEDY, RANDOM = load("greedy"), load("random")


class BatchUniform(BatchStrategy):
    """Uniform over its list: the draws of Uniform."""

    def play(self, batch: Batch) -> Any:
        return batch.random_below(batch.n)

    def tribute(self, batch: TributeBatch) -> Any:
        return batch.random_below(batch.n)

    return_tribute = tribute


class UniformOfAll(Uniform):
    listing = "all"


class BatchUniformOfAll(BatchUniform):
    listing = "all"


# ---- one meaning ----------------------------------------------------------------------------------------------------


@pytest.mark.heavy
@pytest.mark.parametrize(("tables", "many"), [(1024, 300), (64, 200), (5, 20), (1, 10)])
def test_greedy_in_batches_leaves_the_records_of_greedy_in_c_whatever_the_number_of_tables(
    tables: int, many: int
) -> None:
    pairs = range(1000, 1000 + many)
    as_native = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, pairs, style=True)
    assert_same(as_native, play_pairs(wrap(BatchGreedy), RANDOM, NATIONAL, SEED, pairs, style=True, tables=tables))


@pytest.mark.heavy
@pytest.mark.parametrize("seating", range(4))
def test_batches_sit_beside_native_and_python_strategies_in_any_seating(seating: int) -> None:
    as_native = play_pairs(*seatings(GREEDY, RANDOM)[seating], NATIONAL, SEED, range(20))
    assert_same(
        as_native, play_pairs(*seatings(wrap(BatchGreedy), RANDOM)[seating], NATIONAL, SEED, range(20), tables=7)
    )
    x, y = Team(wrap(BatchGreedy), wrap(PythonGreedy)), Team(GREEDY, wrap(BatchUniform))
    rows = play_pairs(x, y, NATIONAL, SEED, range(10), tables=4)
    assert_same(rows, play_pairs(Team(GREEDY, GREEDY), Team(GREEDY, wrap(Uniform)), NATIONAL, SEED, range(10)))


@pytest.mark.parametrize(
    ("one", "many"), [(Uniform, BatchUniform), (UniformOfAll, BatchUniformOfAll)], ids=["shapes", "all"]
)
def test_rows_do_not_depend_on_the_number_of_tables_though_numbers_are_drawn(one: Any, many: Any) -> None:
    by_one = play_pairs(wrap(one), RANDOM, NATIONAL, SEED, range(12))
    for tables in (1, 2, 5, 1024):
        assert_same(by_one, play_pairs(wrap(many), RANDOM, NATIONAL, SEED, range(12), tables=tables))


def test_both_sides_may_be_the_same_object_of_batches() -> None:
    both = wrap(BatchUniform())
    assert_same(
        play_pairs(wrap(Uniform), wrap(Uniform), NATIONAL, SEED, range(6)),
        play_pairs(both, both, NATIONAL, SEED, range(6), tables=3),
    )


def test_boards_are_played_in_lockstep_too() -> None:
    boards = uniform_contexts(40, 5)
    by_one = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(100), contexts=boards)
    assert_same(by_one, play_pairs(wrap(BatchGreedy), RANDOM, NATIONAL, SEED, range(100), contexts=boards, tables=9))


def test_a_full_buffer_is_set_aside_and_filled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = play_pairs(wrap(BatchUniform), RANDOM, NATIONAL, SEED, range(60))
    monkeypatch.setattr(bulk, "_DEAL_ROOM", 0)
    for tables in (1, 4):
        assert_same(whole, play_pairs(wrap(BatchUniform), RANDOM, NATIONAL, SEED, range(60), tables=tables))


def test_a_stop_leaves_a_prefix_of_whole_pairs() -> None:
    stop, calls = bytearray(1), 0

    class Stopping(BatchUniform):
        def play(self, batch: Batch) -> Any:
            nonlocal calls
            calls += 1
            stop[0] = calls > 1200
            return super().play(batch)

    stopped = play_pairs(wrap(Stopping), RANDOM, NATIONAL, SEED, range(500), stop=stop, tables=8, style=True)
    assert 0 < stopped.done < 500
    assert_same(stopped, play_pairs(wrap(Uniform), RANDOM, NATIONAL, SEED, range(stopped.done), style=True))


def test_a_match_is_replayed_with_a_strategy_of_batches_alone_at_its_table() -> None:
    team = Team(wrap(BatchUniform), RANDOM)
    rows = play_pairs(team, wrap(BatchGreedy), NATIONAL, SEED, range(2), tables=2).deals
    records = [
        record.row
        for pair in range(2)
        for leg in (1, 2)
        for record in Match(NATIONAL, SEED, pair, leg, team, wrap(BatchGreedy)).deals()
    ]
    assert [{name: int(column[i]) for name, column in rows.items()} for i in range(len(rows["pair"]))] == records


# ---- faults ---------------------------------------------------------------------------------------------------------


class Failing(Uniform):
    """Answers out of range now and then, by what it sees."""

    def play(self, view: View) -> Any:
        index = view.random_below(view.n)
        return 2**20 if view.n_steps % 53 == 52 and view.deal > 1 else index


class BatchFailing(BatchUniform):
    def play(self, batch: Batch) -> Any:
        return np.where((batch.n_steps % 53 == 52) & (batch.deal > 1), 2**20, batch.random_below(batch.n).astype(int))


@pytest.mark.parametrize("tables", [1, 2, 64])
def test_faults_are_those_of_the_loop_pair_by_pair(tables: int) -> None:
    for pairs in (range(9), range(4, 20)):
        faults = []
        for x in (wrap(Failing), wrap(BatchFailing)):
            with pytest.raises(StrategyFaultError) as fault:
                play_pairs(x, RANDOM, NATIONAL, SEED, pairs, tables=tables)
            faults.append((fault.value.at, fault.value.seat, fault.value.reason))
        assert faults[0] == faults[1]
    by_one = play_pairs(wrap(Failing), RANDOM, NATIONAL, SEED, range(15), on_fault="judge", style=True)
    assert len(by_one.faults["pair"]) > 20
    in_batches = play_pairs(
        wrap(BatchFailing), RANDOM, NATIONAL, SEED, range(15), on_fault="judge", tables=tables, style=True
    )
    assert_same(by_one, in_batches)


def _out_of_memory(view: Any) -> int:
    # Raised, not provoked: a sanitizer's allocator ends the process where Python's would raise.
    raise MemoryError


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (lambda view: -1, "answer"),
        (lambda view: -(2**40), "answer"),
        (lambda view: 2**32 - 1, "answer"),
        (lambda view: 2**32 - 2, "answer"),
        (lambda view: 2**63 - 1, "answer"),
        (lambda view: [][0], "raised"),
        (_out_of_memory, "memory"),
    ],
)
def test_a_fault_has_the_same_reason_in_a_batch_as_alone(answer: Any, reason: str) -> None:
    one = type("One", (Uniform,), {"play": lambda self, view: answer(view)})
    many = type("Many", (BatchUniform,), {"play": lambda self, batch: np.full(batch.size, answer(batch))})
    rows = [play_pairs(wrap(x), RANDOM, NATIONAL, SEED, range(2), on_fault="judge") for x in (one, many)]
    assert_same(*rows)
    assert {REASONS[code] for code in rows[0].faults["reason"]} == {reason}


def test_known_faults_are_judged_without_asking() -> None:
    known = [KnownFault(Decision(3, 1, 1, decision), "time") for decision in (0, 5)]
    settings: Any = {"on_fault": "judge", "known_faults": known}
    by_one = play_pairs(GREEDY, RANDOM, NATIONAL, SEED, range(8), **settings)
    assert len(by_one.faults["pair"]) == 1
    assert_same(by_one, play_pairs(wrap(BatchGreedy), RANDOM, NATIONAL, SEED, range(8), tables=4, **settings))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda batch: np.zeros(batch.size), "give [0-9]+ whole numbers"),
        (lambda batch: np.zeros((batch.size, 1), int), "give [0-9]+ whole numbers"),
        (lambda batch: None, "give [0-9]+ whole numbers"),
        (lambda batch: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda batch: batch.random_below(batch.n * 0), "no number below 0"),
        (lambda batch: batch.random_below([1, 2, 3]), "limits have shape"),
        (lambda batch: batch.index_of(np.full(batch.size, 5)), "5 is not in its list"),
        (lambda batch: batch.starts, "write listing = 'all'"),
        (lambda batch: batch.values(6), "results are 0..5"),
    ],
)
def test_what_goes_wrong_in_a_batch_is_a_fault_of_its_tables_and_says_why(answer: Any, words: str) -> None:
    wrong = wrap(type("Wrong", (BatchUniform,), {"play": lambda self, batch: answer(batch)}))
    with pytest.raises(
        StrategyFaultError, match=f"a strategy failed .(raised|answer), .*{words}.*pair 5, leg 1, deal 1"
    ) as fault:
        play_pairs(wrong, RANDOM, NATIONAL, SEED, range(5, 17))
    assert isinstance(fault.value.__cause__, Exception)
    with pytest.raises(StrategyFaultError, match=words):
        list(Match(NATIONAL, SEED, 5, 1, wrong, RANDOM).deals())


class Raising(Uniform):
    """Raises now and then, after it has drawn."""

    def play(self, view: View) -> Any:
        index = view.random_below(view.n)
        if view.n_steps % 53 == 52 and view.deal > 1:
            raise RuntimeError("a bad row")
        return index


class BatchRaising(BatchUniform):
    def play(self, batch: Batch) -> Any:
        answers = batch.random_below(batch.n)
        if ((batch.n_steps % 53 == 52) & (batch.deal > 1)).any():
            raise RuntimeError("a bad row")
        return answers


@pytest.mark.parametrize("tables", [1, 3, 64])
def test_of_a_batch_that_raises_only_the_tables_are_judged_that_it_fails_for_alone(tables: int) -> None:
    by_one = play_pairs(wrap(Raising), RANDOM, NATIONAL, SEED, range(15), on_fault="judge", style=True)
    assert len(by_one.faults["pair"]) > 20
    in_batches = play_pairs(
        wrap(BatchRaising), RANDOM, NATIONAL, SEED, range(15), on_fault="judge", tables=tables, style=True
    )
    assert_same(by_one, in_batches)


@pytest.mark.parametrize("tables", [0, -1, 2**16 + 1])
def test_a_number_of_tables_out_of_range_is_refused(tables: int) -> None:
    with pytest.raises(ValueError, match=f"tables {tables}: write a number from 1 to 65536"):
        play_pairs(wrap(BatchUniform), RANDOM, NATIONAL, SEED, range(3), tables=tables)


# ---- what the arrays hold -------------------------------------------------------------------------------------------

Shown = tuple[Any, ...]


def planes_of(cards: bytes) -> tuple[int, int]:
    one = two = 0
    for card in cards:
        bit = 1 << ((card % 4) * 16 + card // 4 if card < 52 else card - 39)
        two |= one & bit
        one |= bit
    return one, two


def shown(view: View) -> Shown:
    """What a view shows, in the terms of the arrays."""
    tribute = view.tribute
    padded = [tuple((*part, -1, -1)[:2]) for part in tribute[1:]]
    return (
        (view.n, view.seat, view.level, view.left, view.planes, planes_of(view.gone), view.levels, view.declarer),
        (view.a_fails, view.order or (0, 0, 0, 0), view.deal, view.deals_left, view.seconds_left, int(view.first_ends)),
        (tribute.kind, *padded),
        tuple(view.options) or view.plays,
        (view.to_beat, view.holder, view.n_steps),
        tuple((step.seat, step.code, *planes_of(step.cards)) for step in view.steps),
        tuple(view.value(result) for result in range(6)),
        view.entry(view.n - 1) if view.plays else None,
        view.random_bits(),
    )


def rows_of(batch: Any) -> list[Shown]:
    """The same from the arrays."""
    in_play = isinstance(batch, Batch)
    values = [batch.values(result).tolist() for result in range(6)]
    numbers = batch.random().tolist()
    ends = batch.offsets.tolist()
    listed = (batch.codes if in_play else batch.options).tolist()
    seats, codes, cards = (part.tolist() for part in batch.steps()) if in_play else ([], [], [])
    history = np.cumsum([0, *batch.n_steps.tolist()]).tolist() if in_play else [0] * (batch.size + 1)
    out: list[Shown] = []
    for i in range(batch.size):

        def row(name: str, i: int = i) -> Any:
            value = getattr(batch, name)[i].tolist()
            return tuple(value) if isinstance(value, list) else value

        one = tuple(map(row, ("n", "seat", "level", "left", "hand", "gone", "levels", "declarer")))
        two = tuple(map(row, ("a_fails", "order", "deal", "deals_left", "seconds_left", "first_ends")))
        three = tuple(map(row, ("tribute", "payers", "receivers", "given", "returned")))
        four = tuple(map(row, ("to_beat", "holder", "n_steps"))) if in_play else (0, -1, 0)
        steps = tuple((seats[k], codes[k], *cards[k]) for k in range(history[i], history[i + 1]))
        entry = None
        if in_play:
            entry = batch.core.entry(i, row("n") - 1)
            assert batch.play_at(i, row("n") - 1) == play_of(*entry)
        listing = tuple(listed[ends[i] : ends[i + 1]])
        out.append((one, two, three, listing, four, steps, tuple(v[i] for v in values), entry, numbers[i]))
    return out


@pytest.mark.parametrize("listing", ["shapes", "all"])
def test_each_row_shows_what_the_view_of_its_seat_shows(listing: str) -> None:
    by_one: Counter[Shown] = Counter()
    in_batches: Counter[Shown] = Counter()

    class Noting(Uniform):
        def play(self, view: View) -> Any:
            by_one[shown(view)] += 1
            return view.n - 1 if view.n_steps % 3 else 0

        tribute = return_tribute = play

    class NotingBatch(BatchUniform):
        def play(self, batch: Any) -> Any:
            in_batches.update(rows_of(batch))
            steps = batch.n_steps if isinstance(batch, Batch) else np.zeros(batch.size, int)
            return np.where(steps % 3, batch.n.astype(int) - 1, 0)

        tribute = return_tribute = play

    for kind in (Noting, NotingBatch):
        kind.listing = listing  # type: ignore[assignment]
    rows = play_pairs(wrap(Noting), GREEDY, NATIONAL, SEED, range(3))
    assert_same(rows, play_pairs(wrap(NotingBatch), GREEDY, NATIONAL, SEED, range(3)))
    assert by_one == in_batches
    assert len(by_one) > 300
    assert sum(1 for one in by_one if one[7] is None) > 5


def test_starts_say_where_the_entries_of_each_shape_begin_in_the_list_of_all() -> None:
    checked = 0

    class Checking(BatchUniformOfAll):
        def play(self, batch: Batch) -> Any:
            nonlocal checked
            for i in range(batch.size):
                codes = batch.codes[batch.offsets[i] : batch.offsets[i + 1]]
                starts = batch.starts[batch.offsets[i] : batch.offsets[i + 1]]
                entries = [batch.core.entry(i, index)[0] for index in range(min(int(batch.n[i]), 60))]
                assert starts[0] == 0
                shapes = np.searchsorted(starts, np.arange(len(entries)), side="right") - 1
                assert entries == codes[shapes].tolist()
                checked += 1
            return super().play(batch)

    play_pairs(wrap(Checking), RANDOM, NATIONAL, SEED, range(2))
    assert checked > 100


def test_plays_are_turned_into_answers_row_by_row() -> None:
    for kind in (BatchUniform, BatchUniformOfAll):

        class Highest(kind):  # type: ignore[valid-type, misc]
            def play(self, batch: Batch) -> Any:
                answers = batch.index_of(batch.codes[batch.offsets[1:] - 1])
                if kind is BatchUniform:  # noqa: B023 - called before the loop goes on
                    assert np.array_equal(answers, batch.n - 1)
                return answers

        play_pairs(wrap(Highest), RANDOM, NATIONAL, SEED, range(2))


def test_arrays_are_read_only_and_a_deterministic_strategy_draws_nothing() -> None:
    class Writing(BatchUniform):
        def play(self, batch: Batch) -> Any:
            for name, value in vars(Batch).items() | vars(Batch.__mro__[1]).items():
                if isinstance(value, property) and name not in ("size", "starts"):
                    assert not getattr(batch, name).flags.writeable, name
            return super().play(batch)

    play_pairs(wrap(Writing), RANDOM, NATIONAL, SEED, range(1))
    lying = wrap(type("Lying", (BatchUniform,), {"deterministic": True}))
    with pytest.raises(StrategyFaultError, match="must not be called deterministic"):
        play_pairs(lying, RANDOM, NATIONAL, SEED, range(1))


def test_batches_hold_nothing_once_the_call_is_over() -> None:
    kept: list[Batch] = []

    class Keeping(BatchUniform):
        def play(self, batch: Batch) -> Any:
            kept.append(batch)
            if len(kept) > 50:
                raise RuntimeError("enough")
            return super().play(batch)

    with pytest.raises(StrategyFaultError, match="enough"):
        play_pairs(wrap(Keeping), RANDOM, NATIONAL, SEED, range(3))
    assert {batch.size for batch in kept} == {0}
    with pytest.raises(ValueError, match="there is no play 0 in row 0"):
        kept[0].play_at(0, 0)


def test_one_object_of_batches_serves_a_call_and_a_fresh_one_the_next() -> None:
    made = 0

    class Counted(BatchUniform):
        def __init__(self) -> None:
            nonlocal made
            made += 1

    for calls in (1, 2):
        play_pairs(wrap(Counted), RANDOM, NATIONAL, SEED, range(3))
        assert made == calls


def test_a_class_is_told_for_batches_by_its_attribute_as_well() -> None:
    class Plain:
        batch, deterministic = True, True

        def play(self, batch: Batch) -> Any:
            return np.zeros(batch.size, np.uint8)

        tribute = return_tribute = play

    class First(Strategy):
        deterministic = True

        def play(self, view: View) -> Any:
            return 0

    by_one = play_pairs(wrap(First), RANDOM, NATIONAL, SEED, range(3), style=True)
    assert_same(by_one, play_pairs(wrap(Plain), RANDOM, NATIONAL, SEED, range(3), style=True))
    assert isinstance(by_one.style, Style)


def test_the_core_refuses_a_loop_whose_batches_do_not_fit_its_players() -> None:
    asker = wrap(BatchUniform).capsule
    with pytest.raises(ValueError, match="asked by Lockstep"):
        _core.play_pairs(
            asker,
            asker,
            None,
            NATIONAL,
            1,
            0,
            0,
            2,
            tuple(np.zeros(0, c) for _, c in _core.PAIR_COLUMNS),
            None,
            None,
            0,
            None,
            None,
        )
