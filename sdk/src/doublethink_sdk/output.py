"""Whole lines on standard output and standard error, from several threads, until nobody reads them any more."""

import errno
import os
import sys
import threading

import click

# A pipe whose reader is gone; a terminal that was closed.
_GONE = frozenset({errno.EPIPE, errno.EIO})
_lock = threading.Lock()


class OutputGone(Exception):
    """Nobody reads standard output any more."""


def say(line: str) -> None:
    """Print one line, whole, at once. Raises OutputGone."""
    with _lock:
        try:
            click.echo(line)
        except OSError as error:
            if error.errno in _GONE:
                raise OutputGone from error
            raise


def say_aside(line: str) -> None:
    """Print one line on standard error; where that is gone too, there is nobody to tell."""
    with _lock:
        try:
            click.echo(line, err=True)
        except OSError as error:
            if error.errno not in _GONE:
                raise


def give_up() -> None:
    """Point standard output to nowhere, so that the interpreter's last flush does not fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
