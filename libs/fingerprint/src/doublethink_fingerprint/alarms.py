"""How many ordinary searches a value would stop: asked before a person confirms it.

Words and pairs of words are counted in a table of ordinary questions, of which nothing but numbers is shipped: two
rows of counts under hashes, the smaller of which counts (a count-min sketch; Cormode and Muthukrishnan, 2005). What
it says is never too small for a word that two questions or more have, up to 255 of them; one that fewer have counts as
none.
`eval/leaks/frequencies.py` makes the table. What letters and digits meet by chance is added as it was measured on
213,000 search queries.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import resources
from itertools import pairwise

from doublethink_fingerprint.build import SecretLike, looked_for_alone
from doublethink_fingerprint.fold import folded_text
from doublethink_fingerprint.numbers import figures_of
from doublethink_fingerprint.pack import Kind
from doublethink_fingerprint.tokens import TOKEN

SEARCHES = 10_000
MOST = 5
"""A value that would stop more of 10,000 searches should be confirmed as the phrase that it stands in."""
CELLS = 1 << 17
_ROWS = 2
_MAGIC = b"DTF1"
_SIZE = 4
# Of 10,000 queries, by the number of letters, read without regard to word borders; then by significant digits.
_BY_LETTERS = {5: 1.38, 6: 0.27, 7: 0.135}
_BY_DIGITS = {1: 62.0, 2: 3.4, 3: 0.2, 4: 0.13}


@dataclass(frozen=True, slots=True)
class Alarm:
    """A confirmed value, by its place in the list counted from 1, and how many of 10,000 searches it would stop."""

    position: int
    secret_class: str
    stopped: float

    @property
    def asks_for_a_phrase(self) -> bool:
        """Whether that is too many for the value alone."""
        return self.stopped > MOST

    def __str__(self) -> str:
        """One line that does not repeat the value."""
        count = "fewer than 1" if self.stopped < 1 else f"about {self.stopped:.0f}"
        line = f"secret {self.position} (class {self.secret_class}) would stop {count} of 10,000 ordinary searches"
        if not self.asks_for_a_phrase:
            return line
        return f"{line}: confirm the phrase that it stands in instead, for example with the word before it"


def alarms(secrets: Sequence[SecretLike]) -> tuple[Alarm, ...]:
    """Return for each confirmed value, with its aliases, what it would stop."""
    return tuple(
        Alarm(
            position,
            str(secret.secret_class),
            min(
                float(SEARCHES),
                sum(stopped(str(secret.secret_class), spelling) for spelling in secret.spellings),
            ),
        )
        for position, secret in enumerate(secrets, start=1)
    )


def stopped(secret_class: str, value: str) -> float:
    """Return about how many of 10,000 ordinary searches a value would stop, or hold for a person."""
    kind = Kind[secret_class.upper()]
    if kind is Kind.NUMBER:
        digits = max((figure.significant for figure in figures_of(value)), default=0)
        return _BY_DIGITS.get(digits, 0.0)
    if kind is Kind.DATE:
        return 0.0
    words = TOKEN.findall(folded_text(value))
    sought = [words, *looked_for_alone(kind, tuple(words))]
    unique = dict.fromkeys(tuple(parts) for parts in sought if parts)
    return min(float(SEARCHES), sum(_stopped_by(parts) for parts in unique))


def _stopped_by(words: tuple[str, ...]) -> float:
    counts, questions = _table()
    if len(words) == 1:
        word = words[0]
        # Read without word borders, two ordinary words side by side are the value too.
        cut = (f"{word[:at]} {word[at:]}" for at in range(2, len(word) - 1))
        found = _count(counts, word) + sum(_count(counts, pair) for pair in cut)
    else:
        found = min(_count(counts, f"{first} {second}") for first, second in pairwise(words))
    symbols = "".join(words)
    by_chance = _BY_LETTERS.get(len(symbols), 0.0) if symbols.isalpha() else 0.0
    return found * SEARCHES / questions + by_chance


def keys_of(question: str) -> set[str]:
    """Return what is counted of a question: its folded words, and each two that follow each other."""
    words = TOKEN.findall(folded_text(question))
    return {*words, *(f"{first} {second}" for first, second in pairwise(words))}


def made_table(counts: Iterable[tuple[str, int]], questions: int) -> bytes:
    """Return the bytes of a table; of what fewer than two questions have, nothing is kept."""
    cells = bytearray(_ROWS * CELLS)
    for key, count in counts:
        if count > 1:
            for place in _places(key):
                cells[place] = min(255, cells[place] + count)
    return _MAGIC + questions.to_bytes(_SIZE, "big") + zlib.compress(bytes(cells), 9)


@cache
def _table() -> tuple[bytes, int]:
    data = resources.files("doublethink_fingerprint").joinpath("frequencies.bin").read_bytes()
    head = len(_MAGIC) + _SIZE
    return zlib.decompress(data[head:]), int.from_bytes(data[len(_MAGIC) : head], "big")


def _count(counts: bytes, key: str) -> int:
    return min(counts[place] for place in _places(key))


def _places(key: str) -> tuple[int, ...]:
    digest = blake2b(
        key.encode("utf-8", "surrogatepass"), digest_size=4 * _ROWS, person=b"frequencies"
    ).digest()
    return tuple(
        row * CELLS + int.from_bytes(digest[4 * row : 4 * row + 4], "big") % CELLS for row in range(_ROWS)
    )
