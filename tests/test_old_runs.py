"""Runs that earlier versions wrote are read for ever: a run of every schema version lies in tests/data/runs."""

import json
import shutil
from pathlib import Path

import pytest

from dashboard import queries
from sim import counts, figures, reading, run, run_file, schema
from sim.errors import SimError

RUNS = Path(__file__).parent / "data" / "runs"
VERSIONS = ("1.0", "1.1", "1.2", "1.3", "1.4")


def test_a_run_of_every_version_up_to_this_one_is_kept() -> None:
    assert tuple(sorted(path.name for path in RUNS.iterdir() if path.is_dir())) == VERSIONS
    assert VERSIONS[-1] == schema.VERSION
    for version in VERSIONS:
        stored = json.loads((RUNS / version / "run.json").read_text(encoding="utf-8"))
        assert stored["hashes"]["schema"] == version


@pytest.mark.parametrize("version", VERSIONS)
def test_its_figures_are_those_of_its_rows(version: str) -> None:
    taken = reading.snapshot(RUNS / version)
    assert taken.blocks == 1
    assert [table for table in ("style", "faults", "cubes") if taken.has(table)] == {
        "1.0": [],
        "1.1": [],
        "1.2": ["style"],
        "1.3": ["style", "faults"],
        "1.4": ["style", "faults", "cubes"],
    }[version]
    headline = figures.headline(RUNS / version)
    assert (headline.pairs, headline.matches) == (4, 8)
    assert headline.deals > 30
    assert "greedy" in figures.as_text(headline, "en")
    page = queries.read_page(taken, headline, counts.EVERYTHING)
    assert {"refusals", "tries", "steps", "level_map", "lengths"} <= page.frames.keys()
    with reading.open_tables(taken) as tables:
        for cell, sums in counts.shares(tables, counts.PAIR_STEPS)["x"].items():
            found = counts.shares(tables, counts.steps(counts.EVERYTHING))["x"].get(cell)
            assert sums.y == 0 if found is None else sums == found
        ((rows,),) = tables.rows("select count(*) from cubes")
        assert (rows > 0) == (version == "1.4")


@pytest.mark.parametrize("version", VERSIONS[:-1])
def test_a_run_of_an_earlier_version_is_not_gone_on_with(version: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(RUNS / version, folder)
    with pytest.raises(SimError) as caught:
        run.start(run_file.load(folder).request, folder)
    assert caught.value.code == "code_differs"


def test_a_block_of_this_version_without_its_cubes_is_damaged(tmp_path: Path) -> None:
    shutil.copytree(RUNS / "1.4", tmp_path / "run")
    (tmp_path / "run/cubes/000-000000.parquet").unlink()
    with pytest.raises(SimError, match="cubes/000-000000"):
        reading.snapshot(tmp_path / "run")
