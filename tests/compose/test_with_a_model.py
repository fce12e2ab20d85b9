"""The planner's model in compose: pulled by its job, asked through the forwarder, and without a way out.

What stands for Ollama's image is built here (tests/compose/model): it speaks its protocol, and holds no model. This
module is the last of its folder: it takes the installation down.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sim import engine

IMAGE = "doublethink-test/ollama:stand-in"
# No rule understands the turn of phrase; the page says 1,284.6 million.
QUESTION = "Halvorsen Pumps, revenue, fiscal 2024: where did it land?"
MODEL_PLACES = ("forwarder", "model")
PASSING = {"GET /api/tags", "GET /api/version", "POST /api/chat", "POST /api/show"}


@pytest.fixture(scope="module")
def modelled(
    installation: Path, outside: Sequence[str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The installation with a model beside it; the file of its console's token."""
    if not outside:
        pytest.skip("NOT RUN: what stands for the model's registry needs root, iproute2 and iptables")
    folder = tmp_path_factory.mktemp("model")
    # The forwarder's file names an address, and this installation has its own.
    config = (engine.ROOT / "deploy/compose/config/forwarder.toml").read_text(encoding="utf-8")
    (folder / "forwarder.toml").write_text(config.replace("10.213.77.", f"{engine.NET}."))
    (folder / "forwarder.toml").chmod(0o644)
    folder.chmod(0o755)
    place = "/etc/doublethink/config/config.toml"
    override = {"services": {"forwarder": {"volumes": [f"{folder}/forwarder.toml:{place}:ro"]}}}
    (folder / "override.yml").write_text(json.dumps(override))
    build = (
        *("docker", "build", "--quiet", "--tag", IMAGE, "--build-arg", f"REGISTRY={outside[1]}"),
        "tests/compose/model",
    )
    engine.run(*build)
    with pytest.MonkeyPatch.context() as patch:
        files = ("docker-compose.yml", "docker-compose.model.yml", str(folder / "override.yml"))
        patch.setenv("COMPOSE_FILE", ":".join(files))
        patch.setenv("OLLAMA_IMAGE", IMAGE)
        patch.setenv("OLLAMA_MEMORY", "256m")
        try:
            # As `make model` does, and then `make up`.
            engine.compose("--profile", "pull", "run", "--rm", "model-pull")
            engine.compose("up", "-d")
            engine.run("python3", "deploy/compose/wait.py", "300")
            if engine.guard_possible():
                engine.guard("close")
            yield installation
        finally:
            profiles = ("--profile", "pull", "--profile", "verify", "--profile", "setup")
            engine.compose(*profiles, "down", "-v", "-t", "3", check=False)
            engine.run("docker", "image", "rm", IMAGE, check=False)


def _asked() -> list[str]:
    """Method and path of every request that the model server had."""
    said = engine.run("docker", "logs", engine.container_of("model")).stdout
    return re.findall(r"^asked (\S+ \S+)", said, re.MULTILINE)


def test_a_question_is_planned_by_the_model(modelled: Path) -> None:
    """One that no rule understands; the model is asked for what the forwarder lets pass, and nothing else."""
    command = (sys.executable, "-m", "doublethink_sdk", "ask", "--case", "demo/case.yaml")
    where = ("--console", "http://127.0.0.1:8443", "--token-file", str(modelled))
    answer = json.loads(engine.run(*command, "--question", QUESTION, "--json", *where).stdout)
    assert answer["status"] == "answered", answer
    assert answer["back_ends"]["planner"].startswith("ollama")
    assert "1284.6" in json.dumps(answer["answer"]).replace(",", "")
    asked = _asked()
    assert "POST /api/chat" in asked
    assert set(asked) <= PASSING


def test_the_model_and_its_forwarder_have_no_way_out(modelled: Path, outside: Sequence[str]) -> None:
    """The attacks of `make verify`, from their places and from the planner's, while the model serves."""
    code, findings, said = engine.verify(*outside, *MODEL_PLACES, "planner")
    assert set(findings) == {*MODEL_PLACES, "planner"}
    opened = [
        (place, one["attempt"], one["target"], one["result"])
        for place, found in findings.items()
        for one in found
        if one["verdict"] in ("open", "dead")
    ]
    assert (opened, code) == ([], 0), said
    for place in MODEL_PLACES:
        held = {one["attempt"] for one in findings[place] if one["verdict"] == "held"}
        assert held >= {
            *("the internet", "a name outside", "a name server outside", "a metadata service"),
            *("a private network", "a port of another", "the machine"),
        }
    works = [one for one in findings["forwarder"] if one["attempt"] == "control: an allowed port"]
    assert [(one["target"], one["verdict"]) for one in works] == [("model:11434", "works")]
    model = next(iter(_addresses("model").values()))
    assert any(one["target"] == f"{model}:11434" and one["verdict"] == "held" for one in findings["planner"])


def test_a_model_with_a_way_out_is_found(modelled: Path, outside: Sequence[str]) -> None:
    """Attached to the pull job's network, as somebody might to save time: verify is red, and green again after."""
    with engine.joined("model", "pull"):
        code, findings, _ = engine.verify(*outside, "model")
        found = {one["attempt"] for one in findings["model"] if one["verdict"] == "open"}
        assert code == 1
        assert {"a network", "the internet"} <= found
    assert engine.verify(*outside, "model")[0] == 0


def test_the_model_cannot_write_its_weights(modelled: Path) -> None:
    """The serving container has them read-only; the job that pulled them had them open."""
    container = json.loads(engine.run("docker", "inspect", engine.container_of("model")).stdout)[0]
    mounts = {mount["Destination"]: mount["RW"] for mount in container["Mounts"]}
    assert mounts == {"/models": False}
    assert container["HostConfig"]["ReadonlyRootfs"] is True


def _addresses(service: str) -> dict[str, str]:
    container = json.loads(engine.run("docker", "inspect", engine.container_of(service)).stdout)[0]
    return {name: one["IPAddress"] for name, one in container["NetworkSettings"]["Networks"].items()}
