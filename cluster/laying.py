"""Write a play as players lay it: the order of its cards, and a sequence by its first and last rank."""

from __future__ import annotations

from engine.layout import SEQUENCES, ranks_of
from engine.plays import Kind, Play


def laid_out(play: Play, level: str) -> list[str]:
    """Order the cards of a play as the platforms do.

    Sequences ascend, with a wild where the card it replaces would lie; a full house is the triple, then the pair;
    elsewhere wilds come last.
    """
    wild = "H" + level
    wilds = [card for card in play.cards if card == wild]
    naturals = [card for card in play.cards if card != wild]
    if play.kind == Kind.FULL_HOUSE:
        triple = [card for card in naturals if card[1] == play.key]
        pair = [card for card in naturals if card[1] != play.key]
        missing = 3 - len(triple)
        return [*triple, *wilds[:missing], *pair, *wilds[missing:]]
    if play.kind not in SEQUENCES:
        return naturals + wilds
    copies = SEQUENCES[play.kind][1]
    laid: list[str] = []
    for rank in ranks_of(play):
        held = [card for card in naturals if card[1] == rank]
        laid += held
        laid += [wilds.pop() for _ in range(copies - len(held))]
    return laid


def span(play: Play) -> tuple[str, str] | None:
    """Give the first and the last rank of a sequence, ("T", "A") for the highest straight; None for other kinds.

    >>> span(Play(Kind.STRAIGHT, "A", ("SA", "H2", "C3", "D4", "S5")))
    ('A', '5')
    """
    if play.kind not in SEQUENCES:
        return None
    ranks = ranks_of(play)
    return ranks[0], ranks[-1]
