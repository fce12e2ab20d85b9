"""Commands that ask a console on another machine: what they send where, and what they send nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from doublethink_sdk import elsewhere
from doublethink_sdk.cli import main
from doublethink_sdk.exits import Exit

SESSION = "ses_" + "a" * 26
COMMANDS: dict[str, tuple[str, ...]] = {
    "cancel": ("a-run",), "record": (SESSION,), "case list": (),
    "case delete": ("an-id",), "sessions": (), "export": (SESSION,), "holds": (SESSION,),
    "approve": (SESSION, "hld_a"), "reject": (SESSION, "hld_a"), "answer": (SESSION,),
    "ledger show": (SESSION,), "ledger why": (SESSION, "1"), "ledger tail": ("--once",), "ledger trace": (SESSION,),
}  # fmt: skip
ASKING = ("ask",)
"""Needs a case file, and is tried with one below."""


class Console:
    """Takes every call, and answers with nothing."""

    def __getattr__(self, name: str) -> Any:
        called.append(name)
        return lambda *_, **__: (
            iter(()) if name in ("bundle", "recording") else {"sessions": [], "next": None}
        )


called: list[str] = []


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a client was made for; none is dialled."""
    addresses: list[str] = []

    @contextmanager
    def made(address: str, _token_file: Path, **_: Any) -> Iterator[Console]:
        addresses.append(address)
        yield Console()

    called.clear()
    monkeypatch.setattr(elsewhere, "Client", made)
    return addresses


def commands_with_console(group: click.Group, name: str = "") -> Iterator[str]:
    """The names of all commands that take --console."""
    for word, command in group.commands.items():
        full = f"{name} {word}".strip()
        if isinstance(command, click.Group):
            yield from commands_with_console(command, full)
        elif any("--console" in option.opts for option in command.params):
            yield full


def invoked(words: str, console: str, *more: str) -> Any:
    """A command at a console."""
    at = ("--console", console, "--token-file", "token")
    return CliRunner().invoke(main, [*words.split(), *COMMANDS[words], *at, *more])


def test_every_command_with_a_console_is_tried_here() -> None:
    """A new one is added above."""
    assert set(commands_with_console(main)) == {*COMMANDS, *ASKING}


@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_sends_a_token_in_the_clear(
    words: str, reached: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not to another machine over http://; one line says what to do. With the flag it is the person's own choice."""
    monkeypatch.chdir(tmp_path)
    refused = invoked(words, "http://deals.example.com")
    assert (refused.exit_code, reached) == (Exit.WRONG_USE, [])
    assert "--plain-http" in refused.stderr
    assert not list(tmp_path.iterdir())
    invoked(words, "http://deals.example.com", "--plain-http")
    assert reached == ["http://deals.example.com"]


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1.example.com", "http://localhost.example.com", "http://10.0.0.1:8443", "http://[fe80::1]",
        "http://0.0.0.0:8443", "HTTP://deals.example.com", "http://localhost@deals.example.com", "http://",
        "http://127.0.0.1\\@deals.example.com", "http://2130706433.example", "http://[::ffff:10.0.0.1]",
        "https://user:word@deals.example.com", "ftp://localhost",
    ],
)  # fmt: skip
def test_what_only_looks_like_this_machine_is_not(address: str, reached: list[str]) -> None:
    """The host decides, as the client itself reads it."""
    assert invoked("sessions", address).exit_code == Exit.WRONG_USE
    assert reached == []


@pytest.mark.parametrize(
    "address",
    ["https://deals.example.com", "http://127.0.0.1:8443", "http://localhost:1", "http://[::1]:8443"],
)
def test_tls_and_this_machine_need_no_flag(address: str, reached: list[str]) -> None:
    """The control."""
    assert invoked("sessions", address).exit_code == Exit.DONE
    assert reached == [address]


@pytest.mark.parametrize(
    ("words", "call"),
    [
        ("case list", "cases"),
        ("case delete", "delete_case"),
        ("sessions", "sessions"),
        ("export", "bundle"),
        ("record", "recording"),
        ("cancel", "cancel"),
    ],
)
def test_what_is_stored_elsewhere_is_asked_of_that_console(
    words: str, call: str, reached: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over its socket too."""
    monkeypatch.chdir(tmp_path)
    invoked(words, "unix:/run/console/http.sock")
    assert reached == ["http://localhost"]
    assert call in called


def test_a_question_is_asked_over_no_open_way(reached: list[str]) -> None:
    """The case would go with it."""
    case = Path(__file__).parents[3] / "demo" / "case.yaml"
    asked = ("ask", "--case", str(case), "--question", "What were net sales?", "--token-file", "token")
    refused = CliRunner().invoke(main, [*asked, "--console", "http://deals.example.com"])
    assert (refused.exit_code, reached) == (Exit.WRONG_USE, [])
    assert "--plain-http" in refused.stderr
