"""The five services of one machine: their order, who their peers are, and where they run."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from doublethink_rpc.certificates import make_authority

from doublethink_sdk.launcher.directories import Directories, RoleDirectories
from doublethink_sdk.launcher.isolation import MindPlace
from doublethink_sdk.launcher.sandbox import Sandbox, interpreter_paths


@dataclass(frozen=True)
class _Role:
    """`user` is the numeric user of a mind where the launcher is root; None for the rest."""

    name: str
    order: int
    peers: tuple[str, ...]
    mind_user: int | None = None


# The peers are those that the contracts name: a test compares the two.
# The user numbers lie outside the ranges that Debian assigns (policy, section 9.2.2).
ROLES = (
    _Role("gate", 30, ()),
    _Role("reader", 30, ("gate",), 64101),
    _Role("validator", 30, ("gate", "reader"), 64102),
    _Role("planner", 30, ("gate", "validator"), 64103),
    # The console takes up interrupted runs as soon as it is there: it needs the others by then.
    _Role("console", 40, ("gate", "planner", "validator")),
)


@dataclass(frozen=True)
class PlacedRole:
    """One role with its directories and, if it is a mind, its sandbox.

    `peer_directory` is one that it may connect to, for the probe's allowed attempt.
    """

    name: str
    order: int
    peers: tuple[str, ...]
    directories: RoleDirectories
    user: int | None
    sandbox: Sandbox | None
    peer_directory: Path | None


def place(directories: Directories, *, isolate: bool) -> Mapping[str, PlacedRole]:
    """Make every role's directories and certificates. Raises OSError."""
    authority = make_authority()
    root = os.geteuid() == 0
    made = {
        role.name: directories.role(role.name, role.mind_user if root and isolate else None) for role in ROLES
    }
    placed = {}
    for role in ROLES:
        own = made[role.name]
        user = role.mind_user if root and isolate else None
        authority.issue(role.name).write(own.etc)
        give(own.etc, user)
        sandbox = None
        if role.mind_user is not None and isolate:
            sandbox = Sandbox(
                readable=(*interpreter_paths(), str(own.etc), *(str(made[peer].rpc) for peer in role.peers)),
                writable=(str(own.rpc), str(own.admin)),
                user=user,
            )
        peer_directory = made[role.peers[0]].rpc if role.peers else None
        placed[role.name] = PlacedRole(role.name, role.order, role.peers, own, user, sandbox, peer_directory)
    return placed


def give(directory: Path, user: int | None) -> None:
    """Make `user` the owner of a directory and of the files in it. Does nothing for None."""
    if user is None:
        return
    for path in (directory, *directory.iterdir()):
        shutil.chown(path, user, user)


def minds(placed: Mapping[str, PlacedRole]) -> Mapping[str, MindPlace]:
    """The sandboxed roles as the isolation probe sees them: what is foreign to each is named."""
    found = {}
    for name, role in placed.items():
        if role.sandbox is None or role.peer_directory is None:
            continue
        foreign = [
            place
            for other in placed.values()
            if other.name != name
            for place in (other.directories.etc, other.directories.admin)
        ]
        foreign += [p.directories.rpc for p in placed.values() if p.name not in (name, *role.peers)]
        found[name] = MindPlace(role.sandbox, role.peer_directory, tuple(foreign))
    return found
