"""Take blocks out of a run, and put them back: every act is an entry in the run's log, and nothing is deleted.

The log is `exclusions/`, an entry a file: `000001.json`, `000002.json` and so on. Entries are published and never
changed, so the log only grows, on every kind of place; the last entry on a block is what holds. The files of an
excluded block lie in `excluded/`, where no figure reads them. The entry is written before the files are moved, so that
a move cut short is one that `sim.tidy` ends.
"""

from __future__ import annotations

import getpass
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from typing import Any, Final, Literal

from sim import run_file, store
from sim.errors import SimError
from sim.places import Place, Where, as_place
from sim.run_file import Block, Run
from sim.store import EXCLUSIONS

Act = Literal["exclude", "include"]

_NAME: Final = re.compile(r"(?:([0-9]{1,3})-)?([0-9]{1,6})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Entry:
    """Hold one act. blocks: their names; reason: "" on include; who: user that acted; when: UTC, ISO 8601."""

    act: Act
    blocks: tuple[str, ...]
    reason: str
    who: str
    when: str


def read_log(folder: Where) -> list[Entry]:
    """Read the log of a run, oldest first; empty where nothing was ever excluded.

    Raises `SimError` for an entry that is damaged, or missing: their numbers have no gap.
    """
    here = as_place(folder)
    names = [name for name in here.names(EXCLUSIONS) if store.is_ours(EXCLUSIONS, name)]
    wanted = [_entry_name(number) for number in range(1, len(names) + 1)]
    for name, found in zip(wanted, names, strict=True):
        if name != f"{EXCLUSIONS}/{found}":
            raise SimError("log_damaged", path=here.at(name))
    return [_entry(data, here.at(name)) for name, data in zip(wanted, here.read_all(wanted), strict=True)]


def _entry_name(number: int) -> str:
    return f"{EXCLUSIONS}/{number:06d}.json"


def _entry(data: bytes, path: str) -> Entry:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise SimError("log_damaged", path=path) from None
    if not _is_entry(found):
        raise SimError("log_damaged", path=path)
    return Entry(**{**found, "blocks": tuple(found["blocks"])})


def _is_entry(found: Any) -> bool:
    if not isinstance(found, dict) or found.keys() != {field.name for field in fields(Entry)}:
        return False
    blocks = found["blocks"]
    right = (
        isinstance(blocks, list) and blocks and all(isinstance(name, str) and store.is_stem(name) for name in blocks)
    )
    return (
        bool(right)
        and found["act"] in ("exclude", "include")
        and all(isinstance(found[name], str) for name in ("reason", "who", "when"))
    )


def holding(folder: Where) -> dict[str, Entry]:
    """Give the exclusions that hold, by name of the block."""
    last = {name: entry for entry in read_log(folder) for name in entry.blocks}
    return {name: last[name] for name in sorted(last) if last[name].act == "exclude"}


def excluded_blocks(run: Run) -> set[Block]:
    """Give the blocks of a run that are excluded, whether or not their files have been moved."""
    found = holding(run.folder)
    return {block for block in run.blocks() if block.stem in found} if found else set()


def exclude(folder: Where, names: Sequence[str], reason: str) -> list[str]:
    """Take committed blocks out of a run and return their names.

    names: as `name_of` reads them. Nothing is done unless all can be: `SimError` for a block that is not committed or
    excluded already, an empty reason, or a run that another process writes.
    """
    if not reason.strip():
        raise SimError("exclude_reason")
    run = run_file.load(folder)
    with store.writing(folder) as still_held:
        chosen, held = _chosen(run, names), holding(folder)
        committed = set(store.committed_stems(folder))
        for name in chosen:
            if name in held:
                raise SimError("excluded_already", block=name, reason=held[name].reason, folder=folder)
            if name not in committed:
                raise SimError("block_absent", block=name, folder=folder)
        records = store.read_records(folder, chosen, run)
        still_held()
        _write(folder, "exclude", chosen, reason)
        for record in records:
            store.set_apart(folder, record, store.EXCLUDED)
    return chosen


def include(folder: Where, names: Sequence[str]) -> list[str]:
    """Put excluded blocks back and return their names; `SimError` as for `exclude`, or if one is not excluded."""
    run = run_file.load(folder)
    with store.writing(folder) as still_held:
        chosen, held = _chosen(run, names), holding(folder)
        for name in chosen:
            if name not in held:
                raise SimError("not_excluded", block=name, folder=folder, known=" ".join(held) or "-")
        records = [store.read_record(place_of(folder, name), name, run) for name in chosen]
        still_held()
        _write(folder, "include", chosen, "")
        for record in records:
            store.bring_back(folder, record, store.EXCLUDED)
    return chosen


def place_of(folder: Where, name: str) -> Place:
    """Give the place in which the record of an excluded block lies: that of the run where a move was cut short."""
    here = as_place(folder)
    return here if here.exists(store.record_name(name)) else here / store.EXCLUDED


def name_of(run: Run, text: str) -> str:
    """Read the name of a block: `0-12` or `000-000012`, or just its number in a run of one match-up.

    Raises `SimError` for any other text, or for a block that the run does not have.
    """
    found = _NAME.fullmatch(text)
    if found is None or (found[1] is None and len(run.requests) > 1):
        raise SimError("block_name", value=text)
    match_up, number = int(found[1] or 0), int(found[2])
    if match_up >= len(run.requests) or number >= run.requests[match_up].blocks:
        raise SimError("block_absent", block=text, folder=run.folder)
    return run_file.block_of(run.requests[match_up], number, match_up).stem


def _chosen(run: Run, names: Sequence[str]) -> list[str]:
    return sorted({name_of(run, name) for name in names})


def _write(folder: Where, act: Act, blocks: Sequence[str], reason: str) -> None:
    """Append an entry. Whoever has lost the lock to another process finds its number taken, and does nothing."""
    here = as_place(folder)
    entry = Entry(act, tuple(blocks), reason.strip(), _user(), datetime.now(UTC).isoformat(timespec="seconds"))
    data = (json.dumps(asdict(entry), ensure_ascii=False) + "\n").encode()
    name = _entry_name(len(read_log(folder)) + 1)
    if not here.publish_first(name, data) and here.read(name) != data:
        raise SimError("run_busy", folder=folder, owner=store.writer_of(folder) or "?")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no such user on this machine, as in some containers
        return "?"
