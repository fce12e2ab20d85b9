"""Full-text search over the pages: SQLite's FTS5 and its bm25 ranking.

Words of a query are joined by OR, as search engines do; a word in a title counts more than one in the text,
and a page that holds more of the words more than one that holds fewer. Equal ranks are ordered by slug, so
that the same query over the same folder always gives the same answer.
"""

import re
import sqlite3
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from .pages import SavedPage

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_STOP_WORDS = frozenset((
    "a", "about", "all", "an", "and", "any", "are", "as", "at", "be", "been", "by", "did", "do", "does",
    "for", "from", "give", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it", "its",
    "many", "me", "much", "of", "on", "or", "our", "that", "the", "their", "there", "these", "this",
    "those", "to", "was", "we", "were", "what", "when", "where", "which", "who", "will", "with", "you",
    "your",
))  # fmt: skip
_MAX_WORDS = 64
_MAX_WORD = 40
_TITLE, _DESCRIPTION, _SLUG, _TEXT = 6.0, 4.0, 4.0, 1.0
_SNIPPET = 320  # characters
_BEFORE = 60  # of them before the first word that was looked for
_SNIPPET_PLACES = 200  # as many places of words are compared: a page can repeat a word without end
_RANKED = 200  # as many of the best by bm25 are ranked again by how much of the query they hold


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that was found; `score` lies between 0 and 1, the best first."""

    page: SavedPage
    snippet: str
    score: float


class Index:
    """The pages in an in-memory FTS5 table, for one thread."""

    def __init__(self, pages: Iterable[SavedPage]) -> None:
        self._pages = dict(enumerate(pages, start=1))
        self._database = sqlite3.connect(":memory:")
        self._database.execute(
            "CREATE VIRTUAL TABLE page"
            " USING fts5(title, description, slug, text, tokenize='porter unicode61')"
        )
        self._database.executemany(
            "INSERT INTO page(rowid, title, description, slug, text) VALUES (?, ?, ?, ?, ?)",
            (
                (number, page.title, page.description, page.slug.replace("-", " "), page.text)
                for number, page in self._pages.items()
            ),
        )
        self._by_url = {page.url: page for page in self._pages.values()}

    def page(self, url: str) -> SavedPage | None:
        """The page of this address."""
        return self._by_url.get(url)

    def search(self, query: str, limit: int) -> list[Hit]:
        """At most `limit` pages that hold a word of `query`, the best first."""
        words = query_words(query)
        if not words:
            return []
        rows = self._database.execute(
            "SELECT rowid, bm25(page, ?, ?, ?, ?) AS rank"
            " FROM page WHERE page MATCH ? ORDER BY rank, rowid LIMIT ?",
            (
                _TITLE,
                _DESCRIPTION,
                _SLUG,
                _TEXT,
                " OR ".join(f'"{word}"' for word in words),
                max(limit, _RANKED),
            ),
        ).fetchall()
        coverage = self._coverage(words)
        # bm25 is negative and lower for a better match.
        scored = [(_score(rank * coverage[number]), number) for number, rank in rows]
        scored.sort(key=lambda hit: (-hit[0], hit[1]))
        best = [(self._pages[number], score) for score, number in scored[:limit]]
        return [Hit(page, _snippet(page.text, words), score) for page, score in best]

    def _coverage(self, words: list[str]) -> dict[int, float]:
        """For each page the part of the words that it holds. bm25 alone lets one word in a short page win."""
        held: Counter[int] = Counter()
        for word in words:
            found = self._database.execute("SELECT rowid FROM page WHERE page MATCH ?", (f'"{word}"',))
            held.update(number for (number,) in found)
        return {number: count / len(words) for number, count in held.items()}


def query_words(query: str) -> list[str]:
    """The words of a query that are looked for: letters and digits, without stop words, each once."""
    words = [word.casefold()[:_MAX_WORD] for word in _WORD.findall(query)]
    kept = [word for word in words if word not in _STOP_WORDS]
    return list(dict.fromkeys(kept or words))[:_MAX_WORDS]


def _snippet(text: str, words: list[str]) -> str:
    """The piece of the text with the most of the words, or its beginning. FTS5's own takes quadratic time."""
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))})", re.IGNORECASE)
    places = [
        (found.start(), found[0].casefold()) for found in islice(pattern.finditer(text), _SNIPPET_PLACES)
    ]
    start, most = 0, 0
    inside: deque[tuple[int, str]] = deque()
    held: Counter[str] = Counter()
    for place, word in places:
        inside.append((place, word))
        held[word] += 1
        while place - inside[0][0] > _SNIPPET - _BEFORE:
            _, gone = inside.popleft()
            held[gone] -= 1
        if (distinct := sum(count > 0 for count in held.values())) > most:
            start, most = max(0, inside[0][0] - _BEFORE), distinct
    end = start + _SNIPPET
    piece = text[start:end]
    if start > 0:
        piece = "... " + piece.partition(" ")[2]
    return piece if end >= len(text) else piece.rpartition(" ")[0] + " ..."


def _score(rank: float) -> float:
    return round(-rank / (1.0 - rank), 6) if rank < 0 else 0.0
