"""A settings file is read strictly, and what is wrong with it is one line without a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import pytest
import tomli_w
from doublethink_settings import Address, Listen, SettingsError, Text, load_settings, settings_of
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Meta, Struct

SECRET = "Nordwind-7f3a"  # stands for what somebody wrote into the wrong place


class Colour(StrEnum):
    """Two choices."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Files:
    """A section that is a dataclass."""

    certificate: Path


class Paint(Struct, frozen=True):
    """Each kind of value."""

    colour: Colour = Colour.RED
    coats: Annotated[int, Meta(ge=1, le=8)] = 2
    hours: Annotated[float, Meta(gt=0, le=9)] = 0.5
    glossy: bool = False
    names: tuple[Text, ...] = ()
    swatch: Path | None = None

    def __post_init__(self) -> None:
        if self.glossy and self.coats < 2:
            raise ValueError("coats must be from 2 to 8 where it is glossy")


class House(Struct, frozen=True):
    """A file."""

    listen: Listen
    files: Files
    owner: Text
    paint: Paint = Paint()
    garage: Paint | None = None


GOOD: dict[str, Any] = {
    "owner": "nobody",
    "listen": {"rpc": "unix:/run/x.sock", "health": "127.0.0.1:80"},
    "files": {"certificate": "c.pem"},
}


def written(folder: Path, document: dict[str, Any]) -> Path:
    """The document in a file."""
    file = folder / "house.toml"
    file.write_text(tomli_w.dumps(document))
    return file


def test_values_have_their_kinds_and_paths_start_at_the_files_folder(tmp_path: Path) -> None:
    """Defaults stand where nothing is said; a relative path is beside the file, an absolute one stays."""
    paint = {"colour": "blue", "hours": 1, "names": ["a", "b"], "swatch": "/etc/swatch"}
    house = load_settings(written(tmp_path, {**GOOD, "paint": paint}), House)
    assert house.files.certificate == tmp_path / "c.pem"
    assert house.paint == Paint(Colour.BLUE, 2, 1.0, False, ("a", "b"), Path("/etc/swatch"))
    assert (house.garage, house.listen.metrics) == (None, None)


def test_relative_paths_start_where_the_file_was_named_not_where_a_link_leads(tmp_path: Path) -> None:
    """Mounted settings are links into a folder that is replaced at every change."""
    (tmp_path / "data").mkdir()
    (tmp_path / "house.toml").symlink_to(written(tmp_path / "data", GOOD))
    assert load_settings(tmp_path / "house.toml", House).files.certificate == tmp_path / "c.pem"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"paint": {"colour": SECRET}}, "paint.colour must be one of: red, blue"),
        ({"paint": {"coats": 9}}, "paint.coats must be a whole number from 1 to 8"),
        ({"paint": {"coats": True}}, "paint.coats must be a whole number from 1 to 8"),
        ({"paint": {"coats": "2"}}, "paint.coats must be a whole number from 1 to 8"),
        ({"paint": {"coats": 2.0}}, "paint.coats must be a whole number from 1 to 8"),
        ({"paint": {"hours": 0}}, "paint.hours must be a number above 0 to 9"),
        ({"paint": {"hours": float("nan")}}, "paint.hours must be a number above 0 to 9"),
        ({"paint": {"glossy": 1}}, "paint.glossy must be true or false"),
        ({"paint": {"names": SECRET}}, "paint.names must be a list, each item a text that is not empty"),
        ({"paint": {"names": [""]}}, "paint.names must be a list, each item a text that is not empty"),
        ({"paint": {"swatch": ""}}, "paint.swatch must be a path"),
        ({"paint": {"swatch": "a\0b"}}, "paint.swatch must be a path"),
        ({"paint": {"glossy": True, "coats": 1}}, "paint.coats must be from 2 to 8 where it is glossy"),
        ({"garage": {"coats": 0}}, "garage.coats must be a whole number from 1 to 8"),
        ({"paint": SECRET}, "paint must be a section: [paint]"),
        ({"paint": [{}]}, "paint must be a section: [paint]"),
        ({"owner": {"name": "x"}}, "owner must be a text that is not empty"),
        ({"listen": {"rpc": "unix:/x"}}, "listen.health is missing"),
        (
            {"listen": {"rpc": SECRET, "health": "a:1"}},
            'listen.rpc must be "unix:PATH" or "HOST:PORT" or a list of up to 16 of these',
        ),
        ({"files": {"certificate": "c", "keyy": SECRET}}, "files.keyy is not a key; known here: certificate"),
        ({"pain": {}}, "pain is not a key; known here: listen, files, owner, paint, garage"),
        ({"a\nb": 1}, "(a key in quotes) is not a key; known here: listen, files, owner, paint, garage"),
    ],
)
def test_what_is_wrong_is_one_line_with_file_and_key(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """It says what is allowed, and never repeats what was there."""
    file = written(tmp_path, {**GOOD, **changes})
    with pytest.raises(SettingsError) as caught:
        load_settings(file, House)
    assert str(caught.value) == f"{file}: {words}"
    # Nor does what a traceback would show.
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(("key", "words"), [("listen", r"the section \[listen\] is"), ("owner", "owner is")])
def test_what_is_missing_is_named(key: str, words: str, tmp_path: Path) -> None:
    """A section, or a value beside the sections."""
    with pytest.raises(SettingsError, match=words + " missing$"):
        load_settings(written(tmp_path, {name: GOOD[name] for name in GOOD if name != key}), House)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[listen\n", "not TOML: look at line 1, column 8"),
        (f'owner = "{SECRET}"\nowner = "{SECRET}"'.encode(), "not TOML: look at end of document"),
        (b"\xff = 1", "not TOML: it is not UTF-8 text"),
        (b"a = " + b"9" * 5000, "not TOML: look for a number of very many digits"),
        (b"a = " + b"[" * 30_000, "lists stand in lists too deeply"),
        (b"#" * 65_537, "more than 65536 bytes"),
    ],
)
def test_a_file_that_is_not_toml_is_one_line(content: bytes, words: str, tmp_path: Path) -> None:
    """Broken text, a twofold key, huge numbers, deep lists and huge files; no text is repeated."""
    file = tmp_path / "house.toml"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=words) as caught:
        load_settings(file, House)
    assert str(caught.value).startswith(str(file))
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_cannot_be_read(tmp_path: Path) -> None:
    """An absent file and a folder are named."""
    for path in (tmp_path / "absent.toml", tmp_path):
        with pytest.raises(SettingsError, match=str(path)):
            load_settings(path, House)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(["colour", "coats", "hours", "glossy", "names", "swatch"]), VALUES)
@settings(max_examples=100, deadline=None)
def test_any_value_fits_or_is_refused_by_name(key: str, value: object) -> None:
    """No value ends in another error than the one."""
    refused = ""
    try:
        settings_of({**GOOD, "paint": {key: value}}, Path("/"), House)
    except SettingsError as error:
        refused = str(error)
    assert not refused or refused.startswith(f"paint.{key} must be ")


@pytest.mark.parametrize(
    ("address", "good"),
    [
        ("unix:/run/gate.sock", True),
        ("0.0.0.0:7443", True),
        ("[::1]:7443", True),
        ("gate.internal:7443", True),
        ("unix:", False),
        ("gate", False),
        ("gate:", False),
        ("gate:port", False),
        ("http://gate:80", False),
        ("gate:80\n", False),
    ],
)
def test_an_address_is_a_socket_or_a_host_with_a_port(address: str, good: bool) -> None:
    """Anything else is refused before something listens or connects."""

    class Place(Struct, frozen=True):
        at: Address

    if good:
        assert settings_of({"at": address}, Path("/"), Place).at == address
    else:
        with pytest.raises(SettingsError, match=r"^at must be"):
            settings_of({"at": address}, Path("/"), Place)


def test_a_kind_that_settings_cannot_have_is_the_programmers_error() -> None:
    """Bytes have no place in TOML: TypeError, not a word to the operator."""

    class Odd(Struct, frozen=True):
        blob: bytes

    with pytest.raises(TypeError, match="no place"):
        settings_of({"blob": 1}, Path("/"), Odd)
