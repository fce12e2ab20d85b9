"""As whom the server runs. PostgreSQL refuses to run as root, so that a start as root needs a way down.

Three ways, in this order:

* not root: as the caller.
* root, and another user (`nobody` unless told) can execute the programs and reach the data: as that user.
* root otherwise, for instance with programs below a home directory of mode 0700: in a user namespace in which
  root's files belong to an ordinary user. The process has no capability there; to the kernel's file checks it
  is still root's, without root's power over other people's files.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from doublethink_sdk.postgres.errors import NoUserError

_NAMESPACE_UID = 1000
_PROBE_SECONDS = 30


class Way(Enum):
    """How the server gets its user."""

    CALLER = "caller"
    USER = "user"
    NAMESPACE = "namespace"


@dataclass(frozen=True, slots=True)
class Identity:
    """A way to run the programs, and the user and group that must own their files."""

    way: Way
    uid: int
    gid: int

    def wrap(self, argv: Sequence[str | Path], *, die_with_parent: bool = False) -> list[str]:
        """Return the argument list that runs `argv` as this identity, by exec, without a process in between.

        die_with_parent: the kernel sends SIGINT (a fast, clean stop) when the thread that started it ends.
        Needs util-linux's setpriv; left out where there is none.
        """
        words = [os.fspath(word) for word in argv]
        setpriv = shutil.which("setpriv")
        death = [setpriv, "--pdeathsig", "INT"] if die_with_parent and setpriv else []
        if self.way is Way.CALLER:
            return [*death, *words]
        if self.way is Way.USER:
            drop = [f"--reuid={self.uid}", f"--regid={self.gid}", "--clear-groups", "--inh-caps=-all"]
            return [*(death or [str(setpriv)]), *drop, "--no-new-privs", "--", *words]
        unshare = str(shutil.which("unshare"))
        mapping = [f"--map-user={_NAMESPACE_UID}", f"--map-group={_NAMESPACE_UID}"]
        # The signal is asked for inside: entering the namespace would clear it.
        return [unshare, "--user", *mapping, "--", *death, *words]


def choose_identity(
    program: Path, reachable: Sequence[Path], user: str = "nobody", way: Way | None = None
) -> Identity:
    """Return how to run `program`, which must be able to reach the directories `reachable`.

    way: insist on one of them. Raises NoUserError when none works, or the one insisted on does not.
    """
    if os.geteuid() != 0:
        if way not in (None, Way.CALLER):
            raise NoUserError(f"only root can start the server the way {way.value!r}")
        return Identity(Way.CALLER, os.geteuid(), os.getegid())
    if way is Way.CALLER:
        raise NoUserError("PostgreSQL does not run as root")
    tried = []
    if way in (None, Way.USER):
        try:
            entry = pwd.getpwnam(user)
        except KeyError:
            tried.append(f"there is no user {user!r}")
        else:
            identity = Identity(Way.USER, entry.pw_uid, entry.pw_gid)
            if shutil.which("setpriv") is None:
                tried.append("there is no setpriv (util-linux)")
            elif _runs(identity, program, reachable):
                return identity
            else:
                tried.append(f"the user {user!r} cannot reach the programs or the data")
    if way in (None, Way.NAMESPACE):
        identity = Identity(Way.NAMESPACE, 0, 0)
        if shutil.which("unshare") is None:
            tried.append("there is no unshare (util-linux)")
        elif _runs(identity, program, reachable):
            return identity
        else:
            tried.append("a user namespace cannot be made")
    raise NoUserError(
        f"PostgreSQL does not run as root, and {' and '.join(tried)}: start as an ordinary user, or move "
        "programs and data to where one can reach them"
    )


def _runs(identity: Identity, program: Path, reachable: Sequence[Path]) -> bool:
    """Try it for real: whether the identity can start the program and enter the directories."""
    probes: list[list[str | Path]] = [[program, "--version"]]
    probes += [["/usr/bin/test", "-x", path] for path in reachable]
    for argv in probes:
        try:
            done = subprocess.run(
                identity.wrap(argv), capture_output=True, timeout=_PROBE_SECONDS, env={"LC_ALL": "C"}
            )
        except (OSError, subprocess.TimeoutExpired):
            return False
        if done.returncode != 0:
            return False
    return True
