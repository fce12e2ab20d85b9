"""Ways to write figures, days and ids. Written apart from the product's readers."""

from __future__ import annotations

import random
from datetime import date

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["x", "x", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_GERMAN = ["null", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_FRENCH = ["zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"]
_SPANISH = ["cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_GERMAN_MONTHS = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
]
_SCRIPTS = {
    "arabic": 0x660,
    "persian": 0x6F0,
    "devanagari": 0x966,
    "full": 0xFF10,
    "bold": 0x1D7CE,
    "mono": 0x1D7F6,
}


def below_thousand(number: int) -> str:
    """A whole number below a thousand in English words."""
    words = []
    if number >= 100:
        words += [_ONES[number // 100], "hundred"]
        number %= 100
        if number:
            words.append("and")
    if number >= 20:
        words.append(_TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else ""))
    elif number:
        words.append(_ONES[number])
    return " ".join(words) or "zero"


def in_words(amount: int) -> str:
    """A round amount in English words, as a decimal of a billion or in full."""
    billions, rest = divmod(amount, 10**9)
    return f"{below_thousand(billions)} billion {below_thousand(rest // 10**6)} million"


def point_words(amount: int) -> str:
    """An amount as "three point six five billion"."""
    whole, part = f"{amount / 1e9:.2f}".split(".")
    return f"{_ONES[int(whole)]} point {' '.join(_ONES[int(digit)] for digit in part)} billion"


_FOREIGN = (
    (_GERMAN, "Komma", "Milliarden"),
    (_FRENCH, "virgule", "milliards"),
    (_SPANISH, "coma", "mil millones"),
    (
        ["zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"],
        "virgola",
        "miliardi",
    ),
    (["zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"], "vírgula", "bilhões"),
    (["nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen"], "komma", "miljard"),
    (["noll", "ett", "två", "tre", "fyra", "fem", "sex", "sju", "åtta", "nio"], "komma", "miljarder"),
    (
        ["zero", "jeden", "dwa", "trzy", "cztery", "pięć", "sześć", "siedem", "osiem", "dziewięć"],
        "przecinek",
        "miliarda",
    ),
    (["sıfır", "bir", "iki", "üç", "dört", "beş", "altı", "yedi", "sekiz", "dokuz"], "virgül", "milyar"),
)


def foreign_words(amount: int, source: random.Random) -> str:
    """An amount in words of nine languages, or in digits with such a language's scale word."""
    whole, part = f"{amount / 1e9:.2f}".split(".")
    names, point, scale = source.choice(_FOREIGN)
    if source.random() < 0.3:
        return f"{whole},{part} {scale}"
    return f"{names[int(whole)]} {point} {' '.join(names[int(digit)] for digit in part)} {scale}"


def grouped(number: int, separator: str) -> str:
    """Thousands grouped by a separator."""
    return f"{number:,}".replace(",", separator)


def indian(number: int) -> str:
    """Grouped by a thousand and then by hundreds."""
    text = str(number)
    head, tail = text[:-3], text[-3:]
    parts: list[str] = []
    while head:
        parts.insert(0, head[-2:])
        head = head[:-2]
    return ",".join([*parts, tail])


def other_digits(text: str, source: random.Random) -> str:
    """Digits of another script, raised ones, or circled ones."""
    style = source.choice([*_SCRIPTS, "raised", "circled"])
    if style == "raised":
        return text.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    if style == "circled":
        return text.translate(str.maketrans("0123456789", "⓪①②③④⑤⑥⑦⑧⑨"))
    first = _SCRIPTS[style]
    return "".join(chr(first + int(char)) if char.isdigit() else char for char in text)


def roman(number: int) -> str:
    """Roman numerals."""
    out = ""
    for value, sign in (
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ):
        while number >= value:
            out += sign
            number -= value
    return out


def written_day(day: date, source: random.Random) -> str:
    """A day in one of many notations."""
    d, m, y = day.day, day.month, day.year
    ordinal = f"{d}{'th' if 10 < d < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(d % 10, 'th')}"
    return source.choice(
        [
            f"{d:02d}.{m:02d}.{y}", f"{d}.{m}.{y % 100:02d}", f"{m:02d}/{d:02d}/{y}", f"{y}{m:02d}{d:02d}",
            f"{y}/{m}/{d}", f"{d} {_MONTHS[m - 1]} {y}", f"{_MONTHS[m - 1]} {ordinal}, {y}",
            f"{ordinal} of {_MONTHS[m - 1]} {y}", f"{d}. {_GERMAN_MONTHS[m - 1]} {y}",
            f"day {day.timetuple().tm_yday} of {y}", f"{y}-{day.timetuple().tm_yday:03d}",
            str((day - date(1899, 12, 30)).days), str((day - date(1970, 1, 1)).days * 86400),
        ]
    )  # fmt: skip


def digit_names(digits: str) -> str:
    """Digits read out one by one."""
    return " ".join(_ONES[int(digit)] for digit in digits)
