"""Page texts with known truth, for tests of reading and proving: statements as tables, and press releases
as prose.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

SPANNED = "\u2007"


@dataclass(frozen=True)
class Truth:
    """A true claim about a page, and the company and metric that it is of."""

    page: str
    quote: str
    value: str
    scale: str | None
    unit: str
    period: str
    headings: tuple[str, ...] = ()
    direction: str = "none"
    flags: tuple[str, ...] = ()
    metric: str = ""


@dataclass(frozen=True)
class Line:
    """A row of a statement: its label, the kind of number, and a value a column, as printed."""

    label: str
    kind: str  # "money", "per_share" or "percent"
    values: tuple[str, ...]


@dataclass(frozen=True)
class Statement:
    """A statement as a table: a company, a title, a scale, columns by (heading, date), and its lines."""

    company: str = "Halvorsen Pumps, Inc."
    title: str = "CONSOLIDATED STATEMENTS OF INCOME"
    scale: str = "(in millions, except per share data)"
    scale_word: str = "million"
    currency: str = "$"
    columns: tuple[tuple[str, str], ...] = (
        ("Three Months Ended", "June 30, 2024"),
        ("Three Months Ended", "June 30, 2023"),
        ("Six Months Ended", "June 30, 2024"),
        ("Six Months Ended", "June 30, 2023"),
    )
    lines: tuple[Line, ...] = field(default_factory=tuple)
    before: str = ""
    after: str = ""

    def text(self) -> str:
        """The page."""
        blocks = [self.company, self.company.upper(), self.title, self.scale]
        head = "\n\n".join(b for b in blocks if b)
        table = "\n".join([*self._headings(), *(self._row(line) for line in self.lines)])
        return "\n\n".join(p for p in (head, self.before, table, self.after) if p) + "\n"

    def _headings(self) -> list[str]:
        top, low = [""], [""]
        previous = None
        for heading, date in self.columns:
            top.append(SPANNED if heading == previous and heading else heading)
            low.append(date)
            previous = heading
        return ["\t".join(top), "\t".join(low)] if any(h for h, _ in self.columns) else ["\t".join(low)]

    def _row(self, line: Line) -> str:
        return "\t".join([line.label, *(self._cell(line, value) for value in line.values)])

    def _cell(self, line: Line, value: str) -> str:
        if value in ("—", ""):
            return value
        if line.kind == "percent":
            return f"{value}%"
        first = next(x for x in self.lines if x.kind == line.kind and any(x.values))
        return f"{self.currency} {value}" if line is first or line.kind == "per_share" else value

    def truths(self) -> Iterator[Truth]:
        """Every cell as a true claim."""
        page = self.text()
        for line in self.lines:
            for (heading, date), value in zip(self.columns, line.values, strict=True):
                if value in ("—", ""):
                    continue
                unit = {
                    "money": self.currency,
                    "per_share": f"{self.currency}_per_share",
                    "percent": "percent",
                }[line.kind]
                scale = self.scale_word if line.kind == "money" else None
                yield Truth(
                    page=page,
                    quote=self._row(line),
                    value=value,
                    scale=scale,
                    unit={
                        "€": "EUR",
                        "£": "GBP",
                        "€_per_share": "EUR_per_share",
                        "£_per_share": "GBP_per_share",
                    }.get(unit, unit),
                    period=f"{heading} {date}".strip(),
                    headings=(self.scale,) if scale else (),
                    metric=line.label,
                )


INCOME = Statement(
    lines=(
        Line("Net sales", "money", ("1,204.5", "1,100.2", "2,310.0", "2,150.4")),
        Line("Cost of sales", "money", ("804.1", "731.9", "1,544.6", "1,432.8")),
        Line("Gross profit", "money", ("400.4", "368.3", "765.4", "717.6")),
        Line("Gross margin percentage", "percent", ("33.2", "33.5", "33.1", "33.4")),
        Line("Operating loss", "money", ("(12.5)", "(48.7)", "(3.9)", "(77.2)")),
        Line("Net loss", "money", ("(9.8)", "(41.6)", "(1.7)", "(60.3)")),
        Line("Diluted earnings per share", "per_share", ("(0.12)", "(0.51)", "(0.02)", "(0.74)")),
    )
)
"""A quarterly statement with losses, a margin and an amount per share."""

BALANCE = Statement(
    title="CONSOLIDATED BALANCE SHEETS",
    scale="(in thousands)",
    scale_word="thousand",
    columns=(("", "June 30, 2024"), ("", "December 31, 2023")),
    lines=(
        Line("Cash and cash equivalents", "money", ("84,310", "61,277")),
        Line("Inventories", "money", ("142,955", "150,118")),
        Line("Total assets", "money", ("976,270", "889,810")),
        Line("Total liabilities", "money", ("487,881", "476,590")),
    ),
)
"""A balance sheet: dates alone over its columns."""

_SENTENCES = (
    "{company} reported net sales of ${value} million in {period}.",
    "Net sales for {period} were ${value} million.",
    "Operating income for {period} was ${value} million, compared to ${other} million for {before}.",
    "{company} announced that net income for {period} was €{value} million.",
    "Operating margin was {percent}% in {period}.",
    "Diluted earnings per share were ${share} for {period}.",
)
_PERIODS = (
    ("the second quarter of fiscal 2024", "the second quarter of fiscal 2023"),
    ("fiscal 2024", "fiscal 2023"),
    ("the three months ended June 30, 2024", "the three months ended June 30, 2023"),
    ("the fiscal year ended September 28, 2024", "the fiscal year ended September 30, 2023"),
)


def prose(seed: int, count: int = 12) -> Iterator[Truth]:
    """Press releases of one sentence under a heading, each with one true claim."""
    chance = random.Random(seed)  # noqa: S311 - test data, no secret
    for _ in range(count):
        period, before = chance.choice(_PERIODS)
        value = f"{chance.randint(1, 9)},{chance.randint(100, 999)}.{chance.randint(1, 9)}"
        other = f"{chance.randint(100, 999)}.{chance.randint(1, 9)}"
        percent = f"{chance.randint(2, 48)}.{chance.randint(1, 9)}"
        share = f"{chance.randint(1, 9)}.{chance.randint(11, 99)}"
        form = chance.choice(_SENTENCES)
        sentence = form.format(
            company="Halvorsen Pumps, Inc.",
            value=value,
            other=other,
            percent=percent,
            share=share,
            period=period,
            before=before,
        )
        page = "\n\n".join(
            (
                "Halvorsen Pumps, Inc.",
                "HALVORSEN PUMPS, INC. REPORTS RESULTS",
                sentence,
                "All amounts of the period are unaudited.\n",
            )
        )
        truth = Truth(
            page=page,
            quote=sentence,
            value=value,
            scale="million",
            unit="$",
            period=period.removeprefix("the "),
            metric=form,
        )
        if "{percent}" in form:
            truth = replace(truth, value=percent, scale=None, unit="percent")
        elif "{share}" in form:
            truth = replace(truth, value=share, scale=None, unit="$_per_share")
        elif "€" in form:
            truth = replace(truth, unit="EUR")
        yield truth


def statements(seed: int) -> Iterator[Statement]:
    """Statements of the forms above with random amounts, scales and currencies."""
    chance = random.Random(seed)  # noqa: S311 - test data, no secret

    def amount(value: str) -> str:
        if value in ("—", ""):
            return value
        digits = "".join(chance.choice("123456789") if c.isdigit() else c for c in value)
        return digits

    for form in (INCOME, BALANCE):
        for currency, scale, word in (
            ("$", form.scale, form.scale_word),
            ("€", "(in thousands of euros, except per share data)", "thousand"),
            ("£", "(in billions, except per share data)", "billion"),
        ):
            yield replace(
                form,
                currency=currency,
                scale=scale,
                scale_word=word,
                lines=tuple(replace(line, values=_distinct(line.values, amount)) for line in form.lines),
            )


def _distinct(values: Sequence[str], change: object) -> tuple[str, ...]:
    made: list[str] = []
    for value in values:
        candidate = change(value)  # type: ignore[operator]  # a function of one text
        while candidate in made and candidate not in ("—", ""):
            candidate = change(value)  # type: ignore[operator]  # a function of one text
        made.append(candidate)
    return tuple(made)
