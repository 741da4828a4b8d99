"""Words of the reports in Chinese and English; those shared with the page's figures are in `sim.glossary`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sim.errors import Language

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    # how a figure may be read
    "reading": ("读法", "reading"),
    "exogenous": ("事先确定", "exogenous"),
    "endogenous": ("打出来的", "endogenous"),
    "counterfactual": ("同局重打", "counterfactual"),
    "readings": (
        "“事先确定”：按打之前就定了的条件分，可当作原因；“打出来的”：按打的过程分，只是相关；“同局重打”：同一局面只改一处。",
        "exogenous: split by what is fixed before play, may be read as a cause; endogenous: split by what play brought "
        "about, an association only; counterfactual: the same position played again with one thing changed.",
    ),
    "no_deals": (
        "运行没有保留每副的记录，其余的项目需要 --detail deals",
        "the run keeps no deals; the other lines need --detail deals",
    ),
    # passing A
    "a_reached": ("有第 {number} 次打A的轮", "matches with try {number} at the own A"),
    "a_try": ("第 {number} 次打A", "try {number} at A"),
    "a_failed": ("未过的原因", "cause of failure"),
    "a_share": ("打A的副占全部副数", "share of all deals that are tries at A"),
    "a_reset": ("未过后降级", "failed tries after which it fell back"),
    "a_resets": ("每轮降级次数", "falls from A a match"),
    "a_before": ("第 {number} 次打A之前，整轮得分", "match score before try {number} at A"),
    "a_after": ("第 {number} 次打A之后，整轮得分", "match score after try {number} at A"),
    "a_after_reset": ("降级之后，整轮得分", "match score after falling back"),
    "a_reset_change": ("降级使整轮得分改变", "change of the match score by falling back"),
    "a_reset_cost": ("降级次数 × 改变，每轮", "falls × change, a match"),
    "a_plus": ("升过A直接获胜的轮", "matches won by levels beyond A"),
    "a_plus_gain": ("升过A次数 × 所得，每轮", "wins beyond A × gain over a first try, a match"),
    "tie_share": ("双贡两张同点", "double tributes of two equal cards"),
    "tie_often": ("每轮双贡同点次数", "double tributes of equal cards a match"),
    "tie_change": ("双贡同点使受贡方单副胜率改变", "receivers win: equal cards less unequal cards"),
    "tie_worth": ("双贡同点次数 × 改变，每轮副数", "equal cards × change, deals a match"),
    # promotion and flow
    "all_levels": ("各级", "all levels"),
    "at": ("打{level}", "level {level}"),
    "level_map": ("级数图：{x} 的整轮得分", "Level map: match score of {x}"),
    "model": ("模型", "model"),
    "flow": ("进程", "Match flow"),
    "again": ("胜一副后再胜", "wins again after a win"),
    "snowball": ("滚雪球：胜后再胜率减负后胜率", "snowball: wins after a win less wins after a loss"),
    "repeat": ("胜方再胜一副", "winners of a deal win the next"),
    "comeback": ("曾落后 {levels} 级以上，整轮得分", "match score after being {levels} or more levels behind"),
    "comeback_3": ("曾落后 3 级以上，整轮得分", "match score after being 3 or more levels behind"),
    "comeback_5": ("曾落后 5 级以上，整轮得分", "match score after being 5 or more levels behind"),
    "comeback_8": ("曾落后 8 级以上，整轮得分", "match score after being 8 or more levels behind"),
    "first_leader_deal": ("首副先出一方胜首副", "side that leads the first deal wins it"),
    "first_leader": ("首副先出一方的整轮得分", "match score of the side that leads the first deal"),
    "first_to_a": ("先到A，整轮得分", "match score of the side first at A"),
    "first_at_a": ("先到A一方的整轮得分", "match score of the side first at A"),
    "both_at_a": ("双方都到过A的轮", "matches in which both sides reached A"),
    "lead_changes": ("每轮领先易手次数", "lead changes a match"),
    "decisiveness": ("模型胜率偏离一半的平均", "mean distance of the model's chance from one half"),
    "dead_time": ("胜负已定（模型九成）后的副数占比", "share of deals after the model gives the winner 90%"),
    "long": ("超过 25 副的轮", "matches of more than 25 deals"),
    "quantiles": ("副数的分位：", "quantiles of deals a match:"),
    "reset": ("打A未过后降级", "failed tries at A after which a side fell back"),
}


def word(key: str, language: Language, **values: object) -> str:
    """Give a word or sentence; KeyError for one that is not here."""
    return WORDS[key][0 if language == "zh" else 1].format(**values)
