"""The configuration file of every process, as the launcher writes it.

A file lies in its role's own directory, which is all that a mind sees of the
launcher's; secrets stand in it by path only.
"""

import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from doublethink_sdk.launcher.directories import Directories, write_private
from doublethink_sdk.launcher.log_files import LogFiles
from doublethink_sdk.launcher.model_door import ModelDoor
from doublethink_sdk.launcher.providers import CloudModel, RecordedModel, WebSource
from doublethink_sdk.launcher.roles import PlacedRole

# Port 9 is "discard" (RFC 863) and closed on ordinary machines: a search fails at once.
NO_SOURCE = "http://127.0.0.1:9"


@dataclass(frozen=True)
class Choices:
    """What a start chooses: the source's address or the recording in its place, back ends, the policy, what tests arm.

    `gate_dsn`, `console_dsn` and `sealer_dsn` are libpq connection strings that name a password file.
    """

    source: str
    recording: Path | None
    gate_dsn: str
    console_dsn: str
    sealer_dsn: str
    console_port: int
    planner: str
    reader: CloudModel | RecordedModel | None
    policy: Path | None
    allow_careless: bool
    failpoints: bool
    door: ModelDoor | None = None
    model_digest: str = ""
    hold_interrupted: bool = False
    web_source: WebSource | None = None
    result_titles: bool = False

    @property
    def reader_name(self) -> str:
        """The reader's back end, as its configuration and an answer name it."""
        return "extractive" if self.reader is None else "claude"


def corpus_command(pages: Path, request_log: Path, ready_file: Path) -> tuple[str, ...]:
    """The command line of the corpus source on a free loopback port."""
    return (
        *(sys.executable, "-I", "-m", "doublethink_corpus", "--pages", str(pages.absolute())),
        *("--listen", "127.0.0.1:0", "--request-log", str(request_log), "--ready-file", str(ready_file)),
    )


def free_port() -> int:
    """A port of the loopback address that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def write_all(
    directories: Directories, roles: Mapping[str, PlacedRole], choices: Choices
) -> Mapping[str, Path]:
    """Write every role's configuration; returns the files by role. Raises OSError."""
    documents = {
        "gate": _gate(directories, choices),
        "reader": {"reader": {"back_end": choices.reader_name}},
        "validator": {"examination": {"result_titles": choices.result_titles}},
        "planner": _planner(choices),
        "console": _console(directories, choices),
        "sealer": _sealer(directories, roles["sealer"], choices),
    }
    written = {}
    for name, role in roles.items():
        document = {**_wiring(roles, role), **documents[name]}
        if name == "sealer":
            # It answers nobody, and calls nothing but the database.
            del document["listen"]["rpc"], document["tls"]
        if name == "console":
            del document["listen"]["rpc"]
            document["listen"]["http"] = f"127.0.0.1:{choices.console_port}"
        if choices.failpoints:
            document["failpoints"] = True
        file = role.directories.etc / "config.toml"
        # TOML ends its top-level keys at the first section.
        ordered = dict(sorted(document.items(), key=lambda item: isinstance(item[1], dict)))
        write_private(file, tomli_w.dumps(ordered).encode(), role.user)
        written[name] = file
    return written


def _wiring(roles: Mapping[str, PlacedRole], role: PlacedRole) -> dict[str, Any]:
    own = role.directories
    wiring: dict[str, Any] = {
        "listen": {"rpc": own.target, "health": own.health, "metrics": own.metrics},
        "tls": {
            "certificate": str(own.etc / f"{role.name}.pem"),
            "key": str(own.etc / f"{role.name}.key"),
            "authority": str(own.etc / "authority.pem"),
        },
    }
    if role.peers:
        wiring["peers"] = {peer: roles[peer].directories.target for peer in role.peers}
    return wiring


def _gate(directories: Directories, choices: Choices) -> dict[str, Any]:
    dsn = directories.run / "gate.dsn"
    write_private(dsn, choices.gate_dsn.encode())
    document: dict[str, Any] = {
        "database": {"dsn_file": str(dsn)},
        "keys": {"directory": str(directories.token("gate/v1.key").parent)},
        "source": _source(choices),
    }
    if choices.reader is not None:
        document["model"] = choices.reader.settings()
    if choices.policy is not None:
        document["policy"] = {"file": str(choices.policy.absolute())}
    return document


def _source(choices: Choices) -> dict[str, Any]:
    if choices.recording is not None:
        return {"kind": "replay", "recording": str(choices.recording)}
    if choices.web_source is not None:
        return choices.web_source.settings()
    return {"kind": "corpus", "base_url": choices.source}


def _planner(choices: Choices) -> dict[str, Any]:
    document: dict[str, Any] = {"planner": {"allow_careless": choices.allow_careless}}
    if choices.door is not None:
        document["model"] = choices.door.planner_settings()
    return document


def _sealer(directories: Directories, role: PlacedRole, choices: Choices) -> dict[str, Any]:
    etc = role.directories.etc
    parameters = conninfo_to_dict(choices.sealer_dsn)
    # A copy that its user can read: the folder of the passwords is the launcher's.
    write_private(etc / "pgpass", Path(str(parameters["passfile"])).read_bytes(), role.user)
    parameters["passfile"] = str(etc / "pgpass")
    write_private(etc / "sealer.dsn", make_conninfo("", **parameters).encode(), role.user)
    return {"database": {"dsn_file": str(etc / "sealer.dsn")}, **LogFiles(directories.data).settings()}


def _console(directories: Directories, choices: Choices) -> dict[str, Any]:
    dsn = directories.run / "console.dsn"
    write_private(dsn, choices.console_dsn.encode())
    document: dict[str, Any] = {
        "database": {"dsn_file": str(dsn)},
        "keys": {"directory": str(directories.token("console/v1.key").parent)},
        "access": {"token_file": str(directories.token("console.token"))},
        "back_ends": {
            "planner": choices.planner,
            "reader": choices.reader_name,
            "source": _source(choices)["kind"],
        },
        "isolation": {"report_file": str(directories.run / "isolation.json")},
        "runs": {"hold_interrupted": choices.hold_interrupted},
    }
    if choices.door is not None:
        document["planner_model"] = {"name": choices.door.model.name, "digest": choices.model_digest}
    return document
