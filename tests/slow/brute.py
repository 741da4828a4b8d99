"""List plays by brute force under the national rules (竞技掼蛋竞赛规则, articles 2 to 5) or others.

Nothing here is shared with the engine but the names of the rule points: every sub-multiset of a hand is tried, every
wild (逢人配, the heart of the level) is replaced by every rank and suit, and what then lies there is compared with the
ten definitions of article 3. Slow and plain on purpose; use hands of up to about a dozen cards.

Cards are texts such as "S5", "HT", "SB", "HR". A play is (kind, key, cards): the key is the rank letter, for
sequences the lowest rank ("A" when the ace counts 1), "B" and "R" for jokers, "JOKER" for the four jokers.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement, product

from engine.rules import NATIONAL, Rules

RANKS = "23456789TJQKA"
SUITS = "SHCD"
PACK: tuple[str, ...] = (*(suit + rank for rank in RANKS for suit in SUITS), "SB", "HR")
"""The 54 different cards by id, 4 * rank + suit, then the small and the big joker; each exists twice."""

KINDS = (
    "PASS",
    "SINGLE",
    "PAIR",
    "TRIPLE",
    "TUBE",
    "FULL_HOUSE",
    "PLATE",
    "STRAIGHT",
    "STRAIGHT_FLUSH",
    "BOMB",
    "JOKER_BOMB",
)
PASS: "Play" = ("PASS", "PASS", ())

Reading = tuple[str, str]  # kind, key
Play = tuple[str, str, tuple[str, ...]]  # kind, key, cards in text order
Greater = tuple[str, str, int]  # kind, key, number of cards of the play to beat
Shape = tuple[str, str, tuple[tuple[str, int], ...], int, str]

LARGEST_PLAY = 10  # eight cards of a rank and both wilds

_ACE_LOW = "A" + RANKS  # article 4(1)2: in sequences the ace may also count 1
_SEQUENCES = frozenset({"TUBE", "PLATE", "STRAIGHT", "STRAIGHT_FLUSH"})


_RUNS = {
    (kind, "".join(sorted(window * copies))): window[0]
    for kind, length, copies in (("STRAIGHT", 5, 1), ("TUBE", 3, 2), ("PLATE", 2, 3))
    for window in (_ACE_LOW[i : i + length] for i in range(len(_ACE_LOW) - length + 1))
}
"""Lowest rank of each sequence by its kind and its sorted ranks."""


@cache
def _kinds_of_ranks(ranks: str) -> frozenset[Reading]:
    """Tell what these concrete, sorted ranks (no wild left) are; suits aside, so that a flush is still a STRAIGHT."""
    found: set[Reading] = set()
    count = Counter(ranks)
    size = len(ranks)
    if len(count) == 1:
        rank = ranks[0]
        if size == 1:
            found.add(("SINGLE", rank))
        if size == 2:
            found.add(("PAIR", rank))
        if size == 3:
            found.add(("TRIPLE", rank))
        if size >= 4:
            found.add(("BOMB", rank))
    if size == 5 and sorted(count.values()) == [2, 3]:
        found.add(("FULL_HOUSE", next(rank for rank, n in count.items() if n == 3)))
    for kind in ("STRAIGHT", "TUBE", "PLATE"):
        if (kind, ranks) in _RUNS:
            found.add((kind, _RUNS[kind, ranks]))
    if count == Counter("BBRR"):
        found.add(("JOKER_BOMB", "JOKER"))
    return frozenset(found)


@cache
def _rank_readings(natural_ranks: str, wilds: int, level: str) -> frozenset[Reading]:
    """Replace the wilds by every rank but the jokers (article 2(14)) and collect what the cards can be."""
    found: set[Reading] = set()
    for substitutes in combinations_with_replacement(RANKS, wilds):
        for kind, key in _kinds_of_ranks("".join(sorted(natural_ranks + "".join(substitutes)))):
            # Two wilds that are a pair by themselves are the pair of the level (case C08), in a full house too.
            wild_pair = kind == "FULL_HOUSE" and wilds == 2 and len(set(natural_ranks)) == 1
            if wild_pair and substitutes != (level, level):
                continue
            found.add((kind, key))
    return frozenset(found)


def readings(cards: Sequence[str], level: str, rules: Rules = NATIONAL) -> set[Reading]:
    """List all (kind, key) that exactly these cards can be played as.

    Several keys or kinds are usual when a wild is among them; the empty set means the cards are no play. A straight
    with a wild and naturals of one suit is a STRAIGHT and a STRAIGHT_FLUSH (cases C23, C29, C64); five naturals of
    one suit are only the flush (C22). Rule points: B2, B3, B5, C14.
    """
    wild = "H" + level
    naturals = [card for card in cards if card != wild]
    wilds = len(cards) - len(naturals)
    if wilds > 2:
        raise ValueError(f"{wilds} wilds {wild}: two packs hold 2")
    if not naturals:  # alone, wilds stand for themselves (cases C01, C08)
        single = {("SINGLE", level)} if rules.wild_single else set()
        pair = {("PAIR", rank) for rank in (RANKS if rules.wild_pair_any else level)}
        return {1: single, 2: pair}.get(wilds, set())
    if len(cards) > 8 and not rules.copies_beyond_deck:  # the deck has eight cards of a rank, the wilds among them
        return set()
    if len(cards) > 6 and len({card[1] for card in naturals}) > 1:
        return set()  # only bombs have more than six cards; spares most of the work
    found: set[Reading] = set()
    for kind, key in _rank_readings("".join(sorted(card[1] for card in naturals)), wilds, level):
        if kind != "STRAIGHT":
            found.add((kind, key))
            continue
        for suits in product(SUITS, repeat=wilds):
            one_suit = len({card[0] for card in naturals} | set(suits)) == 1
            if one_suit:
                found.add(("STRAIGHT_FLUSH", key))
            if not one_suit or rules.suited_straight_is_plain:
                found.add(("STRAIGHT", key))
    return found


def power(card_or_rank: str, level: str) -> int:
    """Rank a single card (or rank letter) by article 4(1)1: jokers, level, then A down to 2; equal means equal."""
    rank = card_or_rank[-1]
    return (RANKS.replace(level, "") + level + "BR").index(rank)


def _bomb_class(kind: str, size: int) -> float:
    """Order article 4(2)(二): four jokers, more than five, straight flush, five, four, then everything else (0)."""
    if kind == "JOKER_BOMB":
        return 100.0
    if kind == "STRAIGHT_FLUSH":
        return 5.5
    return float(size) if kind == "BOMB" else 0.0


def beats(kind: str, key: str, size: int, over_kind: str, over_key: str, over_size: int, level: str) -> bool:
    """Tell whether the first play is strictly greater than the second; equal plays and other kinds are not."""
    mine, theirs = _bomb_class(kind, size), _bomb_class(over_kind, over_size)
    if mine != theirs:
        return mine > theirs
    if kind != over_kind or size != over_size or kind == "JOKER_BOMB":
        return False
    if kind in _SEQUENCES:  # printed order, the level has no weight (article 5.1)
        return _ACE_LOW.index(key) > _ACE_LOW.index(over_key)
    return power(key, level) > power(over_key, level)


def sub_multisets(hand: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every different non-empty choice of cards, at most ten of them, each in text order."""
    counted = sorted(Counter(hand).items())
    for picks in product(*(range(n + 1) for _, n in counted)):
        if 0 < sum(picks) <= LARGEST_PLAY:
            yield tuple(card for (card, _), n in zip(counted, picks, strict=True) for _ in range(n))


def plays(hand: Sequence[str], level: str, greater: Greater | None = None, rules: Rules = NATIONAL) -> set[Play]:
    """List every play of the hand: all that may be led, or PASS and all that beat `greater` (kind, key, size)."""
    found: set[Play] = set()
    for cards in sub_multisets(hand):
        for kind, key in readings(cards, level, rules):
            if greater is None or beats(kind, key, len(cards), *greater, level):
                found.add((kind, key, cards))
    if greater is not None:
        found.add(PASS)
    return found


def shape(play: Play, level: str) -> Shape:
    """Project one play: (kind, key, ((natural rank, how many), ...), number of wilds, suit of a flush or "")."""
    kind, key, cards = play
    naturals = [card for card in cards if card != "H" + level]
    ranks = tuple(sorted(Counter(card[1] for card in naturals).items()))
    return kind, key, ranks, len(cards) - len(naturals), naturals[0][0] if kind == "STRAIGHT_FLUSH" else ""


def shapes(listed: Iterable[Play], level: str) -> set[Shape]:
    """Project a list to what differs when suits are collapsed: every choice that changes the counts left over."""
    return {shape(play, level) for play in listed}
