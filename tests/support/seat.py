"""Ask a C strategy at a position of one's own making, without a table: views are built here from texts.

Seat 0 is asked; 2 is its partner, 1 plays behind it, 3 before it.
"""

import ctypes as c
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from engine import _core
from engine.cards import RANKS, card_bytes, card_texts
from strategies.registry import NativeStrategy
from tests.support.arranging import multiset
from tests.support.native import Api, Hand, Step, Tribute, View, struct_in

LEVEL_VALUES = (800_000, 700_000, 600_000, 200_000, 300_000, 400_000)
"""Worth of the six results where every place counts the same."""

OWN_A_VALUES = (1_000_000, 1_000_000, 500_000, 400_000, 430_000, 460_000)
"""At the own A: first and not last passes it."""

HOLDERS = {"next": 1, "partner": 2, "last": 3}


def hand_at(cards: bytes, level: int) -> Hand:
    """Give the hand that holds these card ids."""
    wild = 4 * level + 1
    planes = multiset(bytes(card for card in cards if card != wild))
    hand = Hand(0, planes.one, planes.two)
    for card in cards:
        hand.counts += 1 << (60 if card == wild else 4 * (card // 4 if card < 52 else card - 39))
    return hand


@dataclass
class Position:
    """What seat 0 is asked.

    hand: its cards. left: cards of seats 1, 2, 3. to_beat, holder: the play to beat and who laid it. out: the cards
    that the others hold, where it matters; else drawn with `seed`. values: of the six results.
    """

    hand: str
    left: tuple[int, int, int] = (20, 20, 20)
    to_beat: str = ""
    holder: str = ""
    level: str = "2"
    out: str = ""
    seed: int = 0
    values: Sequence[int] = LEVEL_VALUES
    settings: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._level = RANKS.index(self.level)
        cards, others = card_bytes(self.hand), card_bytes(self.out)
        beaten = card_bytes(self.to_beat)
        deck = Counter(range(54)) + Counter(range(54)) - Counter(cards) - Counter(beaten) - Counter(others)
        rest = sorted(deck.elements())
        random.Random(self.seed).shuffle(rest)
        gone = bytes([*rest[sum(self.left) - len(others) :], *beaten])
        code = max(_core.readings(beaten, self._level)) if beaten else 0
        self.plays = _core.Plays(cards, self._level, code, False)
        self._keep = (
            Api(value=Api._fields_[3][1](lambda _, result: int(self.values[result]))),
            hand_at(cards, self._level),
            multiset(gone),
            (c.c_uint8 * 4)(len(cards), *self.left),
            (c.c_uint8 * 64)(9),
            Tribute(given=(-1, -1), returned=(-1, -1)),
            (c.c_uint32 * len(self.plays.codes()))(*self.plays.codes()),
            (Step * 1)(),
        )
        api, hand, played, left, rules, shown, codes, steps = self._keep
        self.view = View(
            api=c.pointer(api),
            plays=codes,
            hand=c.pointer(hand),
            left=left,
            gone=c.pointer(played),
            steps=steps,
            shown=c.pointer(shown),
            rules=c.addressof(rules),
            n=len(codes),
            n_steps=1,
            to_beat=code,
            holder=HOLDERS.get(self.holder, -1),
            level=self._level,
            declarer=0,
            deal=2,
            seconds_left=-1,
        )

    def answer(self, strategy: NativeStrategy) -> str:
        """Say what the strategy lays, "-" for a pass; suits as the engine would take them."""
        struct = struct_in(strategy.capsule)
        self.view.parameters = struct.values
        index = struct.play(c.byref(self.view))
        assert 0 <= index < self.view.n
        return " ".join(self.texts(index)) or "-"

    def texts(self, index: int) -> tuple[str, ...]:
        """Give the cards of a play in the list."""
        return card_texts(self.plays[index][1])

    def scores(self, strategy: NativeStrategy) -> list[int]:
        """Give the score of each play in the list."""
        struct = struct_in(strategy.capsule)
        self.view.parameters = struct.values
        scores = (c.c_int32 * self.view.n)()
        rank = c.CFUNCTYPE(None, c.POINTER(View), c.POINTER(c.c_int32))(struct.rank)
        rank(c.byref(self.view), scores)
        return list(scores)
