"""Play a run block by block and keep what is finished: start it, go on with it, stop it at any time.

The blocks of a run are independent and their files a function of the request, so it does not matter who plays them, in
which order or how often. An *executor* decides that: `LocalExecutor` here with the threads of one process, or Ray in
`cluster.ray_executor`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import queue
import threading
import time
import traceback
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from engine import _core
from engine.batch import batch_players
from engine.bulk import Tables, play_pairs, same_strategy
from engine.context import Context
from engine.rules import Rules
from engine.ruleset import switches_of
from engine.strategy_faults import KnownFault, StrategyFaultError, state_of
from sim import provenance, run_file, schema, store
from sim.cubes import cubes
from sim.errors import SimError
from sim.exclusions import excluded_blocks
from sim.fault_rows import fault_columns
from sim.guard import BATCH_PART_PAIRS, PART_PAIRS, AuthorError, guarding
from sim.looks import Prefix, count_looks
from sim.places import Where, as_place
from sim.request import RunRequest, strategy_error
from sim.run_file import Block, Run, hashes_of
from sim.store import BlockRecord
from sim.stored_words import reason_word
from sim.targets import NO_AIMS, Aims
from strategies import registry
from strategies.naming import StrategyError
from strategies.registry import NativeStrategy


@dataclass(frozen=True, slots=True)
class BlockTask:
    """Tell a worker all it needs for one block. `hashes` are what its own code must have, keyed like `Run.hashes`."""

    folder: Where
    run: str
    request: RunRequest
    hashes: dict[str, str]
    block: Block
    observed: bool = False


class Executor(Protocol):
    """Play tasks in any order and yield the records of those that were committed.

    Closing the iterator early, or an exception in it, must end or abandon the blocks in work within a second or two.
    """

    @property
    def workers(self) -> int:
        """Count the blocks played at the same time."""

    def execute(self, tasks: Iterable[BlockTask]) -> Generator[BlockRecord]:
        """Play the tasks; raises `SimError` when going on makes no sense."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Say how far a run is. Matches and seconds with `now` are of this session, the others of the run.

    pairs_done: pairs played of each match-up; faults: faulty deals in this session.
    """

    blocks: int
    blocks_done: int
    matches: int
    matches_done: int
    matches_now: int
    seconds_now: float
    pairs_done: tuple[int, ...] = ()
    faults: int = 0

    @property
    def rate(self) -> float:
        """Matches a second in this session; 0 before the first block."""
        return self.matches_now / self.seconds_now if self.seconds_now > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimate the seconds to the end at this rate; None before the first block."""
        return (self.matches - self.matches_done) / self.rate if self.rate > 0 else None


@dataclass(frozen=True, slots=True)
class Session:
    """Hold an opened run: what it is, which blocks are still to be played.

    `resumed` tells that the run was there before; `damaged` names committed blocks whose files are gone or of the wrong
    size, which are played again. `prefixes` has the looks of each match-up that is tested, as far as they are.
    `excluded` are the blocks that were taken out by hand (sim.exclusions), which are not played.
    """

    run: Run
    missing: tuple[Block, ...]
    resumed: bool
    damaged: tuple[str, ...]
    matches_done: int
    prefixes: Mapping[int, Prefix]
    excluded: frozenset[Block] = frozenset()

    @property
    def blocks(self) -> int:
        """Count the blocks of the run, the excluded ones left out."""
        return sum(request.blocks for request in self.run.requests) - len(self.excluded)

    @property
    def complete(self) -> bool:
        """Tell whether every block is committed."""
        return not self.missing


@dataclass(frozen=True, slots=True)
class _Sides:
    """Hold what the names of a request stand for."""

    x: NativeStrategy
    y: NativeStrategy
    rules: Rules

    @property
    def hashes(self) -> dict[str, str]:
        """Give the hashes of everything that decides the results."""
        return {
            "x": self.x.hash,
            "y": self.y.hash,
            "rules": self.rules.hash(),
            "engine": _engine_hash(),
            "schema": schema.VERSION,
        }

    @property
    def legs(self) -> int:
        """Count the matches of a pair: two equal deterministic strategies play the same match twice, so only once."""
        return 1 if same_strategy(self.x, self.y) else 2


def resolve(request: RunRequest) -> _Sides:
    """Find the strategies and rules of a request; `SimError` names an unknown one and the nearest known."""
    sides = _Sides(_strategy(request.x), _strategy(request.y), request.make_rules())
    if request.test is not None and sides.legs == 1:
        raise SimError("test_same", x=request.names[0])
    return sides


@lru_cache(maxsize=4)
def contexts_of(boards: tuple[str, ...]) -> tuple[Context, ...]:
    """Read the boards of a request; a worker reads them once for all its blocks."""
    return tuple(Context.parse(line) for line in boards)


@cache
def _engine_hash() -> str:
    return hashlib.sha256(Path(_core.__file__).read_bytes()).hexdigest()[:16]


@cache  # so that the hash is of the code that is loaded, even if its file is replaced later
def _strategy(name: str) -> NativeStrategy:
    try:
        return registry.load(name)
    except StrategyError as error:
        raise strategy_error(error) from None


def run_id(requests: Sequence[RunRequest], code: Mapping[str, str]) -> str:
    """Name a run by what it asks for, so that the same request has the same name, and the same bytes, everywhere.

    Hashes of code are left out: they are of compiled files, which differ from machine to machine.
    """
    kept = {name: value for name, value in code.items() if name == "schema" or name.startswith("rules ")}
    text = json.dumps([[request.as_dict() for request in requests], kept], sort_keys=True)
    first = requests[0]
    names = first.names if len(requests) == 1 else (f"{len(requests)}-match-ups",)
    return f"{'-'.join(names)}-{first.seed}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def start(requests: RunRequest | Sequence[RunRequest], folder: Where, aims: Aims = NO_AIMS) -> Session:
    """Open the run of this request in `folder`: a new one, or what is there of the same request, to go on with it.

    requests: one for each match-up, on the same pair ids; aims: what is set beforehand. Raises `SimError` if a name is
    unknown, or if the folder holds another run or other files.
    """
    asked = (requests,) if isinstance(requests, RunRequest) else tuple(requests)
    sides = [resolve(request) for request in asked]
    code = _code(asked, sides)
    store.make_folder(folder)
    if store.has_run(folder):
        run = run_file.load(folder)
        _check_same(run, asked)
        if run.aims != aims:
            raise SimError("run_differs", folder=folder, field="aims", stored=run.aims.as_dict(), asked=aims.as_dict())
        _check_code(run, code)
        return _survey(run, resumed=True)
    run = Run(
        folder=folder,
        id=run_id(asked, code),
        requests=asked,
        legs=tuple(each.legs for each in sides),
        code=code,
        versions=provenance.versions(),
        host=provenance.host(),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=provenance.commit(),
        observed=any(each.x.observed or each.y.observed for each in sides),
        aims=aims,
    )
    with store.writing(folder):
        if not store.has_run(folder):  # it may be there now: another process was faster
            store.create(run)
            return _survey(run, resumed=False)
    return start(asked, folder, aims)


def resume(folder: Where) -> Session:
    """Open the run that is in `folder` to go on with it.

    Raises `SimError` if there is none, or if its strategies or rules are not what they were.
    """
    run = run_file.load(folder)
    _check_code(run, _code(run.requests, [resolve(request) for request in run.requests]))
    return _survey(run, resumed=True)


def extend(folder: Where, requests: Sequence[RunRequest]) -> Session:
    """Ask more of the run in `folder`: more pairs, or further match-ups; the blocks it has stay as they are.

    requests: what the run is to be, its own match-ups first, in their order, with `earlier` telling how their pairs are
    cut. Raises `SimError` where that would change what was asked before, or where another process writes the run.
    """
    _check_wider(run_file.load(folder), requests)
    with store.writing(folder):
        # read again under the lock: another process may have extended the run meanwhile
        run = run_file.load(folder)
        _check_wider(run, requests)
        sides = [resolve(request) for request in requests]
        wider = replace(
            run,
            requests=tuple(requests),
            legs=tuple(each.legs for each in sides),
            code={**run.code, **_code(requests, sides)},
            observed=run.observed or any(each.x.observed or each.y.observed for each in sides),
        )
        store.write_run(wider)
    return _survey(wider, resumed=True)


def _check_wider(run: Run, requests: Sequence[RunRequest]) -> None:
    """Refuse requests that would change what a run has, or leave out one of its match-ups."""
    _check_code(run, _code(run.requests, [resolve(request) for request in run.requests]))
    if len(requests) < len(run.requests):
        old = run.requests[len(requests)]
        raise SimError("extend_differs", folder=run.folder, x=old.x, y=old.y, rules=old.rules)
    for old, new in zip(run.requests, requests, strict=False):
        if new.cuts[: len(old.cuts)] != old.cuts or replace(new, **{n: getattr(old, n) for n in _GROWING}) != old:
            raise SimError("extend_differs", folder=run.folder, x=old.x, y=old.y, rules=old.rules)


_GROWING: tuple[str, ...] = ("pairs", "block_pairs", "earlier")
"""Fields of a request that may change when a run is extended."""


def _code(requests: Sequence[RunRequest], sides: Sequence[_Sides]) -> dict[str, str]:
    """Hash everything that decides the results of the match-ups."""
    code: dict[str, str] = {}
    for request, each in zip(requests, sides, strict=True):
        code |= run_file.code_of(request, each.hashes)
    return code


def _check_same(run: Run, requests: Sequence[RunRequest]) -> None:
    if len(run.requests) != len(requests):
        raise SimError(
            "run_differs", folder=run.folder, field="match_ups", stored=len(run.requests), asked=len(requests)
        )
    for old, new in zip(run.requests, requests, strict=True):
        stored = old.as_dict()
        for field, asked in new.as_dict().items():
            if stored[field] != asked:
                raise SimError("run_differs", folder=run.folder, field=field, stored=stored[field], asked=asked)


def _check_code(run: Run, code: Mapping[str, str]) -> None:
    for name, found in code.items():
        if run.code.get(name) != found:
            raise SimError("code_differs", name=name, stored=run.code.get(name, "?")[:12], found=found[:12])


def _survey(run: Run, *, resumed: bool) -> Session:
    """See which blocks of a run are there."""
    excluded = excluded_blocks(run)
    done, damaged = {}, []
    known = store.sizes(run.folder, run.tables)
    for record in store.records(run.folder):
        if record.block in excluded:  # its move was cut short
            continue
        if store.is_whole(run.folder, record, known):
            done[record.block] = record
        else:
            damaged.append(record.block.stem)
    prefixes = prefixes_of(run, done.values(), excluded)
    wanted = [block for block in run.blocks() if block not in excluded and not _is_surplus(prefixes, block)]
    matches = sum(done[block].matches for block in wanted if block in done)
    missing = tuple(block for block in wanted if block not in done)
    return Session(run, missing, resumed, tuple(damaged), matches, prefixes, frozenset(excluded))


def prefixes_of(run: Run, records: Iterable[BlockRecord], excluded: Collection[Block] = ()) -> dict[int, Prefix]:
    """Gather the looks of the match-ups that are tested; an excluded block has none, and the next one follows on."""
    prefixes = {number: Prefix(each) for number, each in enumerate(run.requests) if each.test is not None}
    for block in excluded:
        if block.match_up in prefixes:
            prefixes[block.match_up].add(block.number, ())
    records = [record for record in records if record.block not in excluded]
    for record in records:
        if record.block.match_up in prefixes:
            prefixes[record.block.match_up].add(record.block.number, record.looks)
    return prefixes


def _is_surplus(prefixes: Mapping[int, Prefix], block: Block) -> bool:
    """Tell whether a block lies behind the verdict on its match-up."""
    prefix = prefixes.get(block.match_up)
    last = None if prefix is None else prefix.judgement.block
    return last is not None and block.number > last


def play(session: Session, executor: Executor, report: Callable[[Progress], None]) -> Progress:
    """Play the missing blocks of a session and report after each; returns the last report.

    A match-up whose test is decided is played no further, and what was committed behind the verdict is laid apart. An
    exception in `report` or a KeyboardInterrupt stops the workers and passes through; what was committed stays. Only
    one process at a time may write a run (`SimError` otherwise).
    """
    run, prefixes = session.run, session.prefixes
    began = time.monotonic()
    missing = set(session.missing)
    pairs = [request.pairs for request in run.requests]
    absent = missing | session.excluded
    for block in absent:
        pairs[block.match_up] -= block.pairs
    blocks_done = sum(1 for block in run.blocks() if block not in absent and not _is_surplus(prefixes, block))
    now = faults = 0

    def progress() -> Progress:
        seconds = time.monotonic() - began
        left = [block for block in missing if not _is_surplus(prefixes, block)]
        matches = session.matches_done + now
        more = sum(block.pairs * run.legs[block.match_up] for block in left)
        return Progress(
            blocks_done + len(left), blocks_done, matches + more, matches, now, seconds, tuple(pairs), faults
        )

    if session.complete:
        finish(session)
        return progress()
    with store.writing(run.folder) as still_held:
        store.clear_attempts(run)
        folder = as_place(run.folder).absolute()
        tasks = (
            BlockTask(folder, run.id, request, hashes_of(request, run.code), block, run.observed)
            for block in session.missing
            if not _is_surplus(prefixes, block)
            for request in (run.requests[block.match_up],)
        )
        finished = executor.execute(tasks)
        with contextlib.closing(finished):
            report(progress())
            for record in finished:
                block = record.block
                if block.match_up in prefixes:
                    prefixes[block.match_up].add(block.number, record.looks)
                missing.discard(block)
                blocks_done += 1
                pairs[block.match_up] += block.pairs
                now += record.matches
                faults += store.rows_of(record, "faults")
                still_held()
                report(progress())
        lay_apart(run, prefixes)
        store.clear_attempts(run)
    return progress()


def finish(session: Session) -> None:
    """Lay apart what lies behind the verdicts of a complete run: its driver may have been killed before it did."""
    run, prefixes = session.run, session.prefixes
    if lay_apart(run, prefixes, act=False) or _strays(run, prefixes):
        with store.writing(run.folder):
            lay_apart(run, prefixes)


def lay_apart(run: Run, prefixes: Mapping[int, Prefix], *, act: bool = True) -> list[str]:
    """Move committed blocks behind a verdict to where they do not count, and name them; or only name them.

    Files without a record, of a move that was cut short, go along.
    """
    if not any(prefix.judgement.decided for prefix in prefixes.values()):
        return []
    behind = [record for record in store.records(run.folder) if _is_surplus(prefixes, record.block)]
    if act:
        for record in behind:
            store.set_apart(run.folder, record, store.SURPLUS)
        for name in _strays(run, prefixes):
            as_place(run.folder).move(name, f"{store.SURPLUS}/{name}")
    return [record.block.stem for record in behind]


def _strays(run: Run, prefixes: Mapping[int, Prefix]) -> list[str]:
    """List data files of blocks behind a verdict that no record names any more."""
    if not any(prefix.judgement.decided for prefix in prefixes.values()):
        return []
    here, committed = as_place(run.folder), set(store.committed_stems(run.folder))

    def strays(name: str) -> bool:
        stem = name.partition(".")[0][: len(Block(0, 0, 0, 0).stem)]
        behind = store.is_stem(stem) and _is_surplus(prefixes, Block(int(stem[:3]), int(stem[4:]), 0, 0))
        return behind and stem not in committed

    return [f"{table}/{name}" for table in run.tables for name in here.names(table) if strays(name)]


def play_block(task: BlockTask, stop: bytearray | None = None) -> BlockRecord | None:
    """Play one block, write its files and commit it; None if `stop[0]` was set meanwhile, and then nothing is written.

    Raises `SimError` if this process has other code than the run was started with, or cannot write.
    """
    began = time.monotonic()
    request, block = task.request, task.block
    sides = resolve(request)
    for name, found in sides.hashes.items():
        if task.hashes[name] != found:
            raise SimError("code_differs", name=name, stored=task.hashes[name][:12], found=found[:12])
    pairs = range(block.first, block.first + block.pairs)
    played = block_tables(request, sides, pairs, task.run, stop)
    if played is None:
        return None
    seconds = time.monotonic() - began
    return store.write_block(
        task.folder,
        block,
        played.tables,
        matches=played.matches,
        deals=played.deals,
        seconds=seconds,
        looks=played.looks,
        run=task.run,
        keep_first=task.observed,
    )


@dataclass(frozen=True, slots=True)
class Played:
    """Hold what a range of pairs gave: tables as they are stored, matches, deals, and the looks of its test."""

    tables: Mapping[str, pa.Table]
    matches: int
    deals: int
    looks: tuple[tuple[int, ...], ...]


def block_tables(
    request: RunRequest, sides: _Sides, pairs: range, run: str, stop: bytearray | None = None
) -> Played | None:
    """Play a range of pairs; None if it was stopped."""
    try:
        played = _play_pairs(request, sides, pairs, stop)
    except StrategyFaultError as fault:
        raise told(fault, sides, request) from fault.__cause__
    if played is None or played.done < len(pairs):
        return None
    raw: dict[str, Mapping[str, Any]] = {"pairs": played.pairs, "matches": played.matches, "deals": played.deals}
    if played.style is not None:
        raw["style"] = played.style.table()
    if played.faults:
        raw["faults"] = fault_columns(played.faults, sides.rules)
    raw["cubes"] = cubes(played.pairs, played.matches, played.deals, played.faults)
    x, y = request.names
    names = {"run": run, "rules": request.rules, "x": x, "y": y}
    tables: dict[str, pa.Table] = {name: schema.to_arrow(name, raw[name], **names) for name in request.tables}
    looks = count_looks(request, played.pairs)
    return Played(tables, int(played.pairs["legs"].sum()), int(played.pairs["deals"].sum()), looks)


def _play_pairs(
    request: RunRequest,
    sides: _Sides,
    pairs: range,
    stop: bytearray | None,
    known: Sequence[KnownFault] = (),
) -> Tables | None:
    """Play pairs here if both strategies are built in, else in a process that can be replaced; None if it was lost."""
    if sides.x.built_in and sides.y.built_in:
        contexts = None if request.boards is None else contexts_of(request.boards)
        return play_pairs(
            sides.x,
            sides.y,
            sides.rules,
            request.seed,
            pairs,
            detail="deals",  # the cubes are counted from them, written or not
            style=request.style,
            stop=stop,
            contexts=contexts,
            on_fault=request.on_fault,
            known_faults=known,
        )
    job = {
        "x": request.x,
        "y": request.y,
        "switches": dict(switches_of(sides.rules)),
        "seed": request.seed,
        "boards": request.boards,
        "detail": "deals",
        "style": request.style,
        "on_fault": request.on_fault,
        "memory_mb": request.memory_mb,
    }
    part = BATCH_PART_PAIRS if batch_players(sides.x.capsule, sides.y.capsule) else PART_PAIRS
    with guarding(job, request.decision_seconds, part) as guard:
        return guard.play(pairs, stop, known)


def told(fault: StrategyFaultError, sides: _Sides, request: RunRequest) -> SimError:
    """Say where a strategy failed, with the position: the pair is played once more with that deal judged."""
    at = fault.at
    pair = range(at.pair, at.pair + 1)
    known = [KnownFault(at, fault.reason, fault.seat, fault.told)]
    judging = replace(request, on_fault="judge", style=False)
    again = _play_pairs(judging, sides, pair, None, known)
    rows = {} if again is None else again.faults
    found = [{name: int(column[k]) for name, column in rows.items()} for k in range(len(rows.get("pair", ())))]
    row = next(
        (row for row in found if (row["leg"], row["deal"], row["decision"]) == (at.leg, at.deal, at.decision)), None
    )
    side = (fault.seat & 1) ^ (at.leg - 1)
    return SimError(
        "strategy_fault",
        name=(sides.x, sides.y)[side].name,
        written=(request.x, request.y)[side],
        reason=fault.reason,
        reason_zh=reason_word(fault.reason).zh,
        pair=at.pair,
        leg=at.leg,
        deal=at.deal,
        decision=at.decision,
        seat=fault.seat,
        state="?" if row is None else state_of(row, sides.rules),
        trace=_trace(fault.__cause__),
    )


def _trace(raised: BaseException | None) -> str:
    """Give what an author's own code raised, as Python shows it; from another process it comes as that text."""
    if raised is None or isinstance(raised, AuthorError):
        return str(raised or "").rstrip()
    return "".join(traceback.format_exception(raised)).rstrip()


@dataclass(frozen=True, slots=True)
class LocalExecutor:
    """Play blocks in threads of this process. The bulk loop releases the GIL, so they use as many processors."""

    workers: int

    def execute(self, tasks: Iterable[BlockTask]) -> Generator[BlockRecord]:
        """See `Executor`. A stop is noticed between two pairs, within milliseconds."""
        feed, turn, stop = iter(tasks), threading.Lock(), bytearray(1)
        out: queue.SimpleQueue[BlockRecord | BaseException | None] = queue.SimpleQueue()

        def work() -> None:
            try:
                while not stop[0]:
                    with turn:
                        task = next(feed, None)
                    record = play_block(task, stop) if task is not None else None
                    if record is None:
                        break
                    out.put(record)
            except BaseException as error:  # shown by the thread that waits
                out.put(error)
            finally:
                out.put(None)

        # Daemons, so that a second Ctrl-C during the last milliseconds ends the process.
        threads = [threading.Thread(target=work, name=f"block-{n}", daemon=True) for n in range(self.workers)]
        try:
            for thread in threads:
                thread.start()
            running = len(threads)
            while running:
                got = out.get()
                if got is None:
                    running -= 1
                elif isinstance(got, BaseException):
                    raise got
                else:
                    yield got
        finally:
            stop[0] = 1
            for thread in threads:
                if thread.ident is not None:
                    thread.join()
