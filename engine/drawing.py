"""Who shuffles, cuts and draws first (洗牌、切牌、首抓) at a table of people. Here cards are dealt whole, by their key.

Places stand in the order of play, which is anticlockwise: the seat after East is North. Source: national rules art. 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import RANKS, parse_cards

PLACES = ("East", "North", "West", "South")
"""Names of seats 0 to 3."""

_SOUTH = PLACES.index("South")
_HEART_TWO, _JOKERS = 1, (52, 53)
_PARTNERS = ((0, 2), (1, 3), (2, 0), (3, 1))


@dataclass(frozen=True)
class Drawing:
    """Seats 0..3 that prepare a deal; leads: who leads it, None where tribute decides that."""

    shuffles: int
    cuts: int
    draws_first: int
    leads: int | None = None


def first_drawer(turned: str) -> int | None:
    """Give the seat that draws first in the first deal, which East shuffles and South cuts; None: cut again.

    It is counted from South in the order of play by the rank of the turned card, the ace counting one. Jokers and the
    heart two are cut again. Whoever draws the turned card leads. Raises ValueError for a text that is no card.
    Source: art. 7(2).

    >>> PLACES[first_drawer("SQ")]
    'West'
    """
    (card,) = parse_cards([turned])
    if card == _HEART_TWO or card in _JOKERS:
        return None
    count = 1 if turned[1] == "A" else RANKS.index(turned[1]) + 2
    return (_SOUTH + count - 1) % 4


def later_drawing(order: Sequence[int]) -> Drawing:
    """Tell who prepares a deal after one with this finishing order; the two losers of a double-down may be left out.

    The seat before the first shuffles, the first cuts, the last draws; after a double-down the seat after the first
    draws. Raises ValueError for an order that is none. Source: art. 7(3).
    """
    seats = list(order)
    double_down = tuple(seats[:2]) in _PARTNERS
    if sorted(seats) != [0, 1, 2, 3] and not (double_down and len(seats) == 2):
        raise ValueError(f"order {seats}: write the four seats, or the first and the second of a double-down")
    first = seats[0]
    return Drawing(shuffles=(first + 3) % 4, cuts=first, draws_first=(first + 1) % 4 if double_down else seats[3])


def drawing_after_fault(offender: int) -> Drawing:
    """Tell who prepares the deal after a judged one, or the first of a match to which this seat's side came late.

    The offender shuffles, the next seat cuts, the one opposite draws, the one before leads; there is no tribute.
    Raises ValueError for a seat that is none. Source: art. 7, faults; art. 10, 11.
    """
    if offender not in (0, 1, 2, 3):
        raise ValueError(f"seats are 0..3, not {offender}")
    after, opposite, before = ((offender + step) % 4 for step in (1, 2, 3))
    return Drawing(shuffles=offender, cuts=after, draws_first=opposite, leads=before)
