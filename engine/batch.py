"""Questions of many tables at once: what a strategy that answers in batches sees, and the loop that gathers them.

Every array has a row a waiting table; all are read only, and valid during the call: copy what is kept. Cards are sets
of bits: of two planes the first says «at least one», the second «both copies», each four lanes of 16 bits, a suit a
lane (S H C D), a bit a rank 0..12 = 2..A; the jokers are bits 13 and 14 of the first lane (guandan_strategy.h).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from engine import _core
from engine.plays import Play, play_of

Ints = npt.NDArray[np.integer[Any]]

TABLES = 1024
"""Tables that are played in lockstep, unless there are fewer pairs. Many more outgrow the caches."""


MAX_TABLES = 2**16

NO_ANSWER, NO_MEMORY = 2**32 - 1, 2**32 - 2
"""guandan_strategy.h: what is answered where there is no answer, or no memory for one."""

_TOO_MUCH = 2**31
"""No list is so long: an answer that is out of range, and no sign of anything else."""


class _Rows:
    """What both kinds of question share."""

    def __init__(self, room: int, listing_all: bool, draws: bool) -> None:
        if not 1 <= room <= MAX_TABLES:
            raise ValueError(f"room for {room} rows: write a number from 1 to {MAX_TABLES}")
        self._columns: dict[str, npt.NDArray[Any]] = {
            name: np.zeros((room + 1, width) if width > 1 else room + 1, dtype=code)
            for name, code, width in _core.BATCH_COLUMNS
        }
        self.core = _core.Batch(room, tuple(self._columns.values()), listing_all)
        for column in self._columns.values():
            column.setflags(write=False)  # the core writes through the buffers it has taken
        self._all, self._draws = listing_all, draws
        self._list = self._starts = np.zeros(0, np.uint32)
        self._is_listed = False

    def renew(self) -> None:
        """New questions have come."""
        self._is_listed = False

    def _rows(self, name: str) -> npt.NDArray[Any]:
        self.core.fill()
        return self._columns[name][: self.core.size]

    def _lists(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint32]]:
        total = int(self.offsets[-1])
        if not self._is_listed:
            if len(self._list) < total:
                self._list, self._starts = np.zeros(2 * total, np.uint32), np.zeros(2 * total, np.uint32)
            for out in (self._list, self._starts):
                out.setflags(write=True)
            self.core.lists(self._list, self._starts if self._all else None)
            for out in (self._list, self._starts):
                out.setflags(write=False)
            self._is_listed = True
        return self._list[:total], self._starts[:total]

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.core.size

    @property
    def table(self) -> Ints:
        """[size] int32, number of the table among those in lockstep; no answer may depend on it."""
        return self._columns["table"][: self.core.size]

    @property
    def n(self) -> Ints:
        """[size] uint32, number of answers: an answer is an index below it."""
        return self._columns["n"][: self.core.size]

    @property
    def offsets(self) -> Ints:
        """[size + 1] int32, where each row's part of the list begins; row i has offsets[i]..offsets[i + 1]."""
        return self._columns["offsets"][: self.core.size + 1]

    @property
    def seat(self) -> Ints:
        """[size] uint8, own seat."""
        return self._rows("seat")

    @property
    def level(self) -> Ints:
        """[size] uint8, rank of the level card."""
        return self._rows("level")

    @property
    def left(self) -> Ints:
        """[size, 4] uint8, cards each seat holds."""
        return self._rows("left")

    @property
    def hand(self) -> npt.NDArray[np.uint64]:
        """[size, 3] uint64, own cards: counts by rank in nibbles (wilds in the last), then the planes without wilds."""
        return self._rows("hand")

    @property
    def gone(self) -> npt.NDArray[np.uint64]:
        """[size, 2] uint64, planes of the cards played in this deal by anybody, wilds at their printed place."""
        return self._rows("gone")

    @property
    def levels(self) -> Ints:
        """[size, 2] uint8, rank at which each side stands."""
        return self._rows("levels")

    @property
    def declarer(self) -> Ints:
        """[size] int8, side that won the deal before, -1 in the first."""
        return self._rows("declarer")

    @property
    def a_fails(self) -> Ints:
        """[size, 2] uint8, failed tries at A that count, by side."""
        return self._rows("a_fails")

    @property
    def order(self) -> Ints:
        """[size, 4] uint8, finishing order of the deal before, zeros in the first."""
        return self._rows("order")

    @property
    def deal(self) -> Ints:
        """[size] uint16, number of the deal in its match, from 1."""
        return self._rows("deal")

    @property
    def deals_left(self) -> Ints:
        """[size] uint16, deals the match can still have, this one included; 0: no limit."""
        return self._rows("deals_left")

    @property
    def seconds_left(self) -> Ints:
        """[size] int32, of the time limit, before this deal; -1: none."""
        return self._rows("seconds_left")

    @property
    def first_ends(self) -> Ints:
        """[size] uint8, 1: the deal is over as soon as one seat is out."""
        return self._rows("first_ends")

    @property
    def tribute(self) -> Ints:
        """[size] uint8, what tribute is due in this deal: index into engine.tribute.TRIBUTES."""
        return self._rows("tribute")

    @property
    def payers(self) -> Ints:
        """[size, 2] int8, seats that pay, -1: none. payers[:, k] gives to receivers[:, k]."""
        return self._rows("payers")

    @property
    def receivers(self) -> Ints:
        """[size, 2] int8, seats that receive, -1."""
        return self._rows("receivers")

    @property
    def given(self) -> Ints:
        """[size, 2] int8, card ids paid, -1 until all have paid."""
        return self._rows("given")

    @property
    def returned(self) -> Ints:
        """[size, 2] int8, card ids returned, -1 until all have returned."""
        return self._rows("returned")

    def random(self) -> npt.NDArray[np.uint64]:
        """Draw [size] uint64, a number for each row from the stream of its own seat."""
        out = np.empty(self.size, np.uint64)
        self._check_draws()
        self.core.random(out)
        return out

    def random_below(self, limits: Ints) -> npt.NDArray[np.uint32]:
        """Draw [size] uint32, row i uniform in 0..limits[i]-1: the numbers that `View.random_below` would give."""
        out = np.array(limits, np.uint32)
        if out.shape != (self.size,):
            raise ValueError(f"limits have shape {out.shape}: give {self.size} numbers")
        self._check_draws()
        self.core.random_below(out)
        return out

    def values(self, result: int) -> npt.NDArray[np.int32]:
        """Give [size] int32, `View.value(result)` of each row."""
        out = np.empty(self.size, np.int32)
        self.core.values(result, out)
        return out

    def _check_draws(self) -> None:
        if not self._draws:
            raise ValueError("a strategy that draws random numbers must not be called deterministic")


class Batch(_Rows):
    """Tables that wait for a play."""

    @property
    def codes(self) -> npt.NDArray[np.uint32]:
        """[offsets[-1]] uint32, codes of the legal shapes, row after row, ascending; PASS (0) first when following."""
        return self._lists()[0]

    @property
    def starts(self) -> npt.NDArray[np.uint32]:
        """[offsets[-1]] uint32, for those that choose from *all*: index in that list of the first entry of each shape.

        Entries of one shape, a choice of suits each, follow one another; row i has n[i] entries in all.
        """
        if not self._all:
            raise ValueError("it chooses from shapes: write listing = 'all'")
        return self._lists()[1]

    @property
    def to_beat(self) -> Ints:
        """[size] uint32, code of the play to beat, 0 when leading."""
        return self._rows("to_beat")

    @property
    def holder(self) -> Ints:
        """[size] int8, seat of the play to beat, -1 when leading."""
        return self._rows("holder")

    @property
    def n_steps(self) -> Ints:
        """[size] uint32, plays and passes of the deal so far."""
        return self._rows("n_steps")

    def steps(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32], npt.NDArray[np.uint64]]:
        """Give the history: seats [total] uint8, codes [total] uint32, planes of cards [total, 2] uint64.

        Row after row, n_steps of each. Copied when asked for.
        """
        total = int(self.n_steps.sum())
        out = np.empty(total, np.uint8), np.empty(total, np.uint32), np.empty((total, 2), np.uint64)
        self.core.steps(*out)
        return out

    def index_of(self, codes: npt.ArrayLike) -> npt.NDArray[np.int64]:
        """Give the answers that are these plays: [size] codes, one of its own list for each row.

        Of *all* it is the first entry of the shape. Raises ValueError naming the first row whose list lacks the play.
        """
        wanted = np.asarray(codes)
        if wanted.shape != (self.size,):
            raise ValueError(f"codes have shape {wanted.shape}: give {self.size} codes")
        rows = np.repeat(np.arange(self.size), np.diff(self.offsets))
        places = np.flatnonzero(self.codes == wanted[rows])
        if len(places) < self.size:
            missing = np.setdiff1d(np.arange(self.size), rows[places])[0]
            raise ValueError(f"row {missing}: {wanted[missing]} is not in its list")
        return self.starts[places].astype(np.int64) if self._all else (places - self.offsets[:-1]).astype(np.int64)

    def play_at(self, row: int, index: int) -> Play:
        """Give entry `index` of the list of a row as a play."""
        return play_of(*self.core.entry(row, index))


class TributeBatch(_Rows):
    """Tables that wait for a card, to be paid or returned."""

    @property
    def options(self) -> npt.NDArray[np.uint32]:
        """[offsets[-1]] uint32, card ids to choose from, row after row, ascending by power in each."""
        return self._lists()[0]


Way = tuple[_Rows, _Rows, Callable[[Any], Any]]
"""A batch of questions, one for a single row of it, and the method that answers."""


class WrongAnswerError(ValueError):
    """An answer of another kind than an array of whole numbers."""


_WRONG = -1


class Asker:
    """An object that answers in batches, with the batches of its questions.

    raised: by table, what it raised when it was last asked for that table alone, or what was wrong with its answer.
    note: called with a batch before it is asked.
    """

    def __init__(self, player: _core.Player, room: int) -> None:
        info = _core.strategy_info(player)
        draws, lists_all = not info["deterministic"], info["all"]
        self.name: str = info["name"]
        self.raised: dict[int, Exception] = {}
        self.note: Callable[[_core.Batch], None] = lambda batch: None
        self._object = player.factory()
        self.plays = Batch(room, lists_all, draws)
        self.returns, self.tributes = TributeBatch(room, False, draws), TributeBatch(room, False, draws)
        self._ways: tuple[Way, ...] = (
            (self.plays, Batch(1, lists_all, draws), self._object.play),
            (self.returns, TributeBatch(1, False, draws), self._object.return_tribute),
            (self.tributes, TributeBatch(1, False, draws), self._object.tribute),
        )

    def waiting(self, kind: int) -> _Rows:
        """Give the batch of one kind of question: 0 tribute, 1 return, 2 play."""
        if kind not in (0, 1, 2):
            raise ValueError(f"kind {kind!r}: write 0, 1 or 2")
        return (self.tributes, self.returns, self.plays)[kind]

    def answers(self) -> Iterator[tuple[_core.Batch, npt.NDArray[np.int64]]]:
        """Ask whatever waits, a batch at a time.

        Where that fails it is asked for each table alone, so that a fault is that of its table however many wait beside
        it; the answer is then NO_ANSWER.
        """
        return ((way[0].core, self._ask(*way)) for way in self._ways if way[0].size)

    def _ask(self, batch: _Rows, single: _Rows, method: Callable[[Any], Any]) -> npt.NDArray[np.int64]:
        try:
            return self._answer(batch, method)
        except Exception:
            batch.core.rewind()
            return np.array([self._ask_alone(batch, row, single, method) for row in range(batch.size)], np.int64)

    def _ask_alone(self, batch: _Rows, row: int, single: _Rows, method: Callable[[Any], Any]) -> int:
        batch.core.alone(row, single.core)
        try:
            return int(self._answer(single, method)[0])
        except Exception as error:
            self.raised[int(batch.table[row])] = error
            if isinstance(error, WrongAnswerError):
                return _WRONG
            return NO_MEMORY if isinstance(error, MemoryError) else NO_ANSWER
        finally:
            single.core.clear()

    def _answer(self, batch: _Rows, method: Callable[[Any], Any]) -> npt.NDArray[np.int64]:
        batch.renew()
        self.note(batch.core)
        answers = np.asarray(method(batch))
        if answers.shape != (batch.size,) or answers.dtype.kind not in "iu":
            raise WrongAnswerError(
                f"strategy {self.name} answered with {answers.dtype} of shape {answers.shape}: "
                f"give {batch.size} whole numbers"
            )
        if answers.min() < 0 or answers.max() > _TOO_MUCH:
            answers = np.where((answers < 0) | (answers > _TOO_MUCH), _TOO_MUCH, answers)
        return np.ascontiguousarray(answers, np.int64)


def batch_players(*sides: Any) -> list[_core.Player]:
    """Those among the sides, as the core takes them, that answer in batches; each once."""
    found: list[_core.Player] = []
    for side in sides:
        for player in side if isinstance(side, tuple) else (side,):
            if player is not None and _core.strategy_info(player)["batch"] and player not in found:
                found.append(player)
    return found


def play_lockstep(call: tuple[Any, ...], players: list[_core.Player], tables: int) -> _core.Played:
    """Do what _core.play_pairs(*call) does, with so many tables at once."""
    askers = [Asker(player, tables) for player in players]
    loop = _core.Lockstep(
        call,
        tables,
        tuple(
            (player, asker.plays.core, asker.returns.core, asker.tributes.core)
            for player, asker in zip(players, askers, strict=True)
        ),
    )
    for asker in askers:
        asker.note = loop.note
    end = loop.run()
    while end[0] == _ASKS:
        for asker in askers:
            for batch, answers in asker.answers():
                loop.answer(batch, answers)
        end = loop.run()
    fault = end[5]
    if fault is not None and fault[6] is None:
        raised = next((asker.raised[loop.failed] for asker in askers if loop.failed in asker.raised), None)
        return *end[:5], (*fault[:6], raised)
    return end


_ASKS = 4
"""gd_bulk.h: answers are waited for."""
