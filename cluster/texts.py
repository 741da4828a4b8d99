"""Hold every text of the `guandan` command in Chinese and English; those about runs are in `sim.errors`."""

from __future__ import annotations

from collections.abc import Mapping

from cluster import trust_texts
from cluster.tribute_texts import TRIBUTE_TEXTS
from sim.errors import Language, SimError, one_line

LANGUAGES: tuple[Language, ...] = ("zh", "en")

# key -> (Chinese, English)
CATALOG: dict[str, tuple[str, str]] = {
    **TRIBUTE_TEXTS,
    **trust_texts.CATALOG,
    # help
    "usage": ("用法：", "Usage: "),
    "usage_tail": ("[选项]", "[options]"),
    "usage_group": ("guandan 命令 [选项]", "guandan COMMAND [options]"),
    "arguments": ("参数：", "Arguments:"),
    "options": ("选项：", "Options:"),
    "commands": ("命令：", "Commands:"),
    "default": ("{text}（默认 {value}）", "{text} (default {value})"),
    "group_help": (
        "掼蛋对局模拟与统计：成对打完整的轮，每副牌留一行记录。",
        "Simulate Guandan matches in pairs and keep a row of every deal.",
    ),
    "group_more": ("每条命令的说明：guandan 命令 --help", "More about a command: guandan COMMAND --help"),
    "opt_help": ("显示这段说明", "show this text"),
    "opt_version": ("显示版本", "show the version"),
    "opt_lang": ("输出语言；默认按系统的语言设置", "language of all output; by default that of the system"),
    "demo_help": (
        "主任务的小样：greedy 对 random，打完后显示进贡、过A、升级三项统计",
        "play greedy against random and print the statistics of tribute, pass-A and promotion",
    ),
    "run_help": (
        "两个或多个策略按对比赛（每对两轮，同样的牌，换座），写成 Parquet；也可给出一个 .toml 文件；"
        "中断后用相同的命令继续",
        "play strategies against each other, pairs of two matches on the same deals with the teams exchanged, into "
        "Parquet; a .toml file may say what; the same command goes on after a stop",
    ),
    "resume_help": ("继续打完一次运行", "go on with a run"),
    "extend_help": (
        "给一次运行增加对数、策略或规则集；已打的块不变",
        "ask more of a run: more pairs, strategies or rule sets on the same deals; finished blocks stay as they are",
    ),
    "stop_help": ("让正在打的运行停下，已完成的块都保留", "stop a run that is being played; finished blocks are kept"),
    "status_help": ("显示一次运行进行到哪里", "say how far a run is"),
    "report_help": (
        "一次运行的报告：每组对阵的结论、进贡、过A、升级、进程、长度，联赛有等级分；--html 写成一个文件",
        "report on a run: a verdict for each match-up, tribute, pass-A, promotion, flow, length, ratings of a league; "
        "--html writes one file",
    ),
    "compare_help": (
        "比较同样的牌打的几组对阵：逐对相减，各区间同时成立",
        "compare match-ups played on the same deals: differences pair by pair, intervals that hold together",
    ),
    "scorecard_help": (
        "几套规则的记分卡：每项的基准值、变体值、差，以及事先定的目标",
        "scorecard of rule sets: of each metric reference, variant, difference, and the target that was set beforehand",
    ),
    "plan_help": (
        "先试打少量，估计一次运行要多少时间、空间和文件",
        "estimate from a pilot what an experiment takes: hours, core-hours, bytes, files",
    ),
    "dashboard_help": ("在本机浏览器里看运行结果", "open the page on the results, on this machine only"),
    "rules_help": (
        "列出规则集；给一个名字或 .toml 文件则逐项显示并检查，给两个则比较",
        "list the rule sets; with a name or a .toml file show and check it, with two compare them",
    ),
    "schema_help": (
        "列出各数据表的列：名称、类型、单位、含义，以及存储的词",
        "list the columns of the tables: name, type, unit, meaning, and the words stored in them",
    ),
    "sql_help": (
        "用 SQL（DuckDB）查询一次运行的各表：给一条查询，- 从标准输入读，都不写则逐条输入；只读",
        "ask the tables of a run in SQL (DuckDB): one query, - reads standard input, neither opens a prompt; "
        "nothing is written",
    ),
    "show_help": (
        "逐手显示一副牌：按编号（RUN --pair --leg --deal）重放运行里的一副，或用 --state 给出一个局面",
        "show a deal play by play: one of a run, from its key (RUN --pair --leg --deal), or one given by --state",
    ),
    "strategies_help": (
        "列出策略；给一个名字则显示它和它的参数",
        "list the strategies; with a name show it and its parameters",
    ),
    "check_help": (
        "检查策略是否守约：在各规则集的大量局面上是否合法、可重复、不用暗牌，各种用法结果是否相同，速度如何",
        "check that a strategy keeps its promises: legal, repeatable and blind to hidden cards at many positions of "
        "every rule set, equal in every form; and how fast it is",
    ),
    "advise_help": (
        "一个局面上策略会出什么，能排序的给出排序",
        "what a strategy would play at a position, and its ranking where it has one",
    ),
    "moves_help": (
        "逐行读 JSON {{id, level, hand, greater}}，答以全部合法出牌；供别的语言长期调用",
        "read JSON lines {{id, level, hand, greater}} and answer with all legal plays; a worker for other languages",
    ),
    "arg_strategies": (
        "两个或多个策略：NAME、package.module:NAME、path/file.py:NAME 或 path/lib.so:SYMBOL，可加参数 "
        "NAME?PARAMETER=VALUE；两个用 + 连成一队；或一个 .toml 文件",
        "two or more strategies: NAME, package.module:NAME, path/file.py:NAME or path/lib.so:SYMBOL, then "
        "?PARAMETER=VALUE&...; two joined by + are a team; or one .toml file that describes the experiment",
    ),
    "arg_more_strategies": ("要加的策略，写法同 guandan run", "strategies to add, written as for guandan run"),
    "arg_strategy": ("策略，写法同 guandan run", "a strategy, written as for guandan run"),
    "arg_name": ("策略，写法同 guandan run", "a strategy, written as for guandan run"),
    "arg_state": (
        "局面，写法同 guandan show --state；看不见的手牌写张数，前加问号；或写有它的文件，或 - 读标准输入",
        "a position, written as for guandan show --state, unseen hands as their number of cards, ?27; or a file with "
        "it, or - for stdin",
    ),
    "arg_query": ("一条 SQL 查询，或 - 从标准输入读", "a query in SQL, or - to read standard input"),
    "arg_run": ("运行所在的文件夹或地址", "folder or address of a run"),
    "arg_rules": ("规则集的名字，或自己的 .toml 文件", "name of a rule set, or a .toml file of your own"),
    "arg_rules_second": ("与之比较的另一个", "another to compare it with"),
    "arg_dir": (
        "一次运行或多次运行的文件夹或地址（默认 runs）",
        "folder or address of one or of several runs (default runs)",
    ),
    "opt_pairs": ("打多少对", "number of pairs"),
    "opt_rules": (
        "规则集，或自己的 .toml 文件；可写多次，各规则集用同样的牌",
        "rule set, or a .toml file of your own; may be repeated: all are played on the same deals",
    ),
    "opt_form": (
        "duel 两个策略，gauntlet 第一个对其余每一个，league 两两相遇；默认两个时 duel，更多时 league",
        "duel of two, gauntlet of the first against each other one, league of all against all; by default a duel of "
        "two and a league of more",
    ),
    "opt_test": (
        "序贯检验：分出 ELO0 与 ELO1（标准化 Elo，如 0,10）即停，--pairs 为上限",
        "stop once a sequential test tells strength ELO0 from ELO1 (normalized Elo, such as 0,10); --pairs is the most",
    ),
    "opt_more_pairs": ("共打多少对", "number of pairs in all"),
    "opt_more_rules": ("要加的规则集，可写多次", "a rule set to add; may be repeated"),
    "opt_watch": ("每两秒再显示一次，直到打完", "show it again every two seconds until the run ends"),
    "arg_match_ups": (
        "要比较的对阵，写作 DIR:N；单写序号指前一个文件夹的；第一个减其余",
        "match-ups to compare, written DIR:N; a number alone is of the folder before it; the first less each other",
    ),
    "opt_html": ("写成一个不用联网的 HTML 文件", "write one HTML file that needs no network"),
    "opt_measure": (
        "要比较的项目，可写多次；all 为全部（默认 score deal_win signed_steps deals_per_match）",
        "a measure to compare; may be repeated; all of them with all (default score deal_win signed_steps "
        "deals_per_match)",
    ),
    "opt_reference": ("作基准的规则集（默认第一套）", "rule set to compare with (default the first)"),
    "opt_match_up": (
        "第几组对阵，从 0 起（见 guandan status）",
        "number of the match-up, from 0 (guandan status lists them)",
    ),
    "opt_seed": ("随机种子；相同的种子，结果逐字节相同", "random seed; the same seed gives the same bytes"),
    "opt_boards": (
        "定局：每对只打一副，从给定的局面开始。uniform（均匀抽取）、运行的文件夹（从其中抽取）、每行一个定局的文件，或一个定局，"
        "如 A/K 0213 1/0 - tribute",
        "boards: one deal a pair, from given contexts: uniform, the folder of a run to sample, a file with a context a "
        "line, or one context such as A/K 0213 1/0 - tribute",
    ),
    "opt_out": (
        "写到哪里：文件夹，或 s3://桶/前缀、gs://桶/前缀",
        "where to write: a folder, or s3://bucket/prefix, gs://bucket/prefix",
    ),
    "opt_on": ("在 Ray 上打，或用本进程的线程", "play on Ray, or in threads of this process"),
    "opt_workers": ("同时打几块；默认为可用的处理器数", "blocks played at once; by default the usable processors"),
    "opt_address": (
        "在已经运行的 Ray 集群上打；auto 是本机的，或 RAY_ADDRESS 所写的；不写这一项时 RAY_ADDRESS 不起作用",
        "play on a Ray cluster that runs already; auto is that of this machine, or of RAY_ADDRESS, which has no effect "
        "without this option",
    ),
    "opt_style": (
        "也记行牌风格：领出、跟牌、炸弹、逢人配、拆牌、还贡的次数（表 style）",
        "also count how it is played: leads, answers, bombs, wilds, shapes broken, returns (table style)",
    ),
    "opt_on_fault": (
        "策略出错时：judge 判该副双下，继续打，记入表 faults；stop 停止运行",
        "where a strategy fails: judge the deal a double-down and go on, kept in table faults; or stop the run",
    ),
    "opt_decision_seconds": (
        "自带之外的策略每次决定的时限（秒），超过算出错",
        "seconds that a strategy which is not built in has for a decision; longer is a fault",
    ),
    "opt_memory": (
        "自带之外的策略可用的内存（MB），超过算出错",
        "memory in MB that strategies which are not built in may take; more is a fault",
    ),
    "opt_detail": ("保留到哪一级明细", "the finest table to keep"),
    "opt_block_pairs": ("每块多少对；默认由试打决定", "pairs in a block; by default chosen by a pilot"),
    "opt_strategy": ("问哪个策略，写法同 guandan run", "the strategy to ask, written as for guandan run"),
    "opt_context": (
        "这副牌在一轮中的处境“级/级 名次 打A未过 领出 进贡”，如 A/K 0213 1/0 - tribute；默认双方同级的第一副",
        "where the deal stands in its match, LEVELS ORDER FAILS LEAD EXCHANGE, such as A/K 0213 1/0 - tribute; by "
        "default a first deal, both sides at its level",
    ),
    "opt_advise_rules": ("规则集，或自己的 .toml 文件", "rule set, or a .toml file of your own"),
    "opt_advise_at": ("第几手之后；默认到最后一手", "the position after so many plays; by default after all"),
    "opt_advise_seed": ("策略随机数的种子", "seed of the random numbers of the strategy"),
    "opt_positions": ("每个规则集多少个局面", "positions under each rule set"),
    "opt_check_rules": (
        "只在这个规则集下检查；默认每个都检查",
        "check under this rule set alone; by default under each",
    ),
    "opt_check_seed": ("局面的种子", "seed of the positions"),
    "opt_position": ("只查 --rules 的这一个局面，从 0 起", "ask again at this position of --rules alone, from 0"),
    "opt_fresh": ("先删去该文件夹里原有的运行", "delete the run that is in the folder first"),
    "opt_port": ("端口", "port"),
    "opt_csv": ("输出 CSV", "print CSV"),
    "opt_json": ("输出 JSON", "print JSON"),
    "opt_pair": ("对号，从 0 起", "id of the pair, from 0"),
    "opt_leg": ("第几轮：1 或 2", "leg of the pair: 1 or 2"),
    "opt_deal": ("第几副，从 1 起", "number of the deal in its match, from 1"),
    "opt_state": (
        "局面一行“级 四家手牌 已出完 轮到 圈”，其后可接各手牌（- 为过）；或写有它的文件，或 - 读标准输入",
        "a state, LEVEL HANDS OUT TURN TRICK, and the plays after it (- is a pass); or a file with it, or - for stdin",
    ),
    "opt_state_rules": (
        "--state 所用的规则集，或自己的 .toml 文件；默认 national",
        "rule set for --state, or a .toml file of your own; by default national",
    ),
    "opt_at": ("--state 的第几手之后；默认到最后一手", "show --state after so many plays; by default after all"),
    "opt_plays": ("列出 --state 轮到的一家全部合法出牌", "list every legal play of the seat in turn of --state"),
    # rules
    "rules_more": (
        '逐项显示：guandan rules 名字；比较：guandan rules 名字 名字；自己的规则：.toml 文件，首行 base = "national"',
        'show one: guandan rules NAME; compare: guandan rules NAME NAME; your own: a .toml with base = "national"',
    ),
    "rules_same": ("{one} 与 {other} 相同（{hash}）", "{one} and {other} are equal ({hash})"),
    # strategies
    "col_strategy": ("策略", "strategy"),
    "col_traits": ("类别", "kind"),
    "col_parameters": ("参数", "parameters"),
    "col_parameter": ("参数", "parameter"),
    "col_default": ("默认", "default"),
    "col_range": ("范围", "range"),
    "col_about": ("说明", "about"),
    "trait_native": ("原生", "native"),
    "trait_python": ("Python", "Python"),
    "trait_deterministic": ("确定", "deterministic"),
    "trait_draws": ("随机", "draws"),
    "trait_observed": ("不可重现", "observed"),
    "trait_ranks": ("能排序", "ranks"),
    "list_comma": ("、", ", "),
    "strategies_more": (
        "参数的范围和说明：guandan strategies NAME；设定：NAME?PARAMETER=VALUE&PARAMETER=VALUE",
        "ranges of the parameters: guandan strategies NAME; to set them: NAME?PARAMETER=VALUE&PARAMETER=VALUE",
    ),
    "strategies_own": (
        "自己的策略：package.module:NAME、path/file.py:NAME、path/lib.so:SYMBOL；写法见 docs/strategies.md",
        "your own: package.module:NAME, path/file.py:NAME, path/lib.so:SYMBOL; see docs/strategies.md",
    ),
    "strategies_set": ("设定：{example}", "to set one: {example}"),
    # check
    "checking": ("检查", "checking"),
    "counted": ("{done}/{total} 个局面", "{done} of {total} positions"),
    "check_rules_missing": (
        "--position 是某个规则集的局面；请加 --rules 名字",
        "--position is one of a rule set; add --rules NAME",
    ),
    "col_rules": ("规则", "rules"),
    "col_positions": ("局面", "positions"),
    "col_legal": ("合法", "legal"),
    "col_repeatable": ("可重复", "repeatable"),
    "col_hidden": ("不用暗牌", "blind to hidden cards"),
    "col_deterministic": ("不用随机数", "draws nothing"),
    "check_ok": ("是", "ok"),
    "check_observed": (
        "它声明结果可能取决于别的东西（observed），不查是否可重复、是否用暗牌",
        "it declares that its answers may depend on other things (observed): not asked again, nor with other hidden "
        "cards",
    ),
    "check_steps": ("逐手打与成批打：{result}", "a decision at a time and in bulk: {result}"),
    "check_threads": ("两个线程同时打：{result}", "from two threads at once: {result}"),
    "check_tables": ("成批问与一桌一桌问：{result}", "many tables at once and one by one: {result}"),
    "check_equal": ("相同", "equal"),
    "check_different": ("不同", "DIFFERENT"),
    "check_stopped": ("成局打时出错：{reason}", "stopped in play: {reason}"),
    "check_speed": (
        "每秒 {rate} 手（四家都是它，含不得不出的，单个处理器）",
        "{rate} decisions/s (on all four seats, forced ones included, one processor)",
    ),
    "check_passed": ("通过", "passed"),
    "check_failed": ("未通过", "failed"),
    "fault": ("{rules}，第 {number} 个局面：{text}", "{rules}, position {number}: {text}"),
    "fault_legal": ("答 {first}，只有 0 至 {second} 之前的可选", "answered {first}, choices are below {second}"),
    "fault_raised": ("出错：{first}{second}", "raised {first}{second}"),
    "fault_repeatable": (
        "同一局面先答 {first} 后答 {second}",
        "answered {first}, then {second} at the same position",
    ),
    "fault_hidden": (
        "只换了看不见的牌，先答 {first} 后答 {second}",
        "answered {first}, then {second} when only cards it cannot see had changed",
    ),
    "fault_deterministic": (
        "声明不用随机数，却用了（答 {first}{second}）",
        "declares that it draws no random number, and drew (answered {first}{second})",
    ),
    "fault_position": ("局面：{state}", "position: {state}"),
    "fault_again": ("重查：{command}", "again: {command}"),
    # advise
    "advise_over": (
        "STATE 的这副牌已经打完，没有人可出；可用 --at 回到某一手之后",
        "the deal of STATE is over, nobody is to play; --at goes back to a play",
    ),
    "advise_team": (
        "{name} 是一队；请写其中轮到的那一个",
        "{name} is a team; name the one of the two whose turn it is",
    ),
    "advise_level": (
        "--context {value} 打 {played}，STATE 打 {level}；请改成同一级",
        "--context {value} plays level {played}, STATE level {level}; make them the same",
    ),
    "advise_context": ("处境：{context}", "context: {context}"),
    "advise_no_context": (
        "处境：{context}（STATE 不含级数等；可用 --context 写明）",
        "context: {context} (STATE does not tell the levels of the match; --context does)",
    ),
    "advise_plays": ("{name} 出：", "{name} plays:"),
    "advise_only": ("只有一种选择，{name} 不用想：", "there is one choice, {name} is not asked:"),
    "advise_fault": (
        "{name} 答 {index}，不在 {count} 种选择之内",
        "{name} answered {index}, which is none of the {count} choices",
    ),
    "advise_failed": ("策略 {name} 出错：{reason}", "strategy {name} failed: {reason}"),
    "advise_drew": (
        "它用了随机数；换 --seed 可能不同",
        "it drew random numbers; another --seed may give another answer",
    ),
    "advise_ranking": ("排序（共 {count} 种，分高者好）", "Ranking (of {count}, higher is better)"),
    "advise_no_ranking": ("{name} 不给出排序", "{name} gives no ranking"),
    # mistakes on the command line
    "no_command": ("没有命令 {name}；可写：{known}", "there is no command {name}; write one of: {known}"),
    "no_command_near": (
        "没有命令 {name}；是不是 {near}？可写：{known}",
        "there is no command {name}; did you mean {near}? The known ones are: {known}",
    ),
    "no_option": ("没有选项 {name}；可写：{known}", "there is no option {name}; write one of: {known}"),
    "no_option_near": ("没有选项 {name}；是不是 {near}？", "there is no option {name}; did you mean {near}?"),
    "option_empty": ("选项 {name} 后面缺少值；请写 {metavar}", "the option {name} needs a value; write {metavar}"),
    "option_full": ("选项 {name} 不带值；请只写 {name}", "the option {name} takes no value; write just {name}"),
    "missing": ("缺少 {name}；用法：{usage}", "{name} is missing; usage: {usage}"),
    "extra": ("多出参数 {name}；用法：{usage}", "{name} is one argument too many; usage: {usage}"),
    "not_whole": (
        "{name} 的值 {value} 不是整数；请写 {least} 到 {limit} 的整数",
        "{value} is no whole number for {name}; write one from {least} to {limit}",
    ),
    "out_of_range": (
        "{name} 的值 {value} 不在范围内；请写 {least} 到 {limit} 的整数",
        "{value} is out of range for {name}; write a whole number from {least} to {limit}",
    ),
    "not_one_of": (
        "{name} 的值 {value} 无效；可写：{known}",
        "{value} is not possible for {name}; write one of: {known}",
    ),
    "bad_language": ("--lang 的值 {value} 无效；请写 zh 或 en", "{value} is not possible for --lang; write zh or en"),
    "other_usage": ("{reason}", "{reason}"),
    "error": ("guandan：{text}", "guandan: {text}"),
    # runs
    "run_new": (
        "{x} 对 {y}：{pairs} 对，规则 {rules}，种子 {seed}，{blocks} 块，{workers} 个工作进程（{on}）",
        "{x} against {y}: pairs {pairs}, rules {rules}, seed {seed}, blocks {blocks}, workers {workers} ({on})",
    ),
    "run_new_several": (
        "{match_ups} 组对阵：各 {pairs} 对，规则 {rules}，种子 {seed}，{blocks} 块，{workers} 个工作进程（{on}）",
        "match-ups {match_ups}: pairs {pairs} each, rules {rules}, seed {seed}, blocks {blocks}, workers {workers} "
        "({on})",
    ),
    "test_form": (
        "检验 {value} 应写作 ELO0,ELO1，如 0,10",
        "a test is written ELO0,ELO1 such as 0,10, not {value}",
    ),
    "extend_nothing": (
        "没有可加的；请写 --pairs、更多策略或 --rules",
        "there is nothing to add: write --pairs, further strategies or --rules",
    ),
    "stop_idle": ("没有进程在打 {folder}", "nobody is playing {folder}"),
    "stop_asked": ("已请进程 {owner} 停下", "asked process {owner} to stop"),
    "stop_done": (
        "已停下：{done}/{blocks} 块已保留；继续：{command}",
        "stopped: {done} of {blocks} blocks are kept; to go on: {command}",
    ),
    "status_run": (
        "{run}：{done}/{blocks} 块，{matches}/{all} {unit}，{who}",
        "{run}: {done} of {blocks} blocks, {matches} of {all} {unit}, {who}",
    ),
    "status_rate": ("，每秒 {rate} {unit}，还需 {left}", ", {rate} {unit}/s, {left} left"),
    "status_idle": ("没有进程在打", "nobody is playing it"),
    "status_played": ("进程 {owner} 在打", "played by process {owner}"),
    "status_complete": ("已打完", "complete"),
    "status_heads": (
        "#|x|y|规则|对|完成|出错的副|处理器时间|检验",
        "#|x|y|rules|pairs|done|faulty deals|processor time|test",
    ),
    "verdict_accepted": ("{pairs} 对后通过（LLR {llr}）", "passed after {pairs} pairs (LLR {llr})"),
    "verdict_rejected": ("{pairs} 对后未通过（LLR {llr}）", "failed after {pairs} pairs (LLR {llr})"),
    "verdict_undecided": ("{pairs} 对后未定（LLR {llr}）", "undecided after {pairs} pairs (LLR {llr})"),
    "verdict_inconclusive": ("{pairs} 对打完，无结论（LLR {llr}）", "no verdict after all {pairs} pairs (LLR {llr})"),
    "plan_heads": (
        "x|y|规则|对|块|每核每秒轮数|处理器时间|大小",
        "x|y|rules|pairs|blocks|matches/s a core|processor time|size",
    ),
    "plan_all": (
        "共 {core_hours} 核时；{workers} 个进程约 {hours}，{size}，{files} 个文件",
        "in all {core_hours} core-hours; with {workers} workers about {hours}, {size}, {files} files",
    ),
    "run_resumed": (
        "{folder} 里已有这次运行：{done}/{blocks} 块已完成，接着打其余的",
        "{folder} holds this run already: {done} of {blocks} blocks are done, going on with the others",
    ),
    "run_complete": (
        "{folder} 里已有这次运行，全部 {blocks} 块已完成，不再重打",
        "{folder} holds this run already, all {blocks} blocks done: nothing to play",
    ),
    "run_damaged_blocks": (
        "{count} 块的数据文件缺失或大小不对，重打：{names}",
        "blocks with files missing or of the wrong size, played again ({count}): {names}",
    ),
    "ray_starting": ("正在启动 Ray …", "starting Ray ..."),
    "ray_joining": ("正在连接 {address} 的 Ray …", "connecting to Ray at {address} ..."),
    "block_late": (
        "第 {block} 块迟迟没有结果，另派一份，以先到的为准",
        "block {block} is late; it is played a second time, the first answer counts",
    ),
    "bad_address": (
        "{name} 的值 {value} 无效；请写 HOST:PORT 或 auto",
        "{value} is not possible for {name}; write HOST:PORT or auto",
    ),
    "address_local": (
        "--address 是 Ray 集群，不能与 --on local 同用",
        "--address is a Ray cluster and does not go with --on local",
    ),
    "block_again": (
        "第 {block} 块的工作进程意外结束，重新排队",
        "the worker of block {block} died; the block is queued again",
    ),
    "bar": ("已打", "playing"),
    "unit_matches": ("轮", "matches"),
    "unit_deals": ("副", "deals"),
    "unit_second": ("秒", "s"),
    "unit_left": ("还需", "left"),
    "unit_faults": ("出错的副", "faulty deals"),
    "unit_pairs": ("对", "pairs"),
    "plain": (
        "{done}/{blocks} 块，{matches} {unit}，{rate} {unit}/秒，还需 {left}",
        "{done} of {blocks} blocks, {matches} {unit}, {rate} {unit}/s, {left} left",
    ),
    "run_done": (
        "打完 {matches} {unit}，用时 {seconds} 秒，{rate} {unit}/秒",
        "{matches} {unit} in {seconds} s, {rate} {unit}/s",
    ),
    "run_faults": (
        "{name} 出错（{reason}）：判双下 {deals} 副，判负 {forfeits} 轮，见表 faults；第一副：{command}",
        "{name} failed ({reason}): judged deals {deals}, forfeited matches {forfeits}, see table faults; "
        "the first: {command}",
    ),
    "run_stopped": (
        "已停止：{done}/{blocks} 块已保存。用相同的命令继续：{command}",
        "stopped: {done} of {blocks} blocks are kept. The same command goes on: {command}",
    ),
    "stopping": ("正在停止 …", "stopping ..."),
    "stopped": ("已停止", "stopped"),
    "data_at": ("数据：{folder}（{tables}）", "data: {folder} ({tables})"),
    "report_at": ("报告：{path}", "report: {path}"),
    "page_open": ("打开页面：{command}", "open the page: {command}"),
    "fresh_kept": (
        "已删去 {folder} 里的运行；不属于它的文件留着：{names}",
        "deleted the run in {folder}; files that are not part of it were left: {names}",
    ),
    "output_failed": ("不能写标准输出：{reason}", "cannot write to standard output: {reason}"),
    "output_closed": ("标准输出已关闭，结果无处可写", "standard output is closed: there is nowhere to write to"),
    "input_closed": ("标准输入已关闭，没有可读的行", "standard input is closed: there are no lines to read"),
    "file_refused": ("不能读写 {path}：{reason}", "cannot read or write {path}: {reason}"),
    "page_empty": (
        "{folder} 里还没有运行；可用这条命令生成：{command}",
        "there are no runs in {folder} yet; this makes one: {command}",
    ),
    "page_no_folder": (
        "没有文件夹 {folder}；可用这条命令生成：{command}",
        "there is no folder {folder}; this makes it: {command}",
    ),
    "demo_other": (
        "{error}；或加 --fresh 删去它重打",
        "{error}; or add --fresh to delete it and play anew",
    ),
    # dashboard
    "port_taken": (
        "端口 {port} 已被占用；请用 --port 换一个，例如 --port {other}",
        "port {port} is taken; choose another, for example --port {other}",
    ),
    "page_at": ("页面：{url}（按 Ctrl-C 结束）", "page: {url} (Ctrl-C ends it)"),
    "page_failed": (
        "页面程序没有启动（退出码 {code}）",
        "the program of the page did not start (exit code {code})",
    ),
    # schema
    "col_table": ("表", "table"),
    "col_column": ("列", "column"),
    "col_type": ("类型", "type"),
    "col_unit": ("单位", "unit"),
    "col_meaning": ("含义", "meaning"),
    "schema_words": ("存储的词（用于 WHERE 列 = '词'）：", "Stored words, as in WHERE column = 'word':"),
    "schema_version": (
        "数据表版本 {version}；类型后的「?」表示可为空",
        "schema version {version}; ? after a type means it may be null",
    ),
    # show
    "sql_banner": (
        "可查的表：{views}；.columns 表名 列出各列的含义；写到分号即执行，Ctrl-D 离开",
        "tables: {views}; .columns TABLE tells what its columns mean, ; ends a statement, Ctrl-D leaves",
    ),
    "sql_dot": ("请写 .columns {views}", "write .columns {views}"),
    "sql_more": (
        "共 {rows} 行，只显示前 {shown} 行；请加 LIMIT 或在命令行写查询",
        "the first {shown} of {rows} rows are shown; add LIMIT, or write the query on the command line",
    ),
    "sql_forms": ("--json 与 --csv 请只写一个", "write --json or --csv, not both"),
    "show_title": (
        "{run}：第 {pair} 对，第 {leg} 轮，第 {deal} 副",
        "{run}: pair {pair}, leg {leg}, deal {deal}",
    ),
    "show_level": ("打 {level}（{who}）", "level {level} ({who})"),
    "show_declarer": ("{side} 方的级", "of side {side}"),
    "show_first": ("第一副", "first deal"),
    "show_legend": ("* 逢人配，' 级牌", "* wild, ' level card"),
    "show_hands": ("起手牌（进贡前）", "Hands before tribute"),
    "show_tribute": ("进贡", "Tribute"),
    "show_gives": ("进贡", "gives"),
    "show_returns": ("还贡", "returns"),
    "show_refuses": ("抗贡：应贡一方有两张大王", "resists: both big jokers are on the paying side"),
    "show_trick": ("第 {number} 圈", "Trick {number}"),
    "show_fault": (
        "策略出错：{reason}；判该方双下，下一副不进贡",
        "the strategy failed: {reason}; judged a double-down of its side, the next deal has no tribute",
    ),
    "show_wind": ("接风", "takes the wind"),
    "show_pass": ("过", "pass"),
    "show_left": ("余 {count}", "{count} left"),
    "show_report": ("报牌 {count}", "announces {count}"),
    "place_1": ("上游", "first out"),
    "place_2": ("二游", "second out"),
    "place_3": ("三游", "third out"),
    "place_4": ("下游", "last"),
    "show_order": ("名次：{order}", "Finishing order: {order}"),
    "show_double": ("双下", "double-down"),
    "show_promotion": (
        "{side} 方胜，升 {steps} 级：x {x_before}→{x_after}，y {y_before}→{y_after}",
        "side {side} wins and earns {steps}: x {x_before}→{x_after}, y {y_before}→{y_after}",
    ),
    "attempt_passed": ("过A", "passed A"),
    "attempt_deal_lost": ("打A未过：输了本副", "A not passed: the deal was lost"),
    "attempt_partner_last": ("打A未过：赢了但对家名次不够", "A not passed: won, but the partner came in too low"),
    "show_same": ("与存储的行一致", "equal to the stored row"),
    "show_not_stored": ("这副牌没有存储的行可比", "there is no stored row to compare with"),
    "show_differs": ("与存储的行不同：{columns}", "differs from the stored row in: {columns}"),
    "show_code": (
        "注意：{names} 的代码或内容与这次运行时不同",
        "note: the code or content of {names} is not what this run was made with",
    ),
    "show_record": (
        "本副记录（规则 {rules}），可用于 guandan show --rules {rules} --state：",
        "Record under the rules {rules}, for guandan show --rules {rules} --state:",
    ),
    "show_both": (
        "{names} 与 --state 不能同时写；请写 RUN --pair N --leg N --deal N，或只写 --state",
        "{names} cannot stand beside --state; write RUN --pair N --leg N --deal N, or --state alone",
    ),
    "show_stateless": (
        "{names} 只能与 --state 同用；请加 --state TEXT|FILE|-",
        "{names} goes with --state only; add --state TEXT|FILE|-",
    ),
    "show_missing": (
        "缺少 {names}；请写 guandan show RUN --pair N --leg N --deal N，或 guandan show --state TEXT|FILE|-",
        "{names} is missing; write guandan show RUN --pair N --leg N --deal N, or guandan show --state TEXT|FILE|-",
    ),
    # a state given by hand
    "state_wrong": ("{name} 读不懂：{text}", "cannot read {name}: {text}"),
    "state_no_file": ("没有文件 {name}；当作文字，{text}", "there is no file {name}; as a text, {text}"),
    "state_at": (
        "--at 的值 {value} 太大；这副牌记有 {limit} 手，请写 0 到 {limit}",
        "{value} is too much for --at; the plays given are {limit}: write 0 to {limit}",
    ),
    "state_hidden": (
        "{name} 轮到 {turn} 位，但没有写它的牌；请写出它的手牌，或把各手牌写到轮到你为止",
        "{name}: seat {turn} is to act, whose hand is not written; write that hand, or the plays up to your own turn",
    ),
    "state_long": (
        "{name} {file} 超过 {limit} 字节；一副牌不过几千字节，请只给一副",
        "{name} {file} is longer than {limit} bytes; a deal has a few thousand, give one deal",
    ),
    "state_bytes": (
        "{name} {file} 的第 {place} 字节不是 UTF-8；请把它存为 UTF-8 文本",
        "{name} {file} is not UTF-8 at byte {place}; save it as UTF-8 text",
    ),
    "state_level": ("打 {level}", "level {level}"),
    "state_hands": ("手牌", "Hands"),
    "state_now": ("{count} 手之后", "After play {count}"),
    "state_leads": ("轮到 {seat} 领出", "seat {seat} leads"),
    "state_follows": ("轮到 {seat}，要压 {holder} 的", "seat {seat} is to beat seat {holder}:"),
    "state_line": ("局面（可复制）", "State, to copy"),
    "state_plays": ("{seat} 位的合法出牌：{count} 种", "Legal plays of seat {seat}: {count}"),
    # kinds of plays
    "SINGLE": ("单张", "single"),
    "PAIR": ("对子", "pair"),
    "TRIPLE": ("三张", "triple"),
    "TUBE": ("三连对", "tube"),
    "FULL_HOUSE": ("三带二", "full house"),
    "PLATE": ("钢板", "plate"),
    "STRAIGHT": ("顺子", "straight"),
    "STRAIGHT_FLUSH": ("同花顺", "straight flush"),
    "BOMB": ("炸弹", "bomb"),
    "JOKER_BOMB": ("四大天王", "joker bomb"),
    "SB": ("小王", "sj"),
    "HR": ("大王", "BJ"),
    # moves
    "line_long": ("一行超过 {limit} 字节", "the line is longer than {limit} bytes"),
    "line_json": ("不是 JSON：{reason}", "not JSON: {reason}"),
    "line_object": ("应为 JSON 对象", "expected a JSON object"),
    "line_id": ("id 应为字符串、整数或 null", "id must be a string, a whole number or null"),
    "line_field": ("没有字段 {name}；可写：{known}", "there is no field {name}; the fields are: {known}"),
    "line_level": (
        "level {value} 无效；请写 2 3 4 5 6 7 8 9 T J Q K A 之一",
        "level {value} is not one of 2 3 4 5 6 7 8 9 T J Q K A",
    ),
    "line_hand": (
        'hand 应为 1 到 27 张牌的列表，如 ["S2", "HR"]',
        'hand must be a list of 1 to 27 cards such as ["S2", "HR"]',
    ),
    "line_card": ("没有牌 {value}", "there is no card {value}"),
    "line_copies": ("牌 {value} 超过两张", "more than two cards {value}"),
    "line_greater": (
        "greater 应为 null 或 [牌型, 点数, [牌, ...]]",
        "greater must be null or [type, rank, [cards, ...]]",
    ),
    "line_type": ("没有牌型 {value}；可写：{known}", "there is no type {value}; write one of: {known}"),
    "line_reading": (
        "这些牌在打 {level} 时不是 {type} {rank}",
        "at level {level} these cards are not a {type} of {rank}",
    ),
}


class Pasted(str):
    """Be a text that the user may paste: it is shown in full, as it is."""


class Texts:
    """Give texts in one language: `t("port_taken", port=8501, other=8502)` is one line."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def __call__(self, key: str, **values: object) -> str:
        """Fill in a text of the catalog."""
        shown = {name: value if isinstance(value, Pasted) else one_line(value) for name, value in values.items()}
        return CATALOG[key][LANGUAGES.index(self.language)].format(**shown)

    def error(self, error: SimError) -> str:
        """Give the line of an error of `sim`."""
        return error.text(self.language)


def system_language(environment: Mapping[str, str]) -> Language:
    """Choose the language from the locale variables, in their usual order: the first that is set decides."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return "zh" if environment[name].lower().startswith("zh") else "en"
    return "en"
