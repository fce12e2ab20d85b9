"""What an image may hold, read from its lock. The images themselves are looked into by tests/compose."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
IMAGES = ("gate", "planner", "reader", "validator", "console", "sealer", "forwarder", "corpus", "operator")
# Third-party clients of HTTP. The standard library's own cannot be kept out of a Python that has sockets.
HTTP_CLIENTS = frozenset(
    {
        *(
            "httpx",
            "httpcore",
            "requests",
            "urllib3",
            "aiohttp",
            "h2",
            "h3",
            "hyper",
            "pycurl",
            "tornado",
            "niquests",
        ),
        *(
            "httplib2",
            "websockets",
            "websocket-client",
            "treq",
            "twisted",
            "anthropic",
            "openai",
            "ollama",
            "boto3",
        ),
        *("botocore", "google-auth", "tavily-python", "curl-cffi", "aioquic", "pyzmq", "paramiko"),
    }
)
INSTALLERS = frozenset(
    {"pip", "setuptools", "wheel", "uv", "hatchling", "build", "cython", "grpcio-tools", "buf-bin"}
)


def packages(image: str) -> set[str]:
    """The names in an image's lock."""
    text = (ROOT / "requirements" / f"{image}.txt").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==", text, re.MULTILINE))


@pytest.mark.parametrize("image", ["reader", "validator"])
def test_reader_and_validator_hold_no_http_client(image: str) -> None:
    """Who reads pages, and who judges them, cannot even speak to the web in a ready-made way."""
    assert len(packages(image)) >= 5
    assert not packages(image) & HTTP_CLIENTS


def test_the_planner_holds_its_model_clients_alone() -> None:
    """Ollama's and OpenAI's clients and what they stand on."""
    assert packages("planner") & HTTP_CLIENTS == {"httpx", "httpcore", "ollama", "openai"}


def test_console_and_corpus_hold_no_http_client() -> None:
    """They are asked, and ask nobody over HTTP."""
    assert not (packages("console") | packages("corpus")) & HTTP_CLIENTS


@pytest.mark.parametrize("image", IMAGES)
def test_a_lock_is_hashed_and_names_no_index_and_no_installer(image: str) -> None:
    """Every package has its digests; nothing that installs or compiles is among them."""
    text = (ROOT / "requirements" / f"{image}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text
    assert not packages(image) & INSTALLERS
    assert f"COPY requirements/{image}.txt" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_versions_are_those_that_are_tested() -> None:
    """An image has a package in the version of the development lock."""
    pinned = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", re.MULTILINE)
    tested = set(pinned.findall((ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")))
    for image in IMAGES:
        text = (ROOT / "requirements" / f"{image}.txt").read_text(encoding="utf-8")
        assert set(pinned.findall(text)) <= tested, image


def test_a_target_is_built_from_nothing() -> None:
    """Only stages named here begin from the base; each target begins from scratch and has a numbered user."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^FROM \$\{BASE\} AS (\w+)$", dockerfile, re.MULTILINE) == ["tools"]
    assert re.findall(r"^FROM scratch AS (\w+)$", dockerfile, re.MULTILINE) == list(IMAGES)
    assert "ADD " not in dockerfile
    assert "curl" not in dockerfile
