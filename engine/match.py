"""A whole match (一轮), deal by deal with every event: for replay, for review, for the referee.

Statistics come from engine.bulk, which plays the same matches without stopping.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from engine import _core
from engine.batch import NO_ANSWER, NO_MEMORY, Asker, WrongAnswerError, batch_players
from engine.bulk import FINISH_ORDERS, SIDES, Side, side_core
from engine.cards import CARDS, LEVELS, card_texts
from engine.context import Context
from engine.plays import Kind, code_key
from engine.rules import Rules
from engine.strategy_faults import ALLOWED, REASONS, Decision, KnownFault, StrategyFaultError, pack


class _Ask(IntEnum):
    """What the table waits for (gd_table.h, enum gd_ask)."""

    DEAL = 0
    TRIBUTE = 1
    RETURN = 2
    PLAY = 3
    DEAL_OVER = 4
    MATCH_OVER = 5


@dataclass(frozen=True)
class DealRecord:
    """One deal as it was played.

    number: from 1. level: letter. levels_before, levels_after: letters of sides x and y. declarer: "x", "y" or None in
    the first deal. hands: four hands before tribute. row: the raw deal row of engine.bulk. events, in order:
    ("tribute", payer, card), ("refused", payers), ("return", receiver, payer, card), ("lead", seat) once before the
    first play, ("play", seat, kind name, key, cards), ("pass", seat), ("wind", seat) when a seat takes the lead by
    wind, ("out", seat), ("fault", seat, reason) where a strategy failed and the deal was judged, ("end", order).
    """

    number: int
    level: str
    levels_before: tuple[str, str]
    levels_after: tuple[str, str]
    declarer: str | None
    hands: tuple[tuple[str, ...], ...]
    events: tuple[tuple[Any, ...], ...]
    row: dict[str, int]


class Match:
    """One leg of a pair between two sides. x sits on seats 0 and 2 in leg 1, on 1 and 3 in leg 2.

    context: play a board instead of a match, its one deal from there. faults: decisions that are judged without asking.
    A strategy that fails elsewhere raises StrategyFaultError. One written in Python sits down when the Match is made.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        pair: int,
        leg: int,
        x: Side,
        y: Side,
        context: Context | None = None,
        faults: Iterable[KnownFault] = (),
    ) -> None:
        board, sides = None if context is None else context.core(), (side_core(x), side_core(y))
        faults = tuple(faults)
        self._table = _core.Table(rules, seed, pair, leg, board, sides, pack(faults))
        askers = [(player, Asker(player, 1)) for player in batch_players(*sides)]
        self._askers = [_asker_of(sides[(seat & 1) ^ (leg - 1)], seat >> 1, askers) for seat in range(4)]
        self._leg = leg
        self._key = pair, leg
        self._faults = {
            (f.at.deal, f.at.decision): f.reason for f in faults if (f.at.pair, f.at.leg) == self._key and not f.told
        }
        self._faulty = [0, 0]
        self._decisions = 0

    def deals(self) -> Iterator[DealRecord]:
        """Play the match, a deal at a time."""
        while self._table.state[0] == _Ask.DEAL and max(self._faulty) < ALLOWED:
            yield self._deal()

    def _levels(self) -> tuple[str, str]:
        levels = self._table.state[4:6]
        return LEVELS[levels[self._leg - 1]], LEVELS[levels[2 - self._leg]]

    def _deal(self) -> DealRecord:
        table = self._table
        before = self._levels()
        table.deal()
        self._decisions = 0
        dealt = tuple(card_texts(hand) for hand in table.dealt)
        events: list[tuple[Any, ...]] = []
        if table.state[0] == _Ask.PLAY and table.tribute:
            events.append(("refused", tuple(payer for payer, *_ in table.tribute)))
        while table.state[0] in (_Ask.TRIBUTE, _Ask.RETURN):
            self._give(events)
        if table.state[0] == _Ask.PLAY:
            events.append(("lead", table.state[2]))
        while table.state[0] == _Ask.PLAY:
            self._play(events)
        if events[-1][0] != "fault":
            self._is_judged(events)  # who was told of the last play may have failed
        row = table.score()
        events.append(("end", _order_of(row["finish_order"])))
        return DealRecord(
            number=row["deal"],
            level=LEVELS[row["level"] - 2],
            levels_before=before,
            levels_after=self._levels(),
            declarer=None if row["declarer"] < 0 else SIDES[row["declarer"]],
            hands=dealt,
            events=tuple(events),
            row=row,
        )

    def _give(self, events: list[tuple[Any, ...]]) -> None:
        ask, seat, *_ = self._table.state
        if self._is_judged(events):
            return
        unpaid = [payer for payer, _, given, _ in self._table.tribute if given < 0]
        _, (card,) = self._decide(seat)
        if ask == _Ask.TRIBUTE:  # the seat that is asked need not be the payer: tribute_choice
            events.append(("tribute", unpaid[0], CARDS[card]))
        else:
            payer = next(payer for payer, receiver, *_ in self._table.tribute if receiver == seat)
            events.append(("return", seat, payer, CARDS[card]))

    def _play(self, events: list[tuple[Any, ...]]) -> None:
        table = self._table
        seat, wind = table.state[2:4]
        if wind and events[-1][0] == "pass":
            events.append(("wind", seat))
        if self._is_judged(events):
            return
        code, cards = self._decide(seat)
        if not code:
            events.append(("pass", seat))
            return
        events.append(("play", seat, Kind(code >> 28).name, code_key(code), list(card_texts(cards))))
        if not table.hands[seat]:
            events.append(("out", seat))

    def _is_judged(self, events: list[tuple[Any, ...]]) -> bool:
        """Judge the deal where the decision to come is known to be faulty, or who was told of what came before it."""
        seat, number = self._table.state[1], self._table.state[7] + 1
        reason = self._faults.get((number, self._decisions)) if self._table.state[0] < _Ask.DEAL_OVER else None
        if self._table.failed is not None:
            seat, code = self._table.failed
            reason = REASONS[code]
        if reason is None:
            return False
        events.append(("fault", seat, reason))
        self._faulty[seat & 1] += 1
        self._table.judge(seat)
        return True

    def _decide(self, seat: int) -> tuple[int, bytes]:
        number = self._table.state[7] + 1
        try:
            asker = self._askers[seat]
            made = self._table.decide() if asker is None else self._ask(asker)
        except ValueError as error:
            cause = error if isinstance(error, WrongAnswerError) else error.__cause__
            at, reason = Decision(*self._key, number, self._decisions), "raised" if error.__cause__ else "answer"
            raise StrategyFaultError(at, seat, reason, cause) from error
        self._decisions += 1
        return made

    def _ask(self, asker: Asker) -> tuple[int, bytes]:
        """Ask one that answers in batches, for this table alone."""
        waiting = asker.waiting(self._table.state[0] - _Ask.TRIBUTE)
        if self._table.gather(waiting.core) == 1:
            return self._table.enter(0)
        try:
            ((_, answers),) = asker.answers()
            index, n = int(answers[0]), int(waiting.n[0])
            if index in (NO_ANSWER, NO_MEMORY):
                raise ValueError(f"strategy {asker.name} failed") from asker.raised[0]
            if index < 0 and 0 in asker.raised:
                raise asker.raised.pop(0)
            if not 0 <= index < n:
                raise ValueError(f"strategy {asker.name} answered out of range: {index} of {n}")
            return self._table.enter(index)
        finally:
            waiting.core.clear()


def _asker_of(side: Any, place: int, askers: list[tuple[Any, Asker]]) -> Asker | None:
    """Who answers in batches for the lower seat (0) or the partner (1) of a side."""
    player = side[place] if isinstance(side, tuple) else side
    return next((asker for known, asker in askers if known is player), None)


def _order_of(code: int) -> tuple[int, ...]:
    """Seats in finishing order from the code of a row (FINISH_ORDERS); tied losers ascending."""
    return tuple(int(c) for c in FINISH_ORDERS[code] if c.isdigit())
