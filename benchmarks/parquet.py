"""What it costs to write every deal of greedy against random, and to count its cubes and style, beside playing it."""

import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq
from rich.table import Table

from engine.bulk import play_pairs
from engine.rules import NATIONAL
from sim import schema, store
from sim.cubes import cubes
from strategies.registry import load

PAIRS, ROUNDS = 12_000, 9


def measure_parquet() -> Table:
    """Play a block with and without rows, convert, write; processor seconds of this process, best of all rounds."""
    x, y = load("greedy"), load("random")
    best: dict[str, float] = {}

    def note(name: str, began: float) -> None:
        took = time.process_time() - began
        best[name] = min(best.get(name, took), took)

    rows = size = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.parquet"
        for _ in range(ROUNDS):
            began = time.process_time()
            play_pairs(x, y, NATIONAL, 1, range(PAIRS), detail="pairs")
            note("play", began)
            began = time.process_time()
            play_pairs(x, y, NATIONAL, 1, range(PAIRS), detail="pairs", style=True)
            note("style", began)
            began = time.process_time()
            tables = play_pairs(x, y, NATIONAL, 1, range(PAIRS), detail="deals")
            note("rows", began)
            began = time.process_time()
            table = schema.to_arrow("deals", tables.deals, run="bench", rules="national", x=x.name, y=y.name)
            pq.write_table(table, path, **schema.write_options("deals"))
            note("write", began)
            began = time.process_time()
            raw = cubes(tables.pairs, tables.matches, tables.deals, tables.faults)
            store.parquet_bytes(
                "cubes", schema.to_arrow("cubes", raw, run="bench", rules="national", x=x.name, y=y.name)
            )
            note("cubes", began)
            rows, size = table.num_rows, path.stat().st_size
    rows_cost = best["rows"] - best["play"]
    whole = best["rows"] + best["write"]
    style_cost = best["style"] - best["play"]
    out = Table("deal rows of greedy v random", "measured")
    out.add_row("rows", f"{rows:,}")
    out.add_row("bytes a row", f"{size / rows:.2f}")
    out.add_row("filling the columns", f"{rows_cost / rows * 1e9:.0f} ns a row")
    out.add_row("converting and writing", f"{best['write'] / rows * 1e9:.0f} ns a row")
    out.add_row("share of the run's processor time", f"{(rows_cost + best['write']) / whole:.1%}")
    out.add_row("counting and writing the cubes", f"{best['cubes'] / rows * 1e9:.0f} ns a deal")
    out.add_row(
        "their share of the run's processor time, rows written too", f"{best['cubes'] / (whole + best['cubes']):.1%}"
    )
    without = best["rows"] + best["cubes"]
    out.add_row(
        "share of filling the columns and the cubes where only pairs are written",
        f"{(without - best['play']) / without:.1%}",
    )
    out.add_row("counting style", f"{style_cost / rows * 1e9:.0f} ns a deal")
    out.add_row("its share of the run's processor time, rows written too", f"{style_cost / (whole + style_cost):.1%}")
    return out
