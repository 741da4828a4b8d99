"""The laws of the rows: silent on every run that was played, and each reports the damage that is its own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine.bulk import CELLS
from engine.ruleset import preset_names
from sim import laws, laws_of_cubes, reading, run, run_file, schema, store
from sim.experiment import Experiment
from sim.request import Detail
from sim.run import LocalExecutor
from strategies.registry import load
from tests.support.failing import NO_ANSWER, failing
from tests.support.small_run import quiet

Rows = dict[str, list[dict[str, Any]]]
Damage = Callable[[Rows], bool]
"""Change the rows of one pair so that one law is broken; False where this pair is not fit for it."""

FAULT = {"deal": 1, "decision": 0, "seat": 0, "side": "x", "asked": "told", "reason": "raised", "forfeits": 0}


PAIRS = {"pairs": 14, "matches": 26, "deals": 54, "boards": 40}


def play(folder: Path, kind: str) -> Path:
    """Play pairs of one block each, so that every pair can be damaged by itself."""
    detail: Detail = "deals" if kind == "boards" else kind  # type: ignore[assignment]
    asked = Experiment(
        strategies=("solid", "expert"),
        pairs=PAIRS[kind],
        seed=2,
        block_pairs=1,
        detail=detail,
        boards="uniform" if kind == "boards" else None,
        style=kind == "deals",
    )
    run.play(run.start(asked.requests(), folder), LocalExecutor(2), quiet)
    return folder


def breaches(folder: Path, match_up: int = 0) -> list[laws.Breach]:
    made = run_file.load(folder, match_up)
    records = [record for record in store.records(folder) if record.block.match_up == match_up]
    with reading.open_tables(reading.snapshot(folder, match_up)) as tables:
        return list(laws.broken(tables, made, records))


def rows_of(folder: Path, record: store.BlockRecord) -> Rows:
    return {Path(name).parent.name: pq.read_table(folder / name).to_pylist() for name in record.files}


def rewrite(folder: Path, record: store.BlockRecord, rows: Rows, more_deals: int) -> None:
    """Commit other rows under the same block, hashes and all."""
    tables = {name: pa.Table.from_pylist(each, schema=schema.arrow_schema(name)) for name, each in rows.items()}
    matches, deals = (sum(row[name] for row in rows["pairs"]) for name in ("legs", "deals"))
    store.write_block(folder, record.block, tables, matches=matches, deals=deals + more_deals, seconds=1)


# Damages: of a pair alone


def pair_of_another_block(rows: Rows) -> bool:
    rows["pairs"][0]["pair"] += 10**6
    return True


def other_record(rows: Rows) -> bool:
    return True  # the record gets one deal too many


def no_second_result(rows: Rows) -> bool:
    (pair,) = rows["pairs"]
    pair |= {"x_half_points_2": None, "cell": CELLS[pair["x_half_points_1"]]}
    return True


def other_cell(rows: Rows) -> bool:
    (pair,) = rows["pairs"]
    pair["cell"] = "WD" if pair["cell"] != "WD" else "LD"
    return True


def more_won_than_refused(rows: Rows) -> bool:
    (pair,) = rows["pairs"]
    pair["refused_won"] = pair["single_refused"] + pair["double_refused"] + 1
    return True


def more_steps_than_deals_allow(rows: Rows) -> bool:
    (pair,) = rows["pairs"]
    pair["x_steps"] = 3 * pair["x_deals_won"] + 1
    return True


# of matches


def third_leg(rows: Rows) -> bool:
    rows["matches"][1]["leg"] = 3
    return True


def more_plays(rows: Rows) -> bool:
    rows["pairs"][0]["plays"] += 1
    return True


def exchanged_results(rows: Rows) -> bool:
    (pair,) = rows["pairs"]
    first, second = pair["x_half_points_1"], pair["x_half_points_2"]
    pair |= {"x_half_points_1": second, "x_half_points_2": first}
    return bool(first != second)


def more_level_points(rows: Rows) -> bool:
    rows["matches"][0]["x_level_points"] += 1
    return True


def deals_of_the_other_leg(rows: Rows) -> bool:
    first, second = rows["matches"]
    first["deals"], second["deals"] = 0, first["deals"] + second["deals"]
    return True


def matches_exchanged(rows: Rows) -> bool:
    rows["matches"].reverse()
    return True


# of deals


def last_of(rows: Rows, leg: int = 1) -> dict[str, Any]:
    return [deal for deal in rows["deals"] if deal["leg"] == leg][-1]


def with_tribute(rows: Rows, kind: str) -> dict[str, Any]:
    """Find a deal with this tribute; an empty one, which makes a damage unfit, where there is none."""
    return next((deal for deal in rows["deals"] if deal["tribute"] == kind), {})


def deals_exchanged(rows: Rows) -> bool:
    rows["deals"][:2] = rows["deals"][1::-1]
    return True


def gap_before_the_last(rows: Rows) -> bool:
    last_of(rows)["deal"] += 1
    return True


def more_plays_of_a_match(rows: Rows) -> bool:
    rows["matches"][0]["plays"] += 1
    rows["pairs"][0]["plays"] += 1
    return True


def more_passes(rows: Rows) -> bool:
    rows["pairs"][0]["passes"] += 1
    return True


def one_second_more(rows: Rows) -> bool:
    rows["matches"][0]["seconds"] += 1
    return True


def level_below_two(rows: Rows) -> bool:
    """Of a board, whose start is that of its context: let x, who loses, stay at level 1."""
    deal, match = rows["deals"][0], rows["matches"][0]
    if deal["winner"] != "y" or deal["declarer"] != "y" or deal["x_level_before"] == 14:
        return False
    match["x_level_points"] -= deal["x_level_before"] - 1
    deal["x_level_before"] = deal["x_level_after"] = match["x_level"] = 1
    return True


def other_level_played(rows: Rows) -> bool:
    deal = rows["deals"][1]
    deal["level"] = 2 + (deal["level"] - 1) % 13
    return True


def level_from_nowhere(rows: Rows) -> bool:
    for deal in rows["deals"]:
        loses = deal["winner"] == deal["declarer"] == "y"
        if loses and deal is not last_of(rows, deal["leg"]) and deal["x_level_after"] + 1 < deal["y_level_after"]:
            deal["x_level_before"] += 1
            deal["x_level_after"] += 1
            return True
    return False


def loser_rises(rows: Rows) -> bool:
    deal, match = last_of(rows), rows["matches"][0]
    loser, sign = ("x", 1) if deal["winner"] == "y" else ("y", -1)
    deal[f"{loser}_level_after"] += 1
    match[f"{loser}_level"] += 1
    match["x_level_points"] += sign
    return bool(deal[f"{loser}_level_after"] < 14)


def seats_turned(rows: Rows) -> bool:
    deal = last_of(rows)
    turned = str.maketrans("0123", "1230")
    deal["finish_order"] = deal["finish_order"].translate(turned)
    deal["finish_order"] = {"13(20)": "13(02)", "31(20)": "31(02)"}.get(deal["finish_order"], deal["finish_order"])
    return True


def a_step_less(rows: Rows) -> bool:
    deal = last_of(rows)
    for row in (deal, rows["matches"][0], rows["pairs"][0]):
        row["steps" if row is deal else f"{deal['winner']}_steps"] -= 1
    return bool(deal["steps"] >= 1)


def declarer_of_a_first_deal(rows: Rows) -> bool:
    rows["deals"][0]["declarer"] = "x"
    return True


def tribute_forgotten(rows: Rows) -> bool:
    deal = with_tribute(rows, "single")
    if not deal:
        return False
    names = ("payers", "receivers", "given_1", "given_2", "returned_1", "returned_2")
    deal |= {"tribute": "none", **dict.fromkeys(names)}
    rows["pairs"][0]["single_due"] -= 1
    rows["pairs"][0]["single_paid_won"] -= deal["winner"] == deal["declarer"]
    return True


def receivers_exchanged(rows: Rows) -> bool:
    deal = with_tribute(rows, "double")
    deal["receivers"] = deal.get("receivers", "")[::-1]
    return len(deal) > 1


def no_card_given(rows: Rows) -> bool:
    deal = with_tribute(rows, "single")
    deal["given_1"] = None
    return len(deal) > 1


def other_leader(rows: Rows) -> bool:
    deal = with_tribute(rows, "single")
    deal["lead_seat"] = (deal.get("lead_seat", 0) + 1) % 4
    return len(deal) > 1


def other_failure(rows: Rows) -> bool:
    for deal in rows["deals"]:
        if deal["a_attempt"] == "deal_lost":
            deal["a_attempt"] = "partner_last"
            rows["pairs"][0][f"{deal['declarer']}_a_deal_lost"] -= 1
            rows["pairs"][0][f"{deal['declarer']}_a_partner_last"] += 1
            return True
    return False


def a_failure_more(rows: Rows) -> bool:
    rows["deals"][0]["x_a_fails"] += 1
    return True


def third_wild(rows: Rows) -> bool:
    rows["deals"][0]["x_wilds"] = 3
    return True


def refused_without_jokers(rows: Rows) -> bool:
    deal = with_tribute(rows, "single_refused") or with_tribute(rows, "double_refused")
    if not deal:
        return False
    deal["x_jokers"] = 0 if (int(deal["payers"][0]) + deal["leg"]) % 2 else 4
    return True


def other_end(rows: Rows) -> bool:
    deal = rows["deals"][0]
    deal["end_reason"] = {"double_down": "three_out", "three_out": "double_down"}[deal["end_reason"]]
    return True


def more_winds_than_tricks(rows: Rows) -> bool:
    rows["deals"][0]["winds"] = rows["deals"][0]["tricks"] + 1
    return True


def passed_a_called_a_limit(rows: Rows) -> bool:
    match = rows["matches"][0]
    match["end_reason"] = "deal_limit"
    match["x_level_points"] -= match["x_half_points"] - 1
    return bool(match["x_level"] != match["y_level"])


# of faults and style


def fault(rows: Rows, **changes: Any) -> bool:
    pair = rows["pairs"][0]
    names = {name: pair[name] for name in ("run", "rules", "x", "y", "pair")}
    rows["faults"].append({**names, "leg": 1, **FAULT, "state": "", **changes})
    return True


def two_forfeits(rows: Rows) -> bool:
    return fault(rows, forfeits=1) and fault(rows, forfeits=1)


def no_last_row(rows: Rows) -> bool:
    rows["style"].pop()
    return True


def no_squares(rows: Rows) -> bool:
    row = next(row for row in rows["style"] if row["x_n"])
    row["x_nn"] = 0
    return True


# of cubes: sums of one pair


def cube(rows: Rows, name: str, part: str | None = None) -> list[dict[str, Any]]:
    """Find the cells of a part of a cube; of its first part where none is named."""
    found = [row for row in rows["cubes"] if row["cube"] == name]
    return [row for row in found if row["part"] == (part or found[0]["part"])]


def exchange_cells(cells: list[dict[str, Any]]) -> bool:
    """Give two cells of a part each other's events."""
    if len(cells) < 2 or cells[0]["k"] == cells[1]["k"]:
        return False
    for name in ("k", "kk", "nk"):
        cells[0][name], cells[1][name] = cells[1][name], cells[0][name]
    return True


def no_empty_cell(rows: Rows) -> bool:
    rows["cubes"].remove(next(row for row in rows["cubes"] if row["k"] == 0))
    return True


def no_squares_of_points(rows: Rows) -> bool:
    row = next((row for row in rows["cubes"] if row["cube"] == "level_map" and row["k"] > 1), None)
    if row is not None:
        row["kk"] = 1
    return row is not None


def steps_at_another_level(rows: Rows) -> bool:
    levels = {row["part"] for row in rows["cubes"] if row["cube"] == "steps"}
    old, new = (
        next(p for p in sorted(levels) if p[0] == "x"),
        next(f"x {k}" for k in range(2, 15) if f"x {k}" not in levels),
    )
    for row in cube(rows, "steps", old):
        row["part"] = new
    return True


def other_length(rows: Rows) -> bool:
    (row,) = cube(rows, "length")[:1]
    row["cell"] = "99"
    return True


def a_fault_more(rows: Rows) -> bool:
    row = cube(rows, "fault", "x")[0]
    row |= {"k": 1, "kk": 1, "nk": row["n"]}
    return True


def other_run(table: str) -> Damage:
    def act(rows: Rows) -> bool:
        if table == "faults":
            fault(rows)
        rows[table][0]["run"] = "another"
        return True

    return act


DAMAGES: dict[str, dict[str, Damage]] = {
    "pairs": {
        "pair_ids": pair_of_another_block,
        "records": other_record,
        "legs": no_second_result,
        "cells": other_cell,
        "pair_counts": more_won_than_refused,
        "steps_bound": more_steps_than_deals_allow,
        "cube_rows": no_empty_cell,
        "cube_sums": no_squares_of_points,
        "cube_margins": steps_at_another_level,
        "cubes_of_pairs": lambda rows: exchange_cells(cube(rows, "try")),
    },
    "matches": {
        "match_rows": third_leg,
        "pair_sums_of_matches": more_plays,
        "results_of_legs": exchanged_results,
        "match_results": more_level_points,
        "match_length": deals_of_the_other_leg,
        "row_order": matches_exchanged,
        "cubes_of_matches": other_length,
    },
    "deals": {
        "deal_order": deals_exchanged,
        "deals_numbered": gap_before_the_last,
        "match_sums_of_deals": more_plays_of_a_match,
        "pair_sums_of_deals": more_passes,
        "time_model": one_second_more,
        "level_played": other_level_played,
        "levels_carry": level_from_nowhere,
        "levels_follow": loser_rises,
        "winner_finishes_first": seats_turned,
        "steps_of_order": a_step_less,
        "declarer_won_before": declarer_of_a_first_deal,
        "tribute_of_order": tribute_forgotten,
        "payers_of_order": receivers_exchanged,
        "cards_of_tribute": no_card_given,
        "leader": other_leader,
        "tries_at_a": other_failure,
        "fails_counted": a_failure_more,
        "jokers_and_wilds": third_wild,
        "jokers_of_refusal": refused_without_jokers,
        "end_of_deal": other_end,
        "plays_counted": more_winds_than_tricks,
        "last_deal_wins": passed_a_called_a_limit,
        "faults_are_judged": lambda rows: fault(rows, asked="play"),
        "faults_of_side": lambda rows: fault(rows, side="y"),
        "forfeits": two_forfeits,
        "style_rows": no_last_row,
        "style_sums": no_squares,
        "cubes_of_deals": lambda rows: exchange_cells(cube(rows, "exchange")),
        "cubes_of_faults": a_fault_more,
        **{
            f"names_of_{table}": other_run(table) for table in ("pairs", "matches", "deals", "style", "faults", "cubes")
        },
    },
    "boards": {"levels_in_range": level_below_two},
}
CASES = [(kind, law) for kind, damages in DAMAGES.items() for law in damages]


@pytest.fixture(scope="module")
def reported(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], set[str]]:
    """Damage a pair for every law, each in a block of its own, and give the laws that report of that block."""
    found: dict[tuple[str, str], set[str]] = {}
    without_sync = pytest.MonkeyPatch()
    without_sync.setattr(os, "fsync", lambda handle: None)  # hundreds of small files
    for kind, damages in DAMAGES.items():
        folder = play(tmp_path_factory.mktemp(kind), kind)
        assert breaches(folder) == []
        blocks = {}
        free = store.records(folder)
        for law, damage in damages.items():
            for record in free:
                rows = rows_of(folder, record)
                if damage(rows):
                    rewrite(folder, record, rows, more_deals=law == "records")
                    blocks[record.block.stem] = law
                    free.remove(record)
                    break
            else:
                pytest.fail(f"no pair is fit for {law}")
        found |= {(kind, law): set() for law in damages}
        for breach in breaches(folder):
            found[kind, blocks[breach.block]].add(breach.law.name)
    without_sync.undo()
    return found


@pytest.mark.parametrize(("kind", "law"), CASES)
def test_each_law_reports_the_damage_that_is_its_own(
    reported: dict[tuple[str, str], set[str]], kind: str, law: str
) -> None:
    """Damaged rows no longer add up to the cubes of their block, which tell of it too."""
    cubes = {each.name for each in laws_of_cubes.LAWS}
    assert reported[kind, law] - (cubes if law not in cubes else set()) == {law}


def test_every_law_is_shown_to_act() -> None:
    assert {law for _, law in CASES} == {law.name for law in laws.laws_of(tuple(schema.TABLES))}


def test_the_laws_hold_under_every_rule_set(tmp_path: Path) -> None:
    names = tuple(preset_names())
    (tmp_path / "odd.toml").write_text(
        'base = "zhuozhou-event"\n[rules]\nlimit_deals = 3\ntie_break = true\n'
        'a_fail_limit = 1\nstart_levels = ["K", "A"]\n'
    )
    asked = Experiment(
        strategies=("solid", "expert"), rules=(*names, str(tmp_path / "odd.toml")), pairs=16, block_pairs=8
    )
    run.play(run.start(asked.requests(), tmp_path / "run"), LocalExecutor(2), quiet)
    found = [breaches(tmp_path / "run", number) for number in range(len(names) + 1)]
    assert found == [[]] * (len(names) + 1)


@pytest.fixture
def _failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    often = failing("view.n_steps > 25 and view.deal % 2 == 1", NO_ANSWER)
    strategies: dict[str, object] = {"failing": often, "greedy": load("greedy")}
    monkeypatch.setattr(run, "_strategy", lambda name: strategies[name])
    yield
    often.raise_errors()


@pytest.mark.usefixtures("_failing")
def test_the_laws_hold_where_deals_are_judged_and_matches_forfeited(tmp_path: Path) -> None:
    asked = Experiment(strategies=("failing", "greedy"), pairs=30, seed=3, block_pairs=15)
    run.play(run.start(asked.requests(), tmp_path), LocalExecutor(1), quiet)
    ends = pq.read_table(tmp_path / "matches").column("end_reason").to_pylist()
    assert "forfeit" in ends
    assert breaches(tmp_path) == []
