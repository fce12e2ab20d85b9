"""What can go wrong while starting or watching the processes.

LaunchError
    ProcessFailed     a process ended or did not become healthy
    DataInUse         another launcher holds the data directory
    IsolationFailed   a mind can reach what it must not reach
    NoSandbox         this machine does not allow the namespaces
"""


class LaunchError(Exception):
    """The launcher cannot go on; the text says what to do."""


class ProcessFailed(LaunchError):
    """A process ended early or did not become healthy in its time."""


class DataInUse(LaunchError):
    """The data directory belongs to another running launcher."""


class IsolationFailed(LaunchError):
    """The probe reached something that a mind must not reach."""


class NoSandbox(LaunchError):
    """The kernel refuses the namespaces that the minds need."""
