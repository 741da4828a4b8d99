"""Write run.json as earlier formats had it."""

import json
from pathlib import Path
from typing import Any

from sim import run_file
from sim.places import as_place
from sim.run_file import Run


def in_format(run: Run, form: int, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Give run.json of a run of one match-up in a format before 4, its request without some fields."""
    request = {name: value for name, value in run.request.as_dict().items() if name not in ("earlier", *without)}
    found = json.loads(as_place(run.folder).read(run_file.RUN_FILE))
    del found["shared"], found["match_ups"]
    if form < 3:
        del found["observed"]
    return {**found, "format": form, "request": request, "matches": run.matches, "hashes": run.hashes}


def write(folder: Path, form: int, **more: Any) -> None:
    """Put run.json of an earlier format in the place of that of a run."""
    (folder / run_file.RUN_FILE).write_text(json.dumps(in_format(run_file.load(folder), form, **more)))
