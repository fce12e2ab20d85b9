"""How a large figure is written: with the scale words of many languages, in their words throughout, and in bases
other than ten.

Facts of the languages, written down for this project: the digits, what stands for the decimal point, and the names of
a thousand, a million, a thousand millions and a million millions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from doublethink_fingerprint import cardinals
from doublethink_fingerprint.fold import folded_text

_MAX_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class _Language:
    """Digits zero to nine, words for the point, and scale words by power of ten, all folded to letters."""

    digits: tuple[str, ...]
    points: tuple[str, ...]
    scales: dict[int, tuple[str, ...]]


def _language(digits: str, points: str, million: str, milliard: str, billion: str) -> _Language:
    scales = {6: million, 9: milliard, 12: billion}
    return _Language(
        tuple(_letters(word) for word in digits.split()),
        tuple(_letters(word) for word in points.split()),
        {power: tuple(_letters(name) for name in names.split("|")) for power, names in scales.items()},
    )


def _letters(text: str) -> str:
    return "".join(char for char in folded_text(text) if char.isalnum())


_LANGUAGES = (
    _language("cero uno dos tres cuatro cinco seis siete ocho nueve", "coma punto", "millones|millón",
              "mil millones|millardos|millardo", "billones|billón"),
    _language("zero uno due tre quattro cinque sei sette otto nove", "virgola punto", "milioni|milione",
              "miliardi|miliardo|mille milioni", "bilioni|mille miliardi"),
    _language("zero um dois três quatro cinco seis sete oito nove", "vírgula ponto", "milhões|milhão",
              "bilhões|bilhão|mil milhões", "trilhões|trilhão|biliões"),
    _language("nul een twee drie vier vijf zes zeven acht negen", "komma punt", "miljoen", "miljard", "biljoen"),
    _language("noll ett två tre fyra fem sex sju åtta nio", "komma", "miljoner|miljon", "miljarder|miljard",
              "biljoner|biljon"),
    _language("nul en to tre fire fem seks syv otte ni", "komma", "millioner|million", "milliarder|milliard",
              "billioner|billion"),
    _language("nul et to tre fire fem seks syv otte ni", "komma", "millioner|million", "milliarder|milliard",
              "billioner|billion"),
    _language("null en to tre fire fem seks sju åtte ni", "komma", "millioner|million", "milliarder|milliard",
              "billioner|billion"),
    _language("nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän", "pilkku",
              "miljoonaa|miljoona", "miljardia|miljardi", "biljoonaa|biljoona"),
    _language("zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć", "przecinek", "milionów|miliony|miliona",
              "miliardów|miliardy|miliarda", "bilionów|biliony|biliona"),
    _language("nula jedna dva tři čtyři pět šest sedm osm devět", "celých celé čárka", "milionů|miliony|milionu",
              "miliard|miliardy|miliardu", "bilionů|biliony"),
    _language("ноль один два три четыре пять шесть семь восемь девять", "запятая целых целая точка",
              "миллионов|миллиона|миллион|млн", "миллиардов|миллиарда|миллиард|млрд",
              "триллионов|триллиона|триллион|трлн"),
    _language("нуль один два три чотири п'ять шість сім вісім дев'ять", "кома цілих крапка", "мільйонів|мільйона|млн",
              "мільярдів|мільярда|млрд", "трильйонів|трильйона|трлн"),
    _language("μηδέν ένα δύο τρία τέσσερα πέντε έξι επτά οκτώ εννέα", "κόμμα", "εκατομμύρια|εκατομμύριο|εκατ",
              "δισεκατομμύρια|δισεκατομμύριο|δισ", "τρισεκατομμύρια|τρισεκατομμύριο|τρισ"),
    _language("nula jeden dva tři čtyři pět šest sedm osm devět", "celých celé celá čárka",
              "milionů|miliony|milionu", "miliardy|miliard|mld", "bilionů|biliony"),
    _language("nulla egy kettő három négy öt hat hét nyolc kilenc", "egész vessző", "millió", "milliárd", "billió"),
    _language("sıfır bir iki üç dört beş altı yedi sekiz dokuz", "virgül", "milyon", "milyar", "trilyon"),
    _language("zero unu doi trei patru cinci șase șapte opt nouă", "virgulă", "milioane|de milioane",
              "miliarde|de miliarde", "trilioane"),
    _language("nol satu dua tiga empat lima enam tujuh delapan sembilan", "koma", "juta", "miliar|milyar", "triliun"),
    _language("null eins zwei drei vier fünf sechs sieben acht neun", "Komma", "Millionen|Mio", "Milliarden|Mrd",
              "Billionen"),
    _language("zéro un deux trois quatre cinq six sept huit neuf", "virgule", "millions", "milliards|mille millions",
              "billions"),
)  # fmt: skip


def scaled_spellings(value: Decimal) -> Iterator[str]:
    """Yield letters and digits run together: "819milmillones", "ochocomaunonuevemilmillones".

    Of a figure of a million or more with at most three decimals at that scale; the whole part in words only below
    ten, where it is a digit's name.
    """
    for language in _LANGUAGES:
        for power, names in language.scales.items():
            scaled = value.scaleb(-power).normalize()
            exponent = scaled.as_tuple().exponent
            if not 1 <= scaled < 1000 or not isinstance(exponent, int) or -exponent > _MAX_DECIMALS:
                continue
            whole, _, part = f"{scaled:f}".partition(".")
            for name in names:
                yield whole + part + name
                if len(whole) == 1:
                    parts = [language.digits[int(digit)] for digit in part]
                    for point in language.points if part else ("",):
                        yield language.digits[int(whole)] + point + "".join(parts) + name


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A language whose numbers are written out in words: see `cardinals`. Names in order of size."""

    cardinal: cardinals.Cardinal
    thousand: tuple[str, ...]
    million: tuple[str, ...]
    milliard: tuple[str, ...]
    points: tuple[str, ...]
    joint: str = ""
    bare_thousand: bool = False
    """A thousand goes without "one" before it."""


def _spoken(
    cardinal: cardinals.Cardinal, thousand: str, million: str, milliard: str, points: str, joint: str = "",
    *, bare: bool = False,
) -> _Spoken:  # fmt: skip
    names = [
        tuple(_letters(name) for name in text.split("|")) for text in (thousand, million, milliard, points)
    ]
    return _Spoken(cardinal, names[0], names[1], names[2], names[3], joint, bare)


_SPOKEN = (
    _spoken(cardinals.english, "thousand", "million", "billion|thousand million", "point", "and"),
    _spoken(cardinals.german, "tausend", "millionen|million", "milliarden|milliarde", "komma", "und"),
    _spoken(cardinals.french, "mille", "millions|million", "milliards|milliard", "virgule", "et", bare=True),
    _spoken(cardinals.spanish, "mil", "millones|millón", "mil millones|millardos", "coma|punto", bare=True),
    _spoken(cardinals.italian, "mila|mille", "milioni|milione", "miliardi|miliardo", "virgola", "e"),
    _spoken(cardinals.portuguese, "mil", "milhões|milhão", "mil milhões|bilhões|bilhão", "vírgula", "e", bare=True),
    _spoken(cardinals.dutch, "duizend", "miljoen", "miljard", "komma", "en", bare=True),
    _spoken(cardinals.swedish, "tusen", "miljoner|miljon", "miljarder|miljard", "komma", "och"),
    _spoken(cardinals.danish, "tusinde|tusind", "millioner|million", "milliarder|milliard", "komma", "og"),
    _spoken(cardinals.norwegian, "tusen", "millioner|million", "milliarder|milliard", "komma", "og"),
    _spoken(cardinals.finnish, "tuhatta|tuhat", "miljoonaa|miljoona", "miljardia|miljardi", "pilkku", bare=True),
    _spoken(cardinals.polish, "tysięcy|tysiące|tysiąc", "milionów|miliony|milion|miliona",
            "miliardów|miliardy|miliard|miliarda", "przecinek", "i", bare=True),
    _spoken(cardinals.turkish, "bin", "milyon", "milyar", "virgül", bare=True),
)  # fmt: skip
_LARGEST = 10**12
# In one language; the likelier ones come first.
_MOST_SPELLINGS = 64


def spoken_spellings(value: Decimal) -> Iterator[str]:
    """Yield letters run together: "ochocientosmillones", "negenhonderdmiljoen", "fourbillionfivehundredmillion".

    Of a figure from a thousand up to a million millions, as a whole number or with at most three decimals at its
    scale, the decimals digit by digit or as a number.
    """
    for language in _SPOKEN:
        found: dict[str, None] = {}
        for power, names in ((6, language.million), (9, language.milliard)):
            found.update(dict.fromkeys(_with_decimals(value.scaleb(-power).normalize(), names, language)))
        if value == value.to_integral_value() and 1000 <= value < _LARGEST:
            found.update(dict.fromkeys(_in_full(int(value), language)))
        for place, spelling in enumerate(found):
            if place < _MOST_SPELLINGS:
                yield spelling


def _cardinal(number: int, language: _Spoken) -> list[str]:
    """Names of a number below a million, folded."""
    thousands, rest = divmod(number, 1000)
    tails = [_letters(name) for name in language.cardinal(rest)] if rest else [""]
    if not thousands:
        return tails
    heads = [_letters(name) for name in language.cardinal(thousands)]
    if thousands == 1:
        heads = [""] if language.bare_thousand else ["", *heads]
    joints = ("", language.joint) if rest and language.joint else ("",)
    return [
        head + name + joint + tail
        for name, joint, head, tail in product(language.thousand, joints, heads, tails)
    ]


def _in_full(number: int, language: _Spoken) -> Iterator[str]:
    millions, rest = divmod(number, 1_000_000)
    milliards, few = divmod(millions, 1000)
    tails = _cardinal(rest, language) if rest else [""]
    joints = ("", language.joint) if language.joint else ("",)
    for joint in joints if rest else ("",):
        if millions:
            for name, head, tail in product(language.million, _cardinal(millions, language), tails):
                yield head + name + joint + tail
    if milliards:
        middles = [""]
        if few:
            middles = [a + b for b in language.million for a in _cardinal(few, language)]
        # "3 billion eight hundred million", and where a language leaves out the one: "miliard trzysta milionów".
        counts = [*_cardinal(milliards, language), str(milliards), *([""] if milliards == 1 else [])]
        heads = [a + b for b in language.milliard for a in counts]
        for first, second in product(joints if few else ("",), joints if rest else ("",)):
            for head, middle, tail in product(heads, middles, tails):
                yield head + first + middle + second + tail
    if not millions:
        yield from tails


def _with_decimals(scaled: Decimal, names: tuple[str, ...], language: _Spoken) -> Iterator[str]:
    exponent = scaled.as_tuple().exponent
    if not 1 <= scaled < 1000 or not isinstance(exponent, int) or not 0 < -exponent <= _MAX_DECIMALS:
        return
    whole, _, part = f"{scaled:f}".partition(".")
    wholes = [_letters(name) for name in language.cardinal(int(whole))]
    digits = ["".join(_letters(language.cardinal(int(digit))[0]) if digit != "0" else "" for digit in part)]
    ends = digits if "0" in part else [*digits, *_cardinal(int(part), language)]
    for end, point, name, head in product(dict.fromkeys(ends), language.points, names, wholes):
        yield head + point + end + name


_PRICE = re.compile(r"([0-9]{1,4})[.,]([0-9]{2})\s*([a-z]{3,12})\b([a-z ]*)")
_HUNDREDTHS = (
    "cents",
    "cent",
    "pence",
    "centimes",
    "rappen",
    "ore",
    "groszy",
    "paise",
    "centavos",
    "kurus",
    "",
)


def spoken_prices(text: str) -> Iterator[str]:
    """Yield a price of a phrase in English words run together, with its hundredths after the unit or before it:
    "seventytwoeurosandfortyfivecentspershare", "seventytwopointfourfiveeurospershare".
    """
    found = _PRICE.search(folded_text(text))
    if found is None or not 0 < int(found[1]) < 1000:
        return
    unit, behind = found[3], _letters(found[4])
    wholes = [_letters(name) for name in cardinals.english(int(found[1]))]
    digits = "".join(
        _letters(cardinals.english(int(digit))[0]) if digit != "0" else "zero" for digit in found[2]
    )
    for whole in wholes:
        yield whole + "point" + digits + unit + behind
        for part in cardinals.english(int(found[2])) if int(found[2]) else ():
            for joint, name in product(("", "and"), _HUNDREDTHS):
                yield whole + unit + joint + _letters(part) + name + behind


_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASES = (2, 8, 16, 32, 36)
_BASE62 = ("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
           "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
           "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
           "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")  # fmt: skip


def in_other_bases(value: Decimal) -> Iterator[str]:
    """Yield a whole figure's digits in bases 2, 8, 16, 32, 36, 58 and 62, in small letters."""
    if value != value.to_integral_value() or not 0 < value < _LARGEST * 1000:
        return
    for alphabet in (*(_DIGITS[:base] for base in _BASES), *_BASE62):
        number, digits = int(value), ""
        while number:
            number, place = divmod(number, len(alphabet))
            digits = alphabet[place] + digits
        yield digits.lower()
    yield f"{int(value):x}h"


_MYRIADS = ((12, "조"), (8, "억"), (4, "만"))


def korean_spellings(value: Decimal) -> Iterator[str]:
    """Yield a whole figure cut into myriads, with their Korean names between: "38억7500만"."""
    if value != value.to_integral_value() or not 10_000 <= value < 10**16:
        return
    rest, text = int(value), ""
    for power, name in _MYRIADS:
        part, rest = divmod(rest, 10**power)
        text += f"{part}{name}" if part else ""
    yield _letters(text + (str(rest) if rest else ""))
    for power, name in _MYRIADS:
        scaled = value.scaleb(-power).normalize()
        if 1 <= scaled < 100_000:
            yield _letters(f"{scaled:f}{name}")
