"""strategies/csrc/arrange.c as a library of its own: groups of a hand under weights."""

import ctypes as c
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.slow.brute_native import compiler
from tests.support.native import Cards, Hand

ROOT = Path(__file__).resolve().parent.parent.parent
SOURCES = ("strategies/csrc/arrange.c", "engine/csrc/gd_cards.c")

OUTLOOKS = 4


class Weights(c.Structure):
    """How groups are priced (gd_weights)."""

    _fields_ = (
        ("turn", c.c_int32),
        ("low", c.c_int32 * OUTLOOKS),
        ("top", c.c_int32 * OUTLOOKS),
        ("bomb", c.c_int32),
        ("larger", c.c_int32),
        ("flush", c.c_int32),
        ("wild", c.c_int32),
        ("slack", c.c_int32),
        ("low_at", c.c_uint32 * OUTLOOKS),
        ("top_at", c.c_uint32 * OUTLOOKS),
    )


class Arrangement(c.Structure):
    """What comes out (gd_arrangement)."""

    _fields_ = (("cost", c.c_int32), ("turns", c.c_uint8), ("bombs", c.c_uint8), ("group", c.c_uint32 * 27))


TURNS_ONLY: Mapping[str, int] = {"turn": 1, "slack": 3}


def weights(values: Mapping[str, int] = TURNS_ONLY, low_at: int = 0, top_at: int = 0) -> Weights:
    """Weights by name; low, top and the masks are the same for all outlooks."""
    w = Weights()
    for name, value in values.items():
        if name in ("low", "top"):
            getattr(w, name)[:] = [value] * OUTLOOKS
        else:
            setattr(w, name, value)
    w.low_at[:], w.top_at[:] = [low_at] * OUTLOOKS, [top_at] * OUTLOOKS
    return w


def multiset(cards: bytes) -> Cards:
    """Cards as the two planes of lanes."""
    out = Cards()
    for card in cards:
        bit = 1 << ((card % 4 * 16 + card // 4) if card < 52 else card - 39)
        out.two |= out.one & bit
        out.one |= bit
    return out


@dataclass(frozen=True)
class Arranger:
    """The compiled library."""

    native: c.CDLL

    def hand(self, cards: bytes, level: int) -> Hand:
        """Give the hand that holds these card ids."""
        found: Hand = self.native.gd_hand_of(multiset(cards), level)
        return found

    def cards(self, hand: Hand, level: int) -> bytes:
        """Card ids of a hand, ascending."""
        found = self.native.gd_hand_cards(c.byref(hand), level)
        return Cards.ids(found)

    def arrange(self, cards: bytes, level: int, w: Weights, rules: int = 9) -> Arrangement:
        """Split the hand; asserts that the cost alone is the same."""
        hand, out = self.hand(cards, level), Arrangement()
        self.native.gd_arrange(c.byref(hand), level, rules, c.byref(w), c.byref(out))
        assert out.cost == self.native.gd_arrange_cost(c.byref(hand), level, rules, c.byref(w))
        return out

    def group_cost(self, group: int, w: Weights) -> int:
        """Cost of one group."""
        return int(self.native.gd_group_cost(group, c.byref(w)))

    def without(self, cards: bytes, level: int, shape: int) -> bytes:
        """Card ids that are left when the shape is laid."""
        hand = self.hand(cards, level)
        return self.cards(self.native.gd_without(c.byref(hand), shape), level)


def build(folder: Path) -> Arranger:
    """Compile into the folder."""
    target = folder / "arrange.so"
    command = [*compiler(), "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    subprocess.run(
        [*command, f"-I{ROOT / 'engine/csrc'}", "-o", target, *(ROOT / source for source in SOURCES)], check=True
    )
    library = c.CDLL(str(target))
    library.gd_hand_of.restype, library.gd_hand_of.argtypes = Hand, (Cards, c.c_uint)
    library.gd_hand_cards.restype, library.gd_hand_cards.argtypes = Cards, (c.POINTER(Hand), c.c_uint)
    library.gd_without.restype, library.gd_without.argtypes = Hand, (c.POINTER(Hand), c.c_uint32)
    pointers = (c.POINTER(Hand), c.c_uint, c.c_uint, c.POINTER(Weights))
    library.gd_arrange_cost.restype, library.gd_arrange_cost.argtypes = c.c_int32, pointers
    library.gd_arrange.restype, library.gd_arrange.argtypes = None, (*pointers, c.POINTER(Arrangement))
    library.gd_group_cost.restype, library.gd_group_cost.argtypes = c.c_int32, (c.c_uint32, c.POINTER(Weights))
    return Arranger(library)
