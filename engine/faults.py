"""What a fault costs where it decides a deal or the levels at which a match starts. The table carries it out.

A program makes none of these faults; they come from people, or from a record of their play. The words of a verdict are
those of the table: "double_down" against the side of the offender, "last" for the offender alone.
"""

from collections.abc import Sequence
from typing import Literal

Verdict = Literal["double_down", "last"]

LOSING_FOULS = 3
"""Fouls of a side in one deal with which it has lost the deal. Source: sheet section 13(3)."""


def verdict_on_fouls(fouls: int) -> Verdict | None:
    """Judge a side by its fouls (犯规) in this deal; None: the deal goes on. Source: sheet section 13(3)."""
    return "double_down" if fouls >= LOSING_FOULS else None


def verdict_on_silence(out: Sequence[int], offender: int) -> Verdict:
    """Judge a seat that went out without having announced its last cards, or having announced them wrongly.

    out: seats that are out, in order. The offender is last, and its partner keeps its place if it went out before;
    if it did not, the deal is lost as a double-down. Raises ValueError where the offender is not out.
    Source: national rules art. 11, faults 2(3).
    """
    if offender not in out:
        raise ValueError(f"seat {offender} is not out yet: it loses a turn, not its place")
    before = out[: list(out).index(offender)]
    return "last" if offender ^ 2 in before else "double_down"


def start_levels_when_late(minutes: float, late: int) -> tuple[str, str] | None:
    """Give `start_levels` of a match to which side `late` (0: seats 0, 2; 1: seats 1, 3) came late; None: forfeit.

    Up to five minutes the others start at 3, up to ten at 4, beyond the match is theirs. Raises ValueError for a time
    that is none or a side that is none. Source: national rules for events, late arrival; Zhuozhou part 3 item 6(6).

    >>> start_levels_when_late(4, late=1)
    ('3', '2')
    """
    if not minutes >= 0:  # so put that NaN is refused
        raise ValueError(f"{minutes} minutes late: write 0 or more")
    if late not in (0, 1):
        raise ValueError(f"sides are 0 and 1, not {late}")
    if minutes > 10:
        return None
    theirs = "2" if minutes == 0 else "3" if minutes <= 5 else "4"
    return ("2", theirs) if late == 0 else (theirs, "2")
