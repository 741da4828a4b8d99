"""Lines of play from fixed positions: as many as the stored table says, counted by the engine and by brute force."""

import json
from typing import Any

import pytest

from engine.deal import Deal
from engine.notation import read_state
from tests.support import perft

TABLE: list[dict[str, Any]] = json.loads(perft.FILE.read_text())
rows = pytest.mark.parametrize("row", TABLE, ids=lambda row: row["name"].replace(" ", "-"))
SMALL = 800
"""Leaves up to which brute force counts too."""


def position(row: dict[str, Any]) -> Deal:
    return read_state(row["state"], perft.rules_of(row["rules"]))


def test_the_table_has_the_positions_of_the_module() -> None:
    assert [(row["name"], row["rules"], row["state"]) for row in TABLE] == list(perft.POSITIONS)


@rows
@pytest.mark.parametrize("listing", ["all", "shapes"])
def test_the_engine_counts_the_stored_lines_of_play(row: dict[str, Any], listing: Any) -> None:
    for depth, stored in enumerate(row[listing], start=1):
        counted = perft.leaves(position(row), depth, listing)
        assert counted == stored, f"depth {depth}, by first play: {dict(perft.split(position(row), depth, listing))}"


@rows
def test_brute_force_counts_the_stored_lines_of_play(row: dict[str, Any]) -> None:
    depth = max(depth for depth, stored in enumerate(row["all"], start=1) if stored <= SMALL)
    slow, mine = perft.slow_split(perft.SlowDeal(position(row)), depth), perft.split(position(row), depth, "all")
    assert slow == mine, f"depth {depth}, first plays that differ: {dict(slow - mine)} against {dict(mine - slow)}"
    assert slow.total() == row["all"][depth - 1]
