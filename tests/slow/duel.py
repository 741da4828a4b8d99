"""The last two seats of a deal, by brute force over all they can lay: who goes out first if both know all."""

from collections import Counter
from functools import cache

from tests.slow import brute


@cache
def wins(mine: tuple[str, ...], theirs: tuple[str, ...], level: str, over: brute.Greater | None = None) -> bool:
    """Tell whether the seat in turn goes out first. over: the play of the other seat to beat; None: the turn leads."""
    return any(wins_after(mine, theirs, level, play) for play in options(mine, level, over))


def options(mine: tuple[str, ...], level: str, over: brute.Greater | None) -> list[brute.Play]:
    """List what may be laid, largest first, and the pass where there is a play to beat."""
    laid = sorted(brute.plays(mine, level, over) - {brute.PASS}, key=lambda play: -len(play[2]))
    return laid if over is None else [*laid, brute.PASS]


def wins_after(mine: tuple[str, ...], theirs: tuple[str, ...], level: str, play: brute.Play) -> bool:
    """Tell whether the seat in turn goes out first if it lays `play`, or passes."""
    kind, key, cards = play
    if kind == "PASS":
        return not wins(theirs, mine, level)
    rest = tuple(sorted((Counter(mine) - Counter(cards)).elements()))
    return not rest or not wins(theirs, rest, level, (kind, key, len(cards)))
