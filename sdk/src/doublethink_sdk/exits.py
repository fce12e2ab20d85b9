"""Exit codes of the command line, and the one line that goes with each failure."""

import functools
import signal
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import ParamSpec

import click
from doublethink_casefile import CaseError

from doublethink_sdk import output, signals
from doublethink_sdk.errors import ClientError, ConsoleRefused
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.terminal import visible_lines

# As a shell reports a program that a signal ended.
_SIGNALLED = 128


class Exit(IntEnum):
    """What a command's end means."""

    DONE = 0
    REFUSED = 1
    WRONG_USE = 2
    PARTLY = 3
    SERVICE_MISSING = 4


def exit_of(status: int) -> Exit:
    """What the end of a process that this command ran means for it; a signal or a crash (of the interpreter, say) is
    no answer that can be believed.
    """
    return Exit(status) if status in set(Exit) else Exit.REFUSED


_P = ParamSpec("_P")


def fail(message: str, code: Exit) -> click.exceptions.Exit:
    """Print one line on stderr and return the exception that ends the command with `code`."""
    output.say_aside(visible_lines(f"doublethink: {message}"))
    return click.exceptions.Exit(code)


def demand_ledger(data: Path) -> None:
    """End the command with one line if `data` holds no ledger. Raises click.exceptions.Exit with WRONG_USE."""
    if not (data / "postgres").is_dir():
        message = f"{data} holds no ledger yet: ask a question first, or name another directory with --data"
        raise fail(message, Exit.WRONG_USE)


def reporting(command: Callable[_P, Exit]) -> Callable[_P, None]:
    """Turn a command's result, its expected errors and what stops it from outside into exit codes.

    An unexpected error keeps its traceback: it is a fault of the program.
    """

    @functools.wraps(command)
    def run(*args: _P.args, **kwargs: _P.kwargs) -> None:
        code: int
        try:
            with signals.stopping():
                code = command(*args, **kwargs)
        except CaseError as error:
            raise fail(str(error), Exit.WRONG_USE) from error
        except ConsoleRefused as error:
            raise fail(str(error), Exit.REFUSED) from error
        except (ClientError, LaunchError) as error:
            raise fail(str(error), Exit.SERVICE_MISSING) from error
        except (output.OutputGone, BrokenPipeError):
            output.give_up()
            code = _SIGNALLED + signal.SIGPIPE
        except signals.Stopped as stopped:
            output.say_aside("doublethink: stopped")
            code = _SIGNALLED + stopped.number
        raise click.exceptions.Exit(code)

    return run
