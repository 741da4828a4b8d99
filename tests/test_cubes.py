"""The cubes of a run are the sums that SQL over its rows gives, at every detail and however it is cut in blocks."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.bulk import play_pairs
from engine.rules import NATIONAL, change_rules
from engine.ruleset import switches_of
from sim import counts, reading, run
from sim.boards import find_boards
from sim.counts import Filter
from sim.cube_words import CUBE_WORDS, HISTOGRAMS
from sim.cubes import BEHIND, SUMS, added, cubes
from sim.request import DETAILS, Detail, RunRequest, new_request
from sim.stats import ClusterSums
from strategies.registry import load
from tests.support.failing import failing
from tests.support.small_run import quiet

SIDES: tuple[counts.Side | None, ...] = (None, "x", "y")
LEVELS = (None, *range(2, 15))
Found = dict[tuple[str, str, str], tuple[Any, ...]]

RUNS = {
    "national": new_request("greedy", "solid", pairs=60, seed=4, block_pairs=25, detail="deals"),
    "zhuozhou": new_request("random", "greedy", pairs=30, seed=5, block_pairs=30, rules="zhuozhou-general"),
    "long": new_request("solid", "solid-early", pairs=40, seed=8, block_pairs=40, rules="ogd"),
    "tie-break": replace(
        new_request("random", "random", pairs=30, seed=9, block_pairs=30),
        rules="mine",
        switches=dict(switches_of(change_rules(NATIONAL, {"limit_deals": 2, "tie_break": True}))),
    ),
    "equal": new_request("greedy", "greedy", pairs=50, seed=6, block_pairs=20),
    "boards": new_request("greedy", "solid", pairs=60, seed=7, block_pairs=30, boards=find_boards("uniform", 60, 7)),
    "faults": new_request("failing", "greedy", pairs=40, seed=3, block_pairs=20),
}
FAILING = failing("view.deal >= 2 and view.deal % 2 == 0 and view.n_steps > 25", 5000)


@pytest.fixture(autouse=True)
def _known_by_name(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let a run find the failing strategy under its name."""
    found = run._strategy
    monkeypatch.setattr(run, "_strategy", lambda name: FAILING if name == "failing" else found(name))
    yield
    FAILING.raise_errors()


def play(folder: Path, request: RunRequest) -> Path:
    run.play(run.start(request, folder), run.LocalExecutor(1), quiet)
    return folder


def stored(tables: reading.Tables) -> Found:
    """Read the cubes, added up over the blocks."""
    sums = ", ".join(f"sum({name})" for name in SUMS)
    rows = tables.rows(f"select cube, part, cell, {sums} from cubes group by all")
    return {tuple(row[:3]): tuple(row[3:]) for row in rows}


def by_sql(tables: reading.Tables) -> Found:
    """Count the cubes from the rows, by the statements that define them."""
    found: Found = {}

    def put(cube: str, part: str, cell: str, sums: ClusterSums) -> None:
        assert (cube, part, cell) not in found
        found[cube, part, cell] = (sums.clusters, sums.n, sums.y, sums.nn, sums.yy, sums.ny)

    def shares(cube: str, statements: dict[str, str]) -> None:
        """Put the shares of all statements, each with words to put behind its parts; a query for all is faster."""
        union = " union all ".join(
            f"select pair, trim(if(part = 'all', '', part) || ' {tail}') as part, cell, y from ({statement})"
            for tail, statement in statements.items()
        )
        for part, cells in counts.shares(tables, union).items():
            for cell, sums in cells.items():
                put(cube, part or "all", cell, sums)

    levels = {f"{side or 'all'} {level or 'all'}": Filter(level, side) for side, level in product(SIDES, LEVELS)}
    shares("refusal", {tail: counts.refusals(chosen) for tail, chosen in levels.items()})
    one = "winner as part", "'all' as part"  # the filter chooses the winner
    shares("steps", {tail: counts.steps(chosen).replace(*one) for tail, chosen in levels.items()})
    sides = {side or "all": Filter(None, side) for side in SIDES}
    for cube, statement in (
        ("tribute", counts.tribute_kinds),
        ("given", counts.cards_given),
        ("returned", counts.cards_returned),
        ("try_number", counts.tries_by_number),
    ):
        shares(cube, {tail: statement(chosen) for tail, chosen in sides.items()})
    wins = {tail: counts.next_wins(chosen) for tail, chosen in sides.items()}
    after_the_first = "tribute <> 'none'", "declarer is not null"
    shares("next_win", {tail: text.replace(*after_the_first) for tail, text in wins.items()})
    for word, condition in (
        ("every", after_the_first[1]),
        ("refused", "tribute in ('single_refused', 'double_refused')"),
    ):
        merged = {tail: text.replace("tribute as part", f"'{word}' as part") for tail, text in wins.items()}
        shares("next_win", {tail: text.replace(after_the_first[0], condition) for tail, text in merged.items()})
    for cube, text in (
        ("exchange", counts.exchanges(counts.EVERYTHING)),
        ("try", counts.tries(counts.EVERYTHING)),
        ("reset", counts.resets(counts.EVERYTHING)),
        ("match_end", counts.MATCH_ENDS),
    ):
        shares(cube, {"": text})
    for words, sums in counts.ratios(tables, counts.level_map(counts.EVERYTHING)).items():
        put("level_map", words, "half_points", sums)
    for side_name, sums in counts.ratios(tables, counts.FIRST_AT_A).items():
        put("first_at_a", side_name, "half_points", sums)
    for least in BEHIND:
        for side_name, sums in counts.ratios(tables, counts.comebacks(least)).items():
            put("comeback", f"{side_name} {least}", "half_points", sums)
    for side_name, sums in counts.ratios(tables, counts.FORFEITS).items():
        put("forfeit", "all", side_name, sums)
    for words, sums in counts.ratios(tables, counts.FAULTS).items():
        side_name, reason = words.split()
        put("fault", side_name, reason, sums)
    return {(cube, part.replace("every", "all"), cell): sums for (cube, part, cell), sums in found.items()}


@pytest.mark.parametrize("name", RUNS)
def test_cubes_are_the_sums_that_sql_gives_over_the_rows(name: str, tmp_path: Path) -> None:
    with reading.open_tables(reading.snapshot(play(tmp_path, RUNS[name]))) as tables:
        found, expected = stored(tables), by_sql(tables)
        histograms = {key: found.pop(key) for key in list(found) if key[0] in HISTOGRAMS}
        happened = {key: sums for key, sums in found.items() if sums[2]}
        assert happened == {key: sums for key, sums in expected.items() if sums[2]}
        assert {cube for cube, _, _ in expected} >= {"steps", "match_end", "level_map", "forfeit"}
        assert (("steps", "all all", "0") in happened) == (name == "tie-break")
        occasions = {(cube, part): (*sums[:2], sums[3]) for (cube, part, _), sums in happened.items()}
        for (cube, part, _), sums in found.items():  # a cell that did not happen has the occasions of its part
            assert occasions.get((cube, part), (*sums[:2], sums[3])) == (*sums[:2], sums[3])
        for cube, part, column in (
            ("length", "all", "deals"),
            ("lead_changes", "all", "lead_changes"),
            ("a_fails", "x", "x_a_fails"),
            ("a_fails", "y", "y_a_fails"),
        ):
            mine = {int(cell): sums[2] for (c, p, cell), sums in histograms.items() if (c, p) == (cube, part)}
            assert mine == dict(tables.rows(counts.values(column)))
        assert all(sums[:2] == (None, None) and sums[3:] == (None,) * 3 for sums in histograms.values())


def test_the_runs_of_these_tests_show_every_cube(tmp_path: Path) -> None:
    seen = set()
    for name in ("zhuozhou", "long", "faults"):
        with reading.open_tables(reading.snapshot(play(tmp_path / name, RUNS[name]))) as tables:
            seen |= {cube for cube, _, cell in stored(tables) if cell}
            if name == "faults":
                found = stored(tables)
                assert found["fault", "x", "answer"][2] > 9
                assert found["forfeit", "all", "x"][2] > 9
                assert found["match_end", "all", "forfeit"][2] == found["forfeit", "all", "x"][2]
    assert seen == set(CUBE_WORDS)


@pytest.mark.parametrize("detail", DETAILS)
def test_cubes_are_the_same_at_every_detail(detail: Detail, tmp_path: Path) -> None:
    request = replace(RUNS["national"], detail=detail)
    with reading.open_tables(reading.snapshot(play(tmp_path / "some", request))) as tables:
        some = stored(tables)
    with reading.open_tables(reading.snapshot(play(tmp_path / "all", RUNS["national"]))) as tables:
        assert some == stored(tables)


@pytest.mark.parametrize("cut", [1, 17, 1024, 1500])
def test_sums_over_blocks_are_those_of_one_block(cut: int) -> None:
    def counted(pairs: range) -> dict[tuple[str, ...], Any]:
        played = play_pairs(load("greedy"), load("random"), NATIONAL, 2, pairs)
        raw = cubes(played.pairs, played.matches, played.deals, played.faults)
        keys = zip(np.asarray(raw["cube"]).tolist(), raw["part"], raw["cell"], strict=True)
        return dict(zip(keys, np.stack([raw[name] for name in SUMS], axis=1).clip(0), strict=True))

    total = 1600
    whole, parts = counted(range(total)), (counted(range(cut)), counted(range(cut, total)))
    assert whole.keys() == parts[0].keys() | parts[1].keys()
    for key, sums in whole.items():
        assert np.array_equal(sum(part.get(key, 0) for part in parts), sums), key


@pytest.mark.parametrize("cuts", [(0, 7, 30), (0, 1, 2, 29, 30)])
def test_added_cubes_are_those_of_the_whole_row_by_row(cuts: tuple[int, ...]) -> None:
    def counted(first: int, end: int) -> dict[str, Any]:
        played = play_pairs(load("greedy"), load("random"), NATIONAL, 2, range(first, end))
        return cubes(played.pairs, played.matches, played.deals, played.faults)

    whole, total = counted(0, 30), added([counted(*each) for each in pairwise(cuts)])
    assert whole.keys() == total.keys()
    for name, column in whole.items():
        assert list(total[name]) == list(column), name


def test_a_part_has_a_row_for_each_of_its_cells() -> None:
    played = play_pairs(load("greedy"), load("random"), NATIONAL, 2, range(3))
    raw = cubes(played.pairs, played.matches, played.deals, played.faults)
    names = list(CUBE_WORDS)
    cells: dict[tuple[str, str], set[str]] = {}
    for cube, part, cell in zip(np.asarray(raw["cube"]).tolist(), raw["part"], raw["cell"], strict=True):
        cells.setdefault((names[cube], part), set()).add(cell)
    for kind, side in product(("single", "double"), ("x", "y", "all")):
        if (part := ("refusal", f"{kind} {side} all")) in cells:
            assert cells[part] == {"refused", "paid"}
    assert cells["steps", "all all"] == {"0", "1", "2", "3"}
    assert len(cells["match_end", "all"]) == 7
