"""What ends a command from outside: Ctrl-C, a supervisor's SIGTERM, and a terminal that is closed (SIGHUP).

All three are one exception, so that everything that is open is closed on the way out.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# SIGHUP comes when the terminal's window is closed or a remote login breaks off.
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """A signal asks this command to end. `number` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.number = number


@contextmanager
def stopping() -> Iterator[None]:
    """Inside, each of the three signals raises Stopped, once; the following ones are ignored.

    One that was ignored before stays ignored: nohup(1) means it. Does nothing outside of the main thread.
    """
    with _handled(_raise_once):
        yield


@contextmanager
def finishing() -> Iterator[None]:
    """Inside, the three signals are ignored: what is bounded and must be done to its end."""
    with _handled(signal.SIG_IGN):
        yield


@contextmanager
def _handled(handler: "signal._HANDLER") -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    for number, old in before.items():
        if old is not signal.SIG_IGN:
            signal.signal(number, handler)
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, signal.SIG_DFL if old is None else old)


def _raise_once(number: int, _frame: FrameType | None) -> None:
    for each in _ENDING:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)


@contextmanager
def holding() -> Iterator[None]:
    """Inside, a signal of the three is put off to the end of it."""
    came: list[int] = []
    # Not by blocking it: another thread would take it, and Python runs the handler in this one.
    with _handled(lambda number, _frame: came.append(number)):
        yield
    if came:
        signal.raise_signal(came[0])
