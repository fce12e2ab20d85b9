"""The supervisor: ordered start, early death, clean stop in reverse."""

import signal
import sys
from pathlib import Path

import pytest
from doublethink_sdk.launcher.errors import ProcessFailed
from doublethink_sdk.launcher.processes import Process, Supervisor, minimal_environment

_MARKS_ITS_END = """
import pathlib, signal, sys, time
def stop(number, frame):
    with open(sys.argv[1], "a") as file:
        file.write(sys.argv[2] + "\\n")
    sys.exit(0)
signal.signal(signal.SIGTERM, stop)
pathlib.Path(sys.argv[3]).touch()
signal.pause()
"""


def _marking(name: str, order: int, folder: Path, ends: Path) -> Process:
    ready = folder / f"{name}.ready"
    return Process(
        name,
        order,
        (sys.executable, "-c", _MARKS_ITS_END, str(ends), name, str(ready)),
        folder / f"{name}.log",
        ready.exists,
    )


def test_processes_stop_in_reverse_order(tmp_path: Path) -> None:
    """The one that was started last is stopped first."""
    ends = tmp_path / "ends"
    with Supervisor() as supervisor:
        for order, name in enumerate(("first", "second", "third")):
            supervisor.start(_marking(name, order, tmp_path, ends))
        assert set(supervisor.pids) == {"first", "second", "third"}
    assert ends.read_text().split() == ["third", "second", "first"]


def test_an_early_death_is_reported_with_the_end_of_its_log(tmp_path: Path) -> None:
    """A process that ends before it is healthy is named, with its status and its last words."""
    program = "import sys; print('port is taken'); sys.exit(3)"
    dying = Process("gate", 1, (sys.executable, "-c", program), tmp_path / "log", lambda: False)
    with Supervisor() as supervisor, pytest.raises(ProcessFailed, match="gate ended with status 3") as caught:
        supervisor.start(dying)
    assert "port is taken" in str(caught.value)


def test_a_failure_shows_no_line_of_an_earlier_start(tmp_path: Path) -> None:
    """A log is kept over starts; what is shown of it is this start's own."""
    log = tmp_path / "log"
    log.write_text("the trouble of yesterday\n")
    program = "import sys; print('port is taken'); sys.exit(3)"
    dying = Process("gate", 1, (sys.executable, "-c", program), log, lambda: False)
    with Supervisor() as supervisor, pytest.raises(ProcessFailed) as caught:
        supervisor.start(dying)
    assert "port is taken" in str(caught.value)
    assert "yesterday" not in str(caught.value)
    assert "yesterday" in log.read_text()


def test_a_death_after_the_start_is_noticed(tmp_path: Path) -> None:
    """`check` raises once any process has ended."""
    with Supervisor() as supervisor:
        supervisor.start(_marking("gate", 1, tmp_path, tmp_path / "ends"))
        supervisor.check()
        child = supervisor._running[0].child
        child.send_signal(signal.SIGKILL)
        child.wait()
        with pytest.raises(ProcessFailed, match="gate ended with status -9"):
            supervisor.check()


def test_a_process_that_never_becomes_healthy_is_given_up(tmp_path: Path) -> None:
    """The wait is bounded, and the process does not outlive it."""
    hanging = Process(
        "gate",
        1,
        (sys.executable, "-c", "import signal; signal.pause()"),
        tmp_path / "log",
        lambda: False,
        start_seconds=0.2,
    )
    supervisor = Supervisor()
    with supervisor, pytest.raises(ProcessFailed, match="did not become healthy within 0 s"):
        supervisor.start(hanging)
    assert supervisor.pids == {}


def test_a_process_that_ignores_the_stop_is_killed(tmp_path: Path) -> None:
    """After its time to stop, a process is ended by force."""
    ready = tmp_path / "ready"
    program = (
        "import pathlib, signal, sys\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "pathlib.Path(sys.argv[1]).touch()\n"
        "while True: signal.pause()"
    )
    stubborn = Process(
        "gate",
        1,
        (sys.executable, "-c", program, str(ready)),
        tmp_path / "log",
        ready.exists,
        stop_seconds=0.1,
    )
    with Supervisor() as supervisor:
        supervisor.start(stubborn)
        child = supervisor._running[0].child
    assert child.returncode == -signal.SIGKILL


def test_the_callers_environment_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proxies, preloaded libraries and keys in the caller's shell reach no process."""
    for name in ("HTTPS_PROXY", "LD_PRELOAD", "PYTHONPATH", "ANTHROPIC_API_KEY", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, "value")
    assert set(minimal_environment()) <= {"PATH", "HOME", "PYTHONUNBUFFERED", "LANG", "TZ"}


def test_a_process_leaves_no_core_dump_and_a_private_log(tmp_path: Path) -> None:
    """A core would hold the memo; a log is for its owner. The limit keeps a core from a pipe, too."""
    log = tmp_path / "limits.log"
    program = (
        "import resource, signal; print(resource.getrlimit(resource.RLIMIT_CORE), flush=True); signal.pause()"
    )
    argv = (sys.executable, "-I", "-c", program)
    with Supervisor() as supervisor:
        supervisor.start(Process("limits", 1, argv, log, lambda: b")" in log.read_bytes()))
    assert log.read_text().strip() in ("(1, 1)", "(0, 0)")
    assert log.stat().st_mode & 0o077 == 0


def test_a_log_that_has_grown_large_is_put_aside_at_the_start(tmp_path: Path) -> None:
    """Logs do not grow without end; the one before is kept."""
    log = tmp_path / "large.log"
    with log.open("wb") as file:
        file.truncate(65 * 1024 * 1024)
    argv = (sys.executable, "-I", "-c", "import signal; signal.pause()")
    with Supervisor() as supervisor:
        supervisor.start(Process("large", 1, argv, log, lambda: True))
        assert log.stat().st_size == 0
    assert (tmp_path / "large.log.1").stat().st_size == 65 * 1024 * 1024


def test_a_log_is_not_written_through_a_link(tmp_path: Path) -> None:
    """A link in the place of a log leads nowhere."""
    (tmp_path / "linked.log").symlink_to(tmp_path / "elsewhere")
    argv = (sys.executable, "-I", "-c", "")
    with Supervisor() as supervisor, pytest.raises(OSError, match="symbolic"):
        supervisor.start(Process("linked", 1, argv, tmp_path / "linked.log", lambda: True))
    assert not (tmp_path / "elsewhere").exists()
