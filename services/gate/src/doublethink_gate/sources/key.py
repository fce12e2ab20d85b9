"""The key of a source or of a model's vendor, from a file."""

from pathlib import Path

from doublethink_settings import SettingsError, read_secret


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


def read_key(path: Path, setting: str = "source.api_key_file") -> ApiKey:
    """The key in the one line of the file at `path`, which `setting` names. Raises `SettingsError`."""
    value = read_secret(path, setting)
    if not all("!" <= character <= "~" for character in value):
        raise SettingsError(f"{setting}: {path} holds characters that a header cannot carry")
    return ApiKey(value)
