"""Styles of play (行牌风格): named settings of a strategy, each with one trait of its own.

A style is loaded by its name like any strategy and takes parameters as its base does: `solid-early?lead=20`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True)
class Style:
    """Settings under a name.

    base: the strategy. rate: that of engine.style by which it is told from its base. zh_name: what players would call
    it. zh, en: one sentence.
    """

    base: str
    settings: Mapping[str, int]
    rate: str
    zh_name: str
    zh: str
    en: str


def _solid(rate: str, zh_name: str, zh: str, en: str, **settings: int) -> Style:
    return Style("solid", MappingProxyType(settings), rate, zh_name, zh, en)


STYLES: Mapping[str, Style] = MappingProxyType(
    {
        "solid-early": _solid(
            "bomb_opponents_full", "早炸", "炸弹早出，用来抢出牌权", "bombs early, to get the lead", bomb=150, flush=200
        ),
        "solid-late": _solid(
            "bombed_opponent", "晚炸", "炸弹留到最后才出", "keeps bombs to the end", bomb=330, flush=420
        ),
        "solid-partner": _solid(
            "passed_on_partner", "让对家", "对家的牌一律放行", "lets the partner's cards stand", cover=300, mate=150
        ),
        "solid-self": _solid(
            "passed_on_partner", "抢着走", "对家的牌也照压不误", "beats its own partner's cards", cover=-60, save=0
        ),
        "solid-stopper": _solid(
            "bombed_opponent_low",
            "死防",
            "对手牌少时不惜炸弹阻拦",
            "spends bombs to stop an opponent with few cards",
            danger=260,
        ),
        "solid-wildkeeper": _solid("wild_in_straight", "留配", "逢人配只用来配炸弹", "keeps wilds for bombs", wild=300),
        "solid-wildspender": _solid(
            "wild_in_bomb", "散配", "逢人配随手用掉", "spends wilds on whatever sheds cards", wild=-60
        ),
        "solid-whole": _solid(
            "answer_broke_triple", "不拆牌", "宁可不出也不拆牌跟出", "passes rather than break a group", whole=400
        ),
        "solid-singles": _solid("led_single", "先走单张", "先领单张", "leads singles first", single=60),
        "solid-pairs": _solid("led_pair", "先走对子", "先领对子", "leads pairs first", pair=60),
        "solid-long": _solid(
            "led_straight", "先走长牌", "先领顺子、三带对等张数多的牌", "leads plays of many cards first", long=35
        ),
        "solid-eager": _solid(
            "passed_on_opponent", "见牌就压", "能压就压，少有不出", "answers whatever it can", **{"pass": -80}
        ),
        "solid-patient": _solid(
            "passed_on_opponent", "忍牌", "小牌放过，等大牌再说", "lets plays go by and waits", **{"pass": 60}
        ),
        "solid-smallest": _solid(
            "return_broke_bomb_opponent",
            "还最小",
            "还贡总还最小的牌，拆对也还",
            "returns the smallest card, a pair broken or not",
            give=1,
        ),
        "solid-unbroken": _solid(
            "return_broke_bomb_opponent", "还散牌", "还贡不拆对子和组合", "returns a card that breaks nothing", give=2
        ),
        "solid-largest": _solid(
            "return_broke_bomb_opponent", "还最大", "还贡总还最大的牌", "returns the largest card it may", give=3
        ),
    }
)
"""By name; tests/test_strategies_styles.py holds each to the rate that tells it from its base."""
