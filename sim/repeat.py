"""Play committed blocks again in other processes and compare what comes out with what is stored.

The parent starts `python -m sim.repeat FOLDER BLOCK...`, as often as there are workers; each writes a line of JSON a
block. A fresh process shares nothing with the one that asks: no cache, no loaded code, no thread.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from sim import run_file, store
from sim.errors import SimError
from sim.places import Place, Where, as_place, place
from sim.run import block_tables, resolve
from sim.run_file import Run
from sim.store import BlockRecord

SHARE: Final = 0.01
"""Least share of the blocks that is played again, where nothing else is asked."""

LEAST: Final = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """Say how a block compares with what is stored.

    difference: the first one found, "" for none; encoded: the bytes differ although schema and values do not, because
    another version of pyarrow wrote them; code: names of what has another hash than in the run; failed: why the block
    could not be played; scores: of an observed run, points a match of x stored and again, and standard errors between
    """

    block: str
    seconds: float = 0.0
    difference: str = ""
    encoded: bool = False
    code: tuple[str, ...] = ()
    failed: str = ""
    failed_zh: str = ""
    scores: tuple[float, float, float] | None = None


def choose(stems: Sequence[str], seed: int, sample: int | None = None) -> list[str]:
    """Draw blocks by a hash of seed and name, so that the same seed draws the same ones while a run grows.

    sample: how many; None is one in a hundred, at least three.
    """
    number = max(LEAST, math.ceil(SHARE * len(stems))) if sample is None else sample
    by_hash = sorted(stems, key=lambda stem: hashlib.sha256(f"{seed} {stem}".encode()).digest())
    return sorted(by_hash[:number])


def repeat(folder: Where, stems: Sequence[str], workers: int) -> Generator[Outcome]:
    """Play blocks again and yield each outcome as it comes. Closing the iterator ends the processes."""
    out: queue.SimpleQueue[Outcome | None] = queue.SimpleQueue()
    parts = [part for part in (stems[k::workers] for k in range(min(workers, len(stems)))) if part]
    command = [sys.executable, "-m", "sim.repeat", as_place(folder).absolute().text]
    # A process group of its own: Ctrl-C in the terminal is for the parent, which then ends the children.
    children = [
        subprocess.Popen([*command, *part], stdout=subprocess.PIPE, text=True, start_new_session=True) for part in parts
    ]

    def listen(child: subprocess.Popen[str], part: Sequence[str]) -> None:
        waiting = list(part)
        assert child.stdout is not None
        with child.stdout:
            for line in child.stdout:
                found = json.loads(line)
                waiting.remove(found["block"])
                scores = found.pop("scores")
                out.put(Outcome(**found, scores=scores and tuple(scores)))
        code = child.wait()
        for stem in waiting:
            out.put(Outcome(stem, failed=f"exit code {code}", failed_zh=f"进程返回 {code}"))
        out.put(None)

    threads = [threading.Thread(target=listen, args=each, daemon=True) for each in zip(children, parts, strict=True)]
    try:
        for thread in threads:
            thread.start()
        running = len(children)
        while running:
            got = out.get()
            if got is None:
                running -= 1
            else:
                yield got
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                child.kill()
            child.wait()
        for thread in threads:
            if thread.ident is not None:
                thread.join()


def repeat_here(run: Run, record: BlockRecord) -> Outcome:
    """Play one committed block again in this process and compare. Raises `SimError` if it cannot be played or read."""
    began = time.monotonic()
    block = record.block
    seen = run.at(block.match_up)
    sides = resolve(seen.request)
    stored = seen.hashes
    code = tuple(name for name, found in sides.hashes.items() if stored.get(name) != found)
    played = block_tables(seen.request, sides, range(block.first, block.first + block.pairs), run.id)
    assert played is not None  # nobody stops it
    here, scores = as_place(run.folder), None
    difference, encoded = "", False
    if run.observed:
        scores = _scores(_read(here, record.name_of("pairs")), played.tables["pairs"])
    else:
        difference, encoded = _compare(here, record, played.tables)
        if not difference and (played.matches, played.deals, played.looks) != (
            record.matches,
            record.deals,
            record.looks,
        ):
            difference = f"blocks/{block.stem}.json: matches {record.matches}, deals {record.deals}, looks"
    return Outcome(block.stem, round(time.monotonic() - began, 3), difference, encoded, code, scores=scores)


def _compare(here: Place, record: BlockRecord, tables: Mapping[str, pa.Table]) -> tuple[str, bool]:
    """Give the first difference, and whether only the encoding differs."""
    encoded = False
    for name, table in tables.items():
        path = record.name_of(name)
        if path is None and name == "cubes":  # a run before schema 1.4
            continue
        if path is None:
            return f"{name}/{record.block.stem}.parquet was not kept", False
        if hashlib.sha256(store.parquet_bytes(name, table)).hexdigest() == record.files[path].sha256:
            continue
        kept = _read(here, path)
        if difference := first_difference(kept, table):
            return f"{path}: {difference}", False
        if record.writer == f"pyarrow {pa.__version__}":
            return f"{path}: equal rows, other bytes", False
        encoded = True
    return "", encoded


def first_difference(stored: pa.Table, again: pa.Table) -> str:
    """Name the first difference between two tables, of schema or of values, whatever their encoding; "" for none."""
    if not stored.schema.equals(again.schema, check_metadata=True):
        return "schema"
    if stored.num_rows != again.num_rows:
        return f"{stored.num_rows} rows, {again.num_rows} again"
    for name in stored.column_names:
        a, b = (_plain(table.column(name)) for table in (stored, again))
        if not a.equals(b):
            values = zip(a.to_pylist(), b.to_pylist(), strict=True)
            row, old, new = next((k, x, y) for k, (x, y) in enumerate(values) if x != y)
            return f"row {row}, {name} {old}, {new} again"
    return ""


def _plain(column: pa.ChunkedArray[Any]) -> pa.ChunkedArray[Any]:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _scores(stored: pa.Table, again: pa.Table) -> tuple[float, float, float]:
    """Compare the points a match of x in two tables of pairs, with their difference in standard errors of pairs."""
    means, variances = [], []
    for table in (stored, again):
        rows: list[dict[str, Any]] = table.select(["legs", "x_half_points_1", "x_half_points_2"]).to_pylist()
        points = [(r["x_half_points_1"] + (r["x_half_points_2"] or 0)) / (2 * r["legs"]) for r in rows]
        mean = sum(points) / len(points)
        means.append(mean)
        variances.append(sum((p - mean) ** 2 for p in points) / max(1, len(points) - 1) / len(points))
    error = math.sqrt(sum(variances))
    return means[0], means[1], abs(means[0] - means[1]) / error if error else 0.0


def _read(here: Place, name: str | None) -> pa.Table:
    assert name is not None
    try:
        return pq.read_table(here.local_files([name])[0], use_threads=False)
    except (OSError, ValueError) as error:
        raise SimError("file_unreadable", path=here.at(name), reason=error) from None


def main(folder: str, *stems: str) -> None:
    """Play blocks again and write a line each; what cannot be played is said there too."""
    run = run_file.load(place(folder))
    for stem in stems:
        try:
            outcome = repeat_here(run, store.read_record(run.folder, stem, run))
        except SimError as error:
            outcome = Outcome(stem, failed=error.text("en"), failed_zh=error.text("zh"))
        print(json.dumps(asdict(outcome)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
