"""What can be wrong with a case.

CaseError
├── CaseSyntaxError   the YAML or one of its keys; names key and line
├── CaseFileError     the case file itself cannot be read
└── MemoFileError     the memo that the case points to cannot be read
"""

from __future__ import annotations


class CaseError(Exception):
    """A case that cannot be used. The message says what to change and never repeats a value."""


class CaseSyntaxError(CaseError):
    """A key of the case is unknown, twice there, missing, of the wrong type or beyond a bound.

    Args:
        key: path of the key, for example ``secrets[2].class``.
        line: line in the case file, counted from 1.
        problem: what is wrong and what to do, without any value from the file.
    """

    def __init__(self, key: str, line: int, problem: str) -> None:
        super().__init__(f"case, line {line}: {key}: {problem}")
        self.key = key
        self.line = line


class CaseFileError(CaseError):
    """The case file is missing, too large, not a regular file or not UTF-8."""


class MemoFileError(CaseError):
    """The file named by ``memo_file`` is missing, elsewhere, too large or not a regular file."""
