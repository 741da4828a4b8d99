"""Plays of every shape that a hand can have, built from the definitions of the kinds; draws of plays and hands."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random

from engine.cards import RANKS
from engine.plays import Kind, Play, readings
from tests.slow import brute

DOUBLE_PACK = [card for card in brute.PACK for _ in range(2)]


def every_shape(level: str) -> Iterator[tuple[Kind, str, list[str]]]:
    """Build cards for every shape that any hand can have: for each kind and key, each way to use up to two wilds."""
    naturals = {
        rank: [card for card in DOUBLE_PACK if card[1] == rank and card != "H" + level] for rank in RANKS + "BR"
    }
    naturals["B"], naturals["R"] = ["SB", "SB"], ["HR", "HR"]
    kinds = [(Kind(size), [(rank, size)]) for size in (1, 2, 3) for rank in RANKS + "BR"[: 2 * (size < 3)]]
    kinds += [(Kind.BOMB, [(rank, size)]) for size in range(4, 11) for rank in RANKS]
    kinds += [(Kind.FULL_HOUSE, [(a, 3), (b, 2)]) for a in RANKS for b in RANKS + "BR" if a != b]
    for kind, length, copies in ((Kind.TUBE, 3, 2), (Kind.PLATE, 2, 3), (Kind.STRAIGHT, 5, 1)):
        for low in range(15 - length):
            kinds.append((kind, [(rank, copies) for rank in ("A" + RANKS)[low : low + length]]))
    for kind, slots in kinds:
        suits = ["", *brute.SUITS] if kind == Kind.STRAIGHT else [""]
        for suit, wilds in product(suits, product(*(range(min(n, 2) + 1) for _, n in slots))):
            cards: list[str] = []
            for i, ((rank, n), w) in enumerate(zip(slots, wilds, strict=True)):
                fitting = [card for card in naturals[rank] if not suit or card[0] == suit]
                if kind == Kind.STRAIGHT and not suit and rank != level:
                    fitting = fitting[2 * (i % 2) :]  # mix the suits
                if (
                    n - w > len(fitting)
                    or (w and rank in "BR")
                    or (w == n and len(slots) < 3 and n < 3 and rank != level)
                ):
                    break
                cards += fitting[: n - w]
            else:
                if sum(wilds) <= 2:
                    yield Kind.STRAIGHT_FLUSH if suit else kind, slots[0][0], cards + ["H" + level] * sum(wilds)
    yield Kind.JOKER_BOMB, "JOKER", ["SB", "SB", "HR", "HR"]


@cache
def model_plays(level: str) -> dict[tuple[Kind, str, int], Play]:
    """Build one play of every kind, key and size."""
    plays = [reading for _, _, cards in every_shape(level) for reading in readings(cards, level)]
    return {(play.kind, play.key, len(play.cards)): play for play in plays}


def some_plays(rng: Random, level: str, number: int) -> list[Play]:
    """Draw plays to beat, every kind being equally likely."""
    by_kind: dict[Kind, list[Play]] = {}
    for play in model_plays(level).values():
        by_kind.setdefault(play.kind, []).append(play)
    return [rng.choice(by_kind[rng.choice(list(by_kind))]) for _ in range(number)]


def random_hand(rng: Random, size: int = 27) -> list[str]:
    return rng.sample(DOUBLE_PACK, size)


def suited_hand(rng: Random, level: str) -> list[str]:
    """Draw up to 27 cards, mostly of two suits and with the wilds, where straight flushes compete for cards."""
    suits = rng.sample("SHCD", 2)
    pool = [card for card in DOUBLE_PACK if card[0] in suits and card != "H" + level and card not in ("SB", "HR")]
    return rng.sample(pool, rng.randint(8, 25)) + ["H" + level] * rng.randrange(3)


def hands_of_all_sizes(number: int, seed: int) -> Iterator[tuple[Random, str, list[str]]]:
    """Draw hands of 27 cards mostly, some of fewer, some rich in suits, at all levels."""
    rng = Random(seed)
    for i in range(number):
        level = RANKS[i % 13]
        yield (
            rng,
            level,
            suited_hand(rng, level) if i % 3 == 2 else random_hand(rng, 27 if i % 3 else rng.randint(1, 27)),
        )
