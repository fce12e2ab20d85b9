"""What the gate asks over the internet: a search source and the reader's cloud model, each with its key's file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class WebSource:
    """A search source on the web.

    kind: "tavily" or "duckduckgo". address: an https URL whose host the policy names, or http to this machine.
    key_file: holds the key in one line; None where there is no key, and then the gate asks the pages' own servers.
    recency: how old what DuckDuckGo finds may be.
    """

    kind: str
    address: str
    key_file: Path | None
    recency: str = "any"

    def settings(self) -> dict[str, Any]:
        """The gate's section [source]."""
        settings = {"kind": self.kind, "base_url": self.address}
        if self.key_file is not None:
            settings["api_key_file"] = str(self.key_file.absolute())
        if self.recency != "any":
            settings["recency"] = self.recency
        return settings

    def words(self) -> str:
        """What the start says of it."""
        if self.key_file is None:
            return (
                f"source {self.kind} at {self.address}, without a key; pages are asked of their own servers"
            )
        return f"source {self.kind} at {self.address}, key from {self.key_file}"


@dataclass(frozen=True)
class CloudModel:
    """The reader's model in the cloud. name: as its vendor has it. address, key_file: as for a source.

    terms: what it may cost, in words for the start.
    """

    name: str
    address: str
    key_file: Path
    terms: str = ""

    def settings(self) -> dict[str, Any]:
        """The gate's section [model]."""
        return {
            "kind": "claude",
            "name": self.name,
            "base_url": self.address,
            "api_key_file": str(self.key_file.absolute()),
        }

    def words(self) -> str:
        """What the start says of it."""
        terms = f"; {self.terms}" if self.terms else ""
        return f"reader claude: {self.name} at {self.address}, key from {self.key_file}{terms}"


@dataclass(frozen=True)
class RecordedModel:
    """The reader's model as a recording has its answers. name: the model that gave them."""

    name: str

    def settings(self) -> dict[str, Any]:
        """The gate's section [model]."""
        return {"kind": "replay"}

    def words(self) -> str:
        """What the start says of it."""
        return (
            f"reader claude: answers of {self.name} from the recording; nobody is asked, and nothing is paid"
        )
