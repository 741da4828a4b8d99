"""Count how a side plays from the record of a match, plainly: what the loop counts in C, told in words.

Legal plays are those of engine.plays, which has its own slow reference. Sequences are looked for rank by rank.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from engine.cards import LEVELS
from engine.match import DealRecord
from engine.plays import Kind, LegalPlays, Play
from engine.rules import Rules
from engine.style import RATES, ROLES

Tally = Callable[..., None]
"""Count for a seat: name, and how many, one if not said."""

_BOMBS = (Kind.STRAIGHT_FLUSH, Kind.BOMB, Kind.JOKER_BOMB)
_RUN = ("A", *LEVELS)  # the ace below the two as well


def _windows(hand: Counter[str], level: str) -> dict[str, set[object]]:
    """List the sequences of naturals that a hand could lay, and its straight flushes with the wilds it has."""
    wilds = hand["H" + level]
    held = Counter(card[1] for card in hand.elements() if card != "H" + level and card not in ("SB", "HR"))

    def runs(length: int, each: int) -> set[object]:
        starts = range(len(_RUN) - length + 1)
        return {start for start in starts if all(held[rank] >= each for rank in _RUN[start : start + length])}

    flushes: set[object] = set()
    for suit in "SHCD":
        for start in range(len(_RUN) - 4):
            cards = [suit + rank for rank in _RUN[start : start + 5]]
            have = sum(1 for card in cards if hand[card] and card != "H" + level)
            if have + wilds >= 5:
                flushes.add((suit, start))
    return {"straight": runs(5, 1), "tube": runs(3, 2), "plate": runs(2, 3), "straight_flush": flushes}


def _sets(hand: Counter[str], level: str) -> Counter[str]:
    return Counter(card if card in ("SB", "HR") else card[1] for card in hand.elements() if card != "H" + level)


def broken(before: Counter[str], after: Counter[str], kind: Kind, level: str) -> set[str]:
    """Name the shapes that a play breaks: a part of a set stays, or a sequence that is not of its own kind goes."""
    out = set()
    had, has = _sets(before, level), _sets(after, level)
    for rank, n in had.items():
        if 0 < has[rank] < n:
            if n == 2:
                out.add("pair")
            if n == 3:
                out.add("triple")
            if n >= 4 > has[rank] and kind != Kind.BOMB:
                out.add("bomb")
    windows, left = _windows(before, level), _windows(after, level)
    own = {
        "tube": (Kind.TUBE,),
        "plate": (Kind.PLATE,),
        "straight": (Kind.STRAIGHT, Kind.STRAIGHT_FLUSH),
        "straight_flush": (Kind.STRAIGHT_FLUSH,),
    }
    return out | {name for name, kinds in own.items() if windows[name] - left[name] and kind not in kinds}


class StyleCount:
    """Occasions and events of one match, by side, role and name."""

    def __init__(self, leg: int, rules: Rules) -> None:
        self.leg, self.rules = leg, rules
        self.occasions: Counter[tuple[str, str, str]] = Counter()
        self.events: Counter[tuple[str, str, str]] = Counter()

    def side(self, seat: int) -> str:
        return "xy"[(seat + self.leg - 1) % 2]

    def roles(self, record: DealRecord, seat: int) -> tuple[str, ...]:
        part = "no_tribute"
        for name, giver, *_ in record.events:
            if giver == seat and name in ("tribute", "return"):
                part = "payer" if name == "tribute" else "receiver"
        mine = self.side(seat)
        own, other = (record.levels_before["xy".index(side)] for side in (mine, "yx"["xy".index(mine)]))
        ahead = LEVELS.index(own) - LEVELS.index(other)
        standing = ("even", "ahead", "behind")[(ahead > 0) - (ahead < 0)]
        if record.declarer == mine and own == "A":
            standing = "own_a"
        return ("all", part, standing)

    def count(self, record: DealRecord) -> None:
        """Add one deal."""
        level = record.level
        hands = [Counter(hand) for hand in record.hands]
        roles = [self.roles(record, seat) for seat in range(4)]

        def occasion(seat: int, name: str, n: int = 1) -> None:
            for role in roles[seat]:
                self.occasions[self.side(seat), role, name] += n

        def event(seat: int, name: str, n: int = 1) -> None:
            for role in roles[seat]:
                self.events[self.side(seat), role, name] += n

        for seat in range(4):
            occasion(seat, "hands")
        returns = [event[1:] for event in record.events if event[0] == "return"]
        given = {event[1]: event[2] for event in record.events if event[0] == "tribute"}
        for giver, taker, _ in returns:
            hands[taker][given[taker]] -= 1
            hands[giver][given[taker]] += 1
        for giver, taker, card in returns:
            before, lacking = hands[giver].copy(), hands[taker].copy()
            hands[giver][card] -= 1
            hands[taker][card] += 1
            self._returned(giver, taker, card, (before, +hands[giver]), (lacking, hands[taker]), level, occasion, event)
        hands = [+hand for hand in hands]
        assert [sum(hand.values()) for hand in hands] == [27] * 4
        self._play(record, hands, occasion, event)

    def _returned(
        self,
        giver: int,
        taker: int,
        card: str,
        gave: tuple[Counter[str], Counter[str]],
        got: tuple[Counter[str], Counter[str]],
        level: str,
        occasion: Tally,
        event: Tally,
    ) -> None:
        to = "partner" if (giver + taker) % 2 == 0 else "opponent"
        occasion(giver, "returns")
        occasion(giver, f"returns_to_{to}")
        event(giver, "returned_to_partner", int(to == "partner"))
        rank = card if card in ("SB", "HR") else card[1]
        before, after = (_sets(+hand, level)[rank] for hand in got)
        had, _ = (_sets(+hand, level)[rank] for hand in gave)
        made = _windows(got[1], level)["straight_flush"] - _windows(got[0], level)["straight_flush"]
        lost = _windows(gave[0], level)["straight_flush"] - _windows(gave[1], level)["straight_flush"]
        event(giver, f"return_made_pair_{to}", int(after == 2))
        event(giver, f"return_made_bomb_{to}", int(after >= 4))
        event(giver, f"return_made_straight_flush_{to}", int(bool(made)))
        event(giver, f"return_broke_pair_{to}", int(had == 2))
        event(giver, f"return_broke_bomb_{to}", int(had == 4))
        event(giver, f"return_broke_straight_flush_{to}", int(bool(lost)))
        assert before == after - 1

    def _play(self, record: DealRecord, hands: list[Counter[str]], occasion: Tally, event: Tally) -> None:
        level, holder, wind = record.level, -1, False
        on_table: Play | None = None
        order = record.events[-1][1]
        passes = 0
        out: set[int] = set()
        for name, *rest in record.events:
            if name == "wind":
                wind = True
            if name not in ("play", "pass"):
                continue
            seat = rest[0]
            active = 4 - len(out) - (0 if holder in out else 1)
            if on_table is not None and (passes == active or seat == holder):
                on_table = None  # the trick is over
            legal = list(LegalPlays(list(hands[seat].elements()), level, on_table, "shapes", self.rules))
            laid = None if name == "pass" else Play(Kind[rest[1]], rest[2], tuple(rest[3]))
            self._decision(seat, hands, legal, laid, on_table, holder, wind, level, occasion, event)
            wind = False
            if laid is None:
                passes += 1
                continue
            hands[seat] -= Counter(laid.cards)
            on_table, holder, passes = laid, seat, 0
            if not hands[seat]:
                out.add(seat)
        mate = (order[0] + 2) % 4
        occasion(mate, "partner_first")
        event(mate, "not_last_behind_partner", int(mate != order[3]))
        for seat in range(4):
            left = sum(hands[seat].values())
            if left:
                occasion(seat, "stayed_in")
                event(seat, "cards_left", left)

    def _decision(
        self,
        seat: int,
        hands: list[Counter[str]],
        legal: list[Play],
        laid: Play | None,
        on_table: Play | None,
        holder: int,
        wind: bool,
        level: str,
        occasion: Tally,
        event: Tally,
    ) -> None:
        plays = [play for play in legal if play.kind != Kind.PASS]
        if on_table is not None and not plays:
            return
        event(seat, "choices")
        left = [sum(hand.values()) for hand in hands]
        opponents = [left[(seat + 1) % 4], left[(seat + 3) % 4]]
        low, full = any(1 <= n <= 5 for n in opponents), all(n >= 15 for n in opponents)
        whose = "partner" if holder % 2 == seat % 2 else "opponent"
        bombs = laid is not None and laid.kind in _BOMBS
        if any(play.kind in _BOMBS for play in plays):
            occasion(seat, "leads_with_bomb" if on_table is None else f"bombable_{whose}")
            event(seat, "bombed_as_lead" if on_table is None else f"bombed_{whose}", int(bombs))
            if low:
                occasion(seat, "bombable_low")
                event(seat, "bombed_opponent_low", int(bombs))
        if on_table is not None and any(play.kind not in _BOMBS for play in plays):
            occasion(seat, f"answerable_{whose}")
            event(seat, f"passed_on_{whose}", int(laid is None))
        if laid is None:
            return
        single = laid.kind == Kind.SINGLE
        if on_table is None:
            occasion(seat, "leads")
            event(seat, f"led_{laid.kind.name.lower()}")
            event(seat, "wind_taken", int(wind))
            if single:
                occasion(seat, "singles_led")
                event(seat, "led_smallest_single", int(laid.key == plays[0].key))
            if 1 in opponents and any(play.kind != Kind.SINGLE for play in plays):
                occasion(seat, "leads_into_one_card")
                event(seat, "led_single_into_one_card", int(single))
        else:
            occasion(seat, "answers")
            event(seat, f"answered_{laid.kind.name.lower()}")
        after = hands[seat] - Counter(laid.cards)
        if bombs:
            size = len(laid.cards)
            names = {Kind.JOKER_BOMB: "joker_bombs", Kind.STRAIGHT_FLUSH: "straight_flushes"}
            occasion(seat, "bombs")
            event(seat, names.get(laid.kind, "bombs_of_6_up" if size >= 6 else f"bombs_of_{size}"))
            event(seat, "bomb_as_lead", int(on_table is None))
            event(seat, "bomb_on_partner", int(on_table is not None and whose == "partner"))
            event(seat, "bomb_opponent_low", int(low))
            event(seat, "bomb_opponents_full", int(full))
            event(seat, "bomb_as_last", int(not after))
        for shape in broken(hands[seat], after, laid.kind, level):
            event(seat, f"{'lead' if on_table is None else 'answer'}_broke_{shape}")
        wilds = laid.cards.count("H" + level)
        if wilds:
            occasion(seat, "wilds", wilds)
            event(seat, f"wild_in_{laid.kind.name.lower()}", wilds)
        if not after:
            occasion(seat, "outs")
            event(seat, "out_with_bomb", int(bombs))


def pair_sums(legs: Iterable[Sequence[DealRecord]], rules: Rules) -> dict[tuple[str, str], tuple[int, int, int, int]]:
    """Add up the legs of a pair: (role, rate) -> x's n, x's y, y's n, y's y."""
    counts = []
    for leg, records in enumerate(legs, 1):
        count = StyleCount(leg, rules)
        for record in records:
            count.count(record)
        counts.append(count)
    found = {}
    for role in ROLES:
        for rate, of in RATES.items():
            n, y = (
                [sum(c.occasions[side, role, of] for c in counts) for side in "xy"],
                [sum(c.events[side, role, rate] for c in counts) for side in "xy"],
            )
            found[role, rate] = (n[0], y[0], n[1], y[1])
    return found
