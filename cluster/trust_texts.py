"""Texts of the commands about the trust in a run: verify, exclude, include, tidy, compact."""

from __future__ import annotations

# key -> (Chinese, English), joined to `cluster.texts.CATALOG`
CATALOG: dict[str, tuple[str, str]] = {
    "verify_help": (
        "验证一次运行：文件与哈希、各行的守恒律，并在别的进程里重打随机抽取的块，逐字节比较；有问题时返回 1",
        "verify a run: files and hashes, conservation laws of the rows, and a random sample of blocks played again in "
        "another process, compared byte for byte; exit code 1 if anything is wrong",
    ),
    "exclude_help": (
        "把块排除在所有数字之外，写进记录；不删除任何东西",
        "leave blocks out of all numbers, with a line in the log; nothing is deleted",
    ),
    "include_help": ("把被排除的块放回", "put excluded blocks back"),
    "tidy_help": (
        "清理崩溃留下的东西：没写完的文件、没有块记录的数据、没做完的移动",
        "clear up what a crash left: unfinished files, data without a record, moves cut short",
    ),
    "compact_help": (
        "在另一个文件夹里写出同一次运行，块更大、文件更少；原来的不变",
        "write an equal run with larger blocks, and fewer files, into another folder; the source stays as it is",
    ),
    "arg_blocks": (
        "块名，如 0-12 或 000-000012；只有一组对阵时可只写块号",
        "names of blocks such as 0-12 or 000-000012; just the number in a run of one match-up",
    ),
    "opt_sample": (
        "重打几块；默认百分之一，至少 3 块；0 为不重打",
        "how many blocks are played again; by default one in a hundred, at least 3; 0 for none",
    ),
    "opt_verify_seed": ("抽取哪些块的种子", "seed that draws the blocks"),
    "opt_verify_workers": ("重打用几个进程", "processes that play blocks again"),
    "opt_reason": ("为何排除，写进记录", "why, for the log"),
    "opt_dry_run": ("只说会做什么", "only say what would be done"),
    "opt_compact_pairs": ("新的每块对数，取原来的整倍数", "pairs of a new block, rounded down to whole old ones"),
    "opt_partial": (
        "没有打完也合并从头起连续的块；其余的以后在新文件夹里接着打",
        "of an unfinished run take the blocks up to the first that is missing; the rest is played in the new folder",
    ),
    "stage_files": ("读文件：{done}/{total} 块", "files: {done} of {total} blocks"),
    "stage_laws": ("守恒律：{done}/{total} 块", "laws: {done} of {total} blocks"),
    "stage_blocks": ("重打：{done}/{total} 块", "played again: {done} of {total} blocks"),
    "stage_compact": ("合并：{done}/{total} 块", "put together: {done} of {total} blocks"),
    "stage_left": ("{stage}，还需 {left}", "{stage}, {left} left"),
    "verify_looked": (
        "{run}：{blocks} 块计入，{apart} 块另存；{files} 个文件、{bytes} 字节的哈希；{laws} 条守恒律；"
        "重打 {count} 块：{names}",
        "{run}: {blocks} blocks that count, {apart} kept apart; hashes of {files} files, {bytes} bytes; {laws} laws; "
        "{count} blocks played again: {names}",
    ),
    "verify_note": ("说明：{text}", "note: {text}"),
    "verify_finding": ("问题：{text}", "wrong: {text}"),
    "verify_good": ("没有发现问题", "nothing is wrong"),
    "verify_bad": ("发现 {count} 个问题", "{count} things are wrong"),
    "excluded_done": (
        "已排除 {names}，移到 {folder}/excluded；放回：{command}",
        "excluded {names}, moved to {folder}/excluded; put back with: {command}",
    ),
    "included_done": ("已放回 {names}", "put back {names}"),
    "excluded_line": (
        "{count} 块被排除（{pairs} 对），不在以上数字里；打过的共 {blocks} 块 {all} 对",
        "{count} blocks excluded ({pairs} pairs), in no number above; played in all: {blocks} blocks, {all} pairs",
    ),
    "tidy_temporary": ("没写完的文件，删去：{names}", "unfinished files, removed: {names}"),
    "tidy_loose": ("没有块记录的数据，删去：{names}", "data without a record, removed: {names}"),
    "tidy_moved": ("没做完的移动，做完：{names}", "moves cut short, ended: {names}"),
    "tidy_apart": ("检验结论之后的块，移开：{names}", "blocks behind a verdict, laid apart: {names}"),
    "tidy_strangers": ("不属于运行的文件，留着：{names}", "files that are no part of a run, left: {names}"),
    "tidy_nothing": ("{folder} 里没有要清理的", "there is nothing to tidy in {folder}"),
    "tidy_dry": ("以上只是预告；去掉 --dry-run 才会做", "nothing was done yet: leave out --dry-run to do it"),
    "compact_done": (
        "{before} 块合并为 {blocks} 块，{files_before} 个文件成为 {files} 个：{folder}",
        "{before} blocks became {blocks}, {files_before} files became {files}: {folder}",
    ),
}
