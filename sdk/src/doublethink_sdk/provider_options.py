"""The options that choose who searches and who reads, where that is a provider on the web, and what they mean."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import click
from doublethink_settings import SettingsError, read_secret

from doublethink_sdk import preflight
from doublethink_sdk.exits import Exit, fail
from doublethink_sdk.launcher.providers import CloudModel, RecordedModel, WebSource

CLAUDE = "https://api.anthropic.com"
CLAUDE_MODEL = "claude-sonnet-5-5"
TAVILY = "https://api.tavily.com"
DUCKDUCKGO = "https://html.duckduckgo.com/html/"

# As the gate's configuration takes it.
_MODEL_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._/-]{0,62}[a-z0-9])?", re.ASCII)
_Function = TypeVar("_Function", bound=Callable[..., Any])


def provider_options(function: _Function) -> _Function:
    """The options of `Providers`."""
    for option in (
        click.option(
            "--source",
            metavar="tavily|duckduckgo|replay:FILE",
            help="Search the web at Tavily, or without a key at DuckDuckGo, or answer from a recording that "
            "`doublethink record` made and from nothing else.",
        ),
        _address_option("duckduckgo", "DuckDuckGo", DUCKDUCKGO),
        click.option(
            "--duckduckgo-recency",
            type=click.Choice(["any", "day", "week", "month", "year"]),
            default="any",
            show_default=True,
            help="How old what DuckDuckGo finds may be. Where nothing is that new, it is asked once more without.",
        ),
        _key_option("tavily", "Tavily"),
        _address_option("tavily", "Tavily", TAVILY),
        click.option(
            "--reader",
            type=click.Choice(["extractive", "claude"]),
            show_default="claude if its key is set or a recording has its answers, else extractive",
            help="Who reads the pages: rules alone, or a model in the cloud that the gate asks.",
        ),
        _key_option("claude", "Claude"),
        click.option(
            "--claude-model",
            default=CLAUDE_MODEL,
            show_default=True,
            help="The reader's model, as its vendor names it.",
        ),
        _address_option("claude", "Claude", CLAUDE),
    ):
        function = option(function)
    return function


def _key_option(name: str, vendor: str) -> Callable[[_Function], _Function]:
    return click.option(
        f"--{name}-key",
        envvar=f"DOUBLETHINK_{name.upper()}_KEY_FILE",
        show_envvar=True,
        type=click.Path(path_type=Path, dir_okay=False),
        help=f"File with {vendor}'s key in one line, which only you can read. The key itself is never an argument.",
    )


def _address_option(name: str, vendor: str, default: str) -> Callable[[_Function], _Function]:
    return click.option(
        f"--{name}-address",
        envvar=f"DOUBLETHINK_{name.upper()}_ADDRESS",
        show_envvar=True,
        default=default,
        show_default=True,
        help=f"Where {vendor} is: https at a host that the policy's providers name, or a loopback address.",
    )


@dataclass(frozen=True)
class Providers:
    """What the `provider_options` of a command were given."""

    source: str | None = None
    tavily_key: Path | None = None
    tavily_address: str = TAVILY
    duckduckgo_address: str = DUCKDUCKGO
    duckduckgo_recency: str = "any"
    reader: str | None = None
    claude_key: Path | None = None
    claude_model: str = CLAUDE_MODEL
    claude_address: str = CLAUDE

    @property
    def _recording(self) -> Path | None:
        kind, _, name = (self.source or "").partition(":")
        return Path(name).absolute() if kind == "replay" and name else None

    def chosen_recording(self) -> preflight.Told | None:
        """The recording that answers, if one was chosen. Ends the command for one that cannot be used."""
        return None if self._recording is None else preflight.recording(self._recording)

    def chosen_source(self) -> WebSource | None:
        """The source on the web, if one was chosen. Ends the command with one line for one that cannot be used."""
        if self.source is None or self._recording is not None:
            return None
        if self.source == "duckduckgo":
            address = _usable_address("--duckduckgo-address", self.duckduckgo_address)
            if not address.startswith("https://"):
                raise fail("--duckduckgo-address: give https://HOST/PATH", Exit.WRONG_USE)
            return WebSource(self.source, address, None, self.duckduckgo_recency)
        if self.source != "tavily":
            raise click.UsageError(
                "--source is tavily, duckduckgo, or replay:FILE with a recording that doublethink record made"
            )
        key = _usable_key("--source tavily", "--tavily-key", "TAVILY", self.tavily_key)
        return WebSource(self.source, _usable_address("--tavily-address", self.tavily_address), key)

    def chosen_reader(
        self, policy: Path | None = None, recording: preflight.Told | None = None
    ) -> CloudModel | RecordedModel | None:
        """The model that reads, None where no model does. A key that is set chooses it, unless another is named.

        Where a recording answers, the model's answers come from it too, and a key is not looked at. Ends the command
        with one line for a key, a name or an address that cannot be used, and for a model that the policy has no price
        for.
        """
        if recording is not None:
            return self._recorded_reader(recording)
        named = self.reader or ("claude" if self.claude_key is not None else "extractive")
        if named == "extractive":
            return None
        key = _usable_key("--reader claude", "--claude-key", "CLAUDE", self.claude_key)
        if _MODEL_NAME.fullmatch(self.claude_model) is None:
            # Not repeated: what was pasted there may be a key.
            raise fail(
                "--claude-model: name the model as its vendor has it: up to 64 lower-case letters, digits, hyphens and "
                f"dots, such as {CLAUDE_MODEL}",
                Exit.WRONG_USE,
            )
        address = _usable_address("--claude-address", self.claude_address)
        return CloudModel(self.claude_model, address, key, preflight.price(self.claude_model, policy))

    def _recorded_reader(self, recording: preflight.Told) -> RecordedModel | None:
        if self.reader == "extractive":
            return None
        if recording.model is None:
            if self.reader is None:
                return None
            raise fail(
                f"--reader claude: {recording.file} holds no answers of a model: leave it out, or record a session "
                "whose pages a model has read",
                Exit.WRONG_USE,
            )
        return RecordedModel(recording.model)


def _usable_key(needed_by: str, option: str, name: str, file: Path | None) -> Path:
    if file is None:
        raise fail(
            f"{needed_by} needs a key: write it into a file that only you can read, and name the file with "
            f"{option} FILE or $DOUBLETHINK_{name}_KEY_FILE",
            Exit.WRONG_USE,
        )
    try:
        read_secret(file, option)
    except SettingsError as error:
        raise fail(str(error), Exit.WRONG_USE) from None
    return file


def _usable_address(option: str, url: str) -> str:
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        host, parts = "", urlsplit("")
    plain = host and not (parts.username or parts.password or parts.query or parts.fragment)
    if plain and (parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))):
        return url
    # Not repeated: what was pasted there may be a key.
    raise fail(f"{option}: give https://HOST, or http:// with a loopback address and a port", Exit.WRONG_USE)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
