"""Words for what is counted, in Chinese and English, and how numbers are written.

One glossary serves the page and the command line.

The English word is the one used in code; the Chinese term is the players'.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sim.errors import Language
from sim.stats import Estimate, NotEstimable, Reason

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "deal": ("副", "deals"),
    "match": ("轮", "matches"),
    "pair": ("对", "pairs"),
    "card": ("张", "cards"),
    "board": ("副定局", "boards"),
    "score": ("得分", "Match score"),
    "board_score": ("定局得分", "Boards"),
    "seat": ("座位影响", "Seat effect"),
    "gain": ("复式增益", "Duplicate gain"),
    "rho": ("两轮相关", "leg correlation"),
    "deal_win": ("单副胜率", "Deals won"),
    "signed_steps": ("每副净升级", "Net levels per deal"),
    "tribute": ("进贡", "Tribute"),
    "refusal_single": ("单贡抗贡率", "Single tribute refused"),
    "refusal_double": ("双贡抗贡率", "Double tribute refused"),
    "exact": ("理论值", "exact"),
    "none": ("无进贡", "none"),
    "single": ("单贡", "single"),
    "double": ("双贡", "double"),
    "single_refused": ("单贡被抗", "single refused"),
    "double_refused": ("双贡被抗", "double refused"),
    "refused": ("抗贡", "refused"),
    "next_win": ("受贡方胜率", "Receivers win"),
    "next_levels": ("受贡方净升级", "Receivers' net levels"),
    "after_win": ("受贡方再下一副胜率", "Receivers win the deal after"),
    "after_levels": ("受贡方再下一副净升级", "Receivers' net levels in the deal after"),
    "single_opponent": ("单贡，来自对手", "single, from an opponent"),
    "single_partner": ("单贡，来自对家", "single, from the partner"),
    "single_paid_refused": ("单贡，进贡减抗贡", "single, paid minus refused"),
    "double_paid_refused": ("双贡，进贡减抗贡", "double, paid minus refused"),
    "given": ("贡牌", "Card given"),
    "returned": ("还牌", "Card returned"),
    "rank_level": ("级牌", "level card"),
    "rank_SB": ("小王", "small joker"),
    "rank_HR": ("大王", "big joker"),
    "worth_card": ("牌值", "Value of the cards"),
    "worth_lead": ("先手值", "Value of the lead"),
    "worth_both": ("牌值与先手值之和", "Cards and lead together"),
    "effect_exogenous": ("事先确定", "fixed before play"),
    "effect_endogenous": ("打出来的", "result of play"),
    "effect_counterfactual": ("反事实", "counterfactual"),
    "pass_a": ("过A", "Passing A"),
    "a_passed": ("过A", "passed"),
    "a_deal_lost": ("输了本副", "deal lost"),
    "a_partner_last": ("赢了但对家名次不够", "won, but partner too low"),
    "a_tries": ("每轮打A副数", "deals at own A per match"),
    "promotion": ("升级", "Promotion"),
    "steps_3": ("升3级 双下", "3 levels: 1st + 2nd"),
    "steps_2": ("升2级 上游三游", "2 levels: 1st + 3rd"),
    "steps_1": ("升1级 上游下游", "1 level: 1st + last"),
    "length": ("长度", "Length"),
    "deals_per_match": ("每轮副数", "Deals per match"),
    "capped": ("安全上限终止", "ended by the safety cap"),
    "value": ("数值", "value"),
    "interval": ("95% 区间", "95% interval"),
    "intervals": (
        "方括号内为 95% 区间，按对聚类；得分为 X 方",
        "in brackets: 95% intervals, clustered by pair; the score is that of x",
    ),
    "versus": ("对", "against"),
    "rules": ("规则", "rules"),
}

REASONS: Final[Mapping[Reason, tuple[str, str]]] = {
    "no_data": ("无数据", "no data"),
    "one_unit": ("太少", "too few"),
    "too_few": ("太少", "too few"),
    "no_variation": ("无从估计：没有变化", "not estimable: no variation"),
    "same_strategy": ("无从估计：双方是同一个确定性策略", "not estimable: both sides are one deterministic strategy"),
    "no_end": ("无从估计：不会结束", "not estimable: it need not end"),
    "not_connected": ("无从估计：胜负关系不连通", "not estimable: wins do not join the strategies"),
    "not_kept": ("运行的明细里没有", "not kept at this detail"),
}


def side_names(x: str, y: str) -> dict[str, str]:
    """Name the sides by their strategies, told apart by X and Y where both play the same one."""
    return {"x": f"{x} (X)", "y": f"{y} (Y)"} if x == y else {"x": x, "y": y}


def word(key: str, language: Language) -> str:
    """Give a word; KeyError for one that is not in the glossary."""
    return WORDS[key][0 if language == "zh" else 1]


def reason(missing: NotEstimable, language: Language) -> str:
    """Say why there is no number."""
    return REASONS[missing.reason][0 if language == "zh" else 1]


def whole(number: int) -> str:
    """Write a count with thousands separators."""
    return f"{number:,}"


def _decimals(half_width: float) -> int:
    """Show two decimals of a percentage where the interval is narrower than one point either way, else one."""
    return 2 if half_width < 0.01 else 1


def percent(value: float, decimals: int = 1) -> str:
    """Write a share of one as a percentage."""
    return f"{100 * value:.{decimals}f}%"


def rate(estimate: Estimate | NotEstimable, language: Language) -> str:
    """Write a rate, or why there is none; the digits follow from the width of its interval."""
    if isinstance(estimate, NotEstimable):
        return reason(estimate, language)
    return percent(estimate.value, _decimals((estimate.hi - estimate.lo) / 2))


def rate_interval(estimate: Estimate | NotEstimable) -> str:
    """Write the interval of a rate in per cent, without the sign; nothing where there is no estimate."""
    if isinstance(estimate, NotEstimable):
        return ""
    decimals = _decimals((estimate.hi - estimate.lo) / 2)
    return f"[{100 * estimate.lo:.{decimals}f}, {100 * estimate.hi:.{decimals}f}]"


def mean(estimate: Estimate | NotEstimable, language: Language) -> str:
    """Write a mean with two decimals, or why there is none."""
    return reason(estimate, language) if isinstance(estimate, NotEstimable) else f"{estimate.value:.2f}"


def mean_interval(estimate: Estimate | NotEstimable) -> str:
    """Write the interval of a mean; nothing where there is no estimate."""
    return "" if isinstance(estimate, NotEstimable) else f"[{estimate.lo:.2f}, {estimate.hi:.2f}]"


def gap(estimate: Estimate, decimals: int, points: Language | None) -> str:
    """Write a difference with its sign; that of shares in points of a language, the digits as its interval asks."""
    if points is None:
        return f"{estimate.value:+.{decimals}f}"
    unit = " 百分点" if points == "zh" else " pp"
    return f"{100 * estimate.value:+.{_decimals((estimate.hi - estimate.lo) / 2)}f}{unit}"


def gap_interval(estimate: Estimate, decimals: int, *, share: bool) -> str:
    """Write the interval of a difference with signs; that of shares in per cent, without its sign."""
    if not share:
        return f"[{estimate.lo:+.{decimals}f}, {estimate.hi:+.{decimals}f}]"
    digits = _decimals((estimate.hi - estimate.lo) / 2)
    return f"[{100 * estimate.lo:+.{digits}f}, {100 * estimate.hi:+.{digits}f}]"
