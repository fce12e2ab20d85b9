"""Numbers that states give to people, told from other numbers by the check digits that each state publishes.

Sources: the EU's portal on tax identification numbers (algorithms of the member states), ISO 7064, and each
issuer's own description: UIDAI (Verhoeff), Receita Federal (CPF), GB 11643 (China), SSB and Skatteverket (Norway,
Sweden), DVV (Finland), INSEE (NIR), AHV/AVS (EAN-13), NHS Data Dictionary, MOIS (Korea), and Home Affairs (South
Africa).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date

_VERHOEFF_SHIFT = "1576283094"
_SPANISH_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_FINNISH_SIGNS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_ITALIAN_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_CHINESE_CHECKS = "10X98765432"
_FRENCH = re.compile(r"[0-9]{5}(?:[0-9]{2}|2[AB])[0-9]{8}")
_SPANISH = re.compile(r"[0-9XYZ][0-9]{7}[A-Z]")
_ITALIAN = re.compile(r"[A-Z0-9]{15}[A-Z]")
_FINNISH = re.compile(r"[0-9]{6}.[0-9]{3}[0-9A-Y]")
_CHINESE = re.compile(r"[0-9]{17}[0-9X]")


def _digits(text: str) -> list[int]:
    return [int(char) for char in text if char.isdecimal()]


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=False))


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def _short_day(digits: Sequence[int], *, year_first: bool) -> bool:
    """Whether six digits are a day of any century; one is enough, since only 29 February differs."""
    one, month, three = (10 * digits[at] + digits[at + 1] for at in (0, 2, 4))
    year, day = (one, three) if year_first else (three, one)
    return any(_is_day(century + year, month, day) for century in (1900, 2000))


def _luhn(digits: Sequence[int]) -> bool:
    return (sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])) % 10 == 0


def brazil_cpf(text: str) -> bool:
    """Eleven digits whose last two are sums modulo 11."""
    digits = _digits(text)
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    return all(
        _weighted(digits[:count], range(count + 1, 1, -1)) * 10 % 11 % 10 == digits[count]
        for count in (9, 10)
    )


def france_nir(text: str) -> bool:
    """Thirteen digits (2A and 2B for Corsica) and a key that makes 97 of it."""
    plain = re.sub(r"[ .-]", "", text).upper()
    if not _FRENCH.fullmatch(plain):
        return False
    number = plain[:13].replace("2A", "19").replace("2B", "18")
    return 97 - int(number) % 97 == int(plain[13:])


def spain_dni(text: str) -> bool:
    """Eight digits, or X, Y or Z and seven, and a letter that is the number modulo 23."""
    plain = re.sub(r"[ .-]", "", text).upper()
    if not _SPANISH.fullmatch(plain):
        return False
    number = plain[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return _SPANISH_LETTERS[int(number) % 23] == plain[-1]


def italy_fiscal_code(text: str) -> bool:
    """Sixteen symbols; the last is the sum of the others, by place, modulo 26."""
    plain = text.upper()
    if not _ITALIAN.fullmatch(plain):
        return False
    values = [int(char) if char.isdecimal() else ord(char) - 65 for char in plain]
    total = sum(_ITALIAN_ODD[value] if at % 2 == 0 else value for at, value in enumerate(values[:15]))
    return total % 26 == values[15]


def norway_number(text: str) -> bool:
    """A day, three digits, and two sums modulo 11."""
    digits = _digits(text)
    return (
        len(digits) == 11
        and _short_day(digits, year_first=False)
        and _weighted(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)) % 11 == 0
        and _weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)) % 11 == 0
    )


def sweden_number(text: str) -> bool:
    """A day, a mark, three digits, and one by Luhn."""
    digits = _digits(text)[-10:]
    return len(digits) == 10 and _short_day(digits, year_first=True) and _luhn(digits)


def finland_number(text: str) -> bool:
    """A day, a sign for the century, three digits, and the number modulo 31."""
    plain = text.upper()
    number = plain[:6] + plain[7:10]
    if not _FINNISH.fullmatch(plain) or not _short_day(_digits(number), year_first=False):
        return False
    return _FINNISH_SIGNS[int(number) % 31] == plain[10]


def belgium_number(text: str) -> bool:
    """Nine digits, and 97 less the number modulo 97; from 2000 on a 2 stands before it."""
    digits = "".join(map(str, _digits(text)))
    return len(digits) == 11 and any(
        97 - int(century + digits[:9]) % 97 == int(digits[9:]) for century in ("", "2")
    )


def swiss_ahv(text: str) -> bool:
    """Thirteen digits that begin with 756, checked as an EAN is."""
    digits = _digits(text)
    return len(digits) == 13 and _weighted(digits, (1, 3) * 6 + (1,)) % 10 == 0


def poland_pesel(text: str) -> bool:
    """Eleven digits, the sum by weight a multiple of ten."""
    digits = _digits(text)[-11:]
    return len(digits) == 11 and _weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0


def germany_tax_id(text: str) -> bool:
    """Eleven digits with the check of ISO 7064, modulo 11, 10."""
    digits = _digits(text)[-11:]
    if len(digits) != 11 or not digits[0]:
        return False
    product = 10
    for digit in digits[:10]:
        product = ((digit + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == digits[10]


def netherlands_bsn(text: str) -> bool:
    """Nine digits, by weights 9 to 2 and minus 1 a multiple of eleven."""
    digits = _digits(text)[-9:]
    return len(digits) == 9 and any(digits) and _weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def nhs_number(text: str) -> bool:
    """Ten digits, by weights 10 to 1 a multiple of eleven."""
    digits = _digits(text)[-10:]
    return len(digits) == 10 and any(digits) and _weighted(digits, range(10, 0, -1)) % 11 == 0


def canada_sin(text: str) -> bool:
    """Nine digits, by Luhn."""
    digits = _digits(text)[-9:]
    return len(digits) == 9 and any(digits) and _luhn(digits)


def china_id(text: str) -> bool:
    """A place, a day, three digits, and the check of ISO 7064, modulo 11, 2."""
    plain = text.upper()
    if not _CHINESE.fullmatch(plain):
        return False
    weights = [pow(2, 17 - at, 11) for at in range(17)]
    return (
        _is_day(int(plain[6:10]), int(plain[10:12]), int(plain[12:14]))
        and _CHINESE_CHECKS[_weighted(_digits(plain[:17]), weights) % 11] == plain[17]
    )


def india_aadhaar(text: str) -> bool:
    """Twelve digits with the check of Verhoeff, over the dihedral group of ten elements."""
    digits = _digits(text)[-12:]
    if len(digits) != 12:
        return False
    check = 0
    for place, digit in enumerate(reversed(digits)):
        value = digit
        for _ in range(place % 8):
            value = int(_VERHOEFF_SHIFT[value])
        check = _dihedral(check, value)
    return check == 0


def _dihedral(one: int, two: int) -> int:
    if one < 5:
        return (one + two) % 5 if two < 5 else 5 + (one + two) % 5
    return 5 + (one - two) % 5 if two < 5 else (one - two) % 5


def korea_number(text: str) -> bool:
    """A day, a mark, and seven digits of which the last is a sum modulo 11."""
    digits = _digits(text)
    return (
        len(digits) == 13
        and _short_day(digits, year_first=True)
        and (11 - _weighted(digits[:12], (2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)) % 11) % 10 == digits[12]
    )


def south_africa_id(text: str) -> bool:
    """A day, four digits, a citizen's 0 or 1, an 8 or 9, and one by Luhn."""
    digits = _digits(text)
    return (
        len(digits) == 13
        and _short_day(digits, year_first=True)
        and digits[10] < 3
        and digits[11] in (8, 9)
        and _luhn(digits)
    )


IDENTITY_TESTS: dict[str, Callable[[str], bool]] = {
    test.__name__: test
    for test in (
        brazil_cpf,
        france_nir,
        spain_dni,
        italy_fiscal_code,
        norway_number,
        sweden_number,
        finland_number,
        belgium_number,
        swiss_ahv,
        poland_pesel,
        germany_tax_id,
        netherlands_bsn,
        nhs_number,
        canada_sin,
        china_id,
        india_aadhaar,
        korea_number,
        south_africa_id,
    )
}
"""Tests by the name that `patterns.tsv` gives them."""
