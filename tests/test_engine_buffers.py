"""The loop of the core takes buffers, counts and capsules that fit each other and refuses all others."""

import datetime
from typing import Any

import numpy as np
import pytest

from engine import _core
from engine.rules import NATIONAL
from engine.style import Style
from strategies.registry import load
from tests.support.native import Decide, PythonStrategy, Strategy, capsule_of, struct_in

RULES = NATIONAL.core()
GREEDY, RANDOM = load("greedy"), load("random")
REFUSALS = (ValueError, TypeError)


def columns(spec: tuple[tuple[str, str], ...], rows: int) -> list[Any]:
    return [np.zeros(rows, dtype=code) for _, code in spec]


def bulk_call(**changes: Any) -> Any:
    """Call the loop of the core for two pairs with a change to one of its buffers or counts."""
    values: dict[str, Any] = {
        "x": GREEDY.capsule,
        "y": RANDOM.capsule,
        "coin": None,
        "rules": RULES,
        "seed": 1,
        "first": 0,
        "n": 2,
        "legs": 2,
        "pairs": tuple(columns(_core.PAIR_COLUMNS, 2)),
        "matches": tuple(columns(_core.MATCH_COLUMNS, 4)),
        "deals": tuple(columns(_core.DEAL_COLUMNS, 1000)),
        "deal_room": 1000,
        "style": None,
        "stop": None,
        "contexts": None,
    }
    assert set(changes) <= set(values)
    return _core.play_pairs(*(values | changes).values())


def test_the_loop_of_the_core_plays_into_right_buffers() -> None:
    assert bulk_call()[:3] == (0, 2, 4)
    assert bulk_call(stop=bytearray(1))[1] == 2
    assert bulk_call(stop=b"\1")[:2] == (1, 0)
    assert bulk_call(matches=None, deals=None, deal_room=0)[1] == 2
    assert bulk_call(n=0)[1:] == (0, 0, 0, 0, None)
    assert bulk_call(style=Style().sums)[1] == 2
    assert bulk_call(deal_room=100)[:2] == (2, 0)  # no room for a longest pair: nothing is played


def wrong_columns(rows: int, spec: tuple[tuple[str, str], ...]) -> list[tuple[Any, ...]]:
    right = columns(spec, rows)
    read_only = np.zeros(rows, dtype=spec[0][1])
    read_only.setflags(write=False)
    return [
        (),
        tuple(right[:-1]),
        (*right, right[0]),
        (*right[:-1], None),
        (*right[:-1], b"\0" * 64 * rows),
        (*right[:-1], right[-1][: rows - 1]),
        (*right[:-1], right[-1].astype("f2" if right[-1].dtype.itemsize != 2 else "f8")),
        (*right[:-1], np.zeros(2 * rows, dtype=right[-1].dtype)[::2]),
        (read_only, *right[1:]),
        tuple(object() for _ in right),
    ]


def test_buffers_of_wrong_number_size_kind_or_rights_are_refused() -> None:
    for name, rows, spec in (
        ("pairs", 2, _core.PAIR_COLUMNS),
        ("matches", 4, _core.MATCH_COLUMNS),
        ("deals", 1000, _core.DEAL_COLUMNS),
    ):
        for wrong in wrong_columns(rows, spec):
            with pytest.raises((*REFUSALS, BufferError)):
                bulk_call(**{name: wrong})
        with pytest.raises(REFUSALS):
            bulk_call(**{name: columns(spec, rows)})  # a list, no tuple


@pytest.mark.parametrize(
    "change",
    [
        {"n": 3},
        {"n": -1},
        {"n": 2**61},
        {"n": 2**62 + 1},
        {"first": -1},
        {"first": 2**40},
        {"first": 2**63 - 1},
        {"legs": 0},
        {"legs": 3},
        {"deal_room": 1001},
        {"deal_room": -1},
        {"deal_room": 2**61},
        {"style": np.zeros(7, dtype=np.int64)},
        {"style": Style().sums.astype(np.int32)},
        {"style": Style().sums.tolist()},
        {"style": Style().sums, "coin": (0.5, 0.0, (0.3, 0.3, 0.4))},
        {"stop": bytearray()},
        {"stop": 1},
        {"contexts": b""},
        {"contexts": bytes(12)},
        {"contexts": bytes(11) + b"\x0d" + bytes(10)},
        {"contexts": np.zeros(11, dtype="i2")},
        {"contexts": (bytes(11),)},
        {"x": None},
        {"y": ...},
        {"coin": [0.5, 0.1, (0.3, 0.3, 0.4)]},
        {"coin": (0.5, 0.1)},
        {"coin": (0.5, 0.1, (0.3, 0.3))},
        {"rules": RULES[:-1]},
        {"rules": list(RULES)},
    ],
    ids=str,
)
def test_counts_that_do_not_fit_the_buffers_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(REFUSALS):
        bulk_call(**change)


WRONG: dict[str, Any] = {"abi": 1, "list": 2, "n_parameters": 1, "name": None}
WRONG |= {"play": Decide(), "tribute": Decide(), "return_tribute": Decide()}
"""Values of a strategy's fields that the engine cannot take; a function made of nothing is a null pointer."""

kept: list[Any] = []
"""What capsules point at, so that it outlives them."""


def capsules() -> list[tuple[str, Any]]:
    """Make capsules that are not quite a strategy."""
    strategy = PythonStrategy()
    right = struct_in(strategy.capsule)
    kept.append(strategy)
    made = [("of another name", capsule_of(right, b"guandan.player")), ("of another module", datetime.datetime_CAPI)]
    for name, value in WRONG.items():
        struct = Strategy.from_buffer_copy(right)
        setattr(struct, name, value)
        kept.append(struct)
        made.append((name, capsule_of(struct)))
    return made


@pytest.mark.parametrize(("what", "capsule"), capsules())
def test_a_capsule_that_is_no_strategy_of_this_interface_is_refused(what: str, capsule: Any) -> None:
    table_in_play = _core.Table(RULES, 1, 2, 1)
    table_in_play.deal()
    for take in (
        lambda: _core.strategy_info(capsule),
        lambda: table_in_play.decide(capsule),
        lambda: bulk_call(x=capsule),
        lambda: bulk_call(y=capsule),
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - the message is that of Python for a wrong name
            take()
