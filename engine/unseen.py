"""A position as one player knows it: other hands written as their number of cards, `?27`.

They are filled with cards that nobody has shown, so that the plays given can be made. What a seat sees is the same
however they are filled.
"""

from collections import Counter
from collections.abc import Iterable

from engine.cards import CARDS
from engine.deal import Deal
from engine.notation import RecordError, card_list, read_play, read_state, words_of
from engine.rules import NATIONAL, Rules

_DECK = Counter(dict.fromkeys(CARDS, 2))


def hidden_seats(text: str) -> frozenset[int]:
    """Give the seats whose hands a record writes as `?N` and leaves open: none where the other cards tell the one hand.

    >>> sorted(hidden_seats("2 ?27/?27/S2H2/?27 - 0 -"))
    [0, 1, 3]
    """
    parts = words_of(text)[1:2]
    hidden = (
        frozenset(seat for seat, part in enumerate(parts[0].split("/")) if part[:1] == "?") if parts else frozenset()
    )
    return hidden if len(hidden) > 1 else frozenset()


def fill_unseen(text: str, rules: Rules = NATIONAL) -> str:
    """Write a record with hands `?N` as one whose four hands are known; any other text comes back as it is.

    Every card must be accounted for: the hands and the play on the table are the two packs. RecordError says where they
    are not, or which play cannot be made of cards that are left.

    >>> fill_unseen("7 S3D3H7/S9/C4C5/HR - 0 -")
    '7 S3D3H7/S9/C4C5/HR - 0 -'
    """
    words = words_of(text)
    if len(words) < 5 or "?" not in words[1] or words[1].count("/") != 3:
        return text
    level, hands, out, first, trick = words[:5]
    parts = hands.split("/")
    known = [() if part == "-" or part[:1] == "?" else card_list(part) for part in parts]
    hidden = {seat: _count(part) for seat, part in enumerate(parts) if part[:1] == "?"}
    laid = card_list(trick.split(":")[3]) if trick.count(":") == 4 else ()
    there = Counter(card for cards in (*known, laid) for card in cards)
    pool = sorted((_DECK - there).elements(), key=CARDS.index)
    total = there.total() + sum(hidden.values())
    for card, count in there.items():
        if count > _DECK[card]:
            raise RecordError(
                f"{card} stands there {count} times; there are two", f"{card} 写了 {count} 次；一共只有两张"
            )
    if total != 108:
        raise RecordError(
            f"HANDS with ? and TRICK have {total} cards, not 108: begin where all are held, and write the plays",
            f"带 ? 的 HANDS 与 TRICK 共 {total} 张，不是 108 张：请从各家牌都在手时写起，再写各手牌",
        )
    held: list[tuple[str, ...]] = list(known)
    for seat, count in hidden.items():
        held[seat], pool = tuple(pool[:count]), pool[count:]
    shown: dict[int, list[str]] = {seat: [] for seat in hidden}
    deal = read_state(" ".join((level, _written(held), out, first, trick)), rules)
    for number, word in enumerate(words[5:], start=1):
        turn = deal.turn
        if turn in hidden and word != "-":
            cards = card_list(word.rpartition(":")[2])
            deal = _with(deal, turn, cards, hidden, number)
            shown[turn] += cards
        deal.play(read_play(deal, word, number))
    for seat in range(4):
        held[seat] = known[seat] if seat not in hidden else (*shown[seat], *deal.hands[seat])
    return " ".join((level, _written(held), out, first, trick, *words[5:]))


def _written(hands: Iterable[Iterable[str]]) -> str:
    return "/".join("".join(hand) or "-" for hand in hands)


def _count(part: str) -> int:
    number = part[1:]
    if not (number.isascii() and number.isdecimal() and 1 <= int(number) <= 28):
        raise RecordError(
            f"HANDS: {part!r} is no number of unseen cards; write ? and 1 to 28, as in ?27",
            f"HANDS：{part!r} 不是看不见的牌数；请写 ? 和 1 到 28，如 ?27",
        )
    return int(number)


def _with(deal: Deal, seat: int, cards: Iterable[str], hidden: Iterable[int], number: int) -> Deal:
    """Exchange cards between the hidden hands so that a seat holds these, as far as they are there."""
    hands = [Counter(hand) for hand in deal.hands]
    missing = Counter(cards) - hands[seat]
    spare = hands[seat] - Counter(cards)
    for card in missing.elements():
        giver = next((other for other in hidden if other != seat and hands[other][card]), None)
        if giver is None or not spare:
            raise RecordError(
                f"play {number}: seat {seat} cannot hold {card}; all of them are shown elsewhere",
                f"第 {number} 手：{seat} 位不可能有 {card}；它们都已在别处出现",
            )
        other_card = next(spare.elements())
        spare[other_card] -= 1
        hands[seat] += Counter([card])
        hands[seat] -= Counter([other_card])
        hands[giver] += Counter([other_card])
        hands[giver] -= Counter([card])
        spare = +spare
    assert deal.turn is not None
    order = [sorted(hand.elements(), key=CARDS.index) for hand in hands]
    return Deal(order, deal.level, deal.turn, deal.order, deal.rules, deal.trick)
