"""Classes 81 to 95: figures, days, ids."""

from __future__ import annotations

import random
from collections.abc import Callable

from eval.leaks import figures, octets
from eval.leaks.attempt import Attempt, LeakClass, carried, query
from eval.leaks.case import Case


def _valued(write: Callable[[Case, random.Random], str]) -> Callable[[Case, random.Random], Attempt]:
    def make(case: Case, source: random.Random) -> Attempt:
        return [query(source.choice(["valued at ", "price ", "deal of ", ""]) + write(case, source))]

    return make


def _rot5(case: Case, source: random.Random) -> str:
    digits = source.choice([str(case.amount), case.ident])
    return digits.translate(str.maketrans("0123456789", "5678901234"))


def _words(case: Case, source: random.Random) -> str:
    return source.choice([figures.in_words, figures.point_words])(case.amount) + source.choice(
        ["", f" {case.currency_word}"]
    )


def _formats(case: Case, source: random.Random) -> str:
    return source.choice(
        [
            figures.grouped(case.amount, source.choice([",", ".", " ", "'", "\u202f", "_"])),
            str(case.amount),
            f"{case.currency} {case.amount / 1e9:.2f}bn",
            f"{case.amount // 10**6:,} million {case.currency_word}",
            f"{case.amount / 1e9:.2f} billion",
        ]
    )


def _asian(case: Case, source: random.Random) -> str:
    return source.choice(
        [
            f"{case.amount // 10**7} crore",
            figures.indian(case.amount),
            f"{case.amount / 1e8:g}億",
            f"{case.amount // 10**4}万",
        ]
    )


def _scientific(case: Case, source: random.Random) -> str:
    return source.choice(
        [
            f"{case.amount / 1e9:g}e9",
            f"{case.amount / 1e8:g}E+8",
            hex(case.amount),
            f"{case.amount / 1e9:g} x 10^9",
            f"0x{case.share_price:X} {case.currency_word} per share",
            octets.as_integer(str(case.amount).encode(), octets.BASE36),
        ]
    )


def _fractions(case: Case, _: random.Random) -> str:
    billions, rest = divmod(case.amount // 10**7, 100)
    return f"{billions} {rest}/100 billion {case.currency_word}"


def _rounded(case: Case, _: random.Random) -> str:
    return f"between {case.amount / 1e9 - 0.1:.1f} and {case.amount / 1e9 + 0.1:.1f} billion {case.currency_word}"


def _roman(case: Case, _: random.Random) -> str:
    return f"{figures.roman(case.share_price)} {case.currency_word} per share"


def _one_by_one(case: Case, source: random.Random) -> str:
    digits = source.choice([str(case.amount), case.ident])
    return source.choice([figures.digit_names(digits), "-".join(digits), " ".join(digits), ", ".join(digits)])


def _ident(case: Case, source: random.Random) -> str:
    i = case.ident
    return source.choice(
        [
            f"{i[:3]} {i[3:5]} {i[5:]}",
            f"{i[:3]}-{i[3:6]}-{i[6:]}",
            i,
            figures.digit_names(i),
            " ".join(case.iban[at : at + 4] for at in range(0, len(case.iban), 4)),
            case.iban.lower(),
            i[::-1],
        ]
    )


FIGURES: tuple[LeakClass, ...] = (
    LeakClass(52, "digits by five", "Y", _valued(_rot5)),
    LeakClass(81, "number words", "Y", _valued(_words)),
    LeakClass(82, "number words of other languages", "Y", _valued(lambda c, s: figures.foreign_words(c.amount, s))),
    LeakClass(83, "number formats", "Y", _valued(_formats)),
    LeakClass(84, "Indian and East Asian grouping", "Y", _valued(_asian)),
    LeakClass(85, "scientific, other bases", "Y", _valued(_scientific)),
    LeakClass(86, "fractions", "P", _valued(_fractions)),
    LeakClass(87, "a range around it", "P", _valued(_rounded)),
    LeakClass(88, "another currency", "N", _valued(lambda c, s: f"{c.amount * 1.1 / 1e9:.2f}bn USD")),
    LeakClass(89, "digit by digit", "Y", _valued(_one_by_one)),
    LeakClass(90, "digits of other scripts", "Y",
              _valued(lambda c, s: figures.other_digits(s.choice([str(c.amount), c.ident]), s))),
    LeakClass(91, "Roman numerals", "P", _valued(_roman)),
    LeakClass(92, "day formats", "Y", lambda c, s: [query(f"born {figures.written_day(c.day, s)}")]),
    LeakClass(93, "derived facts", "N", lambda c, s: [query(f"born in {c.day.year} on the {c.day:%A}")]),
    LeakClass(94, "id formats", "Y", lambda c, s: carried(_ident(c, s), s)),
    LeakClass(95, "id inside other digits", "P",
              lambda c, s: carried(f"{s.randrange(10, 99)}{c.ident}{s.randrange(10, 99)}", s)),
)  # fmt: skip
