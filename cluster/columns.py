"""Lay rows out as columns, wide characters counted as two cells."""

from collections.abc import Sequence

from rich.cells import cell_len


def table(rows: Sequence[tuple[str, ...]], right: frozenset[int] = frozenset()) -> str:
    """Join rows of equal length, the last column free; `right` are columns of numbers."""
    widths = [max(cell_len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        cells = []
        for k, (text, width) in enumerate(zip(row, widths, strict=False)):
            blank = " " * (width - cell_len(text))
            cells.append(blank + text if k in right else text + blank)
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines)
