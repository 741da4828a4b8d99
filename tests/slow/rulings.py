"""Decide single points of a deal and a match from the rule texts, one function a point, without any engine.

Seats are 0 to 3 in playing order, so the 下家 of seat p is (p + 1) % 4, its partner (p + 2) % 4; team = seat % 2.
Levels are rank letters, pairs are by team. The numbers in brackets are articles of 竞技掼蛋竞赛规则（试行）. Where
sources differ a function takes `rules`, of which it reads the values of the points and nothing else.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from engine.rules import NATIONAL, Rules
from tests.slow.brute import RANKS, power


def deal_is_over(out: Sequence[int]) -> bool:
    """Tell whether these seats, in the order they went out, end the deal: three, or both of one side first (8.4)."""
    return len(out) >= 3 or (len(out) == 2 and out[0] % 2 == out[1] % 2)


def is_double_down(order: Sequence[int]) -> bool:
    """Tell whether the first two of a finishing order are partners (双下); the two others are then not ranked."""
    return order[0] % 2 == order[1] % 2


# ---- tribute ---------------------------------------------------------------------------------------------------------


def tribute_payers(order: Sequence[int], rules: Rules = NATIONAL) -> tuple[int, ...]:
    """Name who owes tribute after this finishing order: the last, or both losers of a double-down (10)."""
    if not rules.tribute:
        return ()
    if is_double_down(order):
        return tuple(sorted(order[2:]))
    if order[3] % 2 == order[0] % 2:  # the first's own partner is last
        return {"pays": (order[3],), "third_pays": (order[2],), "nobody_pays": ()}[rules.last_is_partner]
    return (order[3],)


def tribute_is_refused(
    payers: Iterable[int],
    big_jokers: Mapping[int, int],
    small_jokers: Mapping[int, int] | None = None,
    rules: Rules = NATIONAL,
) -> bool:
    """Tell whether the payers together hold both big jokers (抗贡, 10.4); other seats' jokers do not count."""
    seats = tuple(payers)
    if sum(big_jokers.get(seat, 0) for seat in seats) == 2:
        return True
    return rules.refuse_with_small_jokers and sum((small_jokers or {}).get(seat, 0) for seat in seats) == 2


def tribute_cards(hand: Iterable[str], level: str) -> set[str]:
    """List the cards that may be paid: all equal greatest ones, the wild excepted (10.2)."""
    allowed = [card for card in hand if card != "H" + level]
    greatest = max(power(card, level) for card in allowed)
    return {card for card in allowed if power(card, level) == greatest}


def return_cards(hand: Sequence[str], level: str, rules: Rules = NATIONAL) -> set[str]:
    """List the cards that may be returned (10.2): up to ten and not of the level; if there is none, all equal smallest.

    Level cards rank above the ace and so count as greater than ten (cases T26, T29), unless `return_level_card`.
    """
    small = {card for card in hand if card[1] in "23456789T" and (rules.return_level_card or card[1] != level)}
    if small:
        return small
    smallest = min(power(card, level) for card in hand)
    return {card for card in hand if power(card, level) == smallest}


def share_tribute(
    order: Sequence[int], paid: Mapping[int, str], level: str, rules: Rules = NATIONAL
) -> list[tuple[int, int, str]]:
    """Say who gets which tribute card as (payer, receiver, card), the payer to the first finisher in front.

    Of two cards the first takes the greater; of equal ones, whatever their suits, that of its 下家 (10.3, "clockwise":
    every payer gives to its left neighbour, cases T05, T07), or with "upstream" that of its 上家. "by_seat": p pays
    p - 1, whatever the cards (case T18).
    """
    first = order[0]
    if len(paid) == 1:
        (payer,) = paid
        return [(payer, first, paid[payer])]
    near, far = (first + 1) % 4, (first + 3) % 4
    near_power, far_power = power(paid[near], level), power(paid[far], level)
    if rules.double_tribute == "by_seat":
        to_first = near
    elif near_power == far_power:
        to_first = far if rules.equal_tribute == "upstream" else near
    else:
        to_first = near if near_power > far_power else far
    to_second = near if to_first == far else far
    return [(to_first, first, paid[to_first]), (to_second, order[1], paid[to_second])]


def leader_after_tribute(
    order: Sequence[int],
    moves: Sequence[tuple[int, int, str]],
    returned: Mapping[int, str],
    level: str,
    rules: Rules = NATIONAL,
) -> int:
    """Name who leads after the exchange: the payer to the first (10.2, 10.3), or whom the rules name otherwise.

    `returned` is by payer. With equal cards "smaller_return_leads" gives the lead to whoever got the smaller card back,
    with equal ones of these to the 下家 of the first (cases T08, T09). Where the larger payer leads and both are equal
    no source says who; the higher seat of the two, which are not ranked (G2), is taken.
    """
    if len(moves) == 1:
        return moves[0][0]
    (payer, _, given), (other, _, other_given) = moves
    mine, theirs = power(given, level), power(other_given, level)
    if mine == theirs and rules.equal_tribute == "smaller_return_leads":
        back, other_back = power(returned[payer], level), power(returned[other], level)
        if back == other_back:
            return (order[0] + 1) % 4
        return payer if back < other_back else other
    if rules.lead_after_tribute == "larger_payer":
        if mine == theirs:
            return max(payer, other)
        return payer if mine > theirs else other
    return payer


def leader_after_refusal(order: Sequence[int], payers: Sequence[int], rules: Rules = NATIONAL) -> int:
    """Name who leads after a refusal: the first (10.4), or who would have paid it; of two, the first's 下家."""
    if rules.lead_after_refusal == "first":
        return order[0]
    return payers[0] if len(payers) == 1 else (order[0] + 1) % 4


# ---- promotion and the end of a match --------------------------------------------------------------------------------


class Promotion(NamedTuple):
    """What a finishing order does to the match."""

    steps: int  # earned by the order, before the cap at A
    levels: tuple[str, str]
    next_level: str | None  # None: the match is over
    declarer: int  # team of the first finisher
    winner: int | None  # of the match
    a_attempt: str  # none, passed, deal_lost, partner_last
    failed_tries: tuple[int, int]  # a plain count of all
    counted_tries: tuple[int, int]  # those that count towards a drop, cleared by it


def promote(
    levels: tuple[str, str],
    declarer: int | None,
    failed_tries: tuple[int, int],
    order: Sequence[int],
    rules: Rules = NATIONAL,
    counted_tries: tuple[int, int] = (0, 0),
    out_with_aces: Collection[int] = (),
) -> Promotion:
    """Apply promotion (2.12) and passing A (过A, 2.13) to a match standing at `levels` whose deal `declarer` declared.

    A is passed only in a deal played at the declarer's own A that it wins with its partner placed well enough.
    out_with_aces: seats that went out with aces at level A. Rule points H1 to H10.
    """
    side = order[0] % 2
    place = order.index((order[0] + 2) % 4)
    steps = rules.steps[place - 1]
    raised, failed, counted = list(levels), list(failed_tries), list(counted_tries)
    attempt, dropped, won = "none", False, False
    if declarer is not None and levels[declarer] == "A":
        worst = {"second": 1, "third": 2, "last": 3}[rules.pass_a_partner]
        aces = rules.ace_last_play and any(seat % 2 == declarer for seat in out_with_aces)
        won = side == declarer and place <= worst and not aces
        attempt = "passed" if won else "partner_last" if side == declarer else "deal_lost"
        if not won:
            failed[declarer] += 1
            if rules.a_fail_counts == "every" or (side == declarer and place == 3):
                counted[declarer] += 1
            if aces or (rules.a_fail_limit > 0 and counted[declarer] >= rules.a_fail_limit):
                raised[declarer] = rules.a_drop_level
                counted[declarer] = 0
                dropped = side == declarer
    if not won and not dropped and levels[side] != "A":
        reached = RANKS.index(levels[side]) + steps
        beyond = reached - RANKS.index("A")
        raised[side] = RANKS[min(reached, RANKS.index("A"))]
        if rules.a_plus:
            if levels[side] == "K" and beyond == 0:  # short of A+: stays (case P24)
                raised[side] = "K"
            won = beyond > 0
        elif rules.win_on_reaching_a:
            won = beyond >= 0 and steps > 0
    return Promotion(
        steps=steps,
        levels=(raised[0], raised[1]),
        next_level=None if won else raised[side],
        declarer=side,
        winner=side if won else None,
        a_attempt=attempt,
        failed_tries=(failed[0], failed[1]),
        counted_tries=(counted[0], counted[1]),
    )


def seconds_of_deal(leads: int, answers: int, passes: int, rules: Rules) -> int:
    """Tell how long a deal takes by the time model."""
    deal, lead, answer, give_up = rules.seconds
    return deal + lead * leads + answer * answers + give_up * passes


def limit_reached(deals: int, seconds: int, rules: Rules) -> str | None:
    """Name the limit that lets no further deal begin (L1, L2), None while there is none."""
    if rules.limit_deals and deals >= rules.limit_deals:
        return "deal_limit"
    if rules.limit_minutes and seconds >= 60 * rules.limit_minutes:
        return "time_limit"
    return None


# ---- one trick -------------------------------------------------------------------------------------------------------


class Trick:
    """Follow one trick (一圈牌) without cards: whose turn it is, who holds it, when it ends and who leads the next.

    `out` lists the seats that went out before; it is copied and grows with the finishers of this trick. first_ends: the
    deal is over as soon as a seat is out (a tie-break).
    """

    def __init__(self, leader: int, out: Sequence[int] = (), rules: Rules = NATIONAL, first_ends: bool = False) -> None:
        self.out = list(out)
        self.turn = leader
        self.holder: int | None = None
        self.rules = rules
        self.first_ends = first_ends
        self._passes = 0

    @property
    def deal_over(self) -> bool:
        """True once the seats that are out end the deal."""
        return deal_is_over(self.out) or (self.first_ends and bool(self.out))

    def _active_from(self, seat: int) -> list[int]:
        return [s % 4 for s in range(seat, seat + 4) if s % 4 not in self.out]

    def play(self, seat: int, goes_out: bool) -> None:
        """Let the seat take the trick; `goes_out` says that these were its last cards."""
        assert not self.over, f"seat {seat} plays after the end of the trick"
        assert seat == self.turn, f"seat {seat} plays out of turn, seat {self.turn} is to move"
        self.holder = seat
        self._passes = 0
        if goes_out:
            self.out.append(seat)
        if not self.deal_over:
            self.turn = self._active_from(seat + 1)[0]

    def give_up(self, seat: int) -> None:
        """Let the seat pass; it may play again when its turn comes back (8.3 asks for passes in succession)."""
        assert not self.over, f"seat {seat} passes after the end of the trick"
        assert seat == self.turn, f"seat {seat} passes out of turn, seat {self.turn} is to move"
        assert self.holder is not None, f"seat {seat} passes on lead"
        self._passes += 1
        self.turn = self._active_from(seat + 1)[0]

    @property
    def over(self) -> bool:
        """True once every seat that still has cards, the holder aside, has passed in succession (8.3, 9)."""
        if self.holder is None:
            return False
        return self._passes == len({0, 1, 2, 3} - set(self.out) - {self.holder}) or self.deal_over

    @property
    def due(self) -> int:
        """Name whom the next lead is for: the holder, or who takes its wind (借风, 9); E5.

        Only after the end of the trick and while the deal goes on.
        """
        assert self.holder is not None, "the trick has not begun"
        assert self.over, "the trick is not over"
        assert not self.deal_over, "the deal is over, nobody leads"
        if self.holder not in self.out:
            return self.holder
        if self.rules.wind_to == "next":
            return self._active_from(self.holder + 1)[0]
        partner = (self.holder + 2) % 4
        assert partner not in self.out, f"seat {partner} is out and can not take the wind"
        return partner

    def next_leader(self, lone_wilds: Collection[int] = ()) -> int | None:
        """Name who leads the next trick; None where nobody can and the deal ends for that reason.

        lone_wilds: seats whose whole hand is one wild. Where that may not be led, or may not take the wind, the next
        seat that still has cards and something to lead does (B3, B4).
        """
        for seat in self._active_from(self.due):
            by_wind = seat == self.due and self.holder in self.out
            if seat in lone_wilds and not (
                self.rules.wild_single and (self.rules.wild_single_takes_wind or not by_wind)
            ):
                continue
            return seat
        return None

    def wind(self, lone_wilds: Collection[int] = ()) -> bool:
        """Tell whether the trick is over, its holder out, and whoever the lead is then for takes it."""
        return self.over and not self.deal_over and self.holder in self.out and self.next_leader(lone_wilds) == self.due
