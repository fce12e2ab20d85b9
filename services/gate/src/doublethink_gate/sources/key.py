"""The key of a source, from a file."""

from pathlib import Path

from .errors import KeyFileError

_MAX_KEY_BYTES = 4096


class ApiKey:
    """A key that shows itself to nobody but the header that it goes into."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "ApiKey(...)"

    def authorization(self) -> str:
        """The value of the Authorization header (RFC 6750)."""
        return f"Bearer {self._value}"


def read_key(path: Path) -> ApiKey:
    """The key in the first line of the file at `path`. Raises `KeyFileError`."""
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_KEY_BYTES + 1)
    except OSError as error:
        raise KeyFileError(f"key file {path}: {error.strerror}") from None
    if len(content) > _MAX_KEY_BYTES:
        raise KeyFileError(f"key file {path}: larger than {_MAX_KEY_BYTES} bytes")
    lines = content.split(b"\n")
    value = lines[0].strip()
    if not value or any(line.strip() for line in lines[1:]):
        raise KeyFileError(f"key file {path}: must hold the key in its only line")
    if not all(0x21 <= byte <= 0x7E for byte in value):
        raise KeyFileError(f"key file {path}: the key holds characters that a header cannot carry")
    return ApiKey(value.decode("ascii"))
