"""Replay one deal from its events, slowly, and tell what its stored row must say, under any rules.

The referee knows the rule texts (through `rulings` and `brute` beside this file) and nothing of the engine but the
values of the rule points, which it reads from Rules. It raises AssertionError with a plain sentence at the first event
that is against the rules.

Events, in this order:
    ("tribute", payer, card) once a payer, or ("refused", (payer, ...)); neither in the first deal
    ("return", receiver, payer, card) once a payer
    ("lead", seat)                     who leads the first trick
    ("play", seat, kind, key, [card, ...]) and ("pass", seat)
    ("out", seat) and ("wind", seat)   may be left out; where given they are checked
    ("end", [seat, ...])               the finishing order; losers of a double-down in any order
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from engine.rules import NATIONAL, SAFETY_CAP, Rules
from tests.slow import rulings
from tests.slow.brute import PACK, RANKS, Greater, beats, readings
from tests.slow.rulings import Trick

Event = tuple[Any, ...]

NOT_OF_THE_DEAL = frozenset({"run", "rules", "x", "y", "pair", "deal"})
"""Columns of a deal row that name the deal and can not be worked out from it."""


@dataclass(frozen=True)
class MatchState:
    """Where the match stands before a deal; pairs are by team (seat % 2), levels are rank letters."""

    levels: tuple[str, str] = ("2", "2")
    declarer: int | None = None  # team of the last first finisher; None before the first deal
    previous_order: tuple[int, ...] | None = None  # seats; None before the first deal
    failed_tries: tuple[int, int] = (0, 0)  # at one's own A, so far
    winner: int | None = None  # team, once the match is over; None for a draw
    counted_tries: tuple[int, int] = (0, 0)  # those of the failed tries that count towards a drop
    deals: int = 0  # finished
    seconds: int = 0  # used, by the time model
    tie_break: bool = False  # the next deal breaks a tie
    end: str | None = None  # passed_a, deal_limit, safety_cap, time_limit, tie_break; None while the match goes on


class Referee:
    """Judge one deal.

    `hands` are four lists of 27 card texts as dealt, before tribute. `leg` says where side x sits: on seats 0 and 2
    in leg 1, on 1 and 3 in leg 2. AssertionError when the hands are no two packs or the state contradicts itself.
    """

    def __init__(
        self, hands: Sequence[Sequence[str]], state: MatchState, leg: int = 1, rules: Rules = NATIONAL
    ) -> None:
        assert leg in (1, 2), f"leg {leg} is neither 1 nor 2"
        assert state.winner is None, "the match is over, no deal follows"
        assert state.end is None, "the match is over, no deal follows"
        self.rules = rules
        assert [len(hand) for hand in hands] == [27] * 4, f"hands of {[len(hand) for hand in hands]} cards dealt"
        self.state = state
        self.leg = leg
        self.dealt = [Counter(hand) for hand in hands]
        self.hands = [Counter(hand) for hand in hands]
        self.played: Counter[str] = Counter()
        if state.previous_order is None:
            assert state.declarer is None, "a declarer without a deal before"
            self.level = max(state.levels, key=RANKS.index)
            self.payers: tuple[int, ...] = ()
        else:
            assert state.declarer == state.previous_order[0] % 2, "the declarer is not the side that won the last deal"
            self.level = "2" if state.tie_break else state.levels[state.declarer]
            self.payers = () if state.tie_break else rulings.tribute_payers(state.previous_order, rules)
        big, small = ({seat: self.hands[seat][joker] for seat in range(4)} for joker in ("HR", "SB"))
        self.refusal_due = bool(self.payers) and rulings.tribute_is_refused(self.payers, big, small, rules)
        self.refused = False
        self.paid: dict[int, str] = {}
        self.moves: list[tuple[int, int, str]] = []  # payer, receiver, card
        self.returned: dict[int, str] = {}  # by payer
        self.lead_seat: int | None = None
        self.trick: Trick | None = None
        self.on_table: Greater | None = None
        self.just_out: int | None = None
        self.out_with_aces: list[int] = []
        self.order: tuple[int, ...] | None = None
        self.count: Counter[str] = Counter()  # plays, passes, tricks, winds and the bomb columns
        self.check_conservation()

    @property
    def out(self) -> list[int]:
        """Seats that have played all their cards, in that order."""
        return [] if self.trick is None else self.trick.out

    def to_move(self) -> tuple[int, Greater | None] | None:
        """Name the seat that acts next and the play it must beat (None on lead); None before and after the play."""
        if self.trick is None or self.over:
            return None
        leader = self.next_leader() if self.trick.over else None
        return (self.trick.turn, self.on_table) if leader is None else (leader, None)

    @property
    def over(self) -> bool:
        """True once enough seats are out, or nobody has anything to lead."""
        if self.trick is None:
            return False
        return self.trick.deal_over or (self.trick.over and self.next_leader() is None)

    def lone_wilds(self) -> list[int]:
        """Seats that hold one wild and nothing else."""
        return [seat for seat, hand in enumerate(self.hands) if hand["H" + self.level] == hand.total() == 1]

    def next_leader(self) -> int | None:
        """Name who leads after the trick that is over; None where nobody can."""
        assert self.trick is not None
        return self.trick.next_leader(self.lone_wilds())

    # ---- one event ----------------------------------------------------------------------------------------------

    def replay(self, events: Iterable[Event]) -> None:
        """Judge all events of the deal; the last must be its end."""
        for event in events:
            self.step(event)
        assert self.order is not None, "the events stop before the end of the deal"

    def step(self, event: Event) -> None:
        """Judge one event and carry it out."""
        name, *values = event
        assert self.order is None, f"{event} after the end of the deal"
        assert name in _STEPS, f"unknown event {event}"
        _STEPS[name](self, *values)
        self.check_conservation()

    def check_conservation(self) -> None:
        """Raise unless the four hands and the played cards are the 108 cards of two packs."""
        total = Counter(chain(self.played.elements(), *(hand.elements() for hand in self.hands)))
        if dict.__eq__(total, _TWO_PACKS):
            return
        wrong = {card: n for card in {*PACK, *total} if (n := total[card]) != (2 if card in PACK else 0)}
        raise AssertionError(f"cards were lost or made, these exist so many times: {wrong}")

    def _tribute(self, payer: int, card: str) -> None:
        assert not self.refusal_due, f"seat {payer} pays although {self.payers} hold two jokers that refuse"
        assert payer in self.payers, f"seat {payer} owes no tribute, payers are {self.payers}"
        assert payer not in self.paid, f"seat {payer} pays twice"
        assert self.lead_seat is None, "tribute after the first lead"
        legal = rulings.tribute_cards(list(self.hands[payer].elements()), self.level)
        assert card in legal, f"seat {payer} pays {card}, greatest are {sorted(legal)}"
        self.paid[payer] = card
        if len(self.paid) == len(self.payers):
            assert self.state.previous_order is not None
            self.moves = rulings.share_tribute(self.state.previous_order, self.paid, self.level, self.rules)
            for giver, receiver, given in self.moves:
                self._move(giver, receiver, given)

    def _refused(self, payers: Sequence[int]) -> None:
        assert self.refusal_due, f"tribute refused, but {self.payers} do not hold both big jokers or what else refuses"
        assert set(payers) == set(self.payers), f"refused by {payers}, due from {self.payers}"
        assert not self.refused, "tribute refused twice"
        self.refused = True

    def _return(self, receiver: int, payer: int, card: str) -> None:
        pairs = {(got_by, paid_by) for paid_by, got_by, _ in self.moves}
        assert (receiver, payer) in pairs, f"seat {receiver} has nothing to return to {payer}, (to, from) is {pairs}"
        assert payer not in self.returned, f"seat {receiver} returns twice"
        assert self.lead_seat is None, "return after the first lead"
        legal = rulings.return_cards(list(self.hands[receiver].elements()), self.level, self.rules)
        assert card in legal, f"seat {receiver} returns {card}, allowed are {sorted(legal)}"
        self.returned[payer] = card
        self._move(receiver, payer, card)

    def _move(self, giver: int, receiver: int, card: str) -> None:
        self.hands[giver] -= Counter([card])
        self.hands[receiver] += Counter([card])

    def _lead(self, seat: int) -> None:
        assert self.lead_seat is None, "a second first lead"
        assert seat in range(4), f"no seat {seat}"
        if self.refusal_due:
            assert self.refused, "the lead before tribute was refused"
        else:
            assert len(self.returned) == len(self.payers), "the lead before tribute was paid and returned"
        assert all(hand.total() == 27 for hand in self.hands), "hands of other than 27 cards at the first lead"
        due = self.first_leader()
        assert due in (None, seat), f"seat {seat} leads first, it is for seat {due}"
        self.lead_seat = seat
        self.trick = Trick(seat, (), self.rules, self.state.tie_break)

    def first_leader(self) -> int | None:
        """Name who leads the first trick; None where chance decides (J1), be it evenly or by a card turned up."""
        order = self.state.previous_order
        if order is None or self.state.tie_break:
            return 0 if self.rules.first_lead == "rotation" else None
        if self.rules.first_lead == "rotation":
            return self.state.deals % 4
        if self.refused:
            return rulings.leader_after_refusal(order, self.payers, self.rules)
        if not self.payers:
            return order[0]
        return rulings.leader_after_tribute(order, self.moves, self.returned, self.level, self.rules)

    def _current_trick(self, seat: int) -> Trick:
        assert self.trick is not None, f"seat {seat} acts before the first lead"
        assert not self.over, f"seat {seat} acts after the end of the deal"
        if self.trick.over:  # the next leader opens a new trick
            leader = self.next_leader()
            assert leader is not None
            self.trick = Trick(leader, self.out, self.rules, self.state.tie_break)
            self.on_table = None
        self.just_out = None
        return self.trick

    def _play(self, seat: int, kind: str, key: str, cards: Sequence[str]) -> None:
        trick = self._current_trick(seat)
        missing = Counter(cards) - self.hands[seat]
        assert not missing, f"seat {seat} plays {sorted(missing.elements())} without holding them"
        can_be = readings(cards, self.level, self.rules)
        assert (kind, key) in can_be, f"{cards} are no {kind} {key} at level {self.level}, only {sorted(can_be)}"
        if self.on_table is None:
            self.count["tricks"] += 1
        else:
            over = self.on_table
            assert beats(kind, key, len(cards), *over, self.level), f"{kind} {key} {cards} does not beat {over}"
        self.hands[seat] -= Counter(cards)
        self.played += Counter(cards)
        trick.play(seat, goes_out=not self.hands[seat])
        self.just_out = None if self.hands[seat] else seat
        if self.just_out is not None and self.level == key == "A" and kind in ("SINGLE", "PAIR", "TRIPLE", "BOMB"):
            self.out_with_aces.append(seat)
        self.on_table = (kind, key, len(cards))
        self.count["plays"] += 1
        if kind == "BOMB":
            self.count[{4: "bombs_4", 5: "bombs_5"}.get(len(cards), "bombs_6_up")] += 1
        elif kind in ("STRAIGHT_FLUSH", "JOKER_BOMB"):
            self.count["straight_flushes" if kind == "STRAIGHT_FLUSH" else "joker_bombs"] += 1

    def _pass(self, seat: int) -> None:
        trick = self._current_trick(seat)
        trick.give_up(seat)
        self.count["passes"] += 1
        if trick.over:
            self.count["winds"] += trick.wind(self.lone_wilds())
            self.count["passed over"] += self.next_leader() != trick.due

    def _out(self, seat: int) -> None:
        assert seat == self.just_out, f"seat {seat} is said to be out, but {self.just_out} is"

    def _wind(self, seat: int) -> None:
        assert self.trick is not None, f"seat {seat} takes the wind before the first lead"
        assert self.trick.wind(self.lone_wilds()), f"seat {seat} takes the wind without there being one"
        due = self.trick.due
        assert seat == due, f"seat {seat} takes the wind, it is for seat {due}"

    def _end(self, order: Sequence[int]) -> None:
        out = self.out
        assert self.over, f"the deal ends with only {out} out"
        assert sorted(order) == [0, 1, 2, 3], f"{order} is no order of four seats"
        assert list(order[: len(out)]) == out, f"finishing order {order}, but seats went out as {out}"
        if self.trick is not None and not self.trick.deal_over and self.trick.holder is not None:
            # nobody had anything to lead: placed in seat order from the last holder (B4)
            seats = [seat % 4 for seat in range(self.trick.holder, self.trick.holder + 4)]
            rest = [seat for seat in seats if seat not in out]
            assert list(order[len(out) :]) == rest, (
                f"finishing order {order}, but {rest} are left, from the last holder"
            )
        self.order = tuple(order)

    # ---- after the deal -----------------------------------------------------------------------------------------

    def next_state(self) -> MatchState:
        """Return where the match stands after the deal."""
        assert self.order is not None, "the deal is not over"
        after, before, rules = self._promotion(), self.state, self.rules
        leads = self.count["tricks"]
        took = rulings.seconds_of_deal(leads, self.count["plays"] - leads, self.count["passes"], rules)
        deals, seconds = before.deals + 1, before.seconds + took
        winner, end, tie_break = after.winner, None, False
        if winner is not None:
            end = "tie_break" if before.tie_break else "passed_a"
        elif limit := rulings.limit_reached(deals, seconds, rules):
            heights = [RANKS.index(level) for level in after.levels]
            # A tie-break would be a deal beyond the cap, which is technical and comes first.
            tie_break = heights[0] == heights[1] and rules.tie_break and deals < SAFETY_CAP
            if not tie_break:
                end = limit
                winner = None if heights[0] == heights[1] else int(heights[1] > heights[0])
        elif deals >= SAFETY_CAP:
            end = "safety_cap"
        return MatchState(
            levels=after.levels,
            declarer=after.declarer,
            previous_order=self.order,
            failed_tries=after.failed_tries,
            winner=winner,
            counted_tries=after.counted_tries,
            deals=deals,
            seconds=seconds,
            tie_break=tie_break,
            end=end,
        )

    def _promotion(self) -> rulings.Promotion:
        assert self.order is not None, "the deal is not over"
        state = self.state
        if state.tie_break:  # won by the first to go out; no level moves
            side = self.order[0] % 2
            return rulings.Promotion(0, state.levels, None, side, side, "none", state.failed_tries, state.counted_tries)
        return rulings.promote(
            state.levels,
            state.declarer,
            state.failed_tries,
            self.order,
            self.rules,
            state.counted_tries,
            self.out_with_aces,
        )

    def row(self) -> dict[str, object]:
        """Return the columns of the deal row that follow from the deal; all but the tribute columns."""
        assert self.order is not None, "the deal is not over"
        after = self._promotion()
        x = self.leg - 1  # the team of side x
        side = {x: "x", 1 - x: "y", None: None}
        double_down = rulings.is_double_down(self.order)
        first, second, *others = self.order
        places = f"{first}{second}({min(others)}{max(others)})" if double_down else "".join(map(str, self.order))
        dealt_to_x = self.dealt[x] + self.dealt[x + 2]
        tribute = "none" if not self.payers else "single" if len(self.payers) == 1 else "double"
        return {
            "leg": self.leg,
            "level": _number(self.level),
            "x_level_before": _number(self.state.levels[x]),
            "y_level_before": _number(self.state.levels[1 - x]),
            "x_level_after": _number(after.levels[x]),
            "y_level_after": _number(after.levels[1 - x]),
            "declarer": side[self.state.declarer],
            "lead_seat": self.lead_seat,
            "tribute": tribute + ("_refused" if self.refused else ""),
            "finish_order": places,
            "winner": side[after.declarer],
            "steps": after.steps,
            "a_attempt": after.a_attempt,
            "x_a_fails": after.failed_tries[x],
            "y_a_fails": after.failed_tries[1 - x],
            **{column: self.count[column] for column in _COUNTED},
            "cards_left": sum(hand.total() for hand in self.hands),
            "x_jokers": dealt_to_x["SB"] + dealt_to_x["HR"],
            "x_wilds": dealt_to_x["H" + self.level],
            "end_reason": "first_out" if self.state.tie_break else "double_down" if double_down else "three_out",
        }

    def differences(self, row: Mapping[str, object]) -> list[str]:
        """Compare a stored deal row column by column; return one sentence a difference, none when all agree.

        Stored form: levels 2 to 14, cards and enumerations as texts, None for nothing. The order of `payers` is free
        as long as position k of payers gives card k to position k of receivers and gets back card k.
        """
        must = self.row()
        known = {*must, *_TRIBUTE_COLUMNS, *NOT_OF_THE_DEAL}
        found = [f"{column} is missing" for column in {*must, *_TRIBUTE_COLUMNS} - set(row)]
        found += [f"{column} is a column the referee does not know" for column in set(row) - known]
        for column, value in must.items():
            if column in row and row[column] != value:
                found.append(f"{column} is {row[column]!r}, must be {value!r}")
        if "deal" in row and (row["deal"] == 1) != (self.state.previous_order is None):
            found.append(f"deal is {row['deal']!r}, the finishing order before it {self.state.previous_order}")
        said = tuple(row.get(column) for column in _TRIBUTE_COLUMNS)
        if not self._tribute_is(*said):
            shown = ", ".join(f"{column} {value!r}" for column, value in zip(_TRIBUTE_COLUMNS, said, strict=True))
            due = sorted(self.transfers()) or ("only the seats " + str(self.payers) if self.refused else "nothing")
            found.append(f"{shown}; must be (payer, receiver, given, returned) {due}")
        return sorted(found)

    def transfers(self) -> set[tuple[str, str, str, str]]:
        """Return the tribute that was paid as (payer, receiver, card given, card returned), seats as texts."""
        return {(str(payer), str(to), card, self.returned[payer]) for payer, to, card in self.moves}

    def _tribute_is(self, payers: object, receivers: object, *cards: object) -> bool:
        """Tell whether the tribute columns of a row are right; cards are given_1, given_2, returned_1, returned_2."""
        if not self.payers:
            return (payers, receivers, *cards) == (None,) * 6
        if not (isinstance(payers, str) and isinstance(receivers, str) and len(payers) == len(self.payers)):
            return False
        if self.refused:  # the seats are named, nothing moves
            assert self.state.previous_order is not None
            right = {str(seat) for seat in self.state.previous_order[: len(self.payers)]}
            return (set(payers), set(receivers), cards) == (set(map(str, self.payers)), right, (None,) * 4)
        if len(self.payers) == 1 and (cards[1], cards[3]) != (None, None):
            return False
        return set(zip(payers, receivers, cards[:2], cards[2:], strict=False)) == self.transfers()


_TWO_PACKS = dict.fromkeys(PACK, 2)
_COUNTED = (
    *("plays", "passes", "tricks", "winds"),
    *("bombs_4", "bombs_5", "bombs_6_up", "straight_flushes", "joker_bombs"),
)
_TRIBUTE_COLUMNS = ("payers", "receivers", "given_1", "given_2", "returned_1", "returned_2")
_STEPS: Mapping[str, Callable[..., None]] = {
    "tribute": Referee._tribute,
    "refused": Referee._refused,
    "return": Referee._return,
    "lead": Referee._lead,
    "play": Referee._play,
    "pass": Referee._pass,
    "out": Referee._out,
    "wind": Referee._wind,
    "end": Referee._end,
}


def _number(level: str) -> int:
    return RANKS.index(level) + 2
