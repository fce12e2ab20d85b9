"""What a person may have got wrong, looked at before anything starts: each ends the command with one line."""

import errno
import json
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from doublethink_casefile import Case, Secret
from doublethink_fingerprint import FingerprintError, build_pack
from doublethink_fingerprint.alarms import alarms

from doublethink_sdk import output
from doublethink_sdk.exits import Exit, fail
from doublethink_sdk.launcher.processes import minimal_environment
from doublethink_sdk.terminal import visible

# The most that the planner's contract takes.
MAX_QUESTION_BYTES = 4000
_POLICY_SECONDS = 60
_PAGE_SUFFIXES = frozenset({".html", ".htm"})
_POLICY = (sys.executable, "-I", "-m", "doublethink_gate.policy")


def question(text: str, where: str = "--question") -> str:
    """The question, which is not blank and not too long. `where` says what it was given by."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if not text.strip():
        raise fail(f"{where}: the question is empty", Exit.WRONG_USE)
    if size > MAX_QUESTION_BYTES:
        raise fail(
            f"{where}: a question has at most {MAX_QUESTION_BYTES} bytes, this one {size}", Exit.WRONG_USE
        )
    return text


def case(path: Path, loaded: Case) -> None:
    """A case whose secrets and terms can be looked for."""
    try:
        build_pack(
            loaded.secrets, canaries=loaded.canaries, memo=loaded.memo, public_terms=loaded.public_terms
        )
    except FingerprintError as error:
        raise fail(f"{path}: {error}", Exit.WRONG_USE) from error
    say_alarms(path, loaded.secrets, every=False)


def say_alarms(path: Path, secrets: Sequence[Secret], *, every: bool) -> None:
    """Say on standard error, by place and class, what confirmed values would stop of ordinary searches.

    Without `every` only of those that would stop so many that a phrase is asked for.
    """
    for alarm in alarms(secrets):
        if every or alarm.asks_for_a_phrase:
            output.say_aside(visible(f"{path}: {alarm}"))


def pages(folder: Path) -> Path:
    """A folder that holds at least one saved page."""
    try:
        held = any(entry.suffix.lower() in _PAGE_SUFFIXES and entry.is_file() for entry in folder.iterdir())
    except FileNotFoundError:
        raise fail(f"--pages: there is no folder {folder}", Exit.WRONG_USE) from None
    except OSError as error:
        raise fail(f"--pages: cannot read {folder}: {error.strerror}", Exit.WRONG_USE) from error
    if not held:
        raise fail(f"--pages: {folder} holds no page: put saved .html files into it", Exit.WRONG_USE)
    return folder


def policy(file: Path, named: str = "--policy: ") -> Path:
    """A policy file that the gate takes: file, line and key of what is wrong are named, behind `named`.

    The hosts that it has placed are said on standard error.
    """
    done = subprocess.run(
        (*_POLICY, "check", str(file.absolute())),
        capture_output=True,
        text=True,
        timeout=_POLICY_SECONDS,
        env=minimal_environment(),
        check=False,
    )
    if done.returncode != 0:
        raise fail(f"{named}{file}: {done.stderr.strip()}", Exit.WRONG_USE)
    for line in done.stdout.splitlines():
        output.say_aside(visible(f"doublethink: {file}: {line}"))
    return file


def price(model: str, policy_file: Path | None) -> str:
    """What a model may cost by a policy, in words. Ends the command where the policy has no price for it."""
    done = subprocess.run(
        (
            *_POLICY,
            "price",
            model,
            *(() if policy_file is None else ("--policy", str(policy_file.absolute()))),
        ),
        capture_output=True,
        text=True,
        timeout=_POLICY_SECONDS,
        env=minimal_environment(),
        check=False,
    )
    if done.returncode != 0:
        raise fail(f"--claude-model: {done.stderr.strip()}", Exit.WRONG_USE)
    return done.stdout.strip()


@dataclass(frozen=True)
class Told:
    """What a recording holds. model: the name of the model whose answers are in it, None where there are none."""

    file: Path
    model: str | None
    words: str


def recording(file: Path) -> Told:
    """A recording that the gate can answer from: where it is wrong is named."""
    done = _recording(file)
    if done.returncode != 0:
        raise fail(f"--source: {file}: {done.stderr.strip()}", Exit.WRONG_USE)
    return _told(file, done.stdout)


def recording_told(file: Path) -> str | None:
    """What a recording holds, in a line; None if it cannot be used."""
    done = _recording(file)
    return _told(file, done.stdout).words if done.returncode == 0 else None


def _count(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one if number == 1 else several or one + 's'}"


def _told(file: Path, line: str) -> Told:
    held = json.loads(line)
    answers = f", {_count(held['completion'], 'completion')} of {held['model']}" if held["model"] else ""
    asked = f"{_count(held['search'], 'search', 'searches')}, {_count(held['page'], 'page')}{answers}"
    words = f"session {held['session']}, source {held['source']}: {asked}, sha256 {held['sha256']}"
    return Told(file, held["model"], words)


def _recording(file: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        (sys.executable, "-I", "-m", "doublethink_gate", "recording", str(file.absolute())),
        capture_output=True,
        text=True,
        timeout=_POLICY_SECONDS,
        env=minimal_environment(),
        check=False,
    )


def shipped_policy() -> str:
    """The text of the policy that applies where none is named."""
    done = subprocess.run(
        (*_POLICY, "show"),
        capture_output=True,
        text=True,
        timeout=_POLICY_SECONDS,
        env=minimal_environment(),
        check=True,
    )
    return done.stdout


def port(number: int) -> int:
    """A port of the loopback address that can be listened on; 0 stands for any."""
    try:
        with socket.socket() as probe:
            # As the console's listener does: a port that was closed a moment ago can be had.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", number))
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        why = "is in use" if error.errno == errno.EADDRINUSE else "may not be used"
        raise fail(
            f"--port: port {number} of 127.0.0.1 {why}: name another, or leave the option out",
            Exit.WRONG_USE,
        ) from error
    return number
