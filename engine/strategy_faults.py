"""Faults of strategies: which decision failed, why, and the position in which it happened.

A strategy that raises, gives no legal answer, gives none in time, or whose process dies or needs too much memory has
made a fault. The deal is judged a double-down against its side and the next is played without tribute (national rules
on penalties); with the third faulty deal of a side in a leg that leg is forfeited (engine/csrc/gd_fault.h).
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.cards import CARDS, LEVELS, card_texts
from engine.deal import Deal, Trick
from engine.notation import write_state
from engine.plays import Kind, Play, code_key
from engine.rules import Rules

REASONS = ("answer", "raised", "time", "died", "memory")
"""No legal answer; an exception; no answer in time; the process ended; it needed too much memory. Codes are places."""

ASKED = ("tribute", "return", "play", "told")
"""What the seat was asked for; told: for nothing, it was made or told of an event. Codes are places."""

ALLOWED = 3
"""Faulty deals of a side with which a leg is forfeited (gd_fault.h, GD_FAULTS_ALLOWED)."""


@dataclass(frozen=True, slots=True, order=True)
class Decision:
    """Name a decision: `decision` counts within the deal from 0, cards paid and returned and forced passes too."""

    pair: int
    leg: int
    deal: int
    decision: int


@dataclass(frozen=True, slots=True)
class KnownFault:
    """A fault that was seen before and is an input now: that decision is judged without asking.

    told: `seat` failed as it was made or told of what came before that decision, whoever is to decide there.
    """

    at: Decision
    reason: str
    seat: int = 0
    told: bool = False

    def core(self) -> bytes:
        """Pack the record that the core reads (gd_known_fault). ValueError for what cannot be one."""
        at = self.at
        if self.reason not in REASONS:
            raise ValueError(f"reason {self.reason!r}: write one of {' '.join(REASONS)}")
        try:
            code = REASONS.index(self.reason)
            return struct.pack("=qiiiiii", at.pair, at.leg, at.deal, at.decision, code, self.seat, self.told)
        except struct.error as error:
            raise ValueError(f"{self} is no fault: {error}") from None


class StrategyFaultError(ValueError):
    """A strategy failed in a call that stops at faults."""

    def __init__(
        self, at: Decision, seat: int, reason: str, raised: BaseException | None = None, *, told: bool = False
    ) -> None:
        why = reason if raised is None else f"{reason}, {type(raised).__name__}: {raised}"
        super().__init__(
            f"a strategy failed ({why}): pair {at.pair}, leg {at.leg}, deal {at.deal}, decision {at.decision}, "
            f"seat {seat}"
        )
        self.at, self.seat, self.reason, self.told = at, seat, reason, told


def pack(known: Iterable[KnownFault]) -> bytes | None:
    """Pack known faults for the core; None for none."""
    return b"".join(fault.core() for fault in known) or None


def state_of(row: Mapping[str, int], rules: Rules) -> str:
    """Write the position of a fault row (_core.FAULT_COLUMNS) as a state line, seen from the seat in turn.

    In tribute and return the seat that was asked is to lead with the hands as they lay. "-" where it was told of the
    end of a deal. ValueError for a row that is none.
    """
    try:
        if row["turn"] < 0:
            return "-"
        return write_state(_position(row, rules))
    except LookupError as error:
        raise ValueError(f"no row of a fault: {error!r}") from None


def _position(row: Mapping[str, int], rules: Rules) -> Deal:
    hands = [_cards(row[f"hand_{seat}_one"], row[f"hand_{seat}_two"]) for seat in range(4)]
    out = [row["out_1"], row["out_2"]][: row["n_out"]]
    trick = None
    if row["holder"] >= 0:
        code = row["shape"]
        laid = Play(Kind(code >> 28), code_key(code), _cards(row["cards_one"], row["cards_two"]))
        trick = Trick(row["holder"], laid, row["passes"])
    return Deal(hands, LEVELS[row["level"]], row["turn"], out, rules, trick)


def _cards(one: int, two: int) -> tuple[str, ...]:
    """List the cards of two lane planes: lanes of 16 bits are suits, bits of a lane ranks, jokers in the first lane."""
    ids = []
    for card in range(len(CARDS)):
        bit = (card % 4) * 16 + card // 4 if card < 52 else card - 39
        ids += [card] * ((one >> bit & 1) + (two >> bit & 1))
    return card_texts(bytes(ids))
