"""The examples in the docstrings of the engine are true."""

import doctest
from types import ModuleType

import pytest

from engine import cards, context, plays, tribute


@pytest.mark.parametrize("module", [cards, context, plays, tribute])
def test_examples_of_the_docstrings_are_true(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0
