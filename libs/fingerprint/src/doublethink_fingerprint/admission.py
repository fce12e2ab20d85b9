"""When does a match count? Short and ordinary values need more than being there.

The thresholds come from counting false hits on real search queries: a five-letter value read without regard
to word borders is met by chance 14 times in 100,000 queries, one of seven letters once, a whole five-letter
token 0.4 times.
"""

from __future__ import annotations

import re
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from doublethink_fingerprint.commonwords import is_common
from doublethink_fingerprint.numbers import FigureMark
from doublethink_fingerprint.pack import Form, Kind, Tier, Value
from doublethink_fingerprint.streams import DIRECT, Laid, Stream
from doublethink_fingerprint.wholenumbers import in_longer_number

_MAX_BORDERS = 2
_MIN_ACROSTIC = 6
_MIN_INTERLEAVED = 8
# An ordinary word is spelled by first letters as rarely as any other, but one of six letters is more often somebody's.
_MIN_COMMON_SCATTERED = 7
_LETTER = re.compile(r"[^\W\d_]")
_SYMBOL = re.compile(r"[^\W_]")
_SUFFIX = re.compile(r"(?:['’]?s|n)(?![^\W\d_])")
# Unescaping and joining change little, and leet and ROT47 apply to nearly any text by chance.
_WEAK_DECODERS = frozenset(
    [
        "normal",
        "values",
        "keys",
        "host",
        "escapes",
        "markup",
        "plus",
        "quoted",
        "mime",
        "leet",
        "leet2",
    ]
).union(["rot47", "turned", "mirrored"])
_TOKEN_FORMS = frozenset({Form.CONSONANTS, Form.TYPO, Form.COLLAPSED})
_TRANSFORMED = frozenset({Form.REVERSE, Form.ROT, Form.ATBASH, Form.KEYBOARD})
_MIN_TRANSFORMED = 6
_MIN_TURNED_WORDS = 8
_GROUP_OF_CIPHER = 5
_MIN_RUN_TOGETHER = 9
# Here a figure says as much as the words beside it, and half of another figure is another value.
_WITH_FIGURES = frozenset({Kind.PHRASE, Kind.NUMBER})
# A part of a name is one word, and its letters are looked for as those of a value that is one.
_AS_WRITTEN = frozenset({Form.PLAIN, Form.PART})


class Strength(IntEnum):
    """How much a match says: nothing, something beside a second clue, something for a person to judge,
    enough."""

    NONE = 0
    WITH_CLUE = 1
    ASK = 2
    CERTAIN = 3


def window_strength(
    value: Value,
    form: Form,
    stream: Stream,
    laid: Laid,
    places: npt.NDArray[np.int64],
    chain: tuple[str, ...],
) -> Strength:
    """Judge a confirmed window of symbols by its value's tier, its form and the borders around it.

    `chain` names the decoders that had a part in it.
    """
    if stream not in DIRECT:
        return _scattered_strength(value, form, stream, len(places))
    if form in (Form.DIGITS, Form.DIGITS_CODED) or stream is Stream.DIGITS:
        return _digit_strength(value, laid, places)
    gaps = np.flatnonzero(np.diff(places) > 1)
    text = laid.folded.text
    first, last = int(places[0]), int(places[-1])
    while stream is Stream.COLLAPSED and text[last + 1 : last + 2] == text[last]:
        last += 1
    if form is Form.KEYBOARD and len(places) < value.letters:
        return _typed_with_marks(value, text, first, last)
    whole = _left_edge(laid, first, stream) and _right_edge(laid, last + 1, stream)
    decoded = _decoded(chain)
    if value.kind is Kind.CANARY or form is Form.FRAGMENT:
        return Strength.CERTAIN
    if value.kind in _WITH_FIGURES and in_longer_number(text, first, last + 1):
        return Strength.NONE
    if form is Form.DATE_TEXT:
        return Strength.CERTAIN if whole else Strength.NONE
    if form in _TOKEN_FORMS:
        # Letters left out by collapsing repeats leave gaps that are none.
        joined = not len(gaps) or stream is Stream.COLLAPSED
        return _token_form_strength(form, (whole and joined) or decoded)
    if value.common and not decoded:
        return _common_strength(form, laid, first, whole, len(gaps), len(places))
    if value.tier is Tier.S3:
        return Strength.CERTAIN
    return _medium_strength(form, text, places, gaps, whole, decoded)


def token_strength(value: Value, laid: Laid, first: int, *, exact: bool, chain: tuple[str, ...]) -> Strength:
    """Judge a whole token: a short value needs a clue or a person, a misspelled one a person."""
    if not exact and value.tier is not Tier.S1:
        return Strength.ASK
    if _decoded(chain):
        return Strength.CERTAIN
    if value.common:
        return Strength.ASK if _capital_inside(laid, first) else Strength.WITH_CLUE
    return Strength.ASK


def figure_strength(value: Value, figure: FigureMark, with_unit: bool) -> Strength:
    """Judge a figure whose value is a confirmed one; `with_unit` says that the unit agrees too."""
    if figure.is_year:
        return Strength.NONE
    if figure.significant >= 5:
        return Strength.CERTAIN
    fraction = figure.value != figure.value.to_integral_value()
    if with_unit:
        if figure.significant >= 3 or (figure.significant == 2 and figure.magnitude_stated):
            return Strength.CERTAIN
        return Strength.ASK if figure.significant == 2 or figure.magnitude_stated else Strength.WITH_CLUE
    if figure.magnitude_stated:
        if figure.significant >= 3:
            return Strength.CERTAIN
        return Strength.ASK if figure.significant == 2 else Strength.WITH_CLUE
    # A number kept without its unit is compared by value alone, and a figure of another unit is another
    # figure.
    if figure.unit is not None:
        return Strength.WITH_CLUE if figure.significant >= 3 else Strength.NONE
    if figure.significant == 4 and fraction:
        return Strength.CERTAIN
    if figure.value >= 100_000:
        return Strength.ASK
    return Strength.WITH_CLUE if figure.significant >= 3 else Strength.NONE


def _scattered_strength(value: Value, form: Form, stream: Stream, size: int) -> Strength:
    if form not in (*_AS_WRITTEN, Form.REVERSE) or (value.common and size < _MIN_COMMON_SCATTERED):
        return Strength.NONE
    wanted = _MIN_INTERLEAVED if stream in (Stream.EVERY_SECOND, Stream.EVERY_THIRD) else _MIN_ACROSTIC
    return Strength.CERTAIN if size >= wanted else Strength.NONE


def _digit_strength(value: Value, laid: Laid, places: npt.NDArray[np.int64]) -> Strength:
    text = laid.folded.text
    first, last = int(places[0]), int(places[-1])
    between = text[first : last + 1]
    if any(char.isalpha() for char in between):
        return Strength.NONE
    if len(places) >= 9 and value.kind in (Kind.ID, Kind.CANARY):
        return Strength.CERTAIN
    before = text[first - 1 : first]
    after = text[last + 1 : last + 2]
    if before.isdigit() or after.isdigit():
        return Strength.NONE
    # A decimal point glued on means that a longer number is cut.
    if before in tuple(".,") and text[max(0, first - 2) : first - 1].isdigit():
        return Strength.NONE
    return Strength.CERTAIN if len(places) >= 6 or len(between) == len(places) else Strength.WITH_CLUE


def _typed_with_marks(value: Value, text: str, first: int, last: int) -> Strength:
    """Judge letters between which marks stand for others: one run as long as the value, with nothing left over."""
    size = value.letters
    low, high = max(0, first - size), min(len(text), last + 1 + size)
    before, after = text[low:first], text[last + 1 : high]
    run = (before.split()[-1] if before and not before[-1].isspace() else "") + text[first : last + 1]
    run += after.split()[0] if after and not after[0].isspace() else ""
    # A name of several words keeps its blanks.
    signs = "".join(run.split())
    letters = sum(char.isalnum() for char in signs)
    return Strength.CERTAIN if len(signs) == size and letters < size else Strength.NONE


def _token_form_strength(form: Form, whole: bool) -> Strength:
    if not whole:
        return Strength.NONE
    # Five consonants or more in a row are no ordinary word, but may be an abbreviation.
    return Strength.CERTAIN if form is Form.COLLAPSED else Strength.ASK


def _common_strength(form: Form, laid: Laid, first: int, whole: bool, gaps: int, size: int) -> Strength:
    """Judge an ordinary word: alone it needs a capital inside a text or another clue; two words in a row say more,
    and so does one that was turned or shifted letter by letter.
    """
    run = laid.folded.text[first : first + size]
    run_together = form is Form.PLAIN and size >= _MIN_RUN_TOGETHER and (gaps > 0 or not is_common(run))
    if not whole:
        # Two words of which nothing is missing say as much inside a longer token.
        return Strength.ASK if run_together and gaps <= _MAX_BORDERS else Strength.NONE
    if run_together:
        return Strength.CERTAIN if _capital_inside(laid, first) else Strength.ASK
    if form in _TRANSFORMED or form is Form.WORDGAME:
        # Two words in a row, turned or shifted together, are told by their number of letters as one long one is.
        most = _MAX_BORDERS if size >= _MIN_TURNED_WORDS else 0
        spelled_out = gaps == size - 1
        return Strength.ASK if (gaps <= most or spelled_out) and size >= _MIN_TRANSFORMED else Strength.NONE
    if form is not Form.PLAIN:
        return Strength.NONE
    if _capital_inside(laid, first):
        return Strength.CERTAIN
    return Strength.ASK if gaps else Strength.WITH_CLUE


def _medium_strength(
    form: Form,
    text: str,
    places: npt.NDArray[np.int64],
    gaps: npt.NDArray[np.int64],
    whole: bool,
    decoded: bool,
) -> Strength:
    if decoded and form in (Form.PLAIN, Form.PART, Form.REVERSE):
        return Strength.CERTAIN
    if not whole:
        return Strength.NONE
    spelled_out = len(gaps) == len(places) - 1
    if form not in _AS_WRITTEN:
        return Strength.CERTAIN if not len(gaps) or spelled_out or _in_fives(places, gaps) else Strength.NONE
    if len(gaps) <= _MAX_BORDERS or spelled_out:
        return Strength.CERTAIN
    between = text[int(places[0]) : int(places[-1]) + 1]
    return Strength.NONE if any(char.isspace() for char in between) else Strength.CERTAIN


def _in_fives(places: npt.NDArray[np.int64], gaps: npt.NDArray[np.int64]) -> bool:
    """Whether symbols stand in groups of five, as ciphers are written."""
    return len(places) > _GROUP_OF_CIPHER and gaps.tolist() == [
        *range(_GROUP_OF_CIPHER - 1, len(places) - 1, _GROUP_OF_CIPHER)
    ]


def _decoded(chain: tuple[str, ...]) -> bool:
    """Whether real decoding was needed: nobody writes a name in base64 by chance."""
    return any(name not in _WEAK_DECODERS for name in chain)


def _left_edge(laid: Laid, first: int, stream: Stream) -> bool:
    if first == 0:
        return True
    pattern = _SYMBOL if stream is Stream.SYMBOLS else _LETTER
    if not pattern.match(laid.folded.text[first - 1]):
        return True
    # camelCase: a capital after a small letter begins a word.
    at = laid.folded.source_index(first)
    return at > 0 and laid.view.text[at].isupper() and laid.view.text[at - 1].islower()


def _right_edge(laid: Laid, end: int, stream: Stream) -> bool:
    text = laid.folded.text
    if end >= len(text):
        return True
    pattern = _SYMBOL if stream is Stream.SYMBOLS else _LETTER
    if not pattern.match(text[end]) or _SUFFIX.match(text, end):
        return True
    at = laid.folded.source_index(end)
    return at > 0 and laid.view.text[at].isupper() and laid.view.text[at - 1].islower()


def _capital_inside(laid: Laid, first: int) -> bool:
    """Whether the word has a capital although it does not begin the text."""
    at = laid.folded.source_index(first)
    text = laid.view.text
    return at > 0 and bool(text[:at].strip()) and text[at].isupper() and not text.isupper()
