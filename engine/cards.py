"""Cards as text and as ids.

A card is two characters, suit then rank: `S H C D` + `2-9 T J Q K A`; the small joker is `SB`, the big joker `HR`. Its
id is `4 * rank + suit` with ranks 0..12 = 2..A and suits in the order S H C D; 52 is the small joker, 53 the big one.
"""

from collections.abc import Iterable

RANKS = "23456789TJQKA"
LEVELS = RANKS
SUITS = "SHCD"
SMALL_JOKER, BIG_JOKER = "SB", "HR"

CARDS: tuple[str, ...] = (*(suit + rank for rank in RANKS for suit in SUITS), SMALL_JOKER, BIG_JOKER)
"""Card texts by id."""

_ID = {text: card for card, text in enumerate(CARDS)}


def parse_cards(cards: str | Iterable[str]) -> list[int]:
    """Read card texts, a blank-separated string or several texts, into ids.

    Raises ValueError naming the first text that is no card.

    >>> parse_cards("S2 H2 HR")
    [0, 1, 53]
    """
    texts = cards.split() if isinstance(cards, str) else cards
    ids = []
    for text in texts:
        card = _ID.get(text)
        if card is None:
            raise ValueError(f"{text!r} is no card: write suit S H C D and rank 2-9 T J Q K A, or SB, HR")
        ids.append(card)
    return ids


def card_bytes(cards: str | Iterable[str]) -> bytes:
    """Read card texts into bytes of ids, the form in which the C core takes cards."""
    return bytes(parse_cards(cards))


def card_texts(ids: Iterable[int]) -> tuple[str, ...]:
    """Write ids as card texts; ValueError for an id that is none."""
    known = tuple(ids)
    if known and not 0 <= min(known) <= max(known) < len(CARDS):
        raise ValueError(f"card ids are 0..{len(CARDS) - 1}, not {list(known)}")
    return tuple(CARDS[card] for card in known)


def level_rank(level: str) -> int:
    """Rank 0..12 of a level letter; ValueError names the letters there are.

    >>> level_rank("A")
    12
    """
    if len(level) != 1 or level not in LEVELS:
        raise ValueError(f"{level!r} is no level: write one of {' '.join(LEVELS)}")
    return LEVELS.index(level)
