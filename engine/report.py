"""Announcing how many cards one has left (报牌). It binds people; a strategy is always told all four numbers."""

from engine.rules import NATIONAL, Rules

_MARKS = {"ten_once": (10,), "ten_seven_four_one": (10, 7, 4, 1)}
_FROM = {"ten": 10, "six": 6}


def must_report(before: int, after: int, rules: Rules = NATIONAL) -> bool:
    """Tell whether a seat that goes from `before` to `after` cards by a play must announce the number.

    Nobody announces a pass or that it is out. Raises ValueError where the numbers are no cards of a hand.
    Source: national rules art. 11(1); the other words are those of the rule sets that have them.

    >>> must_report(12, 10), must_report(11, 0)
    (True, False)
    """
    if not 0 <= after <= before <= 28:
        raise ValueError(f"from {before} to {after} cards: a hand has 28 cards at most and never grows by a play")
    if after in (0, before):
        return False
    if rules.report in _FROM:
        return after <= _FROM[rules.report]
    return any(after <= mark < before for mark in _MARKS[rules.report])
