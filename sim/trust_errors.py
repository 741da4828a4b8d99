"""Texts of `sim.errors` about the trust in a run: what `verify` finds, exclusions, tidying, compacting."""

from __future__ import annotations

# code -> (Chinese, English), joined to `sim.errors.MESSAGES`
MESSAGES: dict[str, tuple[str, str]] = {
    # exclusions
    "block_name": (
        "块名 {value} 无效；请写 对阵-块号，如 0-12 或 000-000012（只有一组对阵时可只写块号）",
        "{value} names no block; write MATCH-UP-NUMBER such as 0-12 or 000-000012, or just the number in a run of one "
        "match-up",
    ),
    "block_absent": (
        "{folder} 里没有已完成的块 {block}；请看 {folder}/blocks 里的名字",
        "{folder} holds no committed block {block}; the names are those in {folder}/blocks",
    ),
    "excluded_already": (
        "块 {block} 已被排除（{reason}）；要放回请用 guandan include {folder} {block}",
        "block {block} is excluded already ({reason}); guandan include {folder} {block} puts it back",
    ),
    "not_excluded": (
        "块 {block} 没有被排除；{folder} 里被排除的是：{known}",
        "block {block} is not excluded; the excluded blocks of {folder} are: {known}",
    ),
    "exclude_reason": (
        "请用 --reason 写明为何排除",
        "say with --reason why the block is excluded",
    ),
    "log_damaged": (
        "{path} 已损坏或缺失；请从备份恢复，它记着哪些块被排除",
        "{path} is damaged or missing; restore it from a copy, since it says which blocks are excluded",
    ),
    # findings of verify
    "found_absent": (
        "{path} 不在；guandan resume {folder} 会重打这一块",
        "{path} is missing; guandan resume {folder} plays the block again",
    ),
    "found_size": (
        "{path} 有 {found} 字节，记录为 {stored}；guandan resume {folder} 会重打这一块",
        "{path} has {found} bytes, its record says {stored}; guandan resume {folder} plays the block again",
    ),
    "found_hash": (
        "{path} 的 sha256 为 {found}…，记录为 {stored}…；删除该文件后 guandan resume {folder} 会重打这一块",
        "{path} has the sha256 {found}…, its record says {stored}…; delete the file, and guandan resume {folder} plays "
        "the block again",
    ),
    "found_rows": (
        "{path} 有 {found} 行，记录为 {stored}；删除该文件后 guandan resume {folder} 会重打这一块",
        "{path} has {found} rows, its record says {stored}; delete the file, and guandan resume {folder} plays the "
        "block again",
    ),
    "found_columns": (
        "{path} 的列不是本版的列（{reason}）；请用写它的版本验证",
        "the columns of {path} are not those of this version ({reason}); verify with the version that wrote it",
    ),
    "found_unread": (
        "{path} 不能读取（{reason}）；删除该文件后 guandan resume {folder} 会重打这一块",
        "{path} cannot be read ({reason}); delete the file, and guandan resume {folder} plays the block again",
    ),
    "found_loose": (
        "{path} 没有块记录，不计入任何数字；guandan tidy {folder} 会清理",
        "{path} has no commit record and counts for nothing; guandan tidy {folder} clears it away",
    ),
    "found_temporary": (
        "{path} 是没写完的文件；guandan tidy {folder} 会清理",
        "{path} was never finished; guandan tidy {folder} clears it away",
    ),
    "found_half_moved": (
        "块 {block} 的移动没有做完，所在 {path}；guandan tidy {folder} 会做完",
        "the move of block {block} at {path} was cut short; guandan tidy {folder} ends it",
    ),
    "found_behind": (
        "块 {block} 在检验的结论之后，不应计入；guandan tidy {folder} 会移开",
        "block {block} lies behind the verdict of its test and still counts; guandan tidy {folder} lays it apart",
    ),
    "found_unlogged": (
        "{path} 被移出，排除记录里却没有；请移回原处，再用 guandan exclude {folder} {block} --reason 写明原因",
        "{path} lies apart, but not in the log; move it back, then guandan exclude {folder} {block} --reason TEXT",
    ),
    "found_looks": (
        "{path} 的检验计数与各对的结果不符；删除该文件后 guandan resume {folder} 会重打这一块",
        "the looks in {path} are not those of its pairs; delete the file, and guandan resume {folder} plays the block "
        "again",
    ),
    "found_law": (
        "{path} 不合守恒律 {law}（{zh}）：{count} 处，第一处在第 {pair} 对第 {leg} 轮第 {deal} 副：{shown}；"
        "查明前可用 guandan exclude {folder} {block} --reason 排除",
        "{path} breaks the law {law} ({en}): {count} times, first at pair {pair}, leg {leg}, deal {deal}: {shown}; "
        "until it is explained, guandan exclude {folder} {block} --reason TEXT leaves the block out",
    ),
    "found_differs": (
        "{path} 重打后不同：{what}；请用 guandan exclude {folder} {block} --reason 排除，并查明是谁打的",
        "{path} was played again and differs: {what}; guandan exclude {folder} {block} --reason TEXT leaves the block "
        "out until it is explained",
    ),
    "found_unplayed": (
        "块 {block} 不能重打：{zh}；不重打请用 --sample 0",
        "block {block} could not be played again: {en}; --sample 0 leaves that out",
    ),
    # notes of verify
    "note_strangers": (
        "{folder} 里有不属于运行的文件：{names}",
        "{folder} holds files that are no part of a run: {names}",
    ),
    "note_partial": (
        "运行没有打完：{done}/{blocks} 块",
        "the run is not finished: {done} of {blocks} blocks",
    ),
    "note_played": (
        "进程 {owner} 正在打这次运行；没写完的文件不算",
        "process {owner} is playing the run; unfinished files are left out",
    ),
    "note_excluded": (
        "块 {block} 被排除（{who}，{when}）：{reason}",
        "block {block} is excluded ({who}, {when}): {reason}",
    ),
    "note_code": (
        "现在的代码与打这次运行的不同（{names}）；重打的块只作比较，不同也不算错",
        "the code is not that which played the run ({names}): blocks played again are compared, but a difference "
        "proves nothing",
    ),
    "note_code_differs": (
        "块 {block} 用现在的代码重打后不同：{what}",
        "block {block} differs when this code plays it: {what}",
    ),
    "note_encoding": (
        "块 {block} 由 {stored} 写成，现为 {found}；比较的是各列与各值，相同",
        "block {block} was written by {stored}, this is {found}: schema and values were compared, and are equal",
    ),
    "note_observed": (
        "块 {block} 的策略可能两次打得不同：原得分 {stored}，重打 {found}，相差 {z} 个标准误",
        "the strategies of block {block} may play differently each time: it scored {stored}, and {found} when played "
        "again, {z} standard errors apart",
    ),
    "note_no_rules": (
        "本版不知道规则 {rules}；没有检查守恒律",
        "this version does not know the rules {rules}: no laws were tried",
    ),
    # compact
    "compact_same": (
        "{folder} 就是这次运行；请另给一个文件夹",
        "{folder} is the run itself; name another folder",
    ),
    "compact_smaller": (
        "每块 {block_pairs} 对不大于现有的 {size} 对；请写更大的数",
        "{block_pairs} pairs a block are no more than the {size} that there are; write a larger number",
    ),
    "compact_unfinished": (
        "{folder} 只完成了 {done}/{blocks} 块；请先 guandan resume，或用 --partial 只合并从头起连续的块",
        "only {done} of {blocks} blocks of {folder} are done; finish it with guandan resume, or --partial takes the "
        "blocks from the first up to the first that is missing",
    ),
    "compact_excluded": (
        "{folder} 有被排除的块（{names}），合并后不能再分开；请先 guandan include",
        "{folder} has excluded blocks ({names}) that larger ones would not keep apart; guandan include them first",
    ),
    "compact_looks": (
        "检验每 {look_pairs} 对看一次，而每块 {size} 对，合并后看的时刻会变；这次运行不能合并",
        "the test looks every {look_pairs} pairs and a block has {size}: larger blocks would look at other times, so "
        "this run cannot be compacted",
    ),
    "compact_sums": (
        "表 {table} 的各行如何相加不详；这次运行不能合并",
        "how the rows of table {table} add up is not known here: this run cannot be compacted",
    ),
    "compact_empty": (
        "{folder} 里没有可合并的块",
        "{folder} has no blocks to put together",
    ),
}
