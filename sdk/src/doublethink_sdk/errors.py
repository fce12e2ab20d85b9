"""What the command line and its client report to a person.

ClientError
    ConsoleUnreachable   no answer from the console
    ConsoleRefused       the console declined; the text is its own
"""


class ClientError(Exception):
    """The console could not do what was asked; the text says why."""


class ConsoleUnreachable(ClientError):
    """There is no answer from the console."""


class ConsoleRefused(ClientError):
    """The console declined."""
