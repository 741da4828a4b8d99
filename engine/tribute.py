"""Tribute (进贡), return (还贡) and refusal (抗贡) after a deal. Source: national rules art. 10."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import _core
from engine.cards import CARDS, card_bytes, card_texts, level_rank, parse_cards
from engine.rules import NATIONAL, Rules

TRIBUTES = ("none", "single", "double", "single_refused", "double_refused")
"""What the last deal made due, and whether it was refused."""


@dataclass(frozen=True)
class Due:
    """Tribute due: one of TRIBUTES, the payers in the order in which they are asked, and who would receive."""

    kind: str
    payers: tuple[int, ...]
    receivers: tuple[int, ...]

    @property
    def refused(self) -> bool:
        """The payers hold both big jokers between them."""
        return self.kind.endswith("refused")


def tribute_due(order: Sequence[int], hands: Sequence[str | Sequence[str]], rules: Rules = NATIONAL) -> Due:
    """Tell who owes tribute after a finishing order, given the new hands before tribute.

    The last pays the first, partner or not; after a double-down both losers pay. Two big jokers among the payers
    refuse it for all of them.
    """
    kind, payers, receivers = _core.tribute_due(rules.core(), bytes(tuple(order)), tuple(card_bytes(h) for h in hands))
    return Due(TRIBUTES[kind], tuple(payers), tuple(receivers))


def pair_tribute(
    order: Sequence[int], level: str, paid: dict[int, str], rules: Rules = NATIONAL
) -> tuple[tuple[int, int, str], ...]:
    """Match payers with receivers: (payer, receiver, card); the first of them pays the first finisher and leads.

    paid: card by paying seat, one or two of them. Of two, the more powerful card goes to the first. Raises ValueError
    where others pay than owe.
    """
    seats, rank = bytes(tuple(order)), level_rank(level)
    _, payers, receivers = _core.tribute_due(rules.core(), seats, (b"",) * 4)
    if set(paid) != set(payers):
        due = sorted(payers)
        raise ValueError(f"tribute paid by seats {sorted(paid)}: after the order {list(seats)} it is due from {due}")
    cards = parse_cards([paid[payer] for payer in payers])
    if len(cards) < 2:
        return tuple(zip(payers, receivers, card_texts(cards), strict=True))
    moves = _core.tribute_pair(rules.core(), seats, rank, (cards[0], cards[1]))
    return tuple((payer, receiver, CARDS[card]) for payer, receiver, card in moves)


def tribute_options(hand: str | Sequence[str], level: str) -> tuple[str, ...]:
    """List the cards that may be paid: all of the greatest power, the wild excepted.

    >>> tribute_options("H7 SA DA SK", "7")
    ('SA', 'DA')
    """
    return card_texts(_core.tribute_options(card_bytes(hand), level_rank(level)))


def return_options(hand: str | Sequence[str], level: str, rules: Rules = NATIONAL) -> tuple[str, ...]:
    """List the cards that may be returned: printed ten or lower and no level card; the weakest where there is none."""
    return card_texts(_core.return_options(rules.core(), card_bytes(hand), level_rank(level)))


def tribute_leader(
    order: Sequence[int],
    level: str,
    moves: Sequence[tuple[int, int, str]],
    returned: dict[int, str],
    rules: Rules = NATIONAL,
) -> int:
    """Tell who leads after the exchange. moves: as pair_tribute gives them; returned: card by the payer who gets it.

    Raises ValueError where the cards returned are not those of the payers.
    """
    if set(returned) != {payer for payer, *_ in moves}:
        raise ValueError(f"cards are returned to seats {sorted(returned)}: give one for each payer in {list(moves)}")
    made = []
    for payer, _, given in moves:
        card, back = parse_cards([given, returned[payer]])
        made.append((payer, card, back))
    return _core.tribute_leader(rules.core(), bytes(tuple(order)), level_rank(level), tuple(made))
