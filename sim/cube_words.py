"""Say what each cube of the table `cubes` counts: out of what, which event, and how its parts and cells are written.

A part is the occasion, in words with a blank between them; `all` stands for every value at that place. A cell is the
event.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final, NamedTuple


class Meaning(NamedTuple):
    """What a cube counts, in Chinese and English."""

    zh: str
    en: str


CUBE_WORDS: Final = MappingProxyType(
    {
        "refusal": Meaning(
            "应进贡的副：抗贡还是进了；part 为单双、受贡方、级",
            "deals with tribute due: refused or paid; part: kind, side that receives, level",
        ),
        "tribute": Meaning(
            "第一副以后的副：哪种进贡；part 为上一副胜方",
            "deals after the first: the tribute; part: side that won the deal before",
        ),
        "next_win": Meaning(
            "第一副以后的副：上一副胜方又胜还是负；part 为进贡种类（refused 指两种抗贡合计）、上一副胜方",
            "deals after the first: does the side that won the deal before win or lose; part: tribute (refused: both "
            "kinds together), side that won before",
        ),
        "given": Meaning(
            "所进的牌：点数（level 为级牌）；part 为受贡方",
            "cards given: rank, level cards apart; part: side that receives",
        ),
        "returned": Meaning(
            "还贡的牌：点数（level 为级牌）；part 为受贡方",
            "cards returned: rank, level cards apart; part: side that receives tribute",
        ),
        "exchange": Meaning(
            "一进一还：受贡方胜还是负；part 为所进点数、所还点数",
            "a card given and its return: does the side that receives win or lose; part: rank given, rank returned",
        ),
        "try": Meaning("打自己 A 的副：结果；part 为打 A 方", "deals at the own A: result; part: side at A"),
        "try_number": Meaning(
            "一轮里第几次打自己的 A：结果；part 为第几次（4+ 为第四次起）、打 A 方",
            "tries of a side at its own A by their number in the match: result; part: number (4+: fourth "
            "and later), side at A",
        ),
        "reset": Meaning(
            "打 A 未过的副：降级还是留在 A；part 为打 A 方",
            "failed tries at the own A: does the side fall back or stay; part: side at A",
        ),
        "steps": Meaning(
            "副：胜方应升几级；part 为胜方、级", "deals: levels earned by the winner; part: side that won, level"
        ),
        "level_map": Meaning(
            "一副开始时的级数：X 方该轮的半分（满分 2）；part 为 X 方级、Y 方级",
            "levels before a deal: half points of side x in the match, out of 2; part: level of x, level of y",
        ),
        "first_at_a": Meaning(
            "先升到 A 的一方：该轮的半分（满分 2）；part 为该方",
            "matches in which the side reached A first: its half points, out of 2; part: the side",
        ),
        "comeback": Meaning(
            "曾在一副开始时至少落后若干级：该轮的半分（满分 2）；part 为该方、至少落后几级",
            "matches in which the side was behind by so many levels or more before some deal: its half points, out of "
            "2; part: the side, levels",
        ),
        "match_end": Meaning("轮：如何结束", "matches: how they ended"),
        "forfeit": Meaning("轮：哪一方因出错判负", "matches: forfeited by which side"),
        "fault": Meaning(
            "副：该方策略出错的原因；part 为该方", "deals: faults of the side's strategy by reason; part: the side"
        ),
        "length": Meaning("分布：一轮的副数", "histogram of matches: number of deals"),
        "lead_changes": Meaning("分布：一轮里级数领先易手次数", "histogram of matches: lead changes"),
        "a_fails": Meaning(
            "分布：一轮里打 A 未过次数；part 为该方", "histogram of matches: failed tries at the own A; part: the side"
        ),
    }
)
"""Cube -> what it counts, in stored order. Histograms come last."""

HISTOGRAMS: Final = ("length", "lead_changes", "a_fails")
"""Cubes of which only k, the number of matches with that value, is kept; the other sums are null."""
