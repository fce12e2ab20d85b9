"""Reading a folder of saved pages."""

import json
import os
from pathlib import Path

import pytest
from doublethink_corpus.config import Listen, parse_listen, read_key
from doublethink_corpus.errors import FolderError, KeyFileError, ListenError
from doublethink_corpus.pages import MAX_PAGE_BYTES, read_folder
from doublethink_corpus.request_log import RequestLog


def test_addresses_come_from_the_table_or_the_name(folder: Path) -> None:
    """A described page has its address; another one has an address made from its name."""
    addresses = {page.slug: page.url for page in read_folder(folder).pages}
    assert addresses["brenner"] == "https://ir.brenner.example/2024"
    assert addresses["halvorsen"] == "https://halvorsen.pages.example/"


def test_an_address_that_two_pages_claim_is_neither_s(folder: Path) -> None:
    """An address must lead to one page."""
    (folder / "pages.tsv").write_text(
        "slug\toriginal_url\nbrenner\thttps://a.example/ (one)\nweather\thttps://a.example/ (two)\n"
    )
    addresses = {page.url for page in read_folder(folder).pages}
    assert {"https://brenner.pages.example/", "https://weather.pages.example/"} <= addresses


def test_the_table_may_stand_beside_the_folder(folder: Path) -> None:
    """`pages.tsv` is found one folder up."""
    (folder / "pages.tsv").rename(folder.parent / "pages.tsv")
    assert "https://ir.brenner.example/2024" in {page.url for page in read_folder(folder).pages}


def test_unreadable_pages_are_skipped_loudly(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page that cannot be used is named, counted and left out; the others are served."""
    (folder / "latin.html").write_bytes(b"<p>caf\xe9</p>")
    (folder / "bad name.html").write_text("<p>x</p>")
    with (folder / "huge.html").open("wb") as file:
        file.truncate(MAX_PAGE_BYTES + 1)
    (folder / "gone.html").symlink_to(folder / "nowhere")
    found = read_folder(folder)
    said = capsys.readouterr().err
    assert found.skipped == 4
    assert len(found.pages) == 3
    assert all(
        f"SKIPPED {name!r}" in said for name in ("latin.html", "bad name.html", "huge.html", "gone.html")
    )
    assert "byte 6" in said


def test_a_folder_without_pages_is_an_error(tmp_path: Path) -> None:
    """No folder and no page both say what to do."""
    with pytest.raises(FolderError, match="put saved"):
        read_folder(tmp_path)
    with pytest.raises(FolderError, match="not a folder"):
        read_folder(tmp_path / "nowhere")


@pytest.mark.parametrize("table", ["", "name\turl\n", "slug\turl\nbrenner\n"])
def test_a_broken_table_is_an_error(folder: Path, table: str) -> None:
    """A table that cannot be understood stops the start."""
    (folder / "pages.tsv").write_text(table)
    with pytest.raises(FolderError, match=r"pages\.tsv"):
        read_folder(folder)


@pytest.mark.parametrize(
    "text", ["0.0.0.0:80", "example.org:80", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"]
)
def test_only_loopback_is_listened_on(text: str) -> None:
    """The stand-in never serves another machine."""
    with pytest.raises(ListenError):
        parse_listen(text)


def test_listen_addresses() -> None:
    """Loopback in both families, and unix sockets."""
    assert parse_listen("127.0.0.1:0") == Listen("127.0.0.1", 0)
    assert parse_listen("[::1]:8080") == Listen("::1", 8080)
    assert parse_listen("unix:run/c.sock") == Listen(socket=Path("run/c.sock"))


def test_key_file(tmp_path: Path) -> None:
    """A key is read without its line end; an empty or missing file is refused."""
    file = tmp_path / "key"
    file.write_text("tvly-x\n")
    assert read_key(file) == b"tvly-x"
    file.write_text("\n")
    with pytest.raises(KeyFileError):
        read_key(file)
    with pytest.raises(KeyFileError):
        read_key(tmp_path / "nowhere")


def test_json_is_what_the_log_holds(tmp_path: Path) -> None:
    """One line a request, whatever stands in it."""
    with RequestLog(tmp_path / "log") as log:
        log.write("POST", "/search", {"query": 'a\n"b\u2028'}, 5)
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert json.loads(line)["query"] == 'a\n"b\u2028'


def test_a_link_out_of_the_folder_is_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder from somewhere cannot have a file from elsewhere served; a link within it may stand."""
    (tmp_path / "private.html").write_text("<p>private notes</p>")
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "one.html").write_text("<p>public</p>")
    (folder / "two.html").symlink_to(tmp_path / "private.html")
    (folder / "three.html").symlink_to("one.html")
    read = read_folder(folder)
    assert [page.slug for page in read.pages] == ["one", "three"]
    assert read.skipped == 1
    assert "link out of the folder" in capsys.readouterr().err


def test_a_file_name_commands_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is passed over is named with its escape sequences made visible."""
    (tmp_path / "one.html").write_text("<p>public</p>")
    (tmp_path / "a\x1b[2J\u202eb.html").write_text("<p>x</p>")
    assert read_folder(tmp_path).skipped == 1
    said = capsys.readouterr().err.rstrip("\n")
    assert "SKIPPED" in said
    assert said.isprintable()


def test_a_title_may_hold_other_separators_than_line_ends(tmp_path: Path) -> None:
    """U+2028 and form feeds stand in a cell; a carriage return at a line's end does not."""
    (tmp_path / "one.html").write_text("<p>x</p>")
    (tmp_path / "pages.tsv").write_bytes("slug\ttitle\r\none\ta\u2028b\x0cc\x85d\r\n".encode())
    assert read_folder(tmp_path).pages[0].title == "a\u2028b\x0cc\x85d"


def test_an_address_with_control_characters_is_not_taken(tmp_path: Path) -> None:
    """The page gets an address of the stand-in's own."""
    (tmp_path / "one.html").write_text("<p>x</p>")
    (tmp_path / "pages.tsv").write_text("slug\turl\none\thttps://a.example/\x1b[31m\u202ex\n")
    assert read_folder(tmp_path).pages[0].url == "https://one.pages.example/"


def test_a_table_that_is_a_pipe_holds_nothing_up(tmp_path: Path) -> None:
    """It is refused, and nobody waits for a writer."""
    (tmp_path / "one.html").write_text("<p>x</p>")
    os.mkfifo(tmp_path / "pages.tsv")
    with pytest.raises(FolderError, match="regular file"):
        read_folder(tmp_path)
