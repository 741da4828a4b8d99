"""The examples of strategies keep their promises, and one policy written three ways leaves the same records."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.bulk import play_pairs
from engine.context import uniform_contexts
from engine.rules import NATIONAL
from strategies import conformance
from strategies.registry import NativeStrategy, load
from tests.support.compiling import compile_library
from tests.support.native import View

EXAMPLES = Path(__file__).resolve().parent.parent / "strategies" / "examples"


def needs(name: str) -> None:
    if importlib.util.find_spec(name) is None:
        pytest.skip(f"{name} is not installed: pip install 'guandan-sim[examples]'")


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> str:
    return compile_library(EXAMPLES / "lowest.c", tmp_path_factory.mktemp("examples") / "lowest.so") + ":lowest"


def rows(strategy: NativeStrategy) -> dict[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    contexts = uniform_contexts(40, 1)
    return play_pairs(strategy, load("greedy"), NATIONAL, 1, range(40), contexts=contexts).deals


def keeps_its_promises(strategy: NativeStrategy) -> bool:
    found = conformance.check(strategy, "national", NATIONAL, 600)
    return not found.broken and all(conformance.forms(strategy).values())


def test_the_python_player_and_the_c_player_leave_the_same_records(in_c: str) -> None:
    python, native = load(f"{EXAMPLES}/lowest.py:Lowest"), load(in_c)
    for settings in ("", "?near=12"):
        mine, theirs = (rows(load(f"{text}{settings}")) for text in (f"{EXAMPLES}/lowest.py:Lowest", in_c))
        assert all(np.array_equal(mine[name], theirs[name]) for name in theirs)
    assert (python.native, native.native) == (False, True)
    assert keeps_its_promises(python)
    assert keeps_its_promises(native)


def test_the_numba_player_leaves_the_records_of_the_c_player(in_c: str) -> None:
    needs("numba")
    compiled = load("strategies.examples.compiled:lowest")
    mine, theirs = rows(compiled), rows(load(in_c))
    assert all(np.array_equal(mine[name], theirs[name]) for name in theirs)
    assert compiled.native
    assert keeps_its_promises(compiled)


def test_the_layout_that_numba_reads_is_that_of_the_view() -> None:
    needs("numba")
    layout = importlib.import_module("strategies.examples.compiled").VIEW
    fields = {field[0]: getattr(View, field[0]).offset for field in View._fields_}
    assert {name: layout.fields[name][1] for name in layout.names} == fields


def test_the_batch_player_keeps_its_promises_and_beats_random() -> None:
    batch = load(f"{EXAMPLES}/batch.py:Shedding")
    assert keeps_its_promises(batch)
    points = play_pairs(batch, load("random"), NATIONAL, 1, range(20), detail="matches").matches["x_half_points"]
    assert points.mean() > 1.5


def test_the_network_player_plays_mostly_as_greedy_does() -> None:
    needs("onnxruntime")
    network = load("strategies.examples.network:Imitator")
    assert keeps_its_promises(network)
    greedy, same, asked = load("greedy").capsule, 0, 0
    for _, position in zip(range(1000), conformance.positions(NATIONAL, 7, network.capsule), strict=False):
        if position.question == "play":
            same += position.ask().index == position.ask(native=greedy).index
            asked += 1
    assert same / asked > 0.75


def test_the_hash_of_the_network_player_is_also_of_its_weights_and_of_what_it_requires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "class Me:\n    files, requires = ('weights.bin',), ('numpy',)\n    def play(self, view): return 0\n"
    code += "    tribute = return_tribute = play\n"
    shown = []
    for folder, weights in (("one", b"1"), ("two", b"2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "me.py").write_text(code)
        (tmp_path / folder / "weights.bin").write_bytes(weights)
        shown.append(load(f"{tmp_path / folder}/me.py:Me").hash)
    assert shown[0] != shown[1]
    monkeypatch.setattr("strategies.loading.metadata.version", lambda name: "0.0")
    assert load(f"{tmp_path}/one/me.py:Me").hash not in shown
    (tmp_path / "lacks.py").write_text(code.replace("numpy", "surely-not-there").replace("'weights.bin',", ""))
    monkeypatch.undo()
    with pytest.raises(ValueError, match="needs surely-not-there: pip install surely-not-there"):
        load(f"{tmp_path}/lacks.py:Me")


@pytest.mark.soak
def test_the_network_is_made_anew_alike(tmp_path: Path) -> None:
    needs("onnx")
    copy = tmp_path / "make_network.py"
    copy.write_text((EXAMPLES / "make_network.py").read_text())
    subprocess.run([sys.executable, str(copy)], check=True)
    made, shipped = (tmp_path / "network.onnx").read_bytes(), (EXAMPLES / "network.onnx").read_bytes()
    assert len(made) == len(shipped)


@pytest.mark.parametrize(("place", "name"), [(1, "Mine"), (2, "Easy")])
def test_the_players_of_the_guide_keep_their_promises(tmp_path: Path, place: int, name: str) -> None:
    guide = (EXAMPLES.parents[1] / "docs" / "strategies.md").read_text(encoding="utf-8")
    code = guide.split("```python\n")[place].split("```", 1)[0]
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    assert keeps_its_promises(load(f"{tmp_path}/mine.py:{name}"))
    assert len(code.splitlines()) < 20


def test_the_guide_names_every_way_of_writing_and_every_example() -> None:
    guide = (EXAMPLES.parents[1] / "docs" / "strategies.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        if path.suffix in (".py", ".c") and path.stem not in ("__init__", "make_network"):
            assert path.name in guide
