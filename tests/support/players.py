"""Strategies in Python for tests: the first of each list, and one that is uniform by its own numbers."""

from typing import Any

from engine.view import View
from strategies.api import Strategy


class First(Strategy):
    """The first of every list."""

    deterministic = True

    def play(self, view: View) -> Any:
        return 0


class Uniform(Strategy):
    """Uniform over its list."""

    def play(self, view: View) -> Any:
        return view.random_below(view.n)

    def tribute(self, view: View) -> Any:
        return view.random_below(view.n)

    return_tribute = tribute
