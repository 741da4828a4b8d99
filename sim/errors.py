"""Say what went wrong with a request or a run, in one line and in the reader's language.

The command and the dashboard show these texts as they are, so each names the value, the limit and the way out.
"""

from __future__ import annotations

import errno
import math
from typing import Literal, cast

from sim import trust_errors

Language = Literal["zh", "en"]

# code -> (Chinese, English). The codes are stable: callers may branch on `SimError.code`.
MESSAGES: dict[str, tuple[str, str]] = {
    **trust_errors.MESSAGES,
    "strategy_wrong": ("{zh}", "{en}"),  # `trace` goes with it: where the author's code failed, or ""
    "rules_wrong": ("{zh}", "{en}"),
    "boards_unknown": (
        "定局 {value} 既不是运行的文件夹，也不是文件；请写 uniform、运行的文件夹、每行一个定局的文件，或一个定局，"
        "如 A/K 0213 1/0 - tribute",
        "the boards {value} are neither the folder of a run nor a file; write uniform, the folder of a run, a file "
        "with a context a line, or one context such as A/K 0213 1/0 - tribute",
    ),
    "board_wrong": (
        "{place}：{zh}；定局可写 uniform、运行的文件夹、每行一个定局的文件，或一个定局",
        "{place}: {en}; boards are uniform, the folder of a run, a file with a context a line, or one context",
    ),
    "board_form": (
        "定局 {value} 应写作 {written}",
        "the board {value} must be written {written}",
    ),
    "boards_range": (
        "定局有 {value} 个；请写 1 到 {limit} 个",
        "there are {value} boards; give 1 to {limit}",
    ),
    "boards_no_deals": (
        "{folder} 的明细是 {detail}，没有每副的记录，不能从中取定局；请用 --detail deals 的运行，或写 uniform、文件、"
        "一个定局",
        "{folder} keeps {detail} and no deals, so it has no contexts to sample; name a run with --detail deals, or "
        "write uniform, a file, or one context",
    ),
    "boards_unfinished": (
        "{folder} 只完成了 {done}/{blocks} 块，从中取定局不能重现；请先打完，或写 uniform、文件、一个定局",
        "only {done} of {blocks} blocks of {folder} are done, and a sample of it could not be repeated; finish it "
        "first, or write uniform, a file, or one context",
    ),
    "boards_excluded": (
        "{folder} 有 {count} 块被排除，从其余的块中取定局不能重现；请先 guandan include，或写 uniform、文件、一个定局",
        "{count} blocks of {folder} are excluded, and a sample of the others could not be repeated; guandan include "
        "them first, or write uniform, a file, or one context",
    ),
    "tribute_pairs": (
        "进贡研究的对数 {value} 不在范围内：每对要一行定局；请写 1 到 {limit}",
        "{value} pairs are out of range for a study of tribute, which needs a board for each; write 1 to {limit}",
    ),
    "tribute_none": (
        "规则 {rules} 不进贡，没有可研究的；请用 --rules 写一个进贡的规则集",
        "under the rules {rules} no tribute is paid, so it has no value; name others with --rules",
    ),
    "tribute_contexts": (
        "定局 {value} 在规则 {rules} 下都不进贡；请写有上一副名次的定局，或 uniform",
        "before none of the boards {value} is tribute due under the rules {rules}; give some with the order of a deal "
        "before, or uniform",
    ),
    "tribute_arms": (
        "{arm} 与 exchange 不是同一次进贡研究；请另用一个文件夹",
        "{arm} is not of the same study of tribute as exchange; use another folder",
    ),
    "pairs_range": (
        "对数 {value} 不在范围内；请写 1 到 {limit} 的整数",
        "the number of pairs {value} is out of range; write a whole number from 1 to {limit}",
    ),
    "seed_range": (
        "种子 {value} 不在范围内；请写 0 到 {limit} 的整数",
        "the seed {value} is out of range; write a whole number from 0 to {limit}",
    ),
    "detail_unknown": (
        "明细 {value} 不存在；可写：{known}",
        "there is no detail {value}; write one of: {known}",
    ),
    "on_fault_unknown": (
        "出错处理 {value} 不存在；可写：{known}",
        "there is no way to deal with faults called {value}; write one of: {known}",
    ),
    "seconds_range": (
        "每次决定的时限 {value} 秒不在范围内；请写 {least} 到 {limit} 的整数",
        "{value} seconds a decision is out of range; write a whole number from {least} to {limit}",
    ),
    "memory_range": (
        "内存上限 {value} MB 不在范围内；请写 {least} 到 {limit} 的整数",
        "a limit of {value} MB of memory is out of range; write a whole number from {least} to {limit}",
    ),
    "worker_failed": (
        "策略所在的进程不能开始：{reason}；请先用 guandan check 检查该策略",
        "the process of the strategies could not begin: {reason}; try the strategy with guandan check first",
    ),
    "worker_lost": (
        "策略所在的进程在没有问它时中止（{reason}）；请先用 guandan check 检查该策略",
        "the process of the strategies was lost while none was asked ({reason}); try the strategy with guandan check "
        "first",
    ),
    "strategy_fault": (
        "策略 {name} 出错（{reason_zh}）：第 {pair} 对第 {leg} 轮第 {deal} 副第 {decision} 次决定，{seat} 位；"
        "查看局面：guandan show --state '{state}'；再问一次：guandan advise '{state}' --strategy '{written}'；"
        "若要判罚后继续，请用 --on-fault judge",
        "strategy {name} failed ({reason}): pair {pair}, leg {leg}, deal {deal}, decision {decision}, seat {seat}; "
        "look at the position with guandan show --state '{state}', ask there again with guandan advise '{state}' "
        "--strategy '{written}', or go on with the deal judged by --on-fault judge",
    ),
    "block_range": (
        "每块对数 {value} 不在范围内；请写 1 到 {limit} 的整数",
        "{value} pairs a block is out of range; write a whole number from 1 to {limit}",
    ),
    "too_many_blocks": (
        "{pairs} 对按每块 {block_pairs} 对共 {blocks} 块，上限 {limit} 块；请加大每块对数",
        "{pairs} pairs in blocks of {block_pairs} make {blocks} blocks, the limit is {limit}; make the blocks larger",
    ),
    "not_text": (
        "字段 {field} 的值 {value} 类型不对",
        "the field {field} has a value of the wrong type: {value}",
    ),
    "folder_remote": (
        "{folder} 是远程地址；请写作 s3://桶/前缀 或 gs://桶/前缀",
        "{folder} is a remote address; write it as s3://bucket/prefix or gs://bucket/prefix",
    ),
    "place_unknown": (
        "{place} 的协议 {scheme} 不能用；可写本地文件夹、s3://桶/前缀 或 gs://桶/前缀",
        "{place} has the unknown scheme {scheme}; write a local folder, s3://bucket/prefix or gs://bucket/prefix",
    ),
    "place_wrong": (
        "地址 {place} 不对：{zh}",
        "the address {place} is wrong: {en}",
    ),
    "objects_missing": (
        "没有安装 obstore，不能读写 s3:// 和 gs://；请安装：pip install 'guandan-sim[objects]'，或改用本地文件夹",
        "s3:// and gs:// need obstore, which is not installed; pip install 'guandan-sim[objects]', or use a local "
        "folder",
    ),
    "bucket_missing": (
        "没有存储桶 {bucket}（{place}）；请先建立它，或检查桶名、区域（AWS_REGION）和端点",
        "there is no bucket {bucket} ({place}); make it first, or check its name, the region (AWS_REGION) and the "
        "endpoint",
    ),
    "place_forbidden": (
        "无权读写 {place}（{reason}）；请检查环境变量里的密钥（AWS_ACCESS_KEY_ID 或 "
        "GOOGLE_APPLICATION_CREDENTIALS）和桶的权限",
        "{place} may not be used ({reason}); check the credentials of the environment (AWS_ACCESS_KEY_ID or "
        "GOOGLE_APPLICATION_CREDENTIALS) and the permissions of the bucket",
    ),
    "place_unreachable": (
        "{place} 多次重试仍没有回应（{reason}）；已完成的块都在，请检查网络和端点，再用相同的命令继续",
        "{place} does not answer after several tries ({reason}); finished blocks are safe: check the network and the "
        "endpoint, then the same command goes on",
    ),
    "place_failed": (
        "不能读写 {place}：{reason}；已完成的块都在，用相同的命令可以继续",
        "cannot use {place}: {reason}; finished blocks are safe, the same command goes on",
    ),
    "folder_is_file": (
        "{folder} 是文件；请给出文件夹",
        "{folder} is a file; name a folder",
    ),
    "folder_failed": (
        "不能建立文件夹 {folder}：{reason}",
        "cannot make the folder {folder}: {reason}",
    ),
    "folder_used": (
        "{folder} 里已有别的文件；请换一个空的或新的文件夹",
        "{folder} already holds other files; name an empty or a new folder",
    ),
    "run_file_missing": (
        "{folder} 里有已完成的块，但缺少 run.json；请恢复 run.json 后继续，或换一个文件夹重跑",
        "{folder} holds finished blocks but its run.json is missing; restore run.json to go on, or name another folder",
    ),
    "run_gone": (
        "文件夹 {folder} 在打的过程中不见了，其中的块也随之丢失；用相同的命令会从头打起",
        "the folder {folder} disappeared while it was written, and its blocks with it; the same command plays anew",
    ),
    "path_blocked": (
        "写不进 {path}：{reason}；请把它移开，再用相同的命令继续",
        "cannot write {path}: {reason}; move it out of the way, then the same command goes on",
    ),
    "remove_link": (
        "{path} 是链接，不能由 --fresh 删去；什么都没有删，请自己移开它，或换一个文件夹",
        "{path} is a link, which --fresh does not follow; nothing was deleted: move it away or name another folder",
    ),
    "remove_refused": (
        "不能删去 {path} 里的文件：{reason}；什么都没有删，请改它的权限，或换一个文件夹",
        "cannot delete files in {path}: {reason}; nothing was deleted: change its permissions or name another folder",
    ),
    "remove_failed": (
        "没能删去 {path}：{reason}；{folder} 里的运行只删了一部分，再用相同的命令会删完，不加 --fresh 则补打缺的块",
        "cannot delete {path}: {reason}; the run in {folder} is deleted in part: the same command deletes the rest, "
        "without --fresh the missing blocks are played again",
    ),
    "remove_strangers": (
        "{folder} 里除这次运行外还有 {names}；什么都没有删，请移开它们，或换一个文件夹",
        "{folder} holds {names} beside the run; nothing was deleted: move that away or name another folder",
    ),
    "folder_missing": (
        "没有文件夹 {folder}；请先用 guandan run 或 guandan demo 生成",
        "there is no folder {folder}; make one with guandan run or guandan demo",
    ),
    "run_inside": (
        "{folder} 里没有 run.json，不是一次运行的文件夹；其中的运行：{runs}",
        "{folder} holds no run.json: it is not the folder of a run; the runs in it are {runs}",
    ),
    "run_missing": (
        "{folder} 里没有 run.json，不是一次运行的文件夹",
        "{folder} holds no run.json: it is not the folder of a run",
    ),
    "run_damaged": (
        "{path} 已损坏（{reason}）；数据文件未动，请恢复该文件，或换一个文件夹重跑",
        "{path} is damaged ({reason}); the data files are untouched: restore this file or run into another folder",
    ),
    "run_newer": (
        "{path} 由更新的版本写成（格式 {found}，本版支持到 {known}）；请升级 guandan-sim",
        "{path} was written by a newer version (format {found}, this one reads up to {known}); upgrade guandan-sim",
    ),
    "run_differs": (
        "{folder} 里已有另一次运行：{field} 原为 {stored}，现为 {asked}；请用相同的参数继续，或换一个文件夹",
        "{folder} holds another run: its {field} is {stored}, you asked for {asked}; "
        "repeat its own request to go on with it, or name another folder",
    ),
    "form_unknown": (
        "对阵形式 {value} 不存在；可写：{known}",
        "there is no form {value}; write one of: {known}",
    ),
    "form_number": (
        "{form} 不能由 {count} 个策略组成；duel 要两个，gauntlet 和 league 要两个以上",
        "{count} strategies make no {form}: a duel takes two, a gauntlet or a league two or more",
    ),
    "too_many_match_ups": (
        "共 {count} 组对阵，上限 {limit}；请减少策略或规则集",
        "that makes {count} match-ups, the limit is {limit}; name fewer strategies or rule sets",
    ),
    "match_up_twice": (
        "{x} 对 {y}（规则 {rules}）出现了两次；每个策略和规则集只写一次",
        "{x} against {y} under {rules} comes twice; name each strategy and each rule set once",
    ),
    "rules_twice": (
        "规则集 {name} 有两种内容；请改其中一个文件的名字",
        "the rule set {name} comes with two contents; rename one of the files",
    ),
    "extend_fewer": (
        "已有 {had} 对，不能减为 {pairs} 对；请写更大的数",
        "the run has {had} pairs already and cannot shrink to {pairs}; write a larger number",
    ),
    "experiment_wrong": (
        "{path} 不是可读的 TOML：{reason}；请改正后重试",
        "{path} is no TOML that can be read: {reason}; correct it and try again",
    ),
    "experiment_key": (
        "{path} 里没有字段 {name} 的定义；可写：{known}",
        "{path}: there is no field {name}; write one of: {known}",
    ),
    "experiment_value": (
        "{path} 里 {name} 的值 {value} 类型不对；见 README 的例子",
        "{path}: {name} has a value of the wrong type: {value}; README has an example",
    ),
    "experiment_missing": (
        "没有写 {name}；请在 .toml 文件里写上，或在命令行给出（--pairs N；其余见 guandan run --help）",
        "{name} is missing; write it in the .toml file or on the command line (--pairs N; more: guandan run --help)",
    ),
    "test_wrong": (
        "{value} 不成检验：要 elo0 < elo1，都在 -{limit} 到 {limit} 之间，alpha、beta 大于 0 且合计小于 1",
        "{value} make no test: elo0 must be below elo1, both between -{limit} and {limit}, alpha and beta above 0 and "
        "together below 1",
    ),
    "look_range": (
        "每次查看的对数 {value} 不在范围内；请写 1 到 {limit} 的整数",
        "{value} pairs a look is out of range; write a whole number from 1 to {limit}",
    ),
    "test_same": (
        "{x} 对自己没有可检验的；请去掉 test，或换一个对手",
        "{x} against itself leaves nothing to test; leave the test out or name another opponent",
    ),
    "target_metric": (
        "没有可设目标的指标 {value}；可写：{known}",
        "there is no figure {value} to set a target for; write one of: {known}",
    ),
    "target_band": (
        "指标 {metric} 的目标区间 {value} 不成区间；请写 low 不大于 high 的两个数",
        "the band {value} of {metric} is none; write two numbers, low not above high",
    ),
    "target_twice": (
        "指标 {metric} 有两个目标区间；请只留一个",
        "there are two bands for {metric}; keep one",
    ),
    "family_unknown": (
        "多重比较的方法 {value} 不存在；可写：{known}",
        "there is no family of comparisons called {value}; write one of: {known}",
    ),
    "match_up_range": (
        "没有第 {value} 组对阵；这次运行的对阵编号为 0 到 {limit}",
        "there is no match-up {value}; this run has the match-ups 0 to {limit}",
    ),
    "extend_differs": (
        "{folder} 里 {x} 对 {y}（规则 {rules}）已打的部分不能改；只能增加对数、策略或规则集",
        "{folder}: what {x} against {y} under {rules} has played cannot be changed; ask for more pairs, further "
        "strategies or further rule sets",
    ),
    "run_busy": (
        "{folder} 正由另一个进程（{owner}）写入；请等它结束",
        "{folder} is being written by another process ({owner}); wait until it ends",
    ),
    "block_damaged": (
        "{path} 已损坏（{reason}）；请删除该文件后用相同的命令重跑，这一块会重新打出",
        "{path} is damaged ({reason}); delete it and repeat the same run: that block is played again",
    ),
    "block_newer": (
        "{path} 由更新的版本写成（格式 {found}，本版支持到 {known}）；请升级 guandan-sim",
        "{path} was written by a newer version (format {found}, this one reads up to {known}); upgrade guandan-sim",
    ),
    "disk_full": (
        "写不进 {path}：{reason}；已完成的块都在，腾出空间后用相同的命令继续",
        "cannot write {path}: {reason}; finished blocks are safe, free some space and repeat the same command to go on",
    ),
    "read_only": (
        "不能写入 {path}：{reason}；请换一个可写的文件夹，或改它的权限",
        "cannot write {path}: {reason}; name a folder that you may write to, or change its permissions",
    ),
    "file_unreadable": (
        "不能读取 {path}：{reason}",
        "cannot read {path}: {reason}",
    ),
    "sql_wrong": ("SQL 有误：{reason}", "the SQL is wrong: {reason}"),
    "sql_refused": (
        "SQL 只能读这次运行的各表，不读写别的文件，不改设置：{reason}",
        "SQL may read the tables of this run, no other file, and change no setting: {reason}",
    ),
    "file_failed": (
        "写不进 {path}：{reason}；已完成的块都在，用相同的命令可以继续",
        "cannot write {path}: {reason}; finished blocks are safe, the same command goes on",
    ),
    "code_differs": (
        "{name} 的代码或内容与这次运行开始时不同（原 {stored}，现 {found}）；结果不能混在一起，请换一个文件夹重跑",
        "the code or content of {name} is not what this run was started with ({stored}, now {found}); "
        "results must not be mixed: run into another folder",
    ),
    "ray_missing": (
        "没有安装 Ray；请安装 ray，或改用 --on local",
        "Ray is not installed; install ray, or use --on local",
    ),
    "ray_start": (
        "Ray 没有启动：{reason}；可改用 --on local",
        "Ray did not start: {reason}; --on local does without it",
    ),
    "block_lost": (
        "第 {block} 块的工作进程 {times} 次意外结束（{reason}）；其余的块都在，用相同的命令可以继续",
        "the worker of block {block} died {times} times ({reason}); finished blocks are safe, the same command goes on",
    ),
    "cluster_none": (
        "这台机器上没有正在运行的 Ray（RAY_ADDRESS 也没有写）；请写 --address HOST:PORT，或先用 ray start 启动",
        "no Ray runs on this machine, and RAY_ADDRESS names none; write --address HOST:PORT, or begin one by ray start",
    ),
    "cluster_unreachable": (
        "连不上 {address} 的 Ray：{reason}；请核对地址和防火墙，默认端口是 6379",
        "cannot connect to Ray at {address}: {reason}; check the address and firewalls, the usual port is 6379",
    ),
    "cluster_no_token": (
        "没有 Ray 的令牌；请把集群的令牌写入 RAY_AUTH_TOKEN 或 ~/.ray/auth_token；"
        "集群不用令牌的，请设 RAY_AUTH_MODE=disabled",
        "there is no Ray token; put that of the cluster into RAY_AUTH_TOKEN or ~/.ray/auth_token; for a cluster "
        "without tokens set RAY_AUTH_MODE=disabled",
    ),
    "cluster_refused": (
        "{address} 有应答，但不让进（RAY_AUTH_MODE={mode}）：令牌不是这个集群的，或一边用令牌一边不用，或那里不是 Ray；"
        "请核对 RAY_AUTH_TOKEN 和 RAY_AUTH_MODE",
        "{address} answers but lets nobody in (RAY_AUTH_MODE={mode}): the token is not that of the cluster, or one "
        "side uses tokens and the other not, or it is no Ray; check RAY_AUTH_TOKEN and RAY_AUTH_MODE",
    ),
    "cluster_version": (
        "集群是 Ray {ray}、Python {python}，这里是 Ray {own_ray}、Python {own_python}；"
        "两边必须相同（Python 到次版本），请在同样的环境里运行",
        "the cluster has Ray {ray} and Python {python}, here are Ray {own_ray} and Python {own_python}; they must be "
        "the same (Python up to its minor version): run this in the same environment",
    ),
    "cluster_no_cpus": (
        "{address} 的 Ray 没有处理器；请启动工作节点；会自动扩展的集群请写 --workers N",
        "Ray at {address} has no processors; start worker nodes, or write --workers N if it grows by itself",
    ),
    "cluster_failed": (
        "不能加入 {address} 的 Ray：{reason}；请在集群的一台机器上、以启动 Ray 的用户运行",
        "cannot join Ray at {address}: {reason}; run this on a machine of the cluster, as the user who started Ray",
    ),
    "cluster_job": (
        "这个 Ray 作业自己带了 py_modules，与这里要带去的代码冲突；提交作业时请不要写 py_modules",
        "this Ray job brings py_modules of its own, which collide with the code that goes along; submit it without",
    ),
    "node_setup": (
        "节点不能装入运行所需的代码：{reason}；请在节点上安装同一平台的 Ray 和 guandan-sim 的依赖",
        "a node cannot load the code of the run: {reason}; install there, for the same platform, Ray and what "
        "guandan-sim depends on",
    ),
    "node_folder": (
        "节点 {node} 看不到运行的文件夹 {folder}；请把它放在所有节点在同一路径挂载的共享盘（如 NFS）上",
        "node {node} does not see the folder of the run, {folder}; put it on a disk that all nodes mount at the same "
        "path (NFS, for example)",
    ),
    "node_differs": (
        "节点 {node} 上 {name} 的代码或内容与这次运行不同（应为 {stored}，那里是 {found}）；请让各节点的安装与这里相同",
        "on node {node} the code or content of {name} is not that of this run ({stored} expected, {found} there); "
        "make the installation of all nodes that of this machine",
    ),
    "pair_range": (
        "没有第 {value} 对；这次运行的对号为 0 到 {limit}",
        "there is no pair {value}; this run has the pairs 0 to {limit}",
    ),
    "leg_range": (
        "没有第 {value} 轮；每对有第 1、2 两轮",
        "there is no leg {value}; a pair has the legs 1 and 2",
    ),
    "leg_single": (
        "这次运行每对只打第 1 轮：两边是同一个确定性策略，换座后牌局完全相同",
        "this run has leg 1 only: both sides are the same deterministic strategy, so the second leg is the same match",
    ),
    "deal_range": (
        "没有第 {value} 副；第 {pair} 对第 {leg} 轮共 {limit} 副，写 1 到 {limit}",
        "there is no deal {value}; leg {leg} of pair {pair} has the deals 1 to {limit}",
    ),
    "compare_two": (
        "比较要两组以上的对阵；请写作 DIR:N，如 runs/league:0 runs/league:2",
        "a comparison needs two match-ups or more; write DIR:N, for example runs/league:0 runs/league:2",
    ),
    "compare_which": (
        "{folder} 有多组对阵；请写明是 0 到 {last} 的哪一组，如 {example}",
        "{folder} has several match-ups; say which of 0 to {last}, for example {example}",
    ),
    "compare_itself": ("{first} 不能和自己比较", "{first} cannot be compared with itself"),
    "compare_deals": (
        "{first} 与 {second} 的牌不同（种子或定局不同），没有共同的对；请用相同的 --seed 打",
        "{first} and {second} were played on other deals (seed or boards differ), so no pair is common; play "
        "them with the "
        "same --seed",
    ),
    "compare_strategies": (
        "{first} 与 {second} 没有共同的策略，差说明不了什么；请选对手相同的两组",
        "{first} and {second} have no strategy in common, so a difference would say nothing; choose two with the same "
        "opponent",
    ),
    "compare_pairs": (
        "{first} 与 {second} 没有共同打完的对；请先打完",
        "no pair of {first} and {second} is done in both; let them go on first",
    ),
    "measure_unknown": ("没有项目 {value}；可写：{known}", "there is no measure {value}; write one of: {known}"),
    "scorecard_one": (
        "{folder} 只有一套规则（{rules}），没有可比的；请用 guandan extend 加一套：--rules NAME",
        "{folder} has one rule set ({rules}) and nothing to compare; add one with guandan extend: --rules NAME",
    ),
    "scorecard_reference": (
        "运行里没有规则集 {value}；可写：{known}",
        "the run has no rule set {value}; write one of: {known}",
    ),
}


def is_finite(value: object) -> bool:
    """Tell whether a value is a number that a float can hold; neither True nor a whole number beyond its range is."""
    try:
        return type(value) in (int, float) and math.isfinite(cast(float, value))
    except OverflowError:
        return False


class SimError(Exception):
    """Report a mistake that the caller can mend; `str()` is one line of English.

    `code` is a key of `MESSAGES`, `values` are what the text names. `text("zh")` gives the same line in Chinese.
    It survives pickling, because workers send it back to the process that shows it.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values

    def text(self, language: Language = "en") -> str:
        """Give the line in one language."""
        shown = {
            key: one_line(value, _LENGTHS.get(key, 600 if key == language else 200))
            for key, value in self.values.items()
        }
        return MESSAGES[self.code][0 if language == "zh" else 1].format(**shown)

    def __str__(self) -> str:
        return self.text("en")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.code, self.values)


_LENGTHS = {"state": 2_000, "written": 2_000}  # to be pasted


def _rebuild(code: str, values: dict[str, object]) -> SimError:
    return SimError(code, **values)


def one_line(value: object, limit: int = 200) -> str:
    """Show a value on one line: control characters escaped, the middle of a long one left out."""
    try:
        shown = str(value)
    except ValueError:  # a whole number of more digits than Python writes
        shown = hex(value) if isinstance(value, int) else type(value).__name__
    text = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in shown)
    return text if len(text) <= limit else f"{text[: limit // 2]}…{text[-limit // 2 :]}"


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN = {errno.EROFS, errno.EACCES, errno.EPERM}


def write_error(error: OSError, path: object) -> SimError:
    """Turn a failed write into the line that says what to do about it."""
    code = "disk_full" if error.errno in _FULL else "read_only" if error.errno in _FORBIDDEN else "file_failed"
    return SimError(code, path=path, reason=error.strerror or error)
