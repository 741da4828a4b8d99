"""Nothing is drawn but from keyed streams: the engine's numbers and deals are those of the papers, and uniform."""

from itertools import product
from random import Random

import numpy as np
import pytest
from scipy import stats

from engine import _core
from engine.cards import parse_cards
from tests.slow import streams

LARGEST_SEED, LARGEST_PAIR = 2**64 - 1, 2**40 - 1
HR = parse_cards("HR")[0]


def test_siphash_gives_the_published_vectors() -> None:
    """vectors_sip128 of the authors' reference: key 00..0f, message 00, 01, ... of the length."""
    published = {
        0: "a3817f04ba25a8e66df67214c7550293",
        1: "da87c1d86b99af44347659119b22fc45",
        7: "a1f1ebbed8dbc153c0b84aa61ff08239",
        8: "3b62a9ba6258f5610f83e264f31497b4",
        16: "6ee2a4ca67b054bbfd3315bf85230577",
    }
    for length, digest in published.items():
        assert streams.siphash128(bytes(range(16)), bytes(range(length))).hex() == digest


def test_xoroshiro_gives_the_published_numbers() -> None:
    """The reference implementation seeded by splitmix64 with 0, as other programs test theirs."""
    stream = streams.Stream(0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4)
    published = [0x6F68E1E7E2646EE1, 0xBF971B7F454094AD, 0x48F2DE556F30DE38, 0x6EA7C59F89BBFC75]
    assert [stream.random64() for _ in published] == published


def some_keys(number: int) -> list[tuple[int, int, int]]:
    """Draw (seed, pair, deal); the smallest and the largest come first."""
    rng = Random(40)
    drawn = [(rng.randrange(2**64), rng.randrange(2**40), rng.randint(1, 200)) for _ in range(number)]
    return [(0, 0, 1), (LARGEST_SEED, LARGEST_PAIR, 200), (0, LARGEST_PAIR, 1), (LARGEST_SEED, 0, 200), *drawn]


def test_a_stream_is_siphash_of_its_key_run_by_xoroshiro() -> None:
    for (seed, pair, deal), domain, leg, seat in product(some_keys(20), (1, 2, 3), (0, 1, 2), range(4)):
        wanted = streams.stream(seed, domain, pair, leg, deal, seat)
        assert _core.stream(seed, domain, pair, leg, deal, seat, 5) == [wanted.random64() for _ in range(5)]


def test_cards_and_first_leader_are_drawn_from_the_stream_of_seed_pair_and_deal() -> None:
    for seed, pair, deal in some_keys(300):
        hands, leader = _core.deal_cards(seed, pair, deal)
        assert ([sorted(hand) for hand in hands], leader) == streams.deal_cards(seed, pair, deal)


def test_streams_of_different_keys_have_nothing_in_common() -> None:
    keys = list(product((0, 1, 2**63), (1, 2, 3), (0, 1, 256, 2**39), (0, 1, 2), (1, 2, 200), range(4)))
    numbers = [number for key in keys for number in _core.stream(*key, 4)]
    assert len(set(numbers)) == 4 * len(keys)


@pytest.fixture(scope="module")
def many_deals() -> tuple["np.ndarray[tuple[int, int, int], np.dtype[np.int64]]", list[int]]:
    """Deal 20,000 deals in a row: copies of each card by [deal, seat, card], and the first leaders."""
    copies = np.zeros((20_000, 4, 54), dtype=np.int64)
    leaders = []
    for i, counts in enumerate(copies):
        hands, leader = _core.deal_cards(7, i // 10, i % 10 + 1)
        for seat, hand in enumerate(hands):
            counts[seat] = np.bincount(np.frombuffer(hand, dtype=np.uint8), minlength=54)
        leaders.append(leader)
    return copies, leaders


Deals = tuple["np.ndarray[tuple[int, int, int], np.dtype[np.int64]]", list[int]]


def test_two_packs_are_dealt_27_cards_a_seat(many_deals: Deals) -> None:
    copies, _ = many_deals
    assert (copies.sum(axis=1) == 2).all()
    assert (copies.sum(axis=2) == 27).all()


def test_every_card_comes_to_every_seat_equally_often(many_deals: Deals) -> None:
    copies, _ = many_deals
    deals = len(copies)
    # One card: a seat holds 0, 1, 2 copies; the variance follows from both lying there with 27 * 26 / (108 * 107).
    both = 27 * 26 / (108 * 107)
    variance = 0.5 - 2 * both + 4 * both - 0.25
    z = (copies.sum(axis=0) - deals / 2) / np.sqrt(deals * variance)
    # Seats of a card sum to 2, cards of a seat to 27: 53 * 3 free sums of squares.
    assert 0.001 < stats.chi2.sf((z**2).sum() * (3 / 4) * (53 / 54), 53 * 3) < 0.999
    assert abs(z).max() < 4.2


def test_the_two_big_jokers_lie_as_two_cards_of_108_do(many_deals: Deals) -> None:
    big = many_deals[0][:, :, HR]
    together = (big == 2).sum(axis=0)
    apart = [((big[:, a] == 1) & (big[:, b] == 1)).sum() for a in range(4) for b in range(a + 1, 4)]
    wanted = [702 / 11556] * 4 + [2 * 27 * 27 / 11556] * 6
    assert stats.chisquare([*together, *apart], np.array(wanted) * len(big)).pvalue > 0.001


def test_the_first_leader_is_uniform_and_owes_nothing_to_the_cards(many_deals: Deals) -> None:
    copies, leaders = many_deals
    assert stats.chisquare(np.bincount(leaders, minlength=4)).pvalue > 0.001
    table = np.bincount(3 * np.array(leaders) + copies[:, 0, HR], minlength=12).reshape(4, 3)
    assert stats.chi2_contingency(table).pvalue > 0.001


def test_neighbouring_deals_have_nothing_in_common(many_deals: Deals) -> None:
    copies, _ = many_deals
    for step in (1, 10):  # the next deal of the pair, the same deal of the next pair
        again = (copies[:-step] * copies[step:]).sum(axis=2).ravel()  # cards in common, expected 27 / 2
        assert abs(again.mean() - 13.5) < 3 * again.std() / np.sqrt(len(again))
