"""Clear up what a crash leaves in a run: unfinished files, data without a record, moves cut short.

Committed blocks are not touched, but for those behind the verdict of a test, which are laid apart as the run itself
would have done. Files that are no part of a run are named and left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from sim import exclusions, run_file, store
from sim.errors import SimError
from sim.places import Where, as_place
from sim.run import lay_apart, prefixes_of
from sim.run_file import Run
from sim.store import BlockRecord


@dataclass(frozen=True, slots=True)
class Tidied:
    """Name what was done, or would be: paths inside the run, and blocks.

    moved: blocks whose move was ended; apart: those laid behind a verdict; strangers: files that were left
    """

    temporary: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    moved: list[str] = field(default_factory=list)
    apart: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    @property
    def nothing(self) -> bool:
        """Tell whether there was nothing to do."""
        return not (self.temporary or self.loose or self.moved or self.apart)


def tidy(folder: Where, *, dry_run: bool = False) -> Tidied:
    """Tidy a run; with `dry_run` only say what would be done.

    Raises `SimError` if another process writes the run, or if a record or the log is damaged: then nothing is removed.
    """
    run = run_file.load(folder)
    owner = store.writer_of(folder)
    if owner is not None:
        raise SimError("run_busy", folder=folder, owner=owner)
    done = Tidied(strangers=store.strangers(folder), temporary=store.half_written(folder))
    if dry_run:
        _tidy(run, done, act=False)
    else:
        with store.writing(folder):  # which removes the temporary files
            _tidy(run, done, act=True)
    return done


def _tidy(run: Run, done: Tidied, *, act: bool) -> None:
    folder = run.folder
    excluded = exclusions.holding(folder)
    committed = {record.block.stem: record for record in store.records(folder)}  # a damaged one stops here
    unfinished = _unfinished(run, committed, excluded)
    moving: set[str] = set()
    for record, where, back in unfinished:
        stem = record.block.stem
        done.moved.append(stem)
        moving |= record.files.keys()
        if back:
            committed[stem] = record
        elif where == store.EXCLUDED:
            committed.pop(stem, None)
        if act:
            (store.bring_back if back else store.set_apart)(folder, record, where)
    prefixes = prefixes_of(run, committed.values(), exclusions.excluded_blocks(run))
    done.apart.extend(lay_apart(run, prefixes, act=act))
    _remove_loose(run, done, moving.union(*(record.files for record in committed.values())), act=act)


def _unfinished(
    run: Run, committed: Mapping[str, BlockRecord], excluded: Collection[str]
) -> list[tuple[BlockRecord, str, bool]]:
    """List the moves that were cut short: the record, the folder apart, and whether it comes back from there.

    An include is ended even if the block was played again meanwhile: of a block that may come out differently the
    first that was committed counts.
    """
    here = as_place(run.folder)
    own = {name for record in committed.values() for name in record.files}
    loose = {f"{table}/{name}" for table in run.tables for name in here.names(table)} - own
    logged = {name for entry in exclusions.read_log(here) for name in entry.blocks}
    found = {stem: (committed[stem], store.EXCLUDED, False) for stem in committed if stem in excluded}
    for where in store.APART:
        place = here / where
        for record in store.read_records(place, store.committed_stems(place), run):
            stem = record.block.stem
            back = where == store.EXCLUDED and stem in logged and stem not in excluded
            if stem not in found and (back or loose & record.files.keys()):
                found[stem] = record, where, back
    return [found[stem] for stem in sorted(found)]


def _remove_loose(run: Run, done: Tidied, kept: Collection[str], *, act: bool) -> None:
    """Remove data that no record names; name what does not belong into the folders."""
    here = as_place(run.folder)
    for inner in (*run.tables, store.BLOCKS, store.EXCLUSIONS):
        for name in here.names(inner):
            path = f"{inner}/{name}"
            if not store.is_ours(inner, name):
                done.strangers.append(path)
            elif inner in run.tables and path not in kept:
                done.loose.append(path)
                if act:
                    here.remove(path)
