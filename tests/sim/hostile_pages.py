"""Pages that are made to cost as much as they can: of any length, each of one shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count, repeat
from typing import Final

_TITLE: Final = "Acme Corp results"
_MOST_ROWS: Final = 15_000


def _filled(length: int, head: str, parts: Iterator[str]) -> str:
    out, size = [_TITLE, "", *([head] if head else [])], 0
    while size < length:
        part = next(parts)
        out.append(part)
        size += len(part) + 1
    return "\n".join(out) + "\n"


def _rows(head: str, row: Callable[[int], str], above: str = "Acme Corp net sales") -> Iterator[str]:
    """Rows for ever, in tables as long as a page text may have them."""
    for number in count():
        if number % _MOST_ROWS == 0:
            yield f"\n{above}\n\n{head}"
        yield row(number)


def giant_table(length: int) -> str:
    """As many rows as fit, each of which the query could mean."""
    head = "in millions\tThree Months Ended June 30, 2024\tThree Months Ended June 30, 2023"
    return _filled(
        length, "", _rows(head, lambda n: f"Net sales {n}\t{n % 9000}.{n % 10}\t{n % 8000}.{n % 7}")
    )


def wide_table(length: int) -> str:
    """Rows of as many columns as a page text may have."""
    head = "in millions\t" + "\t".join(f"June 30, {1990 + n % 40}" for n in range(380))
    return _filled(
        length, "", _rows(head, lambda n: "Net sales\t" + "\t".join(str(n + c) for c in range(380)))
    )


def changing_headings(length: int) -> str:
    """Wide rows of changes, with new headings after every second."""
    head = "\t" + "\t".join(["2024\t2023\tChange"] * 15)

    def parts() -> Iterator[str]:
        for n in count():
            yield head if n % 3 == 0 else "Net sales\t" + "\t".join(str(n + c) for c in range(45))

    return _filled(length, "", parts())


def heading_rows(length: int) -> str:
    """A table that is nearly all headings, which stand over all of its values."""
    parts = (f"\tJune {1 + n % 28}, {1990 + n % 40}\tJune 30, 2022" for n in count())
    rows = "Net sales (in millions)\t1\t2\n" * 400
    return _filled(min(length, 400_000), "", parts) + rows


def tiny_tables(length: int) -> str:
    """Tables of one row, each under a line that speaks for several of them."""
    parts = (
        f"The following tables show net sales\n\nYear ended June 30, {1990 + n % 40}\n\nNet sales\t{n}\n"
        for n in count()
    )
    return _filled(length, "", parts)


def unscaled_tables(length: int) -> str:
    """Tables of one row, far below the line that says their scale."""
    return _filled(length, "Amounts in millions\n", (f"a\t{n % 10}\n\nb\n" for n in count()))


def total_rows(length: int) -> str:
    """Rows that are totals, rivals of each other, and print other decimals than their table."""
    row = "Total net sales attributable to Acme"
    return _filled(
        length, "", _rows("in millions\t2024\t2023\tTotal", lambda n: f"{row}\t{n}.12\t{n + 1}.11\t$4")
    )


def under_a_paragraph(length: int) -> str:
    """A table under a paragraph that is a quarter of the page."""
    paragraph = "In the year 2024 net sales of the Company were as follows, as Excluded Adjusted items moved "
    above = paragraph * (length // 4 // len(paragraph))
    return _filled(
        length, "", _rows("in millions\t2024\t2023", lambda n: f"Net sales {n}\t{n}\t{n + 1}", above)
    )


def long_cells(length: int) -> str:
    """Cells that hold many figures."""
    return _filled(
        length, "", _rows("in millions\t2024", lambda n: "Net sales\t" + "US$391.0 billion (2024) " * 20)
    )


def paragraphs(length: int) -> str:
    """Sentences that all speak of what is asked."""
    sentence = "Net sales of Acme Corp were ${} million in 2024, up 12.5% from $3.6 million in 2023. "
    return _filled(length, "", ("".join(sentence.format(n + s) for s in range(10)) for n in count()))


def one_paragraph(length: int) -> str:
    """The same without an end of line."""
    return _filled(
        length, "", repeat("Net sales of Acme Corp were $4.2 million in 2024. " * (length // 50 + 1))
    )


def short_lines(length: int) -> str:
    """As many lines as fit, each with a figure and a period."""
    return _filled(length, "", (f"Net sales ${n} in 2024" for n in count()))


def dense_sentences(length: int) -> str:
    """Sentences with as many figures as may be read in one."""
    return _filled(
        length, "", ("Acme Corp net sales " + f"$1.{n % 9} million 2024, " * 27 + "5." for n in count())
    )


def quarters(length: int) -> str:
    """Sentences and rows that could all tell which quarter closes when."""

    def parts() -> Iterator[str]:
        for n in count():
            yield f"Net sales were ${n}.{n % 9}1 million in the second quarter of fiscal 2024."
            yield f"\nIn millions\tThree months ended June 30, 2024\nSales {n}\t{n}.1\n"

    return _filled(length, "", parts())


def year_ends(length: int) -> str:
    """Lines that each name a quarter and its closing day, and contradict each other."""
    parts = (
        f"second quarter of fiscal {1950 + n % 100} ended June {1 + n % 30}, {1990 + n % 40} net sales ${n} million."
        for n in count()
    )
    return _filled(length, "", parts)


def names(length: int) -> str:
    """A page that calls itself by thousands of names."""
    parts = (f"Acme{n} Net{n} Corp\n\nAcme Corp net sales were ${n} million in 2024." for n in count())
    return _filled(length, "", parts)


def short_forms(length: int) -> str:
    """One line of brackets that each define a name again."""
    return _filled(length, "", repeat('Acme Corp ("Acme," "A") ' * (length // 24 + 1)))


HOSTILE: Final[tuple[Callable[[int], str], ...]] = (
    giant_table,
    wide_table,
    changing_headings,
    heading_rows,
    tiny_tables,
    unscaled_tables,
    total_rows,
    under_a_paragraph,
    long_cells,
    paragraphs,
    one_paragraph,
    short_lines,
    dense_sentences,
    quarters,
    year_ends,
    names,
    short_forms,
)
