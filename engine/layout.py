"""Cards as they lie on a table, read from left to right: which play they are, where nothing or little is said.

A play of this project always names its reading. People lay cards and speak only where they must; this is how what they
laid becomes a play. cluster.laying is the other way: how a play is laid.
"""

from collections.abc import Sequence

from engine.cards import LEVELS, level_rank
from engine.plays import Kind, Play, readings
from engine.rules import NATIONAL, Rules

SEQUENCES = {Kind.TUBE: (3, 2), Kind.PLATE: (2, 3), Kind.STRAIGHT: (5, 1), Kind.STRAIGHT_FLUSH: (5, 1)}
"""Kinds that run: ranks in a row, cards of each."""


def ranks_of(play: Play) -> str:
    """Give the ranks of a sequence from its lowest; the ace counts one under the key A. ValueError for another play.

    >>> ranks_of(Play(Kind.TUBE, "A", ("SA", "HA", "S2", "H2", "S3", "H3")))
    'A23'
    """
    if play.kind not in SEQUENCES:
        raise ValueError(f"{play.kind.name} {play.key} is no sequence")
    first = 0 if play.key == "A" else level_rank(play.key) + 1
    return ("A" + LEVELS)[first : first + SEQUENCES[play.kind][0]]


def read_laid(
    cards: str | Sequence[str], level: str, said: tuple[Kind, str] | None = None, rules: Rules = NATIONAL
) -> Play:
    """Read cards from left to right, with the kind and key that were announced (said), None for nothing.

    What was said holds if the cards bear it, wherever the wilds lie. Where nothing was said a wild (逢人配) stands
    for the card at whose place it lies: sequences ascend, a full house is the triple, then the pair, elsewhere any
    order will do. Of readings that lie alike, the one holds in which the most wilds stand for their own rank, then the
    lesser kind: who wants more must say so. Raises ValueError where no reading fits or the cards do not bear what was
    said.
    Source: national rules art. 5(2), 8(2); sheet section 6; Zhuozhou part 3 item 6(1).

    >>> read_laid("HK SA DA S4 D4", "K").key
    'A'
    >>> read_laid("S4 D4 HK SA DA", "K", (Kind.FULL_HOUSE, "4")).key
    '4'
    """
    laid = cards.split() if isinstance(cards, str) else list(cards)
    known = readings(laid, level, rules)
    text = " ".join(laid)
    if said is not None:
        kind, key = said
        for play in known:
            if (play.kind, play.key) == (kind, key):
                return play
        able = ", ".join(f"{play.kind.name} {play.key}" for play in known) or "no play"
        raise ValueError(f"{text} was said to be {kind.name} {key} and is {able} at level {level}")
    moved = {play: count for play in known if (count := _wilds_moved(laid, play, level)) is not None}
    if not moved:
        raise ValueError(f"{text} lies as no play at level {level}: announce the kind and the key, or lay it in order")
    return min(moved, key=lambda play: moved[play])  # the first of equals: readings stand in the order of their kinds


def _wilds_moved(laid: Sequence[str], play: Play, level: str) -> int | None:
    """Count the wilds that lie at the place of another rank; None where a natural card does."""
    moved = 0
    for card, rank in zip(laid, _ranks_by_place(laid, play, level), strict=True):
        if card == "H" + level:
            moved += rank != level
        elif card[1] != rank:
            return None
    return moved


def _ranks_by_place(laid: Sequence[str], play: Play, level: str) -> str:
    """Give the rank that belongs at each place, from left to right."""
    if play.kind in SEQUENCES:
        return "".join(rank * SEQUENCES[play.kind][1] for rank in ranks_of(play))
    if play.kind == Kind.FULL_HOUSE:
        pair = next((card[1] for card in laid[3:] if card != "H" + level), level)
        return play.key * 3 + pair * 2
    if play.kind == Kind.JOKER_BOMB:
        return "".join(card[1] for card in laid)
    return play.key * len(laid)
