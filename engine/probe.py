"""What a strategy would do at a position: its answer and its scores, without playing on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine import _core
from engine.batch import Asker, batch_players
from engine.cards import CARDS, LEVELS, card_bytes, card_texts
from engine.context import Context
from engine.notation import Record
from engine.plays import Listing, Play, code_key, code_of, play_of
from engine.rules import Rules

QUESTIONS = {1: "tribute", 2: "return", 3: "play"}
"""What a table asks, by the first number of its state (gd_table.h, enum gd_ask)."""


@dataclass(frozen=True)
class Answer:
    """What a strategy answers. index: of how many `choices`; an index beyond them is a fault. drew: random numbers."""

    index: int
    choices: int
    drew: bool


class Position:
    """A table that waits for a seat: what may be answered there, and what is answered by who sits there or by others.

    A strategy sees what its seat may know, and so positions that differ in hidden cards alone look alike. `side` sits
    on both sides, so that a strategy that is told of events knows what happened; without it, ask native ones alone.
    """

    def __init__(self, table: _core.Table, rules: Rules, side: Any = None) -> None:
        self.table, self.rules = table, rules
        askers = {id(player): Asker(player, 1) for player in batch_players(side)}
        self._askers = tuple(askers.get(id(player)) for player in (side if isinstance(side, tuple) else (side, side)))

    @staticmethod
    def of(record: Record, context: Context, side: Any = None, seed: int = 1) -> Position:
        """Set up a deal given by hand, after all its plays, in the match that `context` describes.

        side: what holds the strategy that sits there, or a tuple of two. seed: of the random numbers of strategies.
        Raises ValueError where the deal is over, or where its level is not the one that the context plays.
        """
        start, rules = record.at(0), record.rules
        table = _core.Table(rules, seed, 0, 1, context.core(), None if side is None else (side, side))
        table.deal()
        table.place(start._core, card_bytes(start.trick.play.cards) if start.trick else b"")
        for play in record.plays:
            table.lay(code_of(play, start.level, rules), card_bytes(play.cards))
        if table.state[0] not in QUESTIONS:
            raise ValueError("the deal is over: there is nothing to answer")
        return Position(table, rules, side)

    @property
    def question(self) -> str:
        """What is asked: tribute, return or play."""
        return QUESTIONS[self.table.state[0]]

    @property
    def seat(self) -> int:
        """Seat that is asked."""
        return self.table.question[0]

    def ask(self, redeal: int | None = None, native: Any = None) -> Answer:
        """Ask who sits there, or a native strategy; with `redeal`, a seed, after hidden cards have been dealt anew.

        Raises ValueError where a strategy written in Python fails; what it raised is the cause.
        """
        asker = None if native is not None else self._askers[self.seat // 2]
        if asker is None:
            return Answer(*self.table.ask(native, redeal))
        waiting, copy = asker.waiting(self.table.state[0] - 1), self.table.copy(redeal)
        choices = copy.gather(waiting.core)
        if choices == 1:
            return Answer(0, 1, False)
        try:
            ((_, answers),) = asker.answers()
        finally:
            waiting.core.clear()
        return Answer(int(answers[0]) % 2**32, choices, False)

    def scores(self) -> tuple[int, ...] | None:
        """Give the score that who sits there has for each answer, higher is better; None if it has none."""
        return self.table.rank()

    def cards(self) -> tuple[str, ...]:
        """List the cards that may be given or returned, in the order of the index; none where a play is asked for."""
        return card_texts(self.table.question[7])

    def plays(self, listing: Listing) -> list[Play]:
        """List the plays that may be answered, in the order of the index; none during the exchange."""
        return [] if self.question != "play" else [play_of(*entry) for entry in self._list(listing == "all")]

    def codes(self) -> tuple[int, ...]:
        """Give the codes of the shapes that may be answered; none during the exchange."""
        return () if self.question != "play" else self._list(False).codes()

    def _list(self, whole: bool) -> _core.Plays:
        seat, level, _, _, code, *_ = self.table.question
        return _core.Plays(self.table.hands[seat], level, code, whole, self.rules.play_bits())

    def __str__(self) -> str:
        """Give the state as engine.notation writes it; during the exchange hands, question, seat and options."""
        seat, level, out, holder, code, laid, passes, options = self.table.question
        hands = "/".join("".join(card_texts(hand)) or "-" for hand in self.table.hands)
        if self.question != "play":
            return f"{LEVELS[level]} {hands} {self.question} {seat} {''.join(CARDS[card] for card in options)}"
        trick = "-"
        if code:
            name = play_of(code, laid).kind.name
            trick = f"{holder}:{name}:{code_key(code)}:{''.join(card_texts(laid))}:{passes}"
        return f"{LEVELS[level]} {hands} {''.join(map(str, out)) or '-'} {seat} {trick}"
