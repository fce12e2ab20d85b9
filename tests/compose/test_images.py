"""What the images hold, file by file, and what they can import."""

from __future__ import annotations

import json
import re
import stat
from functools import cache

import pytest
from doublethink_sdk.containers.places import USERS
from sim import engine

SHELLS = {"sh", "bash", "dash", "ash", "busybox", "zsh", "ksh", "csh", "env", "xargs"}
COMPILERS = re.compile(
    r"^(?:.*-)?(?:gcc|g\+\+|cc|c\+\+|cpp|clang|tcc|ld|as|make|ar|rustc|cargo|go|cython3?)(?:-[\d.]+)?$"
)
INSTALLERS = {"pip", "setuptools", "wheel", "uv", "ensurepip", "distutils", "hatchling", "apt", "dpkg"}
# A whole key, not the line that a parser looks for.
KEY = re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+(?:[A-Za-z0-9+/=:, -]+\s+)+-----END")
CLIENTS = (
    *(
        "httpx",
        "httpcore",
        "requests",
        "urllib3",
        "aiohttp",
        "h2",
        "h11",
        "hyper",
        "pycurl",
        "tornado",
        "httplib2",
    ),
    *(
        "websockets",
        "treq",
        "twisted",
        "openai",
        "ollama",
        "anthropic",
        "boto3",
        "botocore",
        "starlette",
        "uvicorn",
    ),
)
MOST_BYTES = 8_000_000


def _image(name: str) -> str:
    return f"doublethink/{name}:dev"


@cache
def _names(name: str) -> dict[str, tuple[int, bool]]:
    """Every path of an image with its mode, and whether it is a folder."""
    with engine.files_of(_image(name)) as files:
        return {member.name: (member.mode, member.isdir()) for member in files}


@cache
def _packages(name: str) -> dict[str, str]:
    """Of each distribution in an image its version, from its own metadata."""
    found = {}
    for path in _names(name):
        match = re.search(r"site-packages/([^/]+)-([^/-]+)\.dist-info$", path)
        if match:
            found[re.sub(r"[-_.]+", "-", match[1]).lower()] = match[2]
    return found


@pytest.mark.parametrize("name", sorted(USERS))
def test_an_image_holds_no_shell_no_compiler_and_no_installer(images: str, name: str) -> None:
    """By the names of its files; nothing is setuid or writable by all but /tmp."""
    names = _names(name)
    assert len(names) > 500
    programs = {path.rsplit("/", 1)[-1] for path in names if re.search(r"(?:^|/)s?bin/[^/]+$", path)}
    assert programs <= {"python", "python3", "python3.11", "ldconfig"}, programs
    last = {path.rsplit("/", 1)[-1] for path, (_, folder) in names.items() if not folder}
    assert not last & SHELLS
    assert not [path for path in last if COMPILERS.match(path)]
    packages = {
        path.split("site-packages/", 1)[1].split("/")[0] for path in names if "site-packages/" in path
    }
    assert len(packages) > 10
    assert not packages & INSTALLERS
    assert not any(re.search(r"(?:^|/)(?:pip|setuptools|wheel)(?:-[^/]*)?(?:/|$)", path) for path in names)
    assert not [path for path, (mode, _) in names.items() if mode & (stat.S_ISUID | stat.S_ISGID)]
    open_to_all = {
        path for path, (mode, _) in names.items() if mode & 0o002 and not path.startswith(("dev", "proc"))
    }
    links = {path for path in open_to_all if names[path][0] & 0o777 == 0o777 and path != "tmp"}
    assert open_to_all - links == {"tmp"}


@pytest.mark.parametrize("name", sorted(USERS))
def test_an_image_holds_no_key(images: str, name: str) -> None:
    """No private key, no token: every file of up to 8 MB is read."""
    looked = 0
    with engine.files_of(_image(name)) as files:
        for member in files:
            if not member.isfile() or member.size > MOST_BYTES:
                continue
            opened = files.extractfile(member)
            assert opened is not None
            looked += 1
            assert KEY.search(opened.read()) is None, member.name
    assert looked > 500


@pytest.mark.parametrize("name", sorted(USERS))
def test_packages_bill_of_materials_and_lock_agree(images: str, name: str) -> None:
    """An image holds its lock's packages for this platform, its own code, and nothing beside; the bill lists them."""
    lock = (engine.ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([a-z0-9][a-z0-9._-]*)==([^ ;\\]+)", lock, re.MULTILINE))
    held = _packages(name)
    others = {
        (package, version) for package, version in held.items() if not package.startswith("doublethink")
    }
    assert others <= locked
    # What the lock holds beyond is for another platform or Python.
    for package, _ in locked - others:
        assert re.search(rf"^{re.escape(package)}==\S+ ;", lock, re.MULTILINE), package
    with engine.files_of(_image(name)) as files:
        opened = files.extractfile("usr/share/doublethink/sbom.cdx.json")
        assert opened is not None
        bill = json.load(opened)
    assert bill["bomFormat"] == "CycloneDX"
    listed = {re.sub(r"[-_.]+", "-", one["name"]).lower(): one["version"] for one in bill["components"]}
    assert listed == held


def _importable(name: str, modules: tuple[str, ...]) -> set[str]:
    """Which of some modules can be found inside an image."""
    code = "import importlib.util,sys; print(*[m for m in sys.argv[1:] if importlib.util.find_spec(m)])"
    done = engine.run(
        *("docker", "run", "--rm", "--network", "none", "--read-only", "--cap-drop", "ALL"),
        *("--entrypoint", "/opt/venv/bin/python", _image(name), "-I", "-c", code, *modules),
    )
    return set(done.stdout.split())


@pytest.mark.parametrize("name", ["reader", "validator"])
def test_reader_and_validator_import_no_http_client(images: str, name: str) -> None:
    """Asked of the image's own Python, with a module that is there as a control."""
    assert _importable(name, (*CLIENTS, "grpc", "pip", "ensurepip")) == {"grpc"}


def test_the_planner_imports_its_models_clients_alone(images: str) -> None:
    """Ollama's and OpenAI's, and what they stand on."""
    assert _importable("planner", (*CLIENTS, "pip", "ensurepip")) == {
        "httpx",
        "httpcore",
        "h11",
        "ollama",
        "openai",
    }


@pytest.mark.parametrize("name", sorted(USERS))
def test_an_image_runs_as_a_numbered_user_and_says_what_it_is(images: str, name: str) -> None:
    """Never root; labels of the OCI with version, revision, time and base; nothing secret in its environment."""
    config = engine.about(_image(name))["Config"]
    assert config["User"] == f"{USERS[name]}:{USERS[name]}"
    labels = config["Labels"]
    start = "org.opencontainers.image"
    assert labels[f"{start}.title"] == f"doublethink {name}"
    assert re.fullmatch(r"[0-9a-f]{40}", labels[f"{start}.revision"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", labels[f"{start}.created"])
    assert labels[f"{start}.base.digest"].startswith("sha256:")
    assert {entry.partition("=")[0] for entry in config["Env"]} == {"LANG", "PATH"}
    assert not config.get("ExposedPorts")
    assert config["Entrypoint"][:3] == ["/opt/venv/bin/python", "-I", "-m"]


@pytest.mark.parametrize("name", ["gate", "planner", "reader", "validator", "console", "sealer", "forwarder"])
def test_a_service_says_what_it_needs(images: str, name: str) -> None:
    """Without a configuration it ends with 2 and one line, with a read-only root and nothing allowed."""
    done = engine.run(
        *("docker", "run", "--rm", "--network", "none", "--read-only", "--cap-drop", "ALL"),
        *("--security-opt", "no-new-privileges", "--tmpfs", "/tmp", _image(name)),  # noqa: S108 - inside the container
        check=False,
    )
    assert done.returncode == 2
    assert "cannot read /etc/doublethink/config/config.toml" in done.stderr


def test_the_operators_image_is_the_command_line(images: str) -> None:
    """Its entry point is the `doublethink` that docs/cli.md describes."""
    said = engine.run(
        "docker", "run", "--rm", "--network", "none", "--read-only", _image("operator"), "--help"
    ).stdout
    assert said.startswith("Usage: doublethink ")
    assert "ledger" in said
