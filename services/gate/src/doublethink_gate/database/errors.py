"""What can stop a migration.

MigrationError
├── MigrationFilesError    the files beside the code are not a numbered series
├── MigrationChangedError  a migration that was applied is not the one in the files any more
├── MigrationUnknownError  the database has a migration that the files do not have
├── MigrationPendingError  the schema is behind the files, and the caller may not change it
└── DatabaseSetupError     the server or the role is not what the migrator needs
"""

from __future__ import annotations


class MigrationError(Exception):
    """The database's schema cannot be brought up to date, or is not."""


class MigrationFilesError(MigrationError):
    """The migration files are not a series 0001, 0002, ... without gaps."""


class MigrationChangedError(MigrationError):
    """A migration was changed after it had been applied."""


class MigrationUnknownError(MigrationError):
    """The database was migrated by a newer version of this software."""


class MigrationPendingError(MigrationError):
    """Migrations are missing in the database."""


class DatabaseSetupError(MigrationError):
    """The server, the database or the role is not as roles.sql makes it."""
