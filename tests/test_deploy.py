"""The files that start clusters: what can be checked of them without a cluster."""

import copy
import os
import re
import shlex
from collections.abc import Iterator
from importlib import metadata
from typing import Any

import jsonschema
import pytest
import yaml
from ray.autoscaler._private.util import prepare_config, validate_config

from cluster.cli import build
from cluster.texts import Texts
from tests.support.compiling import ROOT
from tests.support.rayjob import RAY_JOB

DEPLOY = ROOT / "cluster/deploy"
JOB = jsonschema.Draft202012Validator(RAY_JOB)
LAUNCHERS = ("local.yaml", "aws.yaml")


def load(name: str) -> dict[str, Any]:
    found = yaml.safe_load((DEPLOY / name).read_text())
    assert isinstance(found, dict)
    return found


# ---- the launcher of Ray


@pytest.mark.parametrize("name", LAUNCHERS)
def test_launcher_file_passes_the_checks_of_ray(name: str) -> None:
    validate_config(prepare_config(load(name)))


@pytest.mark.parametrize("name", LAUNCHERS)
def test_checks_of_ray_find_a_misspelt_field(name: str) -> None:
    with pytest.raises(Exception, match="setup_command"):
        validate_config(prepare_config({**load(name), "setup_comands": []}))


@pytest.mark.parametrize("name", LAUNCHERS)
def test_every_start_of_ray_has_tokens_on_and_reports_nothing(name: str) -> None:
    config = load(name)
    starts = [
        command
        for kind in ("head", "worker")
        for command in config[f"{kind}_start_ray_commands"]
        if "ray start" in command
    ]
    assert len(starts) == 2
    assert all("RAY_AUTH_MODE=token" in each and "RAY_USAGE_STATS_ENABLED=0" in each for each in starts)
    assert "~/.ray/auth_token" in config["file_mounts"]


# ---- Kubernetes


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Give the paths of all objects with fixed names in a RayJob."""
    free = {"rayStartParams", "requests", "limits"}
    if isinstance(value, dict) and not free & set(path):
        yield path
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from objects(inner, (*path, key))


def test_job_has_the_fields_of_its_kind() -> None:
    JOB.validate(load("rayjob.yaml"))


def test_misspelt_field_is_found_wherever_it_stands() -> None:
    job = load("rayjob.yaml")
    places = [path for path in objects(job) if path]
    assert len(places) > 20
    for path in places:
        wrong = copy.deepcopy(job)
        inner = wrong
        for key in path:
            inner = inner[key]
        first = next(iter(inner), None)
        if not isinstance(first, str):
            continue
        inner[first + "s"] = inner.pop(first)
        with pytest.raises(jsonschema.ValidationError):
            JOB.validate(wrong)


def test_value_of_the_wrong_kind_is_found() -> None:
    job = load("rayjob.yaml")
    job["spec"]["rayClusterSpec"]["headGroupSpec"]["rayStartParams"]["num-cpus"] = 0  # KubeRay wants text
    with pytest.raises(jsonschema.ValidationError, match="0 is not of type 'string'"):
        JOB.validate(job)


def test_command_of_the_job_is_one_of_ours() -> None:
    words = shlex.split(load("rayjob.yaml")["spec"]["entrypoint"])
    assert words[:2] == ["guandan", "run"]
    command = build(Texts("en")).commands["run"]
    given = command.make_context("run", words[2:]).params
    workers = load("rayjob.yaml")["spec"]["rayClusterSpec"]["workerGroupSpecs"]
    cpus = sum(
        group["replicas"] * int(group["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"])
        for group in workers
    )
    assert given["address"] == "auto"
    assert given["workers"] == cpus
    for group in [*workers, load("rayjob.yaml")["spec"]["rayClusterSpec"]["headGroupSpec"]]:
        (container,) = group["template"]["spec"]["containers"]
        assert given["out"].startswith(container["volumeMounts"][0]["mountPath"] + "/")


# ---- versions and images


def images() -> dict[str, list[str]]:
    """Name the images of each file."""
    return {
        path.name: re.findall(r"(?m)(?:^FROM|image:) ([^\s#]+)", path.read_text()) for path in sorted(DEPLOY.iterdir())
    }


def test_images_have_the_versions_that_are_pinned_and_no_registry() -> None:
    ray, project = metadata.version("ray"), metadata.version("guandan-sim")
    assert {name for name, found in images().items() if found} == {"Containerfile", "aws.yaml", "rayjob.yaml"}
    for image in {image for found in images().values() for image in found}:
        assert image in (f"rayproject/ray:{ray}-py311-cpu", f"guandan-sim:{project}")
        first = image.split("/")[0]
        assert "/" not in image or not re.search(r"[.:]", first)
    assert load("rayjob.yaml")["spec"]["rayClusterSpec"]["rayVersion"] == ray


# ---- the image


def instructions(text: str) -> list[tuple[str, list[str]]]:
    """Read a Containerfile: the instructions in order with their words."""
    joined = re.sub(r"\\\n", " ", re.sub(r"(?m)^\s*#.*\n", "", text))
    lines = [line.split() for line in joined.splitlines() if line.strip()]
    return [(words[0], words[1:]) for words in lines]


def wrong_with(text: str) -> list[str]:
    """Say what is wrong with a Containerfile: unknown instructions, sources or stages that are not there, root."""
    known = {"FROM", "USER", "RUN", "WORKDIR", "COPY", "ENV"}
    found: list[str] = []
    stages: list[str] = []
    user = "root"
    for name, words in instructions(text):
        if name not in known:
            found.append(f"unknown {name}")
        elif name == "FROM":
            found += [] if len(words) == 3 and words[1] == "AS" else [f"stage without a name: {words}"]
            stages.append(words[-1])
        elif name == "USER":
            user = words[0]
        elif name == "COPY":
            stage = words[0].removeprefix("--from=") if words[0].startswith("--") else None
            if stage is not None:
                found += [] if stage in stages[:-1] else [f"no stage {stage}"]
            else:
                found += [f"no file {each}" for each in words[:-1] if not (ROOT / each).exists()]
    return found + (["runs as root"] if user == "root" else [])


def test_image_is_built_from_files_and_stages_that_there_are_and_does_not_run_as_root() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    assert wrong_with(text) == []
    for old, new, found in [
        ("COPY engine engine", "COPY engin engine", "no file engin"),
        ("--from=build", "--from=bild", "no stage bild"),
        ("USER ray", "USER root", "runs as root"),
        ("WORKDIR /build", "WORKDER /build", "unknown WORKDER"),
    ]:
        assert old in text
        assert wrong_with(text.replace(old, new)) == [found]


def test_image_takes_all_that_the_wheel_is_built_from() -> None:
    text = (DEPLOY / "Containerfile").read_text()
    copied = {word for name, words in instructions(text) if name == "COPY" for word in words[:-1]}
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests", "benchmarks"}
    assert packages | {"pyproject.toml", "setup.py", "README.md", "LICENSE", "requirements.txt"} <= copied


def test_documents_name_every_file_of_the_folder() -> None:
    text = (ROOT / "docs/cluster.md").read_text()
    assert [path.name for path in DEPLOY.iterdir() if f"cluster/deploy/{path.name}" not in text] == []
    named = re.findall(r"cluster/deploy/([\w.]+\w)", text)
    assert {name for name in named if not os.path.exists(DEPLOY / name)} == set()
