"""The key of a source, from a file."""

from pathlib import Path

from doublethink_settings import SettingsError, read_secret

_SETTING = "source.api_key_file"


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
    """The key in the one line of the file at `path`. Raises `SettingsError`."""
    value = read_secret(path, _SETTING)
    if not all("!" <= character <= "~" for character in value):
        raise SettingsError(f"{_SETTING}: {path} holds characters that a header cannot carry")
    return ApiKey(value)
