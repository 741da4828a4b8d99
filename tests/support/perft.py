"""Lines of play counted to a depth from fixed positions: a wrong list, turn, wind or ending changes a number.

A leaf is a line of so many moves, passes among them, or a shorter one where the deal ends before. tests/data/perft.json
holds the leaves at depth 1, 2, ... over all plays and over shapes, where suits follow by the engine's choice.
`python -m tests.support.perft` writes it.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from engine.deal import Deal
from engine.notation import read_state
from engine.plays import Listing
from engine.rules import Rules
from engine.ruleset import load_rules
from tests.slow import brute, rulings

FILE = Path(__file__).parent.parent / "data" / "perft.json"
MANY = 4000
"""Depths are counted on until there are so many leaves, or no more for five depths: all deals have then ended."""

POSITIONS = (
    # name, preset, state
    ("four seats lead small cards", "national", "2 S3D3/S4H4/C5D5/S6H6 - 0 -"),
    ("two wilds", "national", "7 H7H7S3/S8D8/C9C9/SASB - 0 -"),
    ("answer a pair", "national", "7 S3D3H7/S9C9/C4C5/HRHR - 1 0:PAIR:2:S2D2:0"),
    ("bombs and a straight flush", "national", "5 S6S7S8S9ST/D3H3S3C3/H5DJDJCJ/SBHR - 0 -"),
    ("the partner takes the wind", "national", "K SA/S3D3C4/HKS5/S6H6 - 0 -"),
    ("the next seat takes the wind", "wind", "K SA/S3D3C4/HKS5/S6H6 - 0 -"),
    ("one seat is out", "national", "A S3S4D4/-/HASADA/SBHR 1 2 -"),
    ("a wild that may not be led", "sheet", "5 SA/S3D3/H5/S4D4 - 0 -"),
    ("nobody has anything to lead", "sheet", "5 S3/H5/H5/S4 - 0 -"),
    ("wilds in a pair of any rank", "odd", "9 H9H9D4/S5D5/C6C6/STDT - 0 -"),
    ("full houses, tubes and plates", "national", "3 S4D4C4S5D5H3/S6D6C6S7D7/C8D8S8/S9 - 0 -"),
    ("two seats are left", "national", "Q -/S3D3HQ/S4H4SBSB/- 03 1 -"),
)

RULES = {
    "wind": Rules(wind_to="next"),
    "odd": Rules(wild_pair_any=True, suited_straight_is_plain=True, copies_beyond_deck=False),
}


def rules_of(name: str) -> Rules:
    """Find a preset, or rules of the table above."""
    return RULES[name] if name in RULES else load_rules(name).rules


def _written(kind: str, key: str, cards: Iterable[str]) -> str:
    return " ".join((kind, key, *sorted(cards)))


def split(deal: Deal, depth: int, listing: Listing) -> Counter[str]:
    """Count the leaves behind each first play."""
    found: Counter[str] = Counter()
    for play in deal.legal_plays(listing):
        after = deal.copy()
        after.play(play)
        found[_written(play.kind.name, play.key, play.cards)] += leaves(after, depth - 1, listing)
    return found


def leaves(deal: Deal, depth: int, listing: Listing = "all") -> int:
    """Count the leaves at this depth with the engine."""
    if depth == 0 or deal.over:
        return 1
    return len(deal.legal_plays(listing)) if depth == 1 else split(deal, depth, listing).total()


class SlowDeal:
    """The same position for the slow references, which share no code with the engine: over all plays only."""

    def __init__(self, deal: Deal) -> None:
        """Copy a position that is on lead, or whose trick is told."""
        assert deal.turn is not None
        self.level, self.rules = deal.level, deal.rules
        self.hands = [Counter(hand) for hand in deal.hands]
        self.trick = rulings.Trick(deal.turn, deal.order, deal.rules)
        self.lies: brute.Greater | None = None
        if deal.trick is not None:
            assert deal.trick.passes == 0, "no position of the table has passes"
            play = deal.trick.play
            self.trick.holder, self.lies = deal.trick.holder, (play.kind.name, play.key, len(play.cards))

    def moves(self) -> list[brute.Play]:
        """List what the seat in turn may do."""
        hand = list(self.hands[self.trick.turn].elements())
        return sorted(brute.plays(hand, self.level, self.lies, self.rules))

    def after(self, move: brute.Play) -> "SlowDeal | None":
        """Make a move on a copy; None where the deal is over."""
        new = object.__new__(SlowDeal)
        new.level, new.rules, new.hands, new.lies = self.level, self.rules, list(self.hands), self.lies
        new.trick = rulings.Trick(self.trick.turn, self.trick.out, self.rules)
        vars(new.trick).update(vars(self.trick) | {"out": list(self.trick.out)})
        seat = self.trick.turn
        if move == brute.PASS:
            new.trick.give_up(seat)
        else:
            new.hands[seat] = self.hands[seat] - Counter(move[2])
            new.lies = (move[0], move[1], len(move[2]))
            new.trick.play(seat, goes_out=not new.hands[seat])
        if new.trick.deal_over:
            return None
        if new.trick.over:
            wild = "H" + self.level
            leader = new.trick.next_leader([s for s in range(4) if new.hands[s] == Counter([wild])])
            if leader is None:
                return None
            new.trick, new.lies = rulings.Trick(leader, new.trick.out, self.rules), None
        return new


def slow_leaves(deal: SlowDeal | None, depth: int) -> int:
    """Count the leaves at this depth with the slow references, over all plays."""
    if depth == 0 or deal is None:
        return 1
    return sum(slow_leaves(deal.after(move), depth - 1) for move in deal.moves())


def slow_split(deal: SlowDeal, depth: int) -> Counter[str]:
    """Count as `split` does, with the slow references."""
    return Counter({_written(*move): slow_leaves(deal.after(move), depth - 1) for move in deal.moves()})


def row(preset: str, state: str) -> dict[str, list[int]]:
    """Count one position, depth by depth."""
    counted: dict[str, list[int]] = {}
    listings: tuple[Listing, ...] = ("all", "shapes")
    for listing in listings:
        numbers: list[int] = []
        while not numbers or (numbers[-1] < MANY and numbers[-5:] != 5 * [numbers[-1]]):
            numbers.append(leaves(read_state(state, rules_of(preset)), len(numbers) + 1, listing))
        counted[listing] = numbers
    return counted


def table() -> list[dict[str, object]]:
    """Compute the table as it is stored."""
    return [{"name": n, "rules": rules, "state": state, **row(rules, state)} for n, rules, state in POSITIONS]


if __name__ == "__main__":
    FILE.write_text("[\n" + ",\n".join(json.dumps(line) for line in table()) + "\n]\n")
