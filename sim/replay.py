"""Show one deal of a run again, card by card. Plays are not stored: the match is played anew from its key.

The key is (run, pair, leg, deal). Every deal of a match before it is played too: tribute and levels come from there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq

from engine.bulk import SIDES
from engine.deal import Deal
from engine.match import Match
from engine.notation import Record, write_state
from engine.plays import PASS, Kind, Play
from engine.rules import Rules
from engine.strategy_faults import StrategyFaultError
from sim import run_file, schema, store
from sim.errors import SimError
from sim.fault_rows import known_faults
from sim.places import Where, as_place
from sim.run import contexts_of, resolve, told
from sim.run_file import Run

Event = tuple[Any, ...]
"""A step of a deal: its name first (tribute, refused, return, lead, play, pass, wind, out, fault, end), then the
details that `engine.match` gives."""

RowDict = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Replay:
    """Hold one deal in full.

    Fields:
        rules: the rules of the run
        hands: cards of the four seats before tribute
        events: all steps in order
        row: the deal's row as it is stored in deals/, made anew
        stored: the row that is stored, None if the run keeps no deals or the block is not yet played
        code_changed: names of what differs from the code of the run; then `row` and `stored` may differ
    """

    run: Run
    pair: int
    leg: int
    deal: int
    level: str
    levels_before: Mapping[str, str]
    levels_after: Mapping[str, str]
    declarer: str | None
    rules: Rules
    hands: tuple[tuple[str, ...], ...]
    events: tuple[Event, ...]
    row: RowDict
    stored: RowDict | None
    code_changed: tuple[str, ...]

    @property
    def differences(self) -> tuple[str, ...]:
        """Name the columns in which the deal played anew differs from the stored row; none if nothing is stored."""
        if self.stored is None:
            return ()
        return tuple(name for name, value in self.row.items() if self.stored.get(name) != value)

    def side_of(self, seat: int) -> str:
        """Give the side, "x" or "y", that sits on a seat in this leg."""
        return SIDES[(seat + self.leg - 1) % 2]

    def record(self) -> Record:
        """Give the deal after tribute and return, with its plays, as a record that can be replayed by itself."""
        hands = [list(hand) for hand in self.hands]
        plays, leader = [], 0
        for name, seat, *details in self.events:
            if name == "tribute":
                taker = str(self.row["receivers"])[str(self.row["payers"]).index(str(seat))]
                _hand_over(hands, seat, int(taker), details[0])
            elif name == "return":
                _hand_over(hands, seat, *details)
            elif name == "lead":
                leader = seat
            elif name == "play":
                kind, key, cards = details
                plays.append(Play(Kind[kind], key, tuple(cards)))
            elif name == "pass":
                plays.append(PASS)
        rules = self.run.request.make_rules()
        return Record(write_state(Deal(hands, self.level, leader, rules=rules)), tuple(plays), rules)


def _hand_over(hands: list[list[str]], giver: int, taker: int, card: str) -> None:
    hands[giver].remove(card)
    hands[taker].append(card)


def replay(folder: Where, pair: int, leg: int, deal: int, match_up: int = 0) -> Replay:
    """Play a match of a run up to one deal and return that deal.

    Raises `SimError` if the folder is no run, the strategies are unknown here, or there is no such match-up, pair, leg
    or deal.
    """
    run = run_file.load(folder, match_up)
    request = run.request
    sides = resolve(request)
    if not 0 <= pair < request.pairs:
        raise SimError("pair_range", value=pair, limit=request.pairs - 1)
    if leg not in (1, 2):
        raise SimError("leg_range", value=leg)
    if leg == 2 and sides.legs == 1:
        raise SimError("leg_single")
    boards = request.boards and contexts_of(request.boards)
    context = boards[pair % len(boards)] if boards else None
    count = 0
    faults = known_faults(run, pair)
    try:
        for record in Match(sides.rules, request.seed, pair, leg, sides.x, sides.y, context, faults).deals():
            count = record.number
            if count == deal:
                break
        else:
            raise SimError("deal_range", value=deal, pair=pair, leg=leg, limit=count)
    except StrategyFaultError as fault:
        raise told(fault, sides, request) from fault.__cause__
    return Replay(
        run=run,
        pair=pair,
        leg=leg,
        deal=deal,
        level=record.level,
        levels_before=dict(zip(SIDES, record.levels_before, strict=True)),
        levels_after=dict(zip(SIDES, record.levels_after, strict=True)),
        declarer=record.declarer,
        rules=sides.rules,
        hands=tuple(tuple(hand) for hand in record.hands),
        events=tuple(tuple(event) for event in record.events),
        row=_as_stored(run, record.row),
        stored=stored_row(run, pair, leg, deal),
        code_changed=tuple(name for name, found in sides.hashes.items() if run.hashes.get(name) != found),
    )


def _as_stored(run: Run, raw: Mapping[str, int]) -> RowDict:
    """Give a raw row the names and the nulls of the stored table."""
    arrays = {name: np.array([value], np.int64) for name, value in raw.items()}
    request = run.request
    row: RowDict = schema.to_arrow("deals", arrays, run.id, request.rules, *request.names).to_pylist()[0]
    return row


def stored_row(run: Run, pair: int, leg: int, deal: int) -> RowDict | None:
    """Read the row of one deal from deals/; None if the run keeps no deals or has not played that block."""
    block = run_file.block_of(run.request, run.request.block_with(pair), run.match_up)
    here, name = as_place(run.folder), store.data_name(run, block, "deals")
    if name is None:
        return None
    key = (pc.field("pair") == pair) & (pc.field("leg") == leg) & (pc.field("deal") == deal)
    try:
        rows: list[RowDict] = pq.read_table(here.local_files([name])[0], filters=key, use_threads=False).to_pylist()
    except (OSError, ValueError) as error:  # ArrowInvalid is a ValueError
        raise SimError("file_unreadable", path=here.at(name), reason=error) from None
    return rows[0] if rows else None
