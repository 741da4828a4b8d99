"""A worker process plays what this one would have played; when it does not come back, that costs one deal."""

import numpy as np

from engine.bulk import Tables, play_pairs
from engine.rules import NATIONAL
from engine.ruleset import switches_of
from engine.strategy_faults import Decision, KnownFault
from sim.guard import PART_PAIRS, guarding
from sim.guarded import pack_tables, unpack_tables
from strategies.registry import load

JOB = {
    "x": "greedy",
    "y": "random",
    "switches": dict(switches_of(NATIONAL)),
    "seed": 5,
    "detail": "deals",
    "style": True,
    "boards": None,
    "on_fault": "judge",
    "memory_mb": 512,
}
PAIRS = range(3, 3 + PART_PAIRS + 5)


def assert_same(found: Tables, expected: Tables) -> None:
    for table in ("pairs", "matches", "deals", "faults"):
        for name, column in getattr(expected, table).items():
            assert np.array_equal(getattr(found, table)[name], column), (table, name)
            assert getattr(found, table)[name].dtype == column.dtype
    assert found.done == expected.done
    assert found.style is not None
    assert expected.style is not None
    assert np.array_equal(found.style.sums, expected.style.sums)


def here() -> Tables:
    return play_pairs(load("greedy"), load("random"), NATIONAL, 5, PAIRS, style=True, on_fault="judge")


def test_tables_survive_the_pipe() -> None:
    played = here()
    assert_same(unpack_tables(pack_tables(played)), played)


def test_a_worker_process_gives_the_same_rows_over_several_parts() -> None:
    with guarding(JOB, 30.0) as guard:
        found = guard.play(PAIRS, None)
    assert found is not None
    assert_same(found, here())


def test_a_stop_ends_the_process_and_gives_nothing() -> None:
    with guarding(JOB, 30.0) as guard:
        assert guard.play(range(100_000), bytearray(b"\1")) is None


def test_a_fault_that_is_known_before_is_judged_in_the_worker_too() -> None:
    known = [KnownFault(Decision(4, 1, 2, 30), "time")]
    with guarding(JOB, 30.0) as guard:
        found = guard.play(PAIRS, None, known)
    assert found is not None
    expected = play_pairs(
        load("greedy"), load("random"), NATIONAL, 5, PAIRS, style=True, on_fault="judge", known_faults=known
    )
    assert_same(found, expected)
    assert found.faults["pair"].tolist() == [4]
