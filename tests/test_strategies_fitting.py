"""The fit of expert: its rows are those of a seed, it finds weights that are known, its table is read back."""

from pathlib import Path

import numpy as np
import pytest

from strategies import fitting


def made_up_rows(path: Path, decisions: int, feature: int) -> None:
    """Write decisions of two plays each, of which the one that has the feature wins the deal more often."""
    rng = np.random.default_rng(1)
    rows = np.zeros((2 * decisions, 4 + len(fitting.names("X"))), dtype=np.int16)
    rows[:, 0] = np.repeat(np.arange(decisions) & 0x7FFF, 2)
    rows[:, 1] = np.repeat(np.arange(decisions) >> 15, 2)
    has = np.tile((1, 0), decisions)
    rows[:, 2] = np.where(rng.random(2 * decisions) < np.where(has, 0.8, 0.4), 0, 3)
    rows[:, 4 + feature] = 64 * has
    rows.tofile(path)


def test_a_feature_that_wins_gets_the_weight_it_has(tmp_path: Path) -> None:
    made_up_rows(tmp_path / "rows", 4000, 5)
    found = fitting.fit([tmp_path / "rows"], np.zeros_like(fitting.read_table()))
    assert found[0, 5, 0] == pytest.approx(0.4, abs=0.05)
    assert found[0, 5, 3] == pytest.approx(-0.4, abs=0.05)
    assert np.abs(np.delete(found[0], 5, axis=0)).max() < 1e-9


def test_the_table_that_ships_is_read_and_written_alike(tmp_path: Path) -> None:
    table = fitting.read_table()
    assert table.shape == (len(fitting.names("C")), len(fitting.names("X")), 6)
    fitting.write_table(table, tmp_path / "table.h")
    assert np.array_equal(fitting.read_table(tmp_path / "table.h"), table)
    assert (tmp_path / "table.h").read_text() == fitting.TABLE.read_text()


@pytest.mark.heavy
def test_rows_are_a_function_of_the_seed_and_hold_whole_decisions(tmp_path: Path) -> None:
    program = fitting.build(tmp_path)
    for path, seed in (("one", 1), ("again", 1), ("other", 2)):
        fitting.play_rows(program, seed, 0, 2, 20, tmp_path / path)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "again").read_bytes() != (tmp_path / "other").read_bytes()
    rows = fitting.read_rows(tmp_path / "one")
    sizes = np.diff([*rows.starts, len(rows.results)])
    assert len(sizes) > 20
    assert sizes.min() >= 2
    assert sizes.max() <= 6
    assert set(rows.results.tolist()) <= set(range(6))
    decisions = np.split(rows.contexts, rows.starts[1:])
    assert all(len(set(decision.tolist())) == 1 for decision in decisions)
