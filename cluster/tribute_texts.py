"""Hold the texts of `guandan tribute` in Chinese and English; `cluster.texts` takes them in."""

from __future__ import annotations

# key -> (Chinese, English)
TRIBUTE_TEXTS: dict[str, tuple[str, str]] = {
    "tribute_help": (
        "进贡值多少：同样的定局打三遍（进还贡、不进贡由进贡者领出、不进贡由上游领出），得出牌值、先手值及两者之和；"
        "中断后用相同的命令继续",
        "what tribute is worth: the same boards three times (exchange; no exchange, the payer leads; no exchange, the "
        "winner leads) give the value of the cards, of the lead, and their sum; the same command goes on after a stop",
    ),
    "arg_tribute": ("策略，写法同 guandan run", "a strategy, written as for guandan run"),
    "arg_tribute_other": ("对手；不写则与自己对打", "its opponent; left out, it plays itself"),
    "opt_tribute_out": (
        "研究所在的文件夹或地址，每种打法一个子文件夹",
        "folder or address of the study, a run in it for each way of playing",
    ),
    "opt_tribute_rules": ("规则集，或自己的 .toml 文件", "rule set, or a .toml file of your own"),
    "opt_contexts": (
        "从哪些定局起：uniform、运行的文件夹（取其中各副）、每行一个定局的文件，或一个定局",
        "where the deals start: uniform, the folder of a run (a sample of its deals), a file with a context a line, or "
        "one context",
    ),
    "opt_policies": (
        "另一种还贡法：除还贡外相同的策略，如 solid-smallest；可写多次，在同样的牌上比较",
        "another way to return: a strategy that differs in it alone, such as solid-smallest; may be repeated: all are "
        "compared on the same deals",
    ),
    "tribute_arm": ("{arm}：第 {number} 种打法，共 {count} 种", "{arm}: {number} of {count} ways of playing"),
    "tribute_title": (
        "进贡的价值 · {x} 对 {y} · 规则 {rules} · 种子 {seed}",
        "Value of tribute · {x} against {y} · rules {rules} · seed {seed}",
    ),
    "tribute_deals": (
        "{pairs} 对，{deals} 副：进贡 {paid}，抗贡 {refused}",
        "{pairs} pairs, {deals} deals: tribute paid on {paid}, refused on {refused}",
    ),
    "tribute_left_out": (
        "另有 {count} 副因策略出错被判定，不计",
        "{count} more deals were judged for a fault of a strategy and are left out",
    ),
    "tribute_led_otherwise": (
        "其中 {count} 副，还贡使领出者与“进贡者领出”不同；差别计入牌值",
        "on {count} of them the cards returned gave another payer the lead; that is in the value of the cards",
    ),
    "tribute_note": (
        "反事实：同一副牌的差，为受贡一方；级为每副净升级，% 为按级数模型的整轮胜率；[ ] 为 95% 区间，按对聚类",
        "counterfactual: differences on the same deal, for the side that receives; levels a deal, and % of matches won "
        "by the level-state model; [ ] are 95% intervals, clustered by pair",
    ),
    "tribute_by_kind": ("进贡", "tribute"),
    "tribute_by_receiver": ("受贡方", "received by"),
    "tribute_by_given": ("贡牌", "card given"),
    "tribute_by_returned": ("还牌", "card returned"),
    "tribute_choice": (
        "还哪张由受贡者选，故按还牌分组的差也反映其手牌；各组都是探索，未作多重比较校正",
        "what is returned is a choice, so these rows show the hands that return such a card, too; rows by card "
        "explore, without a correction for their number",
    ),
    "tribute_by_refused": ("抗贡时，若由进贡者领出", "refused: had the payer led"),
    "tribute_by_policy": ("还贡法，与 {name} 之差", "way to return, minus {name}"),
    "tribute_n_deals": ("副", "deals"),
    "tribute_n_pairs": ("对", "pairs"),
    "tribute_card": ("牌值", "cards"),
    "tribute_lead": ("先手值", "lead"),
    "tribute_both": ("合计", "sum"),
    "tribute_levels": ("级", "levels"),
    "tribute_p": ("p（级）", "p (levels)"),
    "tribute_holm": ("Holm 校正", "Holm"),
    "tribute_all": ("全部", "all"),
    "tribute_single": ("单贡", "single"),
    "tribute_single_opponent": ("　来自对手", "  from an opponent"),
    "tribute_single_partner": ("　来自对家", "  from the partner"),
    "tribute_double": ("双贡", "double"),
    "tribute_single_refused": ("单贡被抗", "single"),
    "tribute_double_refused": ("双贡被抗", "double"),
    "tribute_receives": ("{side} 方", "side {side}"),
    "tribute_level_card": ("级牌", "level"),
    "tribute_stray": (
        "{name} 在不还贡的牌上也有 {count} 副结果不同：差别不只来自还贡",
        "{name} ended {count} deals otherwise on which it returned nothing: it differs in more than what it returns",
    ),
}
