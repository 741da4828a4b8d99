"""A strategy in Python: lay the lowest play, keep bombs for opponents who are close to going out."""

from engine.view import View
from strategies.api import Strategy

SMALLEST_BOMB = 8 << 28  # codes ascend with the kind: straight flushes, bombs and the joker bomb come last


class Lowest(Strategy):
    """The lowest play that needs no bomb; a bomb against an opponent who has few cards; else a pass."""

    zh, en = "出最小的，对手快走完才用炸弹", "lays the lowest, bombs an opponent who is close to going out"
    deterministic = True
    parameters = {"near": (5, 1, 27, "对手剩几张算快走完", "cards with which an opponent is close to going out")}

    def play(self, view: View) -> int:
        """Answer with an index into view.plays, which begins with the pass when there is something to beat."""
        if view.to_beat and view.holder == view.seat ^ 2:
            return 0  # the partner's play stands
        first = 1 if view.to_beat else 0
        opponents = [view.left[seat] for seat in range(4) if seat % 2 != view.seat % 2 and view.left[seat]]
        if view.plays[first] < SMALLEST_BOMB or min(opponents) <= view.parameters["near"]:
            return first
        return 0
