"""A strategy that plays as greedy does and fails where it is told to."""

from strategies.registry import load
from tests.support.native import PythonStrategy, View, answers_of, struct_in

PLAY, TRIBUTE, RETURN = answers_of(struct_in(load("greedy").capsule))
NO_ANSWER, NO_MEMORY = 2**32 - 1, 2**32 - 2
"""GD_NO_ANSWER and GD_NO_MEMORY of guandan_strategy.h."""


def failing(when: str, answer: int = 5000) -> PythonStrategy:
    """Play as greedy does, but answer out of range where `when`, an expression of the view, holds."""
    code = compile(when, "<when>", "eval")

    def play(view: View) -> int:
        return answer if eval(code, {"view": view}) else PLAY(view)

    def tribute(view: View) -> int:
        return answer if eval(code, {"view": view}) else TRIBUTE(view)

    def give_back(view: View) -> int:
        return answer if eval(code, {"view": view}) else RETURN(view)

    return PythonStrategy(play, tribute, give_back, name="failing", deterministic=True)
