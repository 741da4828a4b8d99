"""Decide single points of a deal and a match from the national rule text, one function a point, without any engine.

Seats are 0 to 3 in playing order, so the 下家 of seat p is (p + 1) % 4, its partner (p + 2) % 4; team = seat % 2.
Levels are rank letters, pairs are by team. The numbers in brackets are articles of 竞技掼蛋竞赛规则（试行）.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tests.slow.brute import RANKS, power


def deal_is_over(out: Sequence[int]) -> bool:
    """Tell whether these seats, in the order they went out, end the deal: three, or both of one side first (8.4)."""
    return len(out) >= 3 or (len(out) == 2 and out[0] % 2 == out[1] % 2)


def is_double_down(order: Sequence[int]) -> bool:
    """Tell whether the first two of a finishing order are partners (双下); the two others are then not ranked."""
    return order[0] % 2 == order[1] % 2


def tribute_payers(order: Sequence[int]) -> tuple[int, ...]:
    """Name who owes tribute after this finishing order: the last, or both losers of a double-down (10)."""
    return tuple(sorted(order[2:])) if is_double_down(order) else (order[3],)


def tribute_is_refused(payers: Iterable[int], big_jokers: Mapping[int, int]) -> bool:
    """Tell whether the payers together hold both big jokers (抗贡, 10.4); other seats' jokers do not count."""
    return sum(big_jokers.get(seat, 0) for seat in payers) == 2


def tribute_cards(hand: Iterable[str], level: str) -> set[str]:
    """List the cards that may be paid: all equal greatest ones, the wild excepted (10.2)."""
    allowed = [card for card in hand if card != "H" + level]
    greatest = max(power(card, level) for card in allowed)
    return {card for card in allowed if power(card, level) == greatest}


def return_cards(hand: Sequence[str], level: str) -> set[str]:
    """List the cards that may be returned (10.2): up to ten and not of the level; if there is none, all equal smallest.

    Level cards rank above the ace and so count as greater than ten (cases T26, T29).
    """
    small = {card for card in hand if card[1] in "23456789T" and card[1] != level}
    if small:
        return small
    smallest = min(power(card, level) for card in hand)
    return {card for card in hand if power(card, level) == smallest}


def share_tribute(order: Sequence[int], paid: Mapping[int, str], level: str) -> list[tuple[int, int, str]]:
    """Say who gets which tribute card as (payer, receiver, card), the payer to the first finisher in front; it leads.

    Of two cards the first takes the greater; of equal ones, whatever their suits, that of its 下家 (10.3, "clockwise":
    every payer gives to its left neighbour, cases T05, T07).
    """
    first = order[0]
    if len(paid) == 1:
        (payer,) = paid
        return [(payer, first, paid[payer])]
    near, far = (first + 1) % 4, (first + 3) % 4
    to_first = far if power(paid[far], level) > power(paid[near], level) else near
    to_second = near if to_first == far else far
    return [(to_first, first, paid[to_first]), (to_second, order[1], paid[to_second])]


class Promotion(NamedTuple):
    """What a finishing order does to the match."""

    steps: int  # earned by the order, before the cap at A
    levels: tuple[str, str]
    next_level: str | None  # None: the match is over
    declarer: int  # team of the first finisher
    winner: int | None  # of the match
    a_attempt: str  # none, passed, deal_lost, partner_last
    failed_tries: tuple[int, int]  # a plain count: under the national rules nothing depends on it


def promote(
    levels: tuple[str, str], declarer: int | None, failed_tries: tuple[int, int], order: Sequence[int]
) -> Promotion:
    """Apply promotion (2.12) and passing A (过A, 2.13) to a match standing at `levels` whose deal `declarer` declared.

    A is passed only in a deal played at the declarer's own A that it wins with its partner not last.
    """
    side = order[0] % 2
    steps = 4 - order.index((order[0] + 2) % 4)  # partner second 3, third 2, last 1
    attempt = "none"
    if declarer is not None and levels[declarer] == "A":
        attempt = "deal_lost" if side != declarer else "partner_last" if steps == 1 else "passed"
    raised = list(levels)
    raised[side] = RANKS[min(RANKS.index(levels[side]) + steps, RANKS.index("A"))]
    failed = list(failed_tries)
    if attempt in ("deal_lost", "partner_last") and declarer is not None:
        failed[declarer] += 1
    passed = attempt == "passed"
    return Promotion(
        steps=steps,
        levels=(raised[0], raised[1]),
        next_level=None if passed else raised[side],
        declarer=side,
        winner=side if passed else None,
        a_attempt=attempt,
        failed_tries=(failed[0], failed[1]),
    )


class Trick:
    """Follow one trick (一圈牌) without cards: whose turn it is, who holds it, when it ends and who leads the next.

    `out` lists the seats that went out before; it is copied and grows with the finishers of this trick.
    """

    def __init__(self, leader: int, out: Sequence[int] = ()) -> None:
        self.out = list(out)
        self.turn = leader
        self.holder: int | None = None
        self._passes = 0

    def _next_active(self, seat: int) -> int:
        return next(s % 4 for s in range(seat + 1, seat + 5) if s % 4 not in self.out)

    def play(self, seat: int, goes_out: bool) -> None:
        """Let the seat take the trick; `goes_out` says that these were its last cards."""
        assert not self.over, f"seat {seat} plays after the end of the trick"
        assert seat == self.turn, f"seat {seat} plays out of turn, seat {self.turn} is to move"
        self.holder = seat
        self._passes = 0
        if goes_out:
            self.out.append(seat)
        if not deal_is_over(self.out):
            self.turn = self._next_active(seat)

    def give_up(self, seat: int) -> None:
        """Let the seat pass; it may play again when its turn comes back (8.3 asks for passes in succession)."""
        assert not self.over, f"seat {seat} passes after the end of the trick"
        assert seat == self.turn, f"seat {seat} passes out of turn, seat {self.turn} is to move"
        assert self.holder is not None, f"seat {seat} passes on lead"
        self._passes += 1
        self.turn = self._next_active(seat)

    @property
    def over(self) -> bool:
        """True once every seat that still has cards, the holder aside, has passed in succession (8.3, 9)."""
        if self.holder is None:
            return False
        return self._passes == len({0, 1, 2, 3} - set(self.out) - {self.holder}) or deal_is_over(self.out)

    @property
    def wind(self) -> bool:
        """True when the trick is over and its holder is out, so that its partner leads (借风, 9)."""
        return self.over and self.holder in self.out

    @property
    def next_leader(self) -> int:
        """Name who leads the next trick; only after the end of this one and while the deal goes on."""
        assert self.holder is not None, "the trick has not begun"
        assert self.over, "the trick is not over"
        assert not deal_is_over(self.out), "the deal is over, nobody leads"
        if not self.wind:
            return self.holder
        partner = (self.holder + 2) % 4
        assert partner not in self.out, f"seat {partner} is out and can not take the wind"
        return partner
