"""Write an equal run with larger blocks, and so fewer files, into another folder.

Rows are concatenated in the order of their pairs, tables of sums are added row by row; what is written is what playing
the larger blocks would have given, byte for byte. The source stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from sim import cubes, exclusions, run_file, schema, store
from sim.errors import SimError
from sim.looks import Judgement
from sim.places import Where, as_place
from sim.reading import snapshot
from sim.request import MAX_BLOCK_PAIRS, RunRequest
from sim.run_file import Block, Run
from sim.status import status_of
from sim.store import BlockRecord

_ROWS: Final = ("pairs", "matches", "deals", "faults")
_NAMES: Final = ("run", "rules", "x", "y")
_USUAL_PAIRS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Compacted:
    """Say what was made: blocks before and after, files likewise."""

    run: Run
    blocks_before: int
    blocks: int
    files_before: int
    files: int


def compact(
    folder: Where,
    out: Where,
    *,
    block_pairs: int | None = None,
    partial: bool = False,
    report: Callable[[int, int], None] = lambda done, total: None,
) -> Compacted:
    """Write the run in `folder` into `out` with blocks of about `block_pairs` pairs.

    A new block is a number of old ones. partial: of an unfinished run, take the blocks up to the first that is missing;
    the others are still to be played in the new run. report: takes the old blocks done, of how many.

    Raises `SimError` for a run that is not finished, has excluded blocks or damaged files, or whose test looks at times
    that larger blocks would change; and for a folder that holds other files.
    """
    run = run_file.load(folder)
    if _address(out) == _address(folder):
        raise SimError("compact_same", folder=folder)
    if store.has_run(out):
        raise SimError("folder_used", folder=out)
    if held := exclusions.holding(folder):
        raise SimError("compact_excluded", folder=folder, names=" ".join(held))
    for table in run.tables:
        if table not in (*_ROWS, *_SUMS):
            raise SimError("compact_sums", table=table)
    state = status_of(folder)
    if not (state.complete or partial):
        raise SimError("compact_unfinished", folder=folder, done=state.blocks_done, blocks=state.blocks)
    records = {record.block: record for record in store.records(folder)}
    prefixes = [_prefix(run, match_up, each.judgement, records) for match_up, each in enumerate(state.match_ups)]
    if not any(prefixes):
        raise SimError("compact_empty", folder=folder)
    largest = max(size for request in run.requests for _, size in request.cuts)
    chosen = min(MAX_BLOCK_PAIRS, max(_USUAL_PAIRS, 10 * largest)) if block_pairs is None else block_pairs
    if chosen <= largest:
        raise SimError("compact_smaller", block_pairs=chosen, size=largest)
    snapshot(folder)  # which compares every file with its record
    names = [name for record in records.values() for name in record.files]
    paths = dict(zip(names, as_place(folder).local_files(names), strict=True))
    requests = tuple(
        _recut(each, sum(b.pairs for b in own), chosen) for each, own in zip(run.requests, prefixes, strict=True)
    )
    for request, own in zip(requests, prefixes, strict=True):
        _check_looks(request, own)
    made = replace(run, folder=out, requests=requests)
    store.make_folder(out)
    blocks = done = 0
    total = sum(map(len, prefixes))
    with store.writing(out):
        store.create(made)
        for match_up, own in enumerate(prefixes):
            for block, parts in _groups(requests[match_up], match_up, own):
                _put_together(made, block, [records[part] for part in parts], paths)
                blocks += 1
                done += len(parts)
                report(done, total)
    each = 1 + len(run.tables)
    return Compacted(made, total, blocks, total * each, blocks * each)


def _address(folder: Where) -> str:
    local = as_place(folder).local_path
    return as_place(folder).text if local is None else str(local.resolve())


def _prefix(run: Run, match_up: int, judgement: Judgement | None, records: Mapping[Block, BlockRecord]) -> list[Block]:
    """List the blocks of a match-up from the first to that of its verdict, or to before the first that is missing."""
    found: list[Block] = []
    last = None if judgement is None else judgement.block
    for number in range(run.requests[match_up].blocks if last is None else last + 1):
        block = run_file.block_of(run.requests[match_up], number, match_up)
        if block not in records:
            break
        found.append(block)
    return found


def _recut(request: RunRequest, pairs: int, wanted: int) -> RunRequest:
    """Cut the first `pairs` pairs of a match-up to larger blocks, and leave what is still to be played."""
    cuts = []
    for length, size in request.cuts:
        taken = min(length, pairs)
        if taken:
            cuts.append((taken, size * (wanted // size)))
        if length > taken:
            cuts.append((length - taken, size))
        pairs -= taken
    return replace(request, earlier=tuple(cuts[:-1]), block_pairs=cuts[-1][1])


def _check_looks(request: RunRequest, blocks: Sequence[Block]) -> None:
    """See that a test still looks when it did: every old block but the last is a whole number of looks."""
    if request.test is None:
        return
    for block in blocks[:-1]:
        if block.pairs % request.test.look_pairs:
            raise SimError("compact_looks", look_pairs=request.test.look_pairs, size=block.pairs)


def _groups(request: RunRequest, match_up: int, blocks: Sequence[Block]) -> Iterator[tuple[Block, list[Block]]]:
    waiting = list(blocks)
    for number in range(request.blocks):
        block = run_file.block_of(request, number, match_up)
        parts = []
        while waiting and waiting[0].first < block.first + block.pairs:
            parts.append(waiting.pop(0))
        if not parts:
            return
        yield block, parts


def _put_together(made: Run, block: Block, parts: Sequence[BlockRecord], paths: Mapping[str, Path]) -> None:
    request = made.requests[block.match_up]
    names = dict(zip(_NAMES, (made.id, request.rules, *request.names), strict=True))
    tables = {}
    for table in made.tables:
        files = [paths[name] for part in parts if (name := part.name_of(table)) is not None]
        if not files:  # cubes, in a run before schema 1.4
            continue
        raws = [_codes(table, pq.read_table(path, use_threads=False)) for path in files]
        tables[table] = schema.to_arrow(table, _SUMS.get(table, _joined)(raws), **names)
    store.write_block(
        made.folder,
        block,
        tables,
        matches=sum(part.matches for part in parts),
        deals=sum(part.deals for part in parts),
        seconds=sum(part.seconds for part in parts),
        looks=tuple(look for part in parts for look in part.looks),
        run=made.id,
    )


Raw = dict[str, Any]


def _codes(table: str, stored: pa.Table) -> Raw:
    """Undo `schema.to_arrow`: integers again, -1 for null, texts as they are. The names of the run are left out."""
    raw: Raw = {}
    for column in schema.columns(table):
        if column.name in _NAMES:
            continue
        values = stored.column(column.name)
        if column.labels is not None:
            codes: Any = pc.index_in(values.cast(pa.string()), pa.array(column.labels, pa.string()))
            raw[column.name] = codes.fill_null(-1).to_numpy()
        elif column.type == pa.string():
            raw[column.name] = values.to_pylist()
        else:
            numbers: Any = values.cast(pa.int64())
            raw[column.name] = numbers.fill_null(-1).to_numpy()
    return raw


def _joined(raws: Sequence[Raw]) -> Raw:
    return {
        name: [text for raw in raws for text in raw[name]]
        if isinstance(values, list)
        else np.concatenate([raw[name] for raw in raws])
        for name, values in raws[0].items()
    }


def _styles(raws: Sequence[Raw]) -> Raw:
    """Add the numbers of rows of equal role and rate; every block has the same, in the same order."""
    first, keys = raws[0], ("role", "rate")
    if any(not np.array_equal(raw[key], first[key]) for raw in raws[1:] for key in keys):
        raise SimError("compact_sums", table="style")
    return {name: values if name in keys else sum(raw[name] for raw in raws) for name, values in first.items()}


_SUMS: Final[Mapping[str, Callable[[Sequence[Raw]], Raw]]] = {"style": _styles, "cubes": cubes.added}
"""Tables whose rows are sums over a block, with what adds those of several."""
