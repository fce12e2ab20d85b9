"""Whole numbers below a thousand in words, in thirteen languages; facts of the languages, written down for this
project.

Words are given run together, since they are compared without separators; where a language writes a number in more than
one way ("hundred and five", "hundred five"), all of the usual ones are given.
"""

from __future__ import annotations

from collections.abc import Callable

Cardinal = Callable[[int], tuple[str, ...]]
"""Names of a number from 1 to 999."""


def _each(heads: tuple[str, ...], joints: tuple[str, ...], tails: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(head + joint + tail for head in heads for joint in joints for tail in tails))


def _regular(
    small: str,
    tens: str,
    hundreds: str,
    *,
    ten_joint: str = "",
    joints: tuple[str, ...] = ("",),
    ones: str = "",
) -> Cardinal:
    """Numbers made of a hundred, a ten and a one in this order.

    Args:
        small: names of 1 to 19, or to 29 where those are words of their own.
        tens: of 20 to 90. hundreds: of 100 to 900, alternatives with a stroke between.
        ten_joint: between a ten and a one. joints: between hundreds and the rest.
        ones: other names of one, as before a thousand million.
    """
    names, by_ten = small.split(), tens.split()
    by_hundred = [tuple(name.split("|")) for name in hundreds.split()]

    def below_hundred(number: int) -> tuple[str, ...]:
        if number == 1:
            return (names[0], *ones.split())
        if number <= len(names):
            return (names[number - 1],)
        ten, one = divmod(number, 10)
        head = by_ten[ten - 2]
        return (head + ten_joint + names[one - 1],) if one else (head,)

    def name(number: int) -> tuple[str, ...]:
        hundred, rest = divmod(number, 100)
        if not hundred:
            return below_hundred(rest)
        heads = by_hundred[hundred - 1]
        return _each(heads, joints, below_hundred(rest)) if rest else heads

    return name


def _ones_first(
    small: str, tens: str, hundreds: str, joint: str, *, joints: tuple[str, ...] = ("",), ones: str = ""
) -> Cardinal:
    """The same where the one stands before the ten: "vierundzwanzig"."""
    names, by_ten = small.split(), tens.split()
    plain = _regular(small, tens, hundreds, joints=joints, ones=ones)

    def turned(number: int) -> tuple[str, ...]:
        ten, one = divmod(number, 10)
        unit = names[one - 1].removesuffix("s") if one == 1 and joint == "und" else names[one - 1]
        return (unit + joint + by_ten[ten - 2],)

    def name(number: int) -> tuple[str, ...]:
        hundred, rest = divmod(number, 100)
        if rest < 20 or rest % 10 == 0:
            return plain(number)
        return _each(plain(hundred * 100), joints, turned(rest)) if hundred else turned(rest)

    return name


def _italian(number: int) -> tuple[str, ...]:
    hundred, rest = divmod(number, 100)
    if rest < 20:
        tail = _ITALIAN[rest - 1] if rest else ""
    else:
        ten, one = divmod(rest, 10)
        stem = _ITALIAN_TENS[ten - 2]
        tail = (stem[:-1] if one in (1, 8) else stem) + (_ITALIAN[one - 1] if one else "")
    if not hundred:
        return ("un", "uno") if number == 1 else (tail,)
    head = ("" if hundred == 1 else _ITALIAN[hundred - 1]) + "cento"
    return (head + tail, head[:-1] + tail) if tail.startswith("ott") else (head + tail,)


_ITALIAN = [
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
]
_ITALIAN_TENS = ["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"]


def _french(number: int) -> tuple[str, ...]:
    hundred, rest = divmod(number, 100)
    tails = _french_tail(rest)
    if not hundred:
        return tails
    heads = ("cent",) if hundred == 1 else (_FRENCH[hundred - 1] + "cent", _FRENCH[hundred - 1] + "cents")
    return _each(heads, ("",), tails)


def _french_tail(rest: int) -> tuple[str, ...]:
    """Names of 0 to 99, in Belgium and Switzerland too."""
    if rest < 20:
        return (_FRENCH[rest - 1],) if rest else ("",)
    if rest == 80:
        return "quatrevingts", "quatrevingt"
    ten, one = divmod(rest, 10)
    behind = one + (10 if ten in (7, 9) else 0)
    joint = "et" if behind in (1, 11) and ten < 8 else ""
    named = _FRENCH_TENS[ten - 2] + joint + (_FRENCH[behind - 1] if behind else "")
    if ten not in (7, 9):
        return (named,)
    plain = "septante" if ten == 7 else "nonante"
    return named, plain + ("et" if one == 1 else "") + (_FRENCH[one - 1] if one else "")


_FRENCH = [
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
    "dixsept",
    "dixhuit",
    "dixneuf",
]
_FRENCH_TENS = [
    "vingt",
    "trente",
    "quarante",
    "cinquante",
    "soixante",
    "soixante",
    "quatrevingt",
    "quatrevingt",
]


english = _regular(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen",
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "onehundred|ahundred twohundred threehundred fourhundred fivehundred sixhundred sevenhundred eighthundred "
    "ninehundred",
    joints=("", "and"),
    ones="a",
)
german = _ones_first(
    "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn "
    "achtzehn neunzehn",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "hundert|einhundert zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert "
    "neunhundert",
    "und",
    joints=("", "und"),
    ones="eine ein",
)
french: Cardinal = _french
spanish = _regular(
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "cien|ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
    ten_joint="y",
    ones="un",
)
italian: Cardinal = _italian
portuguese = _regular(
    "um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito "
    "dezenove",
    "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "cem|cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
    ten_joint="e",
    joints=("e", ""),
)
dutch = _ones_first(
    "één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien "
    "achttien negentien",
    "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
    "honderd|éénhonderd tweehonderd driehonderd vierhonderd vijfhonderd zeshonderd zevenhonderd achthonderd "
    "negenhonderd",
    "en",
    joints=("", "en"),
)
swedish = _regular(
    "ett två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton nitton",
    "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    "etthundra|hundra tvåhundra trehundra fyrahundra femhundra sexhundra sjuhundra åttahundra niohundra",
    ones="en",
)
danish = _ones_first(
    "en to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten",
    "tyve tredive fyrre halvtreds tres halvfjerds firs halvfems",
    "hundrede|ethundrede tohundrede trehundrede firehundrede femhundrede sekshundrede syvhundrede ottehundrede "
    "nihundrede",
    "og",
    joints=("og", ""),
    ones="et",
)
norwegian = _regular(
    "en to tre fire fem seks sju åtte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten",
    "tjue tretti førti femti seksti sytti åtti nitti",
    "hundre|etthundre tohundre trehundre firehundre femhundre sekshundre sjuhundre åttehundre nihundre",
    joints=("og", ""),
    ones="ett et",
)
finnish = _regular(
    "yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen yksitoista kaksitoista kolmetoista "
    "neljätoista viisitoista kuusitoista seitsemäntoista kahdeksantoista yhdeksäntoista",
    "kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä kahdeksankymmentä "
    "yhdeksänkymmentä",
    "sata kaksisataa kolmesataa neljäsataa viisisataa kuusisataa seitsemänsataa kahdeksansataa yhdeksänsataa",
)
polish = _regular(
    "jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście trzynaście czternaście "
    "piętnaście szesnaście siedemnaście osiemnaście dziewiętnaście",
    "dwadzieścia trzydzieści czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt",
    "sto dwieście trzysta czterysta pięćset sześćset siedemset osiemset dziewięćset",
)
turkish = _regular(
    "bir iki üç dört beş altı yedi sekiz dokuz on onbir oniki onüç ondört onbeş onaltı onyedi onsekiz ondokuz",
    "yirmi otuz kırk elli altmış yetmiş seksen doksan",
    "yüz ikiyüz üçyüz dörtyüz beşyüz altıyüz yediyüz sekizyüz dokuzyüz",
)
