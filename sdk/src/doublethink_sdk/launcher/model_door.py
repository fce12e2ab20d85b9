"""The planner's door to a local model: the forwarder's process, its configuration, and what it says of the model."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import tomli_w
from doublethink_rpc.probe import is_serving

from doublethink_sdk.launcher.directories import Directories, RoleDirectories, write_private
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.processes import Process

NAME = "forwarder"
_ORDER = 15
_LISTING_SECONDS = 15.0


@dataclass(frozen=True)
class LocalModel:
    """A model on a server of this machine or network.

    dialect: "ollama" or "openai". address: an http URL with an IP address and a port. name: as the server lists it.
    """

    dialect: str
    address: str
    name: str
    seconds: int = 180


@dataclass(frozen=True)
class ModelDoor:
    """The forwarder's place on this machine."""

    model: LocalModel
    directories: RoleDirectories

    @property
    def socket(self) -> Path:
        """Where the planner asks its model."""
        return self.directories.rpc / "rpc.sock"

    def process(self, log: Path) -> Process:
        """The row of the launcher's table. Writes the configuration. Raises OSError."""
        file = self.directories.etc / "config.toml"
        write_private(file, tomli_w.dumps(self._configuration()).encode())
        argv = (sys.executable, "-I", "-m", "doublethink_forwarder", "serve", "--config", str(file))
        return Process(
            NAME,
            _ORDER,
            argv,
            log,
            ready=lambda: is_serving(self.directories.health),
            orphan_signal="TERM",
        )

    def _configuration(self) -> dict[str, Any]:
        return {
            "listen": {
                "socket": str(self.socket),
                "health": self.directories.health,
                "metrics": self.directories.metrics,
            },
            "model": {
                "dialect": self.model.dialect,
                "address": self.model.address,
                "name": self.model.name,
            },
            "limits": {"seconds": self.model.seconds},
        }

    def planner_settings(self) -> dict[str, Any]:
        """The planner's section for its model."""
        return {
            "dialect": self.model.dialect,
            "name": self.model.name,
            "socket": str(self.socket),
            "seconds": self.model.seconds,
        }

    def listed_digest(self) -> str:
        """The digest under which the server lists the model, or "" where its listing has none.

        Raises LaunchError where the server does not answer, or does not have the model as a local one.
        """
        path = "/api/tags" if self.model.dialect == "ollama" else "/v1/models"
        transport = httpx.HTTPTransport(uds=str(self.socket))
        try:
            with httpx.Client(transport=transport, trust_env=False, timeout=_LISTING_SECONDS) as client:
                answer = client.get(f"http://forwarder.invalid{path}")
            said: dict[str, Any] = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise LaunchError("the forwarder does not answer: its log says why") from error
        if answer.status_code != 200:
            raise LaunchError(
                f"the planner's model {self.model.name} cannot be used: {said.get('error', 'no reason given')} "
                f"(asked at {self.model.address}; --planner rules needs no model)"
            )
        return str(said["models"][0]["digest"]) if self.model.dialect == "ollama" else ""


def make_door(directories: Directories, model: LocalModel) -> ModelDoor:
    """Make the forwarder's directories. Raises OSError."""
    return ModelDoor(model, directories.role(NAME, None))
