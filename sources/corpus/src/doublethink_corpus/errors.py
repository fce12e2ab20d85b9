"""What can go wrong before the server answers.

    CorpusError
    ├── FolderError      no folder, no readable page in it, or a broken pages.tsv
    ├── ListenError      an address that cannot be listened on
    └── KeyFileError     no usable key in its file

Faults of a request are answers in Tavily's form, not exceptions of this tree; see `wire`.
"""


class CorpusError(Exception):
    """The server cannot start; the message says what to change."""


class FolderError(CorpusError):
    """The folder of pages cannot be used."""


class ListenError(CorpusError):
    """The address is not one to listen on, or it is taken."""


class KeyFileError(CorpusError):
    """The file that should hold the key cannot be used."""
