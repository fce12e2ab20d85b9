"""What can go wrong in a call, and at start.

    Exception
    ├── RpcError       a call failed; the code is all there is to know
    ├── StartRefused   a server or peer would be unsafe, so it is not built
    └── FormBroken     a message breaks its contract (never leaves this library)

No text travels with an error: `str(RpcError(...))` is the name of its code.
"""

from __future__ import annotations

from typing import cast

from doublethink.errors.v1.errors_pb2 import ErrorCode


class RpcError(Exception):
    """A call failed. `code` is a member of `doublethink.errors.v1.ErrorCode`.

    Raises ValueError when built with a code that the enumeration does not have,
    or with its zero value.
    """

    code: ErrorCode

    def __init__(self, code: ErrorCode | int) -> None:
        number = int(code)
        if number == 0 or number not in ErrorCode.values():
            raise ValueError("not an error code of the closed enumeration")
        self.code = cast("ErrorCode", number)
        super().__init__(ErrorCode.Name(self.code))

    def __reduce__(self) -> tuple[type[RpcError], tuple[int]]:
        return (RpcError, (int(self.code),))


class StartRefused(Exception):
    """A contract, a certificate or a setting is unsafe; the text says which and what to do."""


class FormBroken(Exception):
    """A message breaks its declared form. `field` is a full name from the contract."""

    def __init__(self, field: str) -> None:
        self.field = field
        super().__init__(field)
