"""DuckDuckGo's page of results, as it is sent to browsers without scripts, as data.

Two layouts are known, those of html.duckduckgo.com/html/ and lite.duckduckgo.com/lite/ (read in December 2026 in the
parsers and fixtures that others publish for them; the pages themselves are documented nowhere):

* html: one element `links`, in it an element of class `result` for each; its link has class `result__a`, its text
  `result__snippet`. Advertisements have class `result--ad`, and one of class `result--no-result` says that there is
  none.
* lite: rows of a table; the link has class `result-link`, the text stands in a row below it in a cell of class
  `result-snippet`; rows of class `result-sponsored` are advertisements.

Links lead through `duckduckgo.com/l/?uddg=`, where the address itself is the parameter. Both pages repeat the query in
their form. A page is recognised as a whole or refused: one result that is not understood refuses it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from .characters import fold
from .errors import ResultsChallenge, ResultsUnrecognised

MAX_BYTES: Final = 2 * 1024 * 1024
MAX_RESULTS: Final = 100
_MAX_TAGS: Final = 40_000
MAX_URL: Final = 2048
_MAX_TITLE: Final = 500
MAX_SNIPPET: Final = 4000
_CHALLENGE: Final = (b"anomaly-modal", b"anomaly.js", b"challenge-form", b"bots use DuckDuckGo")
_EMPTY: Final = re.compile(r"no (?:more )?results(?: found(?: for .*)?)?\.?", re.IGNORECASE)
_OWN_HOST: Final = re.compile(r"(?:[a-z0-9-]+\.)*duckduckgo\.com")


@dataclass(frozen=True, slots=True)
class FoundResult:
    """One result: where it leads, in its own address, and the words beside it."""

    url: str
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class FoundResults:
    """A recognised page. No results: the page itself says so. ads: advertisements left out; dropped: results whose
    address could never be fetched.
    """

    results: tuple[FoundResult, ...]
    ads: int = 0
    dropped: int = 0


def read_results(body: bytes, query: str) -> FoundResults:
    """Read the page that answers a query. Raises ResultsChallenge, ResultsUnrecognised."""
    if any(mark in body for mark in _CHALLENGE) and b"result__a" not in body and b"result-link" not in body:
        raise ResultsChallenge
    if len(body) > MAX_BYTES or body.count(b"<") > _MAX_TAGS:
        raise ResultsUnrecognised("size")
    try:
        page = LexborHTMLParser(body.decode("utf-8"))
    except (UnicodeDecodeError, SelectolaxError):
        raise ResultsUnrecognised("html") from None
    _check_query(page, query)
    # Its form alone would do: what a challenge asks stands before what it hides.
    if page.css_first("#challenge-form, .anomaly-modal__title") is not None:
        raise ResultsChallenge
    lists = page.css("#links")
    if len(lists) == 1:
        return _html(lists[0])
    if not lists and (rows := _lite_rows(page)):
        return _lite(rows)
    raise ResultsUnrecognised("layout")


def _check_query(page: LexborHTMLParser, query: str) -> None:
    """A page that does not say for which query it is, or for another, answers nothing."""
    said = {_words(node.attributes.get("value") or "") for node in page.css("form input[name=q]")}
    if not said:
        raise ResultsUnrecognised("form")
    if said != {_words(query)}:
        raise ResultsUnrecognised("query")


def _words(text: str) -> str:
    return " ".join(text.split()).casefold()


def _html(listed: LexborNode) -> FoundResults:
    found, said_empty = _Found(), False
    for item in listed.css(".result"):
        classes = _classes(item)
        if "result--no-result" in classes:
            said_empty = said_empty or _says_empty(item)
            continue
        links = item.css("a.result__a")
        if "result--ad" in classes or any(_is_ad(link) for link in links):
            found.ads += 1
            continue
        if classes & {"result--more", "result--sep"} and not links:
            continue
        if len(links) != 1:
            raise ResultsUnrecognised("result")
        found.add(links[0], item.css_first(".result__snippet"))
    return found.done(said_empty=said_empty)


def _lite_rows(page: LexborHTMLParser) -> list[LexborNode]:
    """The rows of the table that holds results, or says that there are none."""
    for table in page.css("table"):
        if all(inner.mem_id == table.mem_id for inner in table.css("table")) and (
            table.css_first("a.result-link") is not None or any(map(_says_empty, table.css("td")))
        ):
            return table.css("tr")
    return []


def _lite(rows: list[LexborNode]) -> FoundResults:
    found, said_empty = _Found(), False
    for at, row in enumerate(rows):
        links = row.css("a.result-link")
        if "result-sponsored" in _classes(row) or any(_is_ad(link) for link in links):
            found.ads += bool(links)
            continue
        if not links:
            said_empty = said_empty or any(map(_says_empty, row.css("td")))
            continue
        if len(links) != 1:
            raise ResultsUnrecognised("result")
        snippet = None
        for below in rows[at + 1 : at + 4]:
            if below.css_first("a.result-link") is not None:
                break
            snippet = snippet or below.css_first(".result-snippet")
        found.add(links[0], snippet)
    return found.done(said_empty=said_empty)


class _Found:
    """Collects results, each address once."""

    def __init__(self) -> None:
        self._results: dict[str, FoundResult] = {}
        self.ads = self._dropped = 0

    def add(self, link: LexborNode, snippet: LexborNode | None) -> None:
        """Take a result."""
        url = target_of(link.attributes.get("href") or "")
        title = _text(link)[:_MAX_TITLE]
        if not title:
            raise ResultsUnrecognised("title")
        if url is None:
            self._dropped += 1
            return
        words = _text(snippet)[:MAX_SNIPPET] if snippet is not None else ""
        self._results.setdefault(url, FoundResult(url, title, words))
        if len(self._results) > MAX_RESULTS:
            raise ResultsUnrecognised("size")

    def done(self, *, said_empty: bool) -> FoundResults:
        """What was found; nothing only where the page says so itself."""
        if bool(self._results or self._dropped) == said_empty:
            raise ResultsUnrecognised("empty")
        return FoundResults(tuple(self._results.values()), self.ads, self._dropped)


def target_of(href: str) -> str | None:
    """The address that a result's link stands for; None for one that cannot be fetched. A link of DuckDuckGo's own that
    is no redirect raises ResultsUnrecognised.
    """
    url = (
        f"https:{href}"
        if href.startswith("//")
        else f"https://duckduckgo.com{href}"
        if href[:1] == "/"
        else href
    )
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    if _OWN_HOST.fullmatch(host):
        if parts.path.rstrip("/") != "/l":
            raise ResultsUnrecognised("link")
        targets = [value for name, value in _pairs(parts.query) if name == "uddg"]
        if len(targets) != 1:
            raise ResultsUnrecognised("link")
        url = targets[0]
    return url if _fetchable(url) else None


def _pairs(query: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(query, keep_blank_values=True, errors="strict", max_num_fields=20)
    except (UnicodeDecodeError, ValueError):
        raise ResultsUnrecognised("link") from None


def _fetchable(url: str) -> bool:
    if not url.isprintable() or " " in url or len(url.encode("utf-8", "replace")) > MAX_URL:
        return False
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(host)


def _is_ad(link: LexborNode) -> bool:
    return "duckduckgo.com/y.js" in (link.attributes.get("href") or "").replace("%2F", "/").replace(
        "%2f", "/"
    )


def _says_empty(node: LexborNode) -> bool:
    return any(_EMPTY.fullmatch(text) for text in _texts(node))


def _texts(node: LexborNode) -> Iterator[str]:
    """The text of an element as a whole, and of the elements directly in it."""
    yield _text(node)
    child = node.first_child
    while child is not None:
        if child.is_element_node:
            yield _text(child)
        child = child.next


def _text(node: LexborNode) -> str:
    return fold(node.text() or "", Counter())


def _classes(node: LexborNode) -> frozenset[str]:
    return frozenset((node.attributes.get("class") or "").split())
