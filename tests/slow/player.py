"""Play deals with random but legal moves, for the tests of the referee; the rules are those of its neighbours."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from engine.rules import NATIONAL, Rules
from tests.slow import rulings
from tests.slow.brute import PACK, RANKS, SUITS, Greater, Reading, beats, readings
from tests.slow.referee import Event, MatchState, Referee

_RUNS = tuple(
    ("A" + RANKS)[low : low + length] * copies
    for length, copies in ((5, 1), (3, 2), (2, 3))
    for low in range(15 - length)
)


def deal(rng: Random) -> list[list[str]]:
    """Deal two packs to four seats."""
    pack = [*PACK, *PACK]
    rng.shuffle(pack)
    return [pack[seat::4] for seat in range(4)]


def _take(naturals: Sequence[str], wilds: Sequence[str], ranks: str) -> list[str]:
    """Collect one card for every letter of `ranks`, wilds filling up; empty where there are not enough."""
    left, taken = list(naturals), []
    for rank in ranks:
        card = next((card for card in left if card[1] == rank), None)
        if card is not None:
            left.remove(card)
            taken.append(card)
    missing = len(ranks) - len(taken)
    return taken + list(wilds[:missing]) if missing <= len(wilds) else []


def _groups(rng: Random, hand: Sequence[str], level: str) -> Iterator[list[str]]:
    """Yield groups of cards that may be plays: equal cards, runs, full houses, the jokers; by far not all there are."""
    naturals = [card for card in hand if card != "H" + level]
    wilds = [card for card in hand if card == "H" + level]
    rng.shuffle(naturals)
    held = Counter(card[1] for card in naturals)
    if wilds:
        yield wilds
        yield wilds[:1]
    for rank, n in held.items():
        for size in range(1, n + len(wilds) + 1):
            yield _take(naturals, wilds, rank * size)
    for run in _RUNS:
        yield _take(naturals, wilds, run)
        if len(run) == 5:
            for suit in SUITS:
                yield _take([card for card in naturals if card[0] == suit], wilds, run)
    for triple in held:
        yield _take(naturals, wilds, triple * 3 + rng.choice(list(held)) * 2)
    yield _take(naturals, [], "BBRR")


def _moves(
    rng: Random, hand: Sequence[str], level: str, over: Greater | None, rules: Rules
) -> list[tuple[Reading, list[str]]]:
    """List some legal plays: any on lead, else such as beat `over`."""
    found = []
    for cards in _groups(rng, hand, level):
        for kind, key in sorted(readings(cards, level, rules)):
            if over is None or beats(kind, key, len(cards), *over, level):
                found.append(((kind, key), cards))
    return found


def play_deal(
    rng: Random, hands: Sequence[Sequence[str]], state: MatchState, leg: int, rules: Rules = NATIONAL
) -> tuple[Referee, list[Event]]:
    """Play one deal to its end; return the referee that watched it and the events."""
    referee = Referee(hands, state, leg, rules)
    events: list[Event] = []

    def tell(*event: object) -> None:
        referee.step(event)
        events.append(event)

    def cards_of(seat: int) -> list[str]:
        return sorted(referee.hands[seat].elements())

    if referee.refusal_due:
        tell("refused", referee.payers)
    elif referee.payers:
        for payer in referee.payers:
            tell("tribute", payer, rng.choice(sorted(rulings.tribute_cards(cards_of(payer), referee.level))))
        for payer, receiver, _ in referee.moves:
            legal = rulings.return_cards(cards_of(receiver), referee.level, rules)
            tell("return", receiver, payer, rng.choice(sorted(legal)))
    leader = referee.first_leader()
    tell("lead", rng.randrange(4) if leader is None else leader)
    while (turn := referee.to_move()) is not None:
        seat, over = turn
        if referee.trick is not None and referee.trick.wind(referee.lone_wilds()):
            tell("wind", seat)
        moves = _moves(rng, cards_of(seat), referee.level, over, rules)
        if not moves or (over is not None and rng.random() < 0.4):
            tell("pass", seat)
            continue
        (kind, key), cards = rng.choice(moves)
        tell("play", seat, kind, key, cards)
        if not referee.hands[seat]:
            tell("out", seat)
    holder = referee.trick.holder if referee.trick is not None else None
    seats = [seat % 4 for seat in range(holder or 0, (holder or 0) + 4)]
    tell("end", [*referee.out, *(seat for seat in seats if seat not in referee.out)])
    return referee, events
