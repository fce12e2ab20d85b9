"""How a day is written: as digits, as day counts, as words with month names."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

from doublethink_fingerprint import cardinals
from doublethink_fingerprint.fold import folded_text

# Month names by folded spelling, January first; facts of the languages, written down for this project.
_MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar marz april mai juni juli august september oktober november dezember",
    "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "januari februari maart april mei juni juli augustus september oktober november december",
    "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
    "januari februari mars april maj juni juli augusti september oktober november december",
    "januar februar mars april mai juni juli august september oktober november desember",
    "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta syyskuuta"
    " lokakuuta marraskuuta joulukuuta",
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia",
    "jan feb mrz apr mai jun jul aug sep okt nov dez",
    "jan feb mrt apr maj juni juli aug sept okt nov des",
)
_ROMAN = "i ii iii iv v vi vii viii ix x xi xii"
_ENGLISH_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
                     "nine": "ninth", "twelve": "twelfth"}  # fmt: skip
_GERMAN_ORDINALS = {1: "erst", 3: "dritt", 7: "siebt", 8: "acht"}
_EXCEL_EPOCH = date(1899, 12, 30)


def digit_spellings(day: date) -> Iterator[str]:
    """Yield runs of digits: ISO, day or month first, short years, ordinal date, spreadsheet and Unix days."""
    year4, year2 = f"{day.year:04d}", f"{day.year % 100:02d}"
    for year in (year4, year2):
        for d in {f"{day.day:02d}", str(day.day)}:
            for m in {f"{day.month:02d}", str(day.month)}:
                yield from (d + m + year, m + d + year, year + m + d, year + d + m)
    ordinal = day.timetuple().tm_yday
    yield f"{year4}{ordinal:03d}"
    yield str((day - _EXCEL_EPOCH).days)
    yield str(abs(int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())))


def spoken_spellings(day: date) -> Iterator[str]:
    """Yield a day that is said in words, in English and German: "july eleven nineteen sixty one", run together."""
    month, german_month = (_MONTHS[row].split()[day.month - 1] for row in (0, 2))
    for said in cardinals.english(day.day):
        ordinal = _english_ordinal(said)
        for year in _said_year(day.year, cardinals.english, "hundred", ("twothousand", "twothousandand")):
            for written in (said, ordinal, "the" + ordinal):
                yield month + written + year
            for joiner in ("", "of"):
                yield ordinal + joiner + month + year
    for said in cardinals.german(day.day):
        stem = _GERMAN_ORDINALS.get(day.day, folded_text(said) + ("t" if day.day < 20 else "st"))
        for year in _said_year(day.year, cardinals.german, "hundert", ("zweitausend", "zweitausendund")):
            for ending in ("e", "en", "er"):
                yield stem + ending + german_month + year


def _english_ordinal(said: str) -> str:
    for name, ordinal in _ENGLISH_ORDINALS.items():
        if said.endswith(name):
            return said.removesuffix(name) + ordinal
    return said.removesuffix("y") + "ieth" if said.endswith("y") else said + "th"


def _said_year(
    year: int, name: cardinals.Cardinal, hundred: str, after_2000: tuple[str, ...]
) -> Iterator[str]:
    """Yield a year as two pairs, with and without "hundred", and after 2000 as a number."""
    century, rest = divmod(year, 100)
    tails = [folded_text(tail).replace(" ", "") for tail in name(rest)] if rest else [""]
    heads = [*name(century), *(head + hundred for head in name(century))]
    for tail in tails:
        if century != 20:
            yield from (head + tail for head in heads if rest or head.endswith(hundred))
            continue
        yield from (head + tail for head in (after_2000 if rest else after_2000[:1]))
        if rest:
            yield from (head + tail for head in name(century))


def word_spellings(day: date) -> Iterator[str]:
    """Yield letters and digits run together: day and month name in either order, in eleven languages."""
    suffix = "th" if 10 < day.day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    years = (f"{day.year:04d}", f"{day.year % 100:02d}")
    months = {names.split()[day.month - 1] for names in _MONTHS}
    for month in sorted(months):
        for d in {str(day.day), f"{day.day:02d}", f"{day.day}{suffix}"}:
            for year in years:
                yield from (d + month + year, month + d + year, year + month + d, year + d + month)
        for year in years:
            for joiner in ("of", "de", "di", "den"):
                yield f"{day.day}{joiner}{month}{year}"
                yield f"{day.day}{joiner}{month}{joiner}{year}"
    yield f"{day.day}{suffix}of{_MONTHS[0].split()[day.month - 1]}{years[0]}"
    ordinal = day.timetuple().tm_yday
    yield f"day{ordinal}of{years[0]}"
    yield f"{years[0]}day{ordinal}"
    # As the C library prints it, at midnight.
    yield f"{_MONTHS[1].split()[day.month - 1]}{day.day}000000{years[0]}"
    # The fields of a record.
    for d, m in ((str(day.day), str(day.month)), (f"{day.day:02d}", f"{day.month:02d}")):
        for names in (("year", "month", "day"), ("y", "m", "d"), ("yyyy", "mm", "dd")):
            parts = [name + part for name, part in zip(names, (years[0], m, d), strict=True)]
            yield from ("".join(parts), "".join(reversed(parts)), parts[1] + parts[2] + parts[0])
    yield f"{day.day}{_ROMAN.split()[day.month - 1]}{years[0]}"
    yield from spoken_spellings(day)
    week = day.isocalendar()
    yield f"{week.year}w{week.week:02d}{week.weekday}"
