"""What all suites share: no silent skip, and a throwaway PostgreSQL server started when a test asks for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings
from sim.database import GateDatabase, PostgresForTests, postgres_for_tests


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresForTests]:
    """A running server; `postgres.fresh_database()` gives a migrated gate database."""
    with postgres_for_tests() as running:
        yield running


@pytest.fixture
def gate_database(postgres: PostgresForTests) -> Iterator[GateDatabase]:
    """A gate database for one test."""
    database = postgres.fresh_database()
    yield database
    postgres.drop(database)


def pytest_configure() -> None:
    """Begin with the signals that a terminal gives: started in the background, a shell has them ignored, and what is
    ignored here would be so in every process that a test starts.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    # A generated example that takes long on a busy machine is no failure: no test judges by the time that it takes.
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")


_OPTIONAL = "NOT RUN"
_skipped_silently: list[str] = []


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Remember skips that do not say, loudly, that something optional is absent from this machine."""
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if _OPTIONAL not in reason:
            _skipped_silently.append(f"{report.nodeid}: {reason}")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With DOUBLETHINK_REQUIRED=1 a silent skip fails the run: a suite that must run did not."""
    if os.environ.get("DOUBLETHINK_REQUIRED") == "1" and _skipped_silently and exitstatus == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name what was skipped without a reason that counts."""
    for line in _skipped_silently:
        terminalreporter.write_line(f"SKIPPED AND REQUIRED: {line}", red=True)
