"""The services of one machine: their order, who their peers are, and where they run."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from doublethink_rpc.certificates import make_authority

from doublethink_sdk.launcher.directories import Directories, RoleDirectories
from doublethink_sdk.launcher.isolation import MindPlace
from doublethink_sdk.launcher.log_files import LogFiles
from doublethink_sdk.launcher.sandbox import Sandbox, interpreter_paths


@dataclass(frozen=True)
class _Role:
    """`user` is the numeric user of what is sandboxed where the launcher is root; None for the rest.
    `serves` is False for what answers nobody over gRPC.
    """

    name: str
    order: int
    peers: tuple[str, ...]
    user: int | None = None
    serves: bool = True


# The peers are those that the contracts name: a test compares the two.
# The user numbers lie outside the ranges that Debian assigns (policy, section 9.2.2).
ROLES = (
    # Started first, and so stopped last: what the others wrote is sealed by then.
    _Role("sealer", 30, (), 64104, serves=False),
    _Role("gate", 30, ()),
    _Role("reader", 30, ("gate",), 64101),
    _Role("validator", 30, ("gate", "reader"), 64102),
    _Role("planner", 30, ("gate", "validator"), 64103),
    # The console takes up interrupted runs as soon as it is there: it needs the others by then.
    _Role("console", 40, ("gate", "planner", "validator"), serves=False),
)


@dataclass(frozen=True)
class PlacedRole:
    """One role with its directories and, if it is a mind or the sealer, its sandbox.

    `peer_directory` is one that it may connect to, for the probe's allowed attempt; the sealer's peer is the
    database alone, of which it sees the socket.
    """

    name: str
    order: int
    peers: tuple[str, ...]
    directories: RoleDirectories
    user: int | None
    sandbox: Sandbox | None
    peer_directory: Path | None
    serves: bool = True


def place(
    directories: Directories, *, isolate: bool, database: Path, door: RoleDirectories | None = None
) -> Mapping[str, PlacedRole]:
    """Make every role's directories and certificates. Raises OSError.

    `database` is PostgreSQL's socket. `door` is the forwarder's place, of which the planner alone sees the socket.
    """
    authority = make_authority()
    root = os.geteuid() == 0
    made = {role.name: directories.role(role.name, role.user if root and isolate else None) for role in ROLES}
    placed = {}
    for role in ROLES:
        own = made[role.name]
        user = role.user if root and isolate else None
        authority.issue(role.name).write(own.etc)
        give(own.etc, user)
        sandbox = None
        if role.name == "sealer" and isolate:
            log = LogFiles(directories.data)
            sandbox = Sandbox(
                readable=(*interpreter_paths(), *map(str, (own.etc, log.keys, log.vkeys, database))),
                writable=(str(own.rpc), str(own.admin)),
                user=user,
                lasting=(str(log.published),),
            )
        elif role.user is not None and isolate:
            seen = [own.etc, *(made[peer].rpc for peer in role.peers)]
            if door is not None and role.name == "planner":
                seen.append(door.rpc)
            sandbox = Sandbox(
                readable=(*interpreter_paths(), *map(str, seen)),
                writable=(str(own.rpc), str(own.admin)),
                user=user,
            )
        peer_directory = made[role.peers[0]].rpc if role.peers else None
        placed[role.name] = PlacedRole(
            role.name, role.order, role.peers, own, user, sandbox, peer_directory, role.serves
        )
    return placed


def give(directory: Path, user: int | None) -> None:
    """Make `user` the owner of a directory and of the files in it. Does nothing for None."""
    if user is None:
        return
    for path in (directory, *directory.iterdir()):
        shutil.chown(path, user, user)


def sandboxed(
    placed: Mapping[str, PlacedRole], database: Path, door: RoleDirectories | None = None
) -> Mapping[str, MindPlace]:
    """The sandboxed roles as the isolation probe sees them: what is foreign to each is named.

    `database` is PostgreSQL's socket, which the sealer may connect to; `door` as for `place`.
    """
    found = {}
    for name, role in placed.items():
        if role.sandbox is None:
            continue
        foreign = [
            place
            for other in placed.values()
            if other.name != name
            for place in (other.directories.etc, other.directories.admin)
        ]
        foreign += [p.directories.rpc for p in placed.values() if p.name not in (name, *role.peers)]
        if door is not None:
            foreign += [door.etc, door.admin, *([] if name == "planner" else [door.rpc])]
        allowed = database if role.peer_directory is None else None
        found[name] = MindPlace(role.sandbox, role.peer_directory, tuple(foreign), allowed)
    return found
