"""Ask whether a run can be trusted: its files are those that were committed, its rows obey the laws of the game, and a
random sample of its blocks comes out the same when it is played again.

Nothing is changed. A finding is a `SimError` that names the file and the way out; a note is one that blames nobody.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from engine.bulk import CELLS
from sim import exclusions, laws, run_file, schema, store
from sim.errors import SimError
from sim.looks import count_looks
from sim.places import Place, Where, as_place
from sim.reading import digest_of, open_tables, snapshot
from sim.repeat import Outcome, choose, repeat
from sim.run import lay_apart, prefixes_of
from sim.run_file import Run
from sim.status import status_of
from sim.store import BlockRecord

Stage = Literal["files", "laws", "blocks"]
Report = Callable[[Stage, int, int], None]
"""Takes the stage, and how much of how much is done: blocks read, blocks tried by the laws, blocks played again."""

_BLOCKS_AT_ONCE: Final = 256  # whose files are listed, and fetched from an object store, together
_ROWS_AT_ONCE: Final = 500_000  # of deals, which the laws hold in memory


@dataclass(slots=True)
class Verdict:
    """Hold what was looked at and what was found.

    blocks, apart: committed ones that count, and those kept apart; files: whose content was hashed, and their bytes;
    laws: how many were tried; repeated: blocks that were played again.
    """

    run: str = ""
    blocks: int = 0
    apart: int = 0
    files: int = 0
    bytes: int = 0
    laws: int = 0
    repeated: list[str] = field(default_factory=list)
    findings: list[SimError] = field(default_factory=list)
    notes: list[SimError] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Tell whether nothing was found."""
        return not self.findings


def verify(folder: Where, report: Report, *, sample: int | None = None, seed: int = 1, workers: int = 1) -> Verdict:
    """Verify a run. sample: blocks that are played again (`sim.repeat.choose`).

    Raises `SimError` if there is no run, or one of a newer version.
    """
    verdict = Verdict()
    try:
        run = run_file.load(folder)
        excluded = exclusions.holding(folder)
    except SimError as error:
        if error.code not in ("run_damaged", "log_damaged"):
            raise
        verdict.findings.append(error)
        return verdict
    verdict.run = run.id
    owner = store.writer_of(folder)
    here = as_place(folder)
    stems = store.committed_stems(here)
    verdict.blocks = len(stems)
    read, whole = _check_blocks(verdict, run, here, stems, lambda done: report("files", done, len(stems)))
    _check_left_over(verdict, run, read, excluded, being_played=owner is not None)
    _check_apart(verdict, run, excluded)
    behind = _behind(run, whole)
    verdict.findings += [SimError("found_behind", block=stem, folder=folder) for stem in behind if owner is None]
    if owner is not None:
        verdict.notes.append(SimError("note_played", owner=owner))
    for stem, entry in excluded.items():
        verdict.notes.append(SimError("note_excluded", block=stem, reason=entry.reason, who=entry.who, when=entry.when))
    _check_laws(verdict, run, whole, report)
    _play_again(verdict, run, whole, choose([each.block.stem for each in whole], seed, sample), workers, report)
    return verdict


# Files


def _check_blocks(
    verdict: Verdict, run: Run, here: Place, stems: Sequence[str], report: Callable[[int], None]
) -> tuple[list[BlockRecord], list[BlockRecord]]:
    """Check blocks committed in a place; give all records that can be read, and those with all files as committed."""
    known = store.sizes(here, run.tables) if stems else {}
    read, whole = list[BlockRecord](), list[BlockRecord]()
    for start in range(0, len(stems), _BLOCKS_AT_ONCE):
        report(start)
        records = _records(verdict, run, here, stems[start : start + _BLOCKS_AT_ONCE])
        sized = [name for each in records for name, file in each.files.items() if known.get(name) == file.bytes]
        paths = _local(here, sized)
        read += records
        for done, record in enumerate(records, start):
            report(done)
            found = list(_check_block(verdict, run, here, record, known, paths))
            verdict.findings += found
            if not found:
                whole.append(record)
    report(len(stems))
    return read, whole


def _records(verdict: Verdict, run: Run, here: Place, stems: Sequence[str]) -> list[BlockRecord]:
    """Read records; where one is damaged, one by one."""
    with contextlib.suppress(SimError):
        return store.read_records(here, stems, run)
    records = []
    for stem in stems:
        try:
            records.append(store.read_record(here, stem, run))
        except SimError as error:
            verdict.findings.append(error)
    return records


def _local(here: Place, names: Sequence[str]) -> dict[str, Path]:
    """Give local paths of files; one that has gone since it was listed has none."""
    left = list(names)
    while True:
        try:
            return dict(zip(left, here.local_files(left), strict=True))
        except FileNotFoundError as error:
            left = [name for name in left if here.at(name) != error.filename]


def _check_block(
    verdict: Verdict, run: Run, here: Place, record: BlockRecord, known: Mapping[str, int], paths: Mapping[str, Path]
) -> Iterator[SimError]:
    for name, file in record.files.items():
        shown = {"path": here.at(name), "folder": run.folder}
        if name in known and known[name] != file.bytes:
            yield SimError("found_size", found=known[name], stored=file.bytes, **shown)
        elif name not in paths:
            yield SimError("found_absent", **shown)
        else:
            yield from _check_file(verdict, run, here, record, name, paths[name])


def _check_file(
    verdict: Verdict, run: Run, here: Place, record: BlockRecord, name: str, path: Path
) -> Iterator[SimError]:
    """Check a file by its hash, and by what the hash does not tell: rows, columns and looks that the record promises.

    path: where it can be read.
    """
    file, table = record.files[name], name.partition("/")[0]
    shown = {"path": here.at(name), "folder": run.folder}
    try:
        digest = digest_of(path)
    except OSError as error:
        yield SimError("file_unreadable", path=here.at(name), reason=error.strerror)
        return
    verdict.files += 1
    verdict.bytes += file.bytes
    if digest != file.sha256:
        yield SimError("found_hash", found=digest[:8], stored=file.sha256[:8], **shown)
        return
    try:
        found = pq.read_metadata(path)
        columns = found.schema.to_arrow_schema().names
        wanted = [column.name for column in schema.columns(table)]
        if found.num_rows != file.rows:
            yield SimError("found_rows", found=found.num_rows, stored=file.rows, **shown)
        elif columns != wanted:
            yield SimError("found_columns", path=here.at(name), reason=" ".join(sorted({*columns} ^ {*wanted})))
        elif table == "pairs" and record.looks != _looks(run.at(record.block.match_up), path):
            yield SimError("found_looks", path=here.at(store.record_name(record.block.stem)), folder=run.folder)
    except (OSError, ValueError) as error:
        yield SimError("found_unread", reason=error, **shown)


def _looks(run: Run, path: Path) -> tuple[tuple[int, ...], ...]:
    if run.request.test is None:
        return ()
    columns = pq.read_table(path, columns=["x_steps", "y_steps", "cell"], use_threads=False)
    steps = {name: np.asarray(columns.column(name).to_pylist(), np.int64) for name in ("x_steps", "y_steps")}
    cells = np.array([CELLS.index(cell) for cell in columns.column("cell").to_pylist()], np.int64)
    return count_looks(run.request, {**steps, "cell": cells})


def _check_left_over(
    verdict: Verdict, run: Run, records: Sequence[BlockRecord], excluded: Collection[str], *, being_played: bool
) -> None:
    """Look for what a crash left, and for what is no part of a run. records: those that can be read."""
    here = as_place(run.folder)
    strangers = store.strangers(here)
    committed = set(store.committed_stems(here))
    named = {name for record in records for name in record.files}
    unread = committed - {record.block.stem for record in records}
    apart = {stem for where in store.APART for stem in store.committed_stems(here / where)}
    if not being_played:
        found = [SimError("found_temporary", path=here.at(name), folder=here) for name in store.half_written(here)]
        verdict.findings += found
    for inner in (store.BLOCKS, store.EXCLUSIONS, *run.tables):
        for entry in here.names(inner):
            name, stem = f"{inner}/{entry}", store.stem_of(entry)
            if not store.is_ours(inner, entry):
                strangers.append(name)
            elif inner in run.tables and name not in named and stem not in unread and not being_played:
                code = "found_half_moved" if stem in apart else "found_loose"
                verdict.findings.append(SimError(code, path=here.at(name), block=stem, folder=here))
    for stem in sorted(committed & set(excluded)):
        path = here.at(store.record_name(stem))
        verdict.findings.append(SimError("found_half_moved", path=path, block=stem, folder=here))
    if strangers:
        verdict.notes.append(SimError("note_strangers", folder=here, names=" ".join(strangers)))
    with contextlib.suppress(SimError):  # a damaged record, which has been found already
        state = status_of(run.folder)
        if not state.complete:
            verdict.notes.append(SimError("note_partial", done=state.blocks_done, blocks=state.blocks))


def _check_apart(verdict: Verdict, run: Run, excluded: Collection[str]) -> None:
    """Check blocks that do not count: they are kept as carefully as the others."""
    here = as_place(run.folder)
    for where in store.APART:
        place = here / where
        stems = store.committed_stems(place)
        verdict.apart += len(stems)
        strange = [stem for stem in stems if where == store.EXCLUDED and stem not in excluded]
        for stem in strange:
            code = "found_half_moved" if _was_included(run, stem) else "found_unlogged"
            path = place.at(store.record_name(stem))
            verdict.findings.append(SimError(code, path=path, block=stem, folder=here))
        moving = {each.values.get("block") for each in verdict.findings if each.code == "found_half_moved"}
        known = [stem for stem in stems if stem not in moving and stem not in strange]
        _check_blocks(verdict, run, place, known, lambda done: None)


def _was_included(run: Run, stem: str) -> bool:
    return any(stem in entry.blocks for entry in exclusions.read_log(run.folder))


def _behind(run: Run, whole: list[BlockRecord]) -> list[str]:
    try:
        return lay_apart(run, prefixes_of(run, whole, exclusions.excluded_blocks(run)), act=False)
    except SimError:  # a damaged record, which has been found already
        return []


# Rows


def _check_laws(verdict: Verdict, run: Run, whole: list[BlockRecord], report: Report) -> None:
    done = 0
    for match_up in range(len(run.requests)):
        seen = run.at(match_up)
        own = [record for record in whole if record.block.match_up == match_up]
        try:
            seen.request.make_rules()
        except SimError:
            verdict.notes.append(SimError("note_no_rules", rules=seen.request.rules))
            continue
        for part in _parts(own):
            report("laws", done, len(whole))
            with open_tables(snapshot(run.folder, match_up, [each.block.stem for each in part])) as tables:
                by_stem = {each.block.stem: each for each in part}
                for breach in laws.broken(tables, seen, part):
                    verdict.findings.append(_as_finding(run, by_stem[breach.block], breach))
            verdict.laws = len(laws.laws_of(run.tables))
            done += len(part)
    report("laws", done, len(whole))


def _parts(records: list[BlockRecord]) -> Iterator[list[BlockRecord]]:
    """Cut blocks into parts that fit into memory."""
    part: list[BlockRecord] = []
    rows = 0
    for record in records:
        more = max(file.rows for file in record.files.values())
        if part and rows + more > _ROWS_AT_ONCE:
            yield part
            part, rows = [], 0
        part.append(record)
        rows += more
    if part:
        yield part


def _as_finding(run: Run, record: BlockRecord, breach: laws.Breach) -> SimError:
    name = record.name_of(breach.law.needs[0])
    assert name is not None
    return SimError(
        "found_law",
        path=as_place(run.folder).at(name),
        law=breach.law.name,
        zh=breach.law.zh,
        en=breach.law.en,
        count=breach.count,
        pair=breach.pair,
        leg=breach.leg or "-",
        deal=breach.deal or "-",
        shown=breach.shown,
        folder=run.folder,
        block=breach.block,
    )


# Blocks played again


def _play_again(
    verdict: Verdict, run: Run, whole: list[BlockRecord], stems: list[str], workers: int, report: Report
) -> None:
    by_stem = {record.block.stem: record for record in whole}
    code: set[str] = set()
    report("blocks", 0, len(stems))
    with contextlib.closing(repeat(run.folder, stems, workers)) as outcomes:
        for done, outcome in enumerate(outcomes, start=1):
            report("blocks", done, len(stems))
            verdict.repeated.append(outcome.block)
            code |= set(outcome.code)
            _judge(verdict, run, by_stem[outcome.block], outcome)
    verdict.repeated.sort()
    if code:
        verdict.notes.insert(0, SimError("note_code", names=" ".join(sorted(code))))


def _judge(verdict: Verdict, run: Run, record: BlockRecord, outcome: Outcome) -> None:
    """Enter what playing a block again has shown."""
    if outcome.failed:
        why = {"zh": outcome.failed_zh, "en": outcome.failed}
        verdict.findings.append(SimError("found_unplayed", block=outcome.block, **why))
    elif outcome.scores is not None:
        stored, found, z = outcome.scores
        shown = {"stored": f"{stored:.3f}", "found": f"{found:.3f}", "z": f"{z:.1f}"}
        verdict.notes.append(SimError("note_observed", block=outcome.block, **shown))
    elif outcome.difference and outcome.code:
        verdict.notes.append(SimError("note_code_differs", block=outcome.block, what=outcome.difference))
    elif outcome.difference:
        path = as_place(run.folder).at(store.record_name(record.block.stem))
        where = {"path": path, "block": outcome.block, "folder": run.folder}
        verdict.findings.append(SimError("found_differs", what=outcome.difference, **where))
    elif outcome.encoded:
        shown = {"stored": record.writer, "found": f"pyarrow {pa.__version__}"}
        verdict.notes.append(SimError("note_encoding", block=outcome.block, **shown))
