"""Make random positions that are rich in plays, small enough for the brute-force listers."""

from collections.abc import Sequence
from random import Random

from tests.slow import brute

Position = tuple[str, Sequence[str], brute.Greater | None]  # level, hand, play to beat or None when leading


def _hand(rng: Random, level: str, wilds: int, size: int) -> list[str]:
    """Draw a hand; so that it holds plays, mostly from one suit, or four or two neighbouring ranks, and the jokers."""
    others = [card for card in brute.PACK for _ in range(2) if card != "H" + level]
    suit, low = rng.choice(brute.SUITS), rng.randrange(13)
    from_low = brute.RANKS[low:] + brute.RANKS
    kept = rng.choice((brute.RANKS + "BR", from_low[:4] + "BR", from_low[:2] + "BR", suit))
    pool = [card for card in others if card[1] in kept or card[0] == kept or card in ("SB", "HR")]
    return rng.sample(pool, size - wilds) + ["H" + level] * wilds


def _play(rng: Random, level: str) -> brute.Greater:
    """Draw a play to beat, every kind that the drawn cards hold being equally likely."""
    listed = sorted(brute.plays(_hand(rng, level, rng.randrange(3), 8), level))
    wanted = rng.choice(sorted({kind for kind, _, _ in listed}))
    kind, key, cards = rng.choice([play for play in listed if play[0] == wanted])
    return kind, key, len(cards)


def random_position(rng: Random, wilds: int, largest: int) -> Position:
    """Draw a level, a hand of at most `largest` cards with exactly `wilds` wilds, and half the time a play to beat."""
    level = rng.choice(brute.RANKS)
    size = max(rng.randint(max(1, wilds), largest) for _ in range(2))
    hand = _hand(rng, level, wilds, size)
    return level, hand, _play(rng, level) if rng.random() < 0.5 else None
