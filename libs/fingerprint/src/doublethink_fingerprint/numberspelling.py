"""How a large figure is written with the scale words of languages whose number words are not read as values.

Facts of the languages, written down for this project: the digits, what stands for the decimal point, and the names of
a million, of a thousand millions and of a million millions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

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
