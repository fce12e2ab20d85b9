"""What can go wrong with the embedded PostgreSQL. Every message says what to do.

EmbeddedPostgresError
├── BinariesError        no usable PostgreSQL programs
├── NoUserError          started as root, and there is no way to run the server as somebody else
├── AlreadyRunningError  another process uses the same data
├── ClusterError         the data directory cannot be made or is not usable
└── StartError           the server ended, or did not answer in time
"""

from __future__ import annotations


class EmbeddedPostgresError(Exception):
    """The embedded PostgreSQL cannot be used."""


class BinariesError(EmbeddedPostgresError):
    """initdb or postgres was not found, or does not run."""


class NoUserError(EmbeddedPostgresError):
    """PostgreSQL refuses to run as root, and neither another user nor a user namespace is possible."""


class AlreadyRunningError(EmbeddedPostgresError):
    """A server already runs on this data, or is about to."""


class ClusterError(EmbeddedPostgresError):
    """The data directory could not be made, or belongs to another version."""


class StartError(EmbeddedPostgresError):
    """The server did not start, or did not stop."""
