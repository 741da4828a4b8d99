"""What a strategy written in Python sees: the view of a decision, and the events it may be told of.

Seats are 0..3 in playing order (partner `seat ^ 2`, side `seat & 1`), cards are bytes of card ids, plays are codes,
levels and ranks are numbers 0..12 for 2..A: what guandan_strategy.h defines, so that reading them costs little.
`engine.cards` and `engine.plays` turn them into texts.
"""

from typing import Any, NamedTuple

from engine import _core
from engine.cards import CARDS, LEVELS, card_bytes, card_texts
from engine.plays import Play, code_of, play_of


class View(_core.View):
    """What one seat may know when it is asked, and its random numbers. One object serves all questions of a seat.

    It is valid during the call only; afterwards every field raises ValueError. What the fields give may be kept.
    engine/_core.pyi lists them with their types. `n` is the number of answers: an answer is an index below it, into
    `plays` (shapes), into the list of all plays, or into `options` in tribute and return.
    """

    __slots__ = ()

    def play_at(self, index: int) -> Play:
        """Give an entry of the list that is chosen from as a play; of shapes, with the suits the engine would take."""
        return play_of(*self.entry(index))

    def legal_plays(self) -> list[Play]:
        """Give the whole list. Plays are built one by one: slow where only a few are looked at."""
        return [play_of(*self.entry(i)) for i in range(self.n)]

    def hand_texts(self) -> tuple[str, ...]:
        """Own cards as texts."""
        return card_texts(self.hand)


class Step(NamedTuple):
    """A play or a pass (code 0, no cards) at the table. Event, and entry of `View.steps`."""

    seat: int
    code: int
    cards: bytes


class Gift(NamedTuple):
    """A card id that goes from one seat to another."""

    giver: int
    taker: int
    card: int


class Refused(NamedTuple):
    """Event: tribute is refused (抗贡). payers: the seats that would have paid."""

    payers: tuple[int, ...]


class Paid(NamedTuple):
    """Event: tribute (进贡) is paid; all cards are shown together."""

    gifts: tuple[Gift, ...]


class Returned(NamedTuple):
    """Event: cards are returned (还贡), shown together."""

    gifts: tuple[Gift, ...]


Event = Refused | Paid | Returned | Step
"""What `observe` is told of."""


class Tribute(NamedTuple):
    """Tribute of the deal as all have seen it. kind: index into engine.tribute.TRIBUTES. given, returned: ids, -1."""

    kind: int
    payers: tuple[int, ...]
    receivers: tuple[int, ...]
    given: tuple[int, ...]
    returned: tuple[int, ...]


class MatchInfo(NamedTuple):
    """What `begin_match` is told: own seat, engine.rules.Rules, levels of both sides, is it a board (one deal)."""

    seat: int
    rules: Any
    levels: tuple[int, int]
    board: bool


class DealInfo(NamedTuple):
    """What `begin_deal` is told, before any tribute.

    deal: number in the match, from 1. levels, a_fails: by side. declarer: side that won the deal before, -1. order:
    finishing order of the deal before, () if there was none. deals_left: this one included, 0: no limit. seconds_left:
    of the time limit, -1: none. first_ends: the deal is over when one seat is out. hand: own cards.
    """

    deal: int
    seat: int
    level: int
    levels: tuple[int, int]
    declarer: int
    a_fails: tuple[int, int]
    order: tuple[int, ...]
    deals_left: int
    seconds_left: int
    first_ends: bool
    hand: bytes


class DealEnd(NamedTuple):
    """What `end_deal` is told.

    order: seats in finishing order, tied losers ascending. rest: (seat, cards) of every seat that still holds some, by
    seat. winner: side of the first. steps: levels earned. levels, a_fails: by side, after the deal. judged: seat for
    whose fault it was judged, -1. match_over: the rules end the match here; match_winner: its side, -1 if none is.
    """

    deal: int
    level: int
    order: tuple[int, ...]
    rest: tuple[tuple[int, bytes], ...]
    winner: int
    steps: int
    levels: tuple[int, int]
    a_fails: tuple[int, int]
    judged: int
    match_over: bool
    match_winner: int


def answer_of(view: View, answer: object) -> tuple[int, bytes] | int:
    """Read an answer that is no number: a play as (code, cards), a card of tribute as its id. The core calls this."""
    if isinstance(answer, Play):
        return code_of(answer, LEVELS[view.level], view.rules), card_bytes(answer.cards)
    if isinstance(answer, str) and answer in CARDS:
        return CARDS.index(answer)
    raise TypeError(f"the answer {answer!r} is neither an index below {view.n} nor a play")
