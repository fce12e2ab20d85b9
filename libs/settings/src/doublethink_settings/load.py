"""Reads a settings file into frozen values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

import msgspec
from msgspec import inspect

from .allowed import allowed
from .errors import SettingsError
from .files import read_file

MAX_BYTES: Final = 65_536
_PLACE: Final = re.compile(r"at (?:line \d+, column \d+|end of document)")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)

T = TypeVar("T", bound=msgspec.Struct)


def load_settings(path: Path, kind: type[T]) -> T:
    """Read the TOML file at `path` as a `kind`: a frozen Struct whose fields are sections or single values.

    A section is a Struct or a dataclass. A relative Path starts at the file's folder. A check across several
    keys is the `__post_init__` of what holds them: it raises ValueError with words that begin with a key.

    Raises SettingsError.
    """
    document = _document(path, read_file(path, MAX_BYTES, private=False))
    try:
        # The folder as it was named: a mounted file may be a link into a place that is replaced.
        return settings_of(document, path.absolute().parent, kind)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from None


def settings_of(document: Mapping[str, object], folder: Path, kind: type[T]) -> T:
    """Return what a TOML document says as a `kind`; see `load_settings`. Raises SettingsError."""
    settings: T = _Reading(folder).section("", kind, document)
    return settings


def _document(path: Path, content: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise SettingsError(f"{path} is not TOML: it is not UTF-8 text") from None
    except ValueError as error:
        # TOMLDecodeError, or a number of too many digits. Not its words: they can hold a piece of the text.
        place = _PLACE.search(str(error))
        raise SettingsError(
            f"{path} is not TOML: look {place[0] if place else 'for a number of very many digits'}"
        ) from None
    except RecursionError:
        raise SettingsError(f"{path} is not TOML that can be read: lists stand in lists too deeply") from None


class _Reading:
    """One reading: it knows the folder at which relative paths start."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def section(self, name: str, kind: type[Any], values: Mapping[str, object]) -> Any:
        """Return `values` as a `kind`. `name` is empty for the file as a whole."""
        prefix = f"{name}." if name else ""
        fields = {field.name: field for field in _fields(kind)}
        for key in values:
            if key not in fields:
                raise SettingsError(f"{prefix}{_shown(key)} is not a key; known here: {', '.join(fields)}")
        hints = get_type_hints(kind, include_extras=True)
        built: dict[str, Any] = {}
        for key, field in fields.items():
            section = _section_kind(field.type)
            if key not in values:
                if field.required:
                    missing = f"{prefix}{key}" if section is None else f"the section [{prefix}{key}]"
                    raise SettingsError(f"{missing} is missing")
            elif section is None:
                built[key] = self._value(prefix + key, hints[key], values[key])
            else:
                built[key] = self._subsection(prefix + key, section, values[key])
        try:
            return kind(**built)
        except ValueError as error:
            raise SettingsError(f"{prefix}{error}") from None

    def _subsection(self, name: str, kind: type[Any], values: object) -> Any:
        if not isinstance(values, dict):
            raise SettingsError(f"{name} must be a section: [{name}]")
        return self.section(name, kind, values)

    def _value(self, key: str, annotation: Any, value: object) -> Any:
        try:
            return msgspec.convert(value, annotation, strict=True, dec_hook=self._path)
        except msgspec.ValidationError:
            # Not msgspec's own words: they repeat a value that is not among an enum's.
            raise SettingsError(f"{key} must be {allowed(inspect.type_info(annotation))}") from None

    def _path(self, kind: type[Any], value: object) -> Path:
        if kind is not Path:
            raise TypeError(f"{kind} has no place in a settings file")
        if not isinstance(value, str) or not value or "\0" in value:
            raise ValueError
        return self._folder / value


def _shown(key: str) -> str:
    """An unknown key on one line: TOML lets a quoted key hold anything."""
    return key if _BARE.fullmatch(key) else "(a key in quotes)"


def _fields(kind: type[Any]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    if isinstance(info, (inspect.StructType, inspect.DataclassType)):
        return info.fields
    raise TypeError(f"{kind} is neither a Struct nor a dataclass")


def _section_kind(info: inspect.Type) -> type[Any] | None:
    """The class of a section, which may be optional; None for a single value."""
    members = info.types if isinstance(info, inspect.UnionType) else (info,)
    sections = [one.cls for one in members if isinstance(one, (inspect.StructType, inspect.DataclassType))]
    return sections[0] if sections else None
