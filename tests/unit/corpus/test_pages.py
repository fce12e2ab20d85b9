"""Reading a folder of saved pages."""

import json
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
        f"SKIPPED {name}" in said for name in ("latin.html", "bad name.html", "huge.html", "gone.html")
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
