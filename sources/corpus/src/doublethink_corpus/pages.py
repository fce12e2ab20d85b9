"""A folder of saved pages.

`<slug>.html` are the pages. `pages.tsv`, in the folder or the one above, describes them: a header row with
the names of the columns, then a row for each page. Read are `slug`, `original_url` (or `url`), `title` and
`description`; other columns may stand there. A page without an http address of its own, or with one that
other pages have too, has `https://<slug>.pages.example/`.
"""

import hashlib
import re
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .errors import FolderError
from .text import title_and_text

MAX_PAGES = 20_000
MAX_PAGE_BYTES = 16 * 1024 * 1024
_MAX_TABLE_BYTES = 16 * 1024 * 1024
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}")
_ADDRESS = re.compile(r"https?://[^\s()]{3,2000}")
CONTENT_TYPE = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class SavedPage:
    """One page: where it is said to come from, what it is called, its words, and its file."""

    slug: str
    url: str
    title: str
    description: str
    text: str
    file: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class Folder:
    """The pages of a folder in the order of their slugs, and how many files were passed over."""

    pages: tuple[SavedPage, ...]
    skipped: int


def read_folder(folder: Path) -> Folder:
    """Read the pages in `folder`. A file that is no page is passed over with a line on stderr.

    Raises `FolderError` if there is no folder, no page in it, or a `pages.tsv` that cannot be read.
    """
    if not folder.is_dir():
        raise FolderError(f"{folder} is not a folder; give the folder of saved pages")
    files = sorted(file for file in folder.iterdir() if file.suffix.lower() in (".html", ".htm"))
    if len(files) > MAX_PAGES:
        raise FolderError(f"{folder} holds {len(files)} pages; at most {MAX_PAGES} are served")
    table = _read_table(folder)
    claims = Counter(address for row in table.values() if (address := _address(row)))
    pages: list[SavedPage] = []
    skipped = 0
    for file in files:
        try:
            row = table.get(file.stem, {})
            address = _address(row)
            own = (
                address if address and claims[address] == 1 else f"https://{file.stem.lower()}.pages.example/"
            )
            pages.append(_read_page(file, row, own))
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            # A name can hold what commands a terminal.
            print(f"SKIPPED {file.name!a}: {reason}", file=sys.stderr)  # noqa: T201 - the person at the start
            skipped += 1
    if not pages:
        raise FolderError(f"{folder} holds no readable page; put saved .html files into it")
    return Folder(tuple(sorted(pages, key=lambda page: page.slug)), skipped)


def _read_page(file: Path, row: dict[str, str], url: str) -> SavedPage:
    if not _SLUG.fullmatch(file.stem):
        raise ValueError("its name is not of letters, digits, dots, dashes and underscores")
    if not file.is_file():
        raise ValueError("it is not a regular file")
    if not file.resolve().is_relative_to(file.parent.resolve()):
        # What is served is read by others: a folder from somewhere must not name files from elsewhere.
        raise ValueError("it is a link out of the folder")
    with file.open("rb") as opened:
        body = opened.read(MAX_PAGE_BYTES + 1)
    if len(body) > MAX_PAGE_BYTES:
        raise ValueError(f"it is larger than {MAX_PAGE_BYTES} bytes")
    try:
        html = body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 (byte {error.start})") from None
    title, text = title_and_text(html)
    return SavedPage(
        slug=file.stem,
        url=url,
        title=row.get("title", "") or title,
        description=row.get("description", ""),
        text=text,
        file=file,
        sha256=hashlib.sha256(body).hexdigest(),
    )


def _address(row: dict[str, str]) -> str | None:
    found = _ADDRESS.match(row.get("original_url") or row.get("url") or "")
    return found[0] if found and found[0].isprintable() else None


def _read_table(folder: Path) -> dict[str, dict[str, str]]:
    file = folder / "pages.tsv"
    if not file.exists():
        file = folder.parent / "pages.tsv"
        if not file.exists():
            return {}
    if not file.is_file():
        raise FolderError(f"{file} is not a regular file")
    try:
        if file.stat().st_size > _MAX_TABLE_BYTES:
            raise FolderError(f"{file} is larger than {_MAX_TABLE_BYTES} bytes")
        # Lines end as files of tables end them; other separators may stand in a title.
        lines = [line.removesuffix("\r") for line in file.read_bytes().decode("utf-8").split("\n")]
    except (OSError, UnicodeDecodeError) as error:
        raise FolderError(f"{file} cannot be read: {error}") from None
    header = lines[0].split("\t") if lines else []
    if "slug" not in header:
        raise FolderError(f"{file}: the first line must name the columns, `slug` among them")
    rows = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) != len(header):
            raise FolderError(f"{file}: line {number} has {len(cells)} columns, the header {len(header)}")
        row = dict(zip(header, cells, strict=True))
        rows[row["slug"]] = row
    return rows
