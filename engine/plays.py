"""Plays (一手牌): their kinds, every reading of a set of cards, comparison, and the list of legal plays.

A play is a kind, a key and cards. The key is the rank of a single, pair, triple, bomb or of the triple of a full
house, the lowest rank of a sequence (`A` when the ace counts one), `B` or `R` for jokers, `JOKER` for four jokers. One
set of cards may have several readings; each is a play of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, overload

from engine import _core
from engine.cards import RANKS, card_bytes, card_texts, level_rank
from engine.rules import NATIONAL, Rules

Listing = Literal["all", "shapes"]


class Kind(IntEnum):
    """Kinds of play (牌型) in the order in which they are listed. Source: national rules art. 3."""

    PASS = 0  # 过牌
    SINGLE = 1  # 单张
    PAIR = 2  # 对子
    TRIPLE = 3  # 三同张
    TUBE = 4  # 三连对, 木板
    FULL_HOUSE = 5  # 三带对
    PLATE = 6  # 三同连张, 钢板
    STRAIGHT = 7  # 顺子
    STRAIGHT_FLUSH = 8  # 同花顺
    BOMB = 9  # 炸弹
    JOKER_BOMB = 10  # 四大天王


@dataclass(frozen=True)
class Play:
    """Cards laid at once, with the reading the player declares."""

    kind: Kind
    key: str
    cards: tuple[str, ...]


PASS = Play(Kind.PASS, "PASS", ())

_KEYS: tuple[str, ...] = (*RANKS, "B", "R")


def code_key(code: int) -> str:
    """Key of a play code of the core; ValueError for a number that is none."""
    kind, rank = Kind(code >> 28), code >> 6 & 15
    if kind == Kind.PASS:
        return "PASS"
    if kind == Kind.JOKER_BOMB:
        return "JOKER"
    if rank >= len(_KEYS):
        raise ValueError(f"{code} is no play code")
    return _KEYS[rank]


def play_of(code: int, cards: bytes) -> Play:
    """Make a play of what the core gives: a code and card ids."""
    return Play(Kind(code >> 28), code_key(code), card_texts(cards)) if code else PASS


def readings(cards: str | Iterable[str], level: str, rules: Rules = NATIONAL) -> list[Play]:
    """List every reading of exactly these cards, in list order; empty where they are no play.

    Raises ValueError for a text that is no card, a card more than twice, or a level that is none.
    Source: national rules art. 2(14), 3, 5.

    >>> [(p.kind.name, p.key) for p in readings("S9 D9 C9 H7 H7", "7")]
    [('FULL_HOUSE', '9'), ('BOMB', '9')]
    """
    ids = card_bytes(cards)
    return [play_of(code, bytes(sorted(ids))) for code in _core.readings(ids, level_rank(level), rules.play_bits())]


def code_of(play: Play, level: str, rules: Rules = NATIONAL) -> int:
    """Code of a play at a level. Raises ValueError if its cards cannot be read as its kind and key."""
    if play.kind == Kind.PASS:
        return 0
    for code in _core.readings(card_bytes(play.cards), level_rank(level), rules.play_bits()):
        if code >> 28 == play.kind and code_key(code) == play.key:
            return code
    raise ValueError(f"{' '.join(play.cards)} cannot be read as {play.kind.name} {play.key} at level {level}")


def beats(play: Play, over: Play, level: str, rules: Rules = NATIONAL) -> bool:
    """Tell whether one play beats another, neither of them PASS. Equal never beats. Source: national rules art. 4.

    >>> beats(Play(Kind.SINGLE, "7", ("S7",)), Play(Kind.SINGLE, "A", ("SA",)), level="7")
    True
    """
    return _core.beats(code_of(play, level, rules), code_of(over, level, rules))


class LegalPlays(Sequence[Play]):
    """The legal plays of one position, as a sequence that builds a play only when it is looked at.

    hand: cards held, at most 28. greater: the play to beat, None to lead. listing: `"all"` has every kind, key and
    multiset of cards once; `"shapes"` leaves suits open, except in straight flushes: one entry for each choice that
    changes the counts left in the hand, shown with the suits that the engine would pick, which keep straight flushes
    whole where they can. Order, in both: PASS first when following, then by kind as `Kind` is ordered, then bombs by
    size, then by power, then the fewest wilds. Raises ValueError for cards, level or `greater` that make no sense.
    """

    def __init__(
        self,
        hand: str | Iterable[str],
        level: str,
        greater: Play | None = None,
        listing: Listing = "all",
        rules: Rules = NATIONAL,
    ) -> None:
        if listing not in ("all", "shapes"):
            raise ValueError(f"{listing!r} is no listing: write 'all' or 'shapes'")
        if greater is not None and greater.kind == Kind.PASS:
            raise ValueError("PASS cannot be beaten: give greater=None to lead")
        to_beat = 0 if greater is None else code_of(greater, level, rules)
        self._level, self._rules = level, rules
        bits = rules.play_bits()
        self._plays = _core.Plays(card_bytes(hand), level_rank(level), to_beat, listing == "all", bits)

    def __len__(self) -> int:
        return len(self._plays)

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        if isinstance(index, slice):
            return [play_of(*self._plays[i]) for i in range(*index.indices(len(self._plays)))]
        return play_of(*self._plays[index])

    def __iter__(self) -> Iterator[Play]:
        return (play_of(code, cards) for code, cards in self._plays)

    def __contains__(self, play: object) -> bool:
        return isinstance(play, Play) and self._find(play) >= 0

    def index(self, value: Play, start: int = 0, stop: int | None = None) -> int:
        """Place of a play; with shapes, of the shape that the play has. ValueError if it is not legal here."""
        found = self._find(value)
        if found not in range(*slice(start, stop).indices(len(self))):
            raise ValueError(f"{value.kind.name} {value.key} {' '.join(value.cards)} is not in the list")
        return found

    def _find(self, play: Play) -> int:
        try:
            return self._plays.index_of(code_of(play, self._level, self._rules), card_bytes(play.cards))
        except ValueError:
            return -1
