"""The console's own errors.

Exception
├── SettingsError        (doublethink_settings) a configuration, secret or key file cannot be used
├── StartFailed          something the console needs is missing or wrong at start
├── EngineFailed         the engine cannot go on; the process ends
├── SealBroken           stored ciphertext does not open: another key, another row, or changed bytes
├── MigrationError       the database's schema is not one that this version can bring up to date
├── ClaimLost            another console took the run over, or it was cancelled
├── Refused              a request of a person that is declined; status and words for that person
└── RpcError             (doublethink_rpc) what a peer said: a code and nothing else

Messages hold no value of a case, a question or an answer.
"""


class StartFailed(Exception):
    """The console cannot start. The message says what is missing."""


class EngineFailed(Exception):
    """The engine ended by itself, or lost its lock. Runs that go on are taken up at the next start."""


class SealBroken(Exception):
    """Stored ciphertext does not open under the keys that are here, at the place where it was found."""


class MigrationError(Exception):
    """The schema was changed by hand, is newer than this version, or a file is out of order."""


class ClaimLost(Exception):
    """This process may not write to the run any more."""


class Refused(Exception):
    """A request that is declined: an HTTP status, and words that say what to do."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words
