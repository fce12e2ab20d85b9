"""Characters written as numbers: binary, octal and decimal code points, letter numbers, Polybius square,
Bacon."""

from __future__ import annotations

import re

from doublethink_fingerprint.decoders.chunk import Chunk, Decoder, every_match
from doublethink_fingerprint.decoders.octets import text_of
from doublethink_fingerprint.decoders.survey import ANYWHERE, IN_STRETCHES, may_match, stretch_matches, survey

_SEPARATOR = r"[ \t\r\n,;.:/|_\-]{1,3}"
# Groups of 7 or 8 have something between them: without it a run could be cut in more ways than anybody can try.
_BINARY = re.compile(
    rf"(?<![0-9])(?:0b)?[01]{{7,8}}(?:(?:{_SEPARATOR}(?:0b)?|0b)[01]{{7,8}})+(?![0-9])"
    r"|(?<![0-9])(?:[01]{8}){2,}+(?![0-9])"
)
_BINARY_RUN = re.compile(r"(?<![0-9])[01]{24,}(?![0-9])")
_OCTAL = re.compile(
    rf"(?<![0-9])(?:\\|0o)?0?[01]?[0-7]{{2}}(?:{_SEPARATOR}(?:\\|0o)?0?[01]?[0-7]{{2}}){{3,}}(?![0-9])"
)
_DECIMAL = re.compile(rf"(?<![0-9])\d{{2,3}}(?:{_SEPARATOR}\d{{2,3}}){{3,}}(?![0-9])")
_DECIMAL_RUN = re.compile(r"(?<![0-9])(?:1[0-2][0-9]|[3-9][0-9]){5,}(?![0-9])")
_DECIMAL_THREES = re.compile(r"(?<![0-9])(?:0(?:3[2-9]|[4-9][0-9])|1[0-9]{2}|2[0-5][0-9]){5,}(?![0-9])")
_OCTAL_THREES = re.compile(r"(?<![0-9])(?:0[4-7][0-7]|[1-3][0-7]{2}){5,}(?![0-9])")
# One and the same text between the codes, whatever a language writes there: "chr(78)+chr(111)".
_SAME_BETWEEN = re.compile(
    r"(?<![0-9])[0-9]{2,3}(?P<between>[^0-9]{1,16})(?:[0-9]{2,3}(?P=between)){2,}[0-9]{2,3}(?![0-9])"
)
_HEX_SAME_BETWEEN = re.compile(
    r"(?i)(?<![0-9a-f])[0-9a-f]{2}(?P<between>[^0-9a-f]{1,8}|[^0-9]{0,14}0x|[^0-9a-z]{0,6}(?:16|8)[#'\"r]h?)"
    r"(?:[0-9a-f]{2}(?P=between)){2,}[0-9a-f]{2}(?![0-9a-f])"
)
_LETTER_NUMBERS = re.compile(r"(?<![0-9])\d{1,2}(?:[^0-9A-Za-z]{1,4}\d{1,2}){3,}(?![0-9])")
_BIT_GROUPS = re.compile(
    r"(?<![0-9])(?P<first>[01]{4}|[01]{9,16})(?:[^0-9A-Za-z]{1,3}(?:[01]{4}|[01]{9,16})){3,}(?![0-9])"
)
_POLYBIUS = re.compile(r"(?<![0-9])[1-5]{2}(?:[ ,;.\-/]{0,2}[1-5]{2}){3,}(?![0-9])")
# Row and column apart, or the row as a letter: "(2,3) (1,5)", "1,1 3,2", "B3 A5".
_CELL = r"(?:\([1-5] ?[,:;/.\-] ?[1-5]\)|[1-5][,:.\-/][1-5]|[A-Ea-e][1-5])"
_POLYBIUS_CELLS = re.compile(rf"(?<![0-9A-Za-z]){_CELL}(?:[ ,;/|\-]{{1,2}}{_CELL}){{3,}}(?![0-9A-Za-z])")
_BRACKETED = r"[(\[{<][1-6] ?[,:;/.\-|]? ?[1-6][)\]}>]"
_POLYBIUS_BRACKETS = re.compile(rf"{_BRACKETED}(?:[ ,;/|\-]{{0,2}}{_BRACKETED}){{3,}}")
_POLYBIUS_SIX = re.compile(r"(?<![0-9])[1-6]{2}(?:[ ,;.\-/]{1,2}[1-6]{2}){3,}(?![0-9])")
# The letters of the German field cipher of 1918 for the rows and columns.
_ADFGX = re.compile(r"(?<![A-Za-z])[ADFGVX]{2}(?:[ ,.\-/]{0,2}[ADFGVX]{2}){3,}(?![A-Za-z])")
_TWO_DIGIT_LETTERS = re.compile(r"(?<![0-9])(?:0[1-9]|1[0-9]|2[0-6]){5,60}(?![0-9])")
_TAP_PAIR = r"[.*xX]{1,5} {1,2}[.*xX]{1,5}"
_TAPS = re.compile(rf"(?:{_TAP_PAIR}(?: {{2,3}}|[ ]?[/|,][ ]?)){{3,}}{_TAP_PAIR}(?![.*xX])")
_BACON = re.compile(r"(?i)(?<![a-z])(?:[ab]{5}[ ,.\-/]?){4,}(?![a-z])")
_BACON_BITS = IN_STRETCHES.add(re.compile(r"(?<![0-9])(?:[01]{5}[ ,.\-/]?){4,}(?![0-9])"))
_BACON_LETTERS = ANYWHERE.add(re.compile(r"[abAB]{5}"))
_SQUARE = "abcdefghiklmnopqrstuvwxyz"
# K is left out, and C stands for it.
_TAP_SQUARE = "abcdefghijlmnopqrstuvwxyz"
_ROWS = str.maketrans("abcde", "12345")
BACON_24 = "abcdefghiklmnopqrstuwxyz"
_SQUARE_OF_SIX = "abcdefghijklmnopqrstuvwxyz0123456789"
BACON_26 = "abcdefghijklmnopqrstuvwxyz"


# Keys of a telephone, each pressed as often as the letter's place on it (ITU-T E.161).
_KEY_PRESSES = re.compile(r"(?<![0-9])([2-9])\1{0,3}(?:[ ,.\-/|]{1,2}([2-9])\2{0,3}+(?![0-9])){4,}+")
_KEY_LETTERS = ("", "", "abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz")
_BASE_NUMBER = re.compile(r"(?i)(?<![0-9a-z])0(?:x[0-9a-f]{1,16}|o[0-7]{1,22}|b[01]{8,64})(?![0-9a-z])")


# A power of ten as TeX sets it, and as FORTRAN writes one of double precision.
_TEN_POWER = re.compile(
    r"(?<![0-9.,])([0-9][0-9.,]{0,20})"
    r"(?: ?\\(?:times|cdot) ?10 ?\^ ?\{?([0-9]{1,2})\}?|[dD]\+?([0-9]{1,2})(?![0-9A-Za-z]))"
)


def _ten_power(match: re.Match[str]) -> str:
    return f"{match[1]}e{match[2] or match[3]}"


def _base_number(match: re.Match[str]) -> str:
    return str(int(match[0], 0))


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _binary(match: re.Match[str]) -> str | None:
    groups = [group.removeprefix("0b") for group in re.findall(r"(?:0b)?[01]{7,8}", match[0])]
    return text_of(bytes(int(group, 2) for group in groups))


def _bit_groups(match: re.Match[str]) -> str | None:
    """Half a byte to a group, or a letter with noughts before it."""
    groups = re.findall("[01]+", match[0])
    if len(set(map(len, groups))) > 1:
        return None
    if len(groups[0]) == 4:
        groups = [high + low for high, low in zip(groups[::2], groups[1::2], strict=False)]
    codes = [int(group, 2) for group in groups]
    return text_of(bytes(codes)) if max(codes) < 256 else None


def _binary_run(match: re.Match[str]) -> str | None:
    bits = match[0]
    for width in (8, 7):
        if len(bits) % width == 0:
            text = text_of(bytes(int(bits[at : at + width], 2) for at in range(0, len(bits), width)))
            if text is not None:
                return text
    return None


def _octal(match: re.Match[str]) -> str | None:
    codes = [int(number, 8) for number in re.findall(r"(?:0o)?([0-7]+)", match[0])]
    return text_of(bytes(codes)) if max(codes) < 256 and min(codes) >= 32 else None


def _decimal(match: re.Match[str]) -> str | None:
    codes = [int(number) for number in _numbers(match[0])]
    return text_of(bytes(codes)) if max(codes) < 256 and min(codes) >= 32 else None


def _decimal_run(match: re.Match[str]) -> str | None:
    return text_of(bytes(int(code) for code in re.findall(r"1[0-2]\d|[3-9]\d", match[0])))


def _threes(match: re.Match[str], base: int) -> str | None:
    codes = [int(match[0][at : at + 3], base) for at in range(0, len(match[0]), 3)]
    return text_of(bytes(codes)) if max(codes) < 256 else None


def _hex_pairs(match: re.Match[str]) -> str | None:
    return text_of(
        bytes.fromhex("".join(re.split(re.escape(match["between"]), match[0], flags=re.IGNORECASE)))
    )


def _letter_numbers(match: re.Match[str]) -> str | None:
    numbers = [int(number) for number in _numbers(match[0])]
    if max(numbers) <= 26 and min(numbers) >= 1:
        return "".join(chr(96 + number) for number in numbers)
    if max(numbers) <= 25:
        return "".join(chr(97 + number) for number in numbers)
    return None


def _polybius(match: re.Match[str]) -> str | None:
    digits = re.sub(r"\D", "", match[0].lower().translate(_ROWS))
    if len(digits) % 2:
        return None
    pairs = [(int(a) - 1) * 5 + int(b) - 1 for a, b in zip(digits[::2], digits[1::2], strict=True)]
    # The Greek square keeps J out, that of those who knock K; some read the column first.
    turned = [place % 5 * 5 + place // 5 for place in pairs]
    readings = (
        "".join(square[place] for place in places)
        for square in (_SQUARE, _TAP_SQUARE)
        for places in (pairs, turned)
    )
    of_six = (_SQUARE_OF_SIX[place // 5 * 6 + place % 5] for place in pairs)
    return "\n".join(dict.fromkeys((*readings, "".join(of_six))))


def _polybius_six(match: re.Match[str]) -> str | None:
    digits = re.sub(r"\D", "", match[0])
    if "6" not in digits:
        return _polybius(match)
    pairs = list(zip(map(int, digits[::2]), map(int, digits[1::2]), strict=False))
    return "\n".join(
        "".join(_SQUARE_OF_SIX[a * 6 + b - 7] for a, b in cells)
        for cells in (pairs, [(b, a) for a, b in pairs])
    )


def _adfgx(match: re.Match[str]) -> str | None:
    letters = re.sub(r"[^A-Z]", "", match[0])
    rows, square = ("ADFGVX", _SQUARE_OF_SIX) if "V" in letters else ("ADFGX", _SQUARE)
    places = [
        rows.index(a) * len(rows) + rows.index(b) for a, b in zip(letters[::2], letters[1::2], strict=False)
    ]
    return "".join(square[place] for place in places)


def _two_digit_letters(match: re.Match[str]) -> str:
    return "".join(chr(96 + int(match[0][at : at + 2])) for at in range(0, len(match[0]), 2))


def _taps(match: re.Match[str]) -> str | None:
    counts = [len(run) for run in re.findall(r"[.*xX]+", match[0])]
    if len(counts) % 2:
        return None
    return "".join(_TAP_SQUARE[(a - 1) * 5 + b - 1] for a, b in zip(counts[::2], counts[1::2], strict=True))


_TAP_WORDS = frozenset(["tap", "knock"])
_SAID_TAPS = re.compile(
    r"(?i)(?<![a-z])(?:tap|knock)(?:[ ,/|.;:-]{1,3}(?:tap|knock|pause|break|stop|then)){7,2000}(?![a-z])"
)


def _said_taps(match: re.Match[str]) -> str | None:
    """Two counts to a letter: a word between them, and a mark behind the second."""
    counts = [
        len(re.findall("(?i)tap|knock", part))
        for part in re.split(r"(?i)pause|break|stop|then|[,/|.;:]", match[0])
    ]
    counts = [count for count in counts if count]
    if len(counts) % 2 or max(counts) > 5:
        return None
    return "".join(_TAP_SQUARE[(a - 1) * 5 + b - 1] for a, b in zip(counts[::2], counts[1::2], strict=True))


def _taps_in_words(text: str) -> list[Chunk]:
    return [] if _TAP_WORDS.isdisjoint(survey(text).vocabulary) else _find_said_taps(text)


_find_said_taps = every_match(_SAID_TAPS, _said_taps)


def _key_presses(match: re.Match[str]) -> str | None:
    runs = _numbers(match[0])
    letters = [_KEY_LETTERS[int(run[0])][len(run) - 1 : len(run)] for run in runs]
    return "".join(letters) if all(letters) else None


def _bacon(match: re.Match[str], alphabet: str) -> str | None:
    """Either of the two signs may be the nought."""
    bits = re.sub(r"[^01]", "", match[0].lower().replace("a", "0").replace("b", "1"))
    values = [int(bits[at : at + 5], 2) for at in range(0, len(bits) - 4, 5)]
    readings = [
        "".join(alphabet[value] for value in read)
        for read in (values, [31 - value for value in values])
        if max(read) < len(alphabet)
    ]
    return "\n".join(readings) or None


def _bacons(text: str, alphabet: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    in_letters = may_match(_BACON_LETTERS, text) and _BACON_LETTERS.search(text) is not None
    for matches in (
        _BACON.finditer(text) if in_letters else (),
        stretch_matches(_BACON_BITS, text),
    ):
        for match in matches:
            decoded = _bacon(match, alphabet)
            if decoded is not None:
                chunks.append(Chunk(match.start(), match.end(), decoded))
        if chunks:
            break
    return chunks


_LATE_CAPITAL = re.compile(r"[a-z][A-Z]")
_MIN_LATE_CAPITALS = 3
_MIN_CASED = 25
_MAX_CASED = 4000
_ASCII_LETTER = re.compile("[A-Za-z]")


def _letter_case(text: str) -> list[Chunk]:
    """Bacon's two kinds of letters as capitals and small ones, which give capitals in the middle of words."""
    # Words of ASCII with one are no plain ones.
    late = _LATE_CAPITAL.findall(survey(text).runs.text if text.isascii() else text)
    if len(late) < _MIN_LATE_CAPITALS:
        return []
    places = [match.start() for match in _ASCII_LETTER.finditer(text)][:_MAX_CASED]
    if len(places) < _MIN_CASED:
        return []
    bits = "".join("1" if text[at].isupper() else "0" for at in places)
    readings: dict[str, None] = {}
    for kind in (bits, bits.translate(str.maketrans("01", "10"))):
        values = [int(kind[at : at + 5], 2) for at in range(0, len(kind) - 4, 5)]
        for alphabet in (BACON_26, BACON_24):
            readings.setdefault(
                "".join(alphabet[value] if value < len(alphabet) else " " for value in values)
            )
    return [Chunk(places[0], places[-1] + 1, "\n".join(readings))]


_DIGITS = "0123456789"

DECODERS: tuple[Decoder, ...] = (
    Decoder(
        "hexnumber", every_match(_BASE_NUMBER, _base_number, odd_only=True), needs="xXoObB", odd_only=True
    ),
    Decoder("tenpower", every_match(_TEN_POWER, _ten_power, odd_only=True), needs="\\dD", odd_only=True),
    Decoder("binary", every_match(_BINARY, _binary, odd_only=True), needs="01", odd_only=True),
    Decoder("binary", every_match(_BIT_GROUPS, _bit_groups, odd_only=True), needs="01", odd_only=True),
    Decoder("binaryrun", every_match(_BINARY_RUN, _binary_run, odd_only=True), needs="01", odd_only=True),
    Decoder("octal", every_match(_OCTAL, _octal, odd_only=True), needs=_DIGITS, odd_only=True),
    Decoder("decimal", every_match(_DECIMAL, _decimal, odd_only=True), needs=_DIGITS, odd_only=True),
    Decoder(
        "decimalrun", every_match(_DECIMAL_RUN, _decimal_run, odd_only=True), needs=_DIGITS, odd_only=True
    ),
    Decoder(
        "decimalrun",
        every_match(_DECIMAL_THREES, lambda match: _threes(match, 10), odd_only=True),
        needs="01",
        odd_only=True,
    ),
    Decoder(
        "octalrun",
        every_match(_OCTAL_THREES, lambda match: _threes(match, 8), odd_only=True),
        needs="0123",
        odd_only=True,
    ),
    Decoder("decimal", every_match(_SAME_BETWEEN, _decimal, odd_only=True), needs=_DIGITS, odd_only=True),
    Decoder("hex", every_match(_HEX_SAME_BETWEEN, _hex_pairs, odd_only=True), needs=_DIGITS, odd_only=True),
    Decoder(
        "letternumbers",
        every_match(_LETTER_NUMBERS, _letter_numbers, odd_only=True),
        needs=_DIGITS,
        odd_only=True,
    ),
    Decoder(
        "letternumbers",
        every_match(_TWO_DIGIT_LETTERS, _two_digit_letters, odd_only=True),
        needs="012",
        odd_only=True,
    ),
    Decoder("polybius", every_match(_POLYBIUS, _polybius, odd_only=True), needs="12345", odd_only=True),
    Decoder("polybius", every_match(_POLYBIUS_CELLS, _polybius, odd_only=True), needs="12345", odd_only=True),
    Decoder(
        "polybius",
        every_match(_POLYBIUS_BRACKETS, _polybius_six, odd_only=True),
        needs="([{<",
        odd_only=True,
    ),
    Decoder(
        "polybius",
        every_match(
            _POLYBIUS_SIX, lambda match: _polybius_six(match) if "6" in match[0] else None, odd_only=True
        ),
        needs="6",
        odd_only=True,
    ),
    Decoder("polybius", every_match(_ADFGX, _adfgx), needs="DFGVX", top_only=3),
    Decoder("keys", every_match(_KEY_PRESSES, _key_presses, odd_only=True), needs="23456789", odd_only=True),
    Decoder("taps", every_match(_TAPS, _taps, odd_only=True), needs=".*xX", odd_only=True),
    Decoder("taps", _taps_in_words),
    Decoder("bacon", lambda text: _bacons(text, BACON_26), needs="aAbB01", top_only=3),
    Decoder("baconcase", _letter_case, top_only=2),
    Decoder("bacon24", lambda text: _bacons(text, BACON_24), needs="aAbB01", top_only=3),
)
