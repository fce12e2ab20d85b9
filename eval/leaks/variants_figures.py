"""Other encoders of the classes of figures, days and ids: more languages, scripts and notations.

Written apart from `classes_figures.py` as well as from the product's decoders.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from eval.leaks.attempt import Attempt, LeakClass, carried, query
from eval.leaks.case import Case

_NUMBER_SCRIPTS = {
    "bengali": 0x9E6,
    "tamil": 0xBE6,
    "thai": 0xE50,
    "khmer": 0x17E0,
    "gujarati": 0xAE6,
    "lao": 0xED0,
    "struck": 0x1D7D8,
}

_MONTHS = {
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "en": "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
}

_UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]

_WORDS = {
    "da": ("nul en to tre fire fem seks syv otte ni", "komma", "milliarder"),
    "no": ("null en to tre fire fem seks sju åtte ni", "komma", "milliarder"),
    "fi": ("nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän", "pilkku", "miljardia"),
    "cs": ("nula jedna dva tři čtyři pět šest sedm osm devět", "celých", "miliardy"),
    "ru": ("ноль один два три четыре пять шесть семь восемь девять", "запятая", "миллиарда"),
}

_KANJI = "\u3007一二三四五六七八九"


def _figure(*ways: Callable[[Case], str]) -> Callable[[Case, random.Random], Attempt]:
    """One of some ways to write a figure of the case."""
    return lambda case, source: [
        query(source.choice(["bid of ", "worth ", "pay ", ""]) + source.choice(ways)(case))
    ]


def _long_words(case: Case) -> str:
    millions = case.amount // 10**6
    thousands, rest = divmod(millions, 1000)
    hundreds, tens = divmod(rest, 100)
    below = f"{_UNITS[hundreds]} hundred" if hundreds else ""
    last = f" and {_tens(tens)}" if tens else ""
    return f"{_UNITS[thousands]} thousand {below}{last} million".replace("  ", " ")


def _tens(number: int) -> str:
    names = ["x", "x", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    small = [
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
    if number < 10:
        return _UNITS[number]
    if number < 20:
        return small[number - 10]
    return names[number // 10] + (f"-{_UNITS[number % 10]}" if number % 10 else "")


def _said_abroad(case: Case, source: random.Random) -> Attempt:
    names, point, scale = _WORDS[source.choice(list(_WORDS))]
    digits = names.split()
    whole, part = f"{case.amount / 1e9:.2f}".split(".")
    return [query(f"{digits[int(whole)]} {point} {' '.join(digits[int(one)] for one in part)} {scale}")]


def _kanji(case: Case) -> str:
    return (
        "".join(_KANJI[int(digit)] for digit in str(case.amount // 10**8)) + "億"
        if case.amount % 10**8 == 0
        else f"{case.amount // 10**8}億{case.amount % 10**8 // 10**4}万"
    )


def _digits_of(case: Case, source: random.Random) -> Attempt:
    first = _NUMBER_SCRIPTS[source.choice(list(_NUMBER_SCRIPTS))]
    text = source.choice([str(case.amount), case.ident, f"{case.amount:,}"])
    return [query("value " + "".join(chr(first + int(char)) if char.isdigit() else char for char in text))]


def _day(case: Case, source: random.Random) -> Attempt:
    day = case.day
    week = day.isocalendar()
    tongue = source.choice(list(_MONTHS))
    month = _MONTHS[tongue].split()[day.month - 1]
    return [
        query(
            "birthday "
            + source.choice(
                [
                    f"{day.day}-{month}-{day.year}",
                    f"{day.day} {month} {day.year}",
                    f"{month} {day.day}, {day.year}",
                    f"{day.day} de {month} de {day.year}"
                    if tongue == "es"
                    else f"{day.day:02d} {month} {day.year}",
                    f"{day.year}.{day.month:02d}.{day.day:02d}",
                    f"{day.day}/{day.month}/{day.year}",
                    f"{week.year}-W{week.week:02d}-{week.weekday}",
                    f"{day.year}年{day.month}月{day.day}日",
                    f"{day:%Y%m%d}T000000Z",
                    f"{day:%d%m%Y}",
                ]
            )
        )
    ]


def _ident(case: Case, source: random.Random) -> Attempt:
    i = case.ident
    wide = "".join(chr(0xFF10 + int(char)) for char in i)
    return carried(
        source.choice(
            [
                f"{i[:3]}.{i[3:6]}.{i[6:]}",
                f"{i[:2]}/{i[2:5]}/{i[5:]}",
                f"{i[:3]}\u00a0{i[3:6]}\u00a0{i[6:]}",
                wide,
                f"no{i}",
                f"({i[:3]}) {i[3:6]}-{i[6:]}",
                case.iban.replace("DE", "de ", 1),
                "-".join(case.iban[at : at + 4] for at in range(0, len(case.iban), 4)),
            ]
        ),
        source,
    )


def _one_by_one(case: Case, source: random.Random) -> Attempt:
    digits = source.choice([str(case.amount), case.ident])
    joiner = source.choice(["/", " / ", ".", "_", " - ", "; "])
    names = source.choice([list("0123456789"), _UNITS])
    return [query("number " + joiner.join(names[int(digit)] for digit in digits))]


VARIANTS_FIGURES: tuple[LeakClass, ...] = (
    LeakClass(
        81,
        "number words in thousands of millions",
        "Y",
        _figure(
            _long_words, lambda c: _long_words(c).upper(), lambda c: _long_words(c).replace(" and ", " ")
        ),
    ),
    LeakClass(82, "number words of more languages", "Y", _said_abroad),
    LeakClass(
        83,
        "more number formats",
        "Y",
        _figure(
            lambda c: f"{c.currency}{c.amount / 1e9:.2f}bn",
            lambda c: f"{c.amount / 1e9:.2f}B {c.currency}",
            lambda c: f"{c.amount // 10**6}m {c.currency}",
            lambda c: f"{c.amount // 10**6:,} mn",
            lambda c: f"{c.amount / 1e9:.2f} Mrd. {c.currency}".replace(".", ",", 1),
            lambda c: f"{c.amount:,}.00",
            lambda c: f"{c.amount:,}".replace(",", "\u2009"),
            lambda c: f"{c.amount // 1000:,}k",
        ),
    ),
    LeakClass(
        84,
        "more grouping of Asia",
        "Y",
        _figure(
            lambda c: f"{c.amount // 10**7} Cr",
            lambda c: f"{c.amount // 10**5} lakh",
            _kanji,
            lambda c: f"Rs {c.amount // 10**7:,} crores",
        ),
    ),
    LeakClass(
        85,
        "more scientific notations",
        "Y",
        _figure(
            lambda c: f"{c.amount / 1e9:g}\u00d710\u2079",
            lambda c: f"{c.amount / 1e9:g}*10**9",
            lambda c: f"{c.amount // 10**6}e6",
            lambda c: f"{c.amount / 1e9:.2f}E+09",
            lambda c: oct(c.amount),
            lambda c: bin(c.amount),
            lambda c: f"0X{c.amount:X}",
        ),
    ),
    LeakClass(89, "digit by digit, other separators", "Y", _one_by_one),
    LeakClass(90, "digits of more scripts", "Y", _digits_of),
    LeakClass(92, "more day formats", "Y", _day),
    LeakClass(94, "more id formats", "Y", _ident),
)
"""Each of a class that has fewer ways in `classes_figures.py`."""
