"""Only the gate reaches the network (I2): the minds' sandboxes, tried with real processes."""

import os
import select
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from doublethink_sdk.launcher import isolation
from doublethink_sdk.launcher.errors import IsolationFailed, NoSandbox
from doublethink_sdk.launcher.isolation import MindPlace
from doublethink_sdk.launcher.sandbox import Sandbox, command, interpreter_paths

_SECONDS = 60
_MIND_USER = 64101 if os.geteuid() == 0 else None


@pytest.fixture
def place(tmp_path: Path) -> MindPlace:
    """A sandbox with one directory of its own and one peer."""
    own, peer = tmp_path / "own", tmp_path / "peer"
    own.mkdir(mode=0o777)
    own.chmod(0o777)
    peer.mkdir()
    return MindPlace(Sandbox((*interpreter_paths(), str(peer)), (str(own),), _MIND_USER), peer)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A directory with another mind's socket and file."""
    directory = tmp_path / "elsewhere"
    directory.mkdir()
    (directory / "key").write_text("material")
    return directory


def _inside(place: MindPlace, program: str) -> str:
    argv = command(place.sandbox, (sys.executable, "-I", "-c", program))
    done = subprocess.run(argv, capture_output=True, text=True, timeout=_SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_i2_every_forbidden_attempt_is_refused_and_the_allowed_one_works(
    place: MindPlace, elsewhere: Path
) -> None:
    """A mind has no route, no listener, no foreign socket or file, no privilege; its peer it can reach."""
    foreign = elsewhere / "other.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(foreign))
        listener.listen()
        report = isolation.prove({"reader": place}, (foreign,), (elsewhere / "key",))
    made = report.attempts["reader"]
    assert made["connect to its own peer's socket"]
    assert [name for name, succeeded in made.items() if succeeded] == ["connect to its own peer's socket"]
    assert report.refused == len(made) - 1 >= 7


def test_i2_a_sandbox_with_a_hole_stops_the_start(place: MindPlace, elsewhere: Path) -> None:
    """The probe can fail: a sandbox that shows a foreign file is found out by name."""
    holed = MindPlace(
        Sandbox((*place.sandbox.readable, str(elsewhere)), place.sandbox.writable, _MIND_USER),
        place.peer_directory,
    )
    with pytest.raises(IsolationFailed, match="reader could read"):
        isolation.prove({"reader": holed}, (), (elsewhere / "key",))


def test_i2_a_target_that_does_not_exist_is_no_proof(place: MindPlace, elsewhere: Path) -> None:
    """Without its positive control a refused attempt means nothing."""
    with pytest.raises(IsolationFailed, match="control failed"):
        isolation.prove({"reader": place}, (), (elsewhere / "absent",))


def test_i2_a_sandbox_that_cannot_be_made_is_said_so(place: MindPlace) -> None:
    """A path that is not there ends the start with a clear error, not with a weaker sandbox."""
    broken = MindPlace(
        Sandbox((*place.sandbox.readable, "/nonexistent/path"), (), _MIND_USER), place.peer_directory
    )
    with pytest.raises(NoSandbox, match="in the sandbox of reader"):
        isolation.prove({"reader": broken}, (), ())


def test_a_mind_writes_only_to_its_own_directories(place: MindPlace) -> None:
    """Everything else it sees is read-only, and its /tmp is its own."""
    own = place.sandbox.writable[0]
    tried = (own, sys.prefix, "/usr", str(place.peer_directory), "/tmp")  # noqa: S108 - the sandbox's own
    program = (
        "import os\n"
        f"for place in {tried!r}:\n"
        "    try:\n"
        "        open(os.path.join(place, 'written'), 'w').close(); print('wrote')\n"
        "    except OSError:\n"
        "        print('refused')\n"
    )
    assert _inside(place, program).split() == ["wrote", "refused", "refused", "refused", "wrote"]
    assert not Path("/tmp/written").exists()  # noqa: S108 - that the sandbox's /tmp is another one is the point


def test_a_mind_sees_only_its_own_processes(place: MindPlace) -> None:
    """Its PID namespace holds process 1 and itself."""
    assert _inside(place, "import os; print(sum(n.isdigit() for n in os.listdir('/proc')))") == "2"


def test_the_death_of_the_outermost_process_ends_everything_inside(place: MindPlace, tmp_path: Path) -> None:
    """A killed launcher leaves no mind behind."""
    alive = Path(place.sandbox.writable[0]) / "alive"
    program = f"import pathlib, signal; pathlib.Path({str(alive)!r}).touch(); signal.pause()"
    outer = subprocess.Popen(command(place.sandbox, (sys.executable, "-I", "-c", program)))
    try:
        while not alive.exists():
            assert outer.poll() is None
        children = Path(f"/proc/{outer.pid}/task/{outer.pid}/children").read_text().split()
        watched = [os.pidfd_open(int(child)) for child in children]
        outer.kill()
        outer.wait(_SECONDS)
        for descriptor in watched:
            # Readable once the process has ended, pidfd_open(2).
            assert select.select([descriptor], [], [], _SECONDS)[0]
            os.close(descriptor)
    finally:
        outer.kill()
