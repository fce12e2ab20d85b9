"""The visible text of saved pages, read here anew so that the product's own extraction is not its judge.

Compared is text without white space, format characters and the difference between 2 and ², because the
product folds white space, and writes a footnote mark that the page sets in <sup> as superscript characters.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_PAGE_BYTES = 16 * 1024 * 1024
_UNSEEN = frozenset({"script", "style", "noscript", "template", "ix:header", "ix:hidden", "-comment"})
_HIDING = re.compile(r"display:none|visibility:(?:hidden|collapse)")
_SUPERSCRIPTS = str.maketrans(
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁻ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", "0123456789()+-abcdefghijklmnoprstuvwxyz"
)
_ADDRESS = re.compile(r"https?://[^\s()]+")


class UnknownPage(Exception):
    """A figure whose source is none of the saved pages."""


def visible_text(html: bytes) -> str:
    """Title and text of a page, without what a browser does not show; order as in the source."""
    parts: list[str] = []
    stack: list[LexborNode] = [node for node in (LexborHTMLParser(html).root,) if node is not None]
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            parts.append(node.text_content or "")
        elif not _is_hidden(node):
            children = list(node.iter(include_text=True))
            if node.tag == "head":
                children = [child for child in children if child.tag == "title"]
            stack.extend(reversed(children))
    return " ".join(parts)


def compact(text: str) -> str:
    """`text` as it is compared."""
    return "".join(
        sign
        for sign in text.translate(_SUPERSCRIPTS)
        if not sign.isspace() and unicodedata.category(sign) != "Cf"
    )


def _is_hidden(node: LexborNode) -> bool:
    if node.tag in _UNSEEN:
        return True
    attributes = node.attributes
    style = "".join((attributes.get("style") or "").lower().split())
    return "hidden" in attributes or _HIDING.search(style) is not None


class SavedPages:
    """The pages of one folder: found by the SHA-256 of their bytes, by address or by name."""

    def __init__(self, folder: Path) -> None:
        """Take the `.html` files of `folder`; addresses come from `pages.tsv` there or one folder above."""
        self._folder = folder
        self._files = {file.stem: file for file in sorted(folder.glob("*.html"))}
        self._compact: dict[str, str] = {}

    def names(self) -> tuple[str, ...]:
        """The names of the pages, without `.html`."""
        return tuple(self._files)

    def compact_text(self, name: str) -> str:
        """The compared text of the page called `name`. Raises `UnknownPage`."""
        if name not in self._compact:
            if name not in self._files:
                raise UnknownPage(f"there is no page {name!r}")
            self._compact[name] = compact(visible_text(self._files[name].read_bytes()[:MAX_PAGE_BYTES]))
        return self._compact[name]

    def source_text(self, figure: Mapping[str, Any]) -> str:
        """The compared text of the page that `figure` of an answer names. Raises `UnknownPage`."""
        for field in ("raw_sha256", "page_sha256"):
            name = self._by_digest.get(str(figure.get(field)))
            if name is not None:
                return self.compact_text(name)
        url = str(figure.get("url") or "")
        name = self._by_address.get(url) or self._by_name(url)
        if name is None:
            raise UnknownPage(f"{url or 'a figure without address'} is none of the saved pages")
        return self.compact_text(name)

    def _by_name(self, url: str) -> str | None:
        parts = urlsplit(url)
        last = parts.path.rstrip("/").rpartition("/")[2].removesuffix(".html")
        first = (parts.hostname or "").partition(".")[0]
        lowered = {name.lower(): name for name in self._files}
        return lowered.get(last.lower()) or lowered.get(first.lower())

    @cached_property
    def _by_digest(self) -> dict[str, str]:
        return {hashlib.sha256(file.read_bytes()).hexdigest(): name for name, file in self._files.items()}

    @cached_property
    def _by_address(self) -> dict[str, str]:
        tables = (folder / "pages.tsv" for folder in (self._folder, self._folder.parent))
        table = next((file for file in tables if file.is_file()), None)
        if table is None:
            return {}
        header, *rows = (line.split("\t") for line in table.read_text(encoding="utf-8").splitlines())
        pairs = [
            (found[0], fields["slug"])
            for fields in (dict(zip(header, row, strict=False)) for row in rows)
            if (found := _ADDRESS.match(fields.get("original_url") or fields.get("url") or ""))
            and fields.get("slug") in self._files
        ]
        claims = Counter(address for address, _name in pairs)
        return {address: name for address, name in pairs if claims[address] == 1}
