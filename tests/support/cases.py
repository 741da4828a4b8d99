"""Table-driven tests take their cases from here, so that more can be given without touching the repository."""

import gzip
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "data"
EXTRA_VARIABLE = "GUANDAN_EXTRA_CASES"


def case_files(subfolder: str, pattern: str) -> list[Path]:
    """List the files that hold cases: tests/data/<subfolder>, then the same subfolder of $GUANDAN_EXTRA_CASES.

    Raises FileNotFoundError where the repository itself has no such file, or where the variable names no folder: a
    test over no cases would pass and say nothing. That an extra folder lacks one of the subfolders is normal.
    """
    files = sorted((DATA / subfolder).glob(pattern))
    if not files:
        raise FileNotFoundError(f"no {pattern} in {DATA / subfolder}")
    extra = os.environ.get(EXTRA_VARIABLE)
    if extra:
        if not Path(extra).is_dir():
            raise FileNotFoundError(f"{EXTRA_VARIABLE}={extra} is not a folder; unset it or name one")
        files += sorted(Path(extra, subfolder).glob(pattern))
    return files


def extra_cases(subfolder: str, pattern: str) -> Iterator[dict[str, Any]]:
    """Read the cases, one JSON object a line, of all files that `case_files` lists; `.gz` is unpacked on the way.

    Raises ValueError with file and line where a line is not a JSON object. Blank lines are passed over.
    """
    for path in case_files(subfolder, pattern):
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    case = json.loads(line)
                except json.JSONDecodeError as error:
                    raise ValueError(f"{path}:{number}: not JSON: {error}") from None
                if not isinstance(case, dict):
                    raise ValueError(f"{path}:{number}: a case is a JSON object, not {type(case).__name__}")
                yield case
