"""A folder as a publication place: whole notes, written once, in the order of their sizes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from doublethink_sealer.errors import PlaceAway, PlaceConflict
from doublethink_sealer.places import FolderPlace
from doublethink_sealer.places.place import folder_name
from hypothesis import given
from hypothesis import strategies as st
from sim.sealed import ORIGIN, OTHER_ORIGIN


def only_note(folder: Path) -> Path:
    """The one note that lies there."""
    (file,) = folder.rglob("*.note")
    return file


async def test_the_newest_is_the_largest_size(tmp_path: Path) -> None:
    """Whatever the order in which notes came, and however many digits their sizes have."""
    place = FolderPlace("folder-1", tmp_path)
    assert await place.newest(ORIGIN) is None
    for size in (9, 100, 2**62, 10):
        await place.put(ORIGIN, size, b"note %d" % size)
    assert await place.newest(ORIGIN) == b"note %d" % 2**62
    assert await place.notes(ORIGIN, 3) == [b"note %d" % size for size in (2**62, 100, 10)]
    assert await place.newest(OTHER_ORIGIN) is None


async def test_a_note_is_never_overwritten(tmp_path: Path) -> None:
    """The same bytes again are no change; others are refused, and what lies there is given back and stays."""
    place = FolderPlace("folder-1", tmp_path)
    await place.put(ORIGIN, 5, b"first")
    file = only_note(tmp_path)
    before = file.stat()
    await place.put(ORIGIN, 5, b"first")
    with pytest.raises(PlaceConflict) as conflict:
        await place.put(ORIGIN, 5, b"second")
    assert conflict.value.existing == b"first"
    assert (file.read_bytes(), file.stat().st_ino) == (b"first", before.st_ino)
    assert [path.name for path in file.parent.iterdir()] == [file.name]


async def test_what_a_killed_writer_left_is_no_note(tmp_path: Path) -> None:
    """A partial file beside the notes, and files of other names, count for nothing."""
    place = FolderPlace("folder-1", tmp_path)
    await place.put(ORIGIN, 5, b"first")
    file = only_note(tmp_path)
    (file.parent / f".{9:019d}.note.abcd").write_bytes(b"half")
    (file.parent / "9.note").write_bytes(b"another name")
    (file.parent / f"{9:019d}.note.txt").write_bytes(b"another name")
    assert await place.notes(ORIGIN, 10) == [b"first"]


async def test_a_folder_that_is_not_there_is_away_and_not_empty(tmp_path: Path) -> None:
    """A share that is not mounted, a file in the way, and a link in a note's place."""
    for path in (tmp_path / "absent", tmp_path / "file"):
        (tmp_path / "file").touch()
        place = FolderPlace("folder-1", path)
        with pytest.raises(PlaceAway, match="folder-1"):
            await place.newest(ORIGIN)
        with pytest.raises(PlaceAway, match="folder-1"):
            await place.put(ORIGIN, 1, b"note")
    place = FolderPlace("folder-1", tmp_path)
    await place.put(ORIGIN, 1, b"note")
    file = only_note(tmp_path)
    (file.parent / f"{2:019d}.note").symlink_to(file)
    with pytest.raises(PlaceAway):
        await place.newest(ORIGIN)


@pytest.mark.skipif(os.geteuid() == 0, reason="NOT RUN: root writes into any folder")
async def test_a_folder_that_may_not_be_written_is_away(tmp_path: Path) -> None:
    """The reason is the system's own."""
    os.chmod(tmp_path, 0o500)
    with pytest.raises(PlaceAway, match="Permission denied"):
        await FolderPlace("folder-1", tmp_path).put(ORIGIN, 1, b"note")


@given(st.text(min_size=1, max_size=40))
def test_an_origin_is_one_name_in_the_folder(origin: str) -> None:
    """No origin leads out of the folder, is hidden, or meets another."""
    name = folder_name(origin)
    assert "/" not in name
    assert name.startswith("log-")
    assert "\0" not in name
