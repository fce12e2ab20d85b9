"""An answer as a memo: what stands in it, and that text of a page becomes neither markup nor another number."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from doublethink_console.memo import Read, markdown, memo_of, sheet
from doublethink_console.memo.plain import address, one_line, seen
from hypothesis import given, settings
from hypothesis import strategies as st

FACTS: Final = ["fct_" + letter * 26 for letter in "abc"]
SESSION: Final = "ses_" + "a" * 26


def figure(number: int = 0, **other: Any) -> dict[str, Any]:
    """A figure in the form of the API."""
    quote = "Net sales\t$ 391,035\t$ 383,285"
    return {
        "value": "391035000000",
        "unit": "USD",
        "shown": "US$391.035 billion",
        "period": "12 Months Ended Sep. 28, 2024",
        "quote": quote,
        "url": "https://www.example.com/r4.htm",
        "page_sha256": "11" * 32,
        "raw_sha256": "22" * 32,
        "offset": 120,
        "fact_id": FACTS[number],
        "quotes": [
            {"role": "figure", "text": quote, "start": 120, "end": 150},
            {"role": "scale", "text": "$ in Millions", "start": 60, "end": 73},
            {"role": "subject", "text": "Veldt Inc.", "start": 4, "end": 14},
        ],
        "label": "Net sales",
        "page_title": "Veldt Inc. – annual report",
        "fetched_at_us": 1_796_123_034_797_725,
        "flags": [],
        "direction": "none",
    } | other


def run(
    *figures: dict[str, Any], derived: list[dict[str, Any]] | None = None, **other: Any
) -> dict[str, Any]:
    """A run in the form of the API."""
    return {
        "session": SESSION,
        "question": "What were Veldt's net sales in fiscal 2024?",
        "status": "answered",
        "reason": "Every number of the answer stands in a quote.",
        "answer": {"text": "", "figures": list(figures), "derived": derived or []},
        "back_ends": {"planner": "rules", "reader": "extractive", "source": "corpus"},
        "counts": {"queries": 2, "pages": 3, "blocked": 0},
        "created_at": "2026-12-01T11:03:50.000Z",
    } | other


GROWTH: Final = {
    "operation": "growth",
    "operands": [FACTS[1], FACTS[0]],
    "value": "2.022",
    "unit": "percent",
    "shown": "≈ 2.02%",
    "formula": "(391,035,000,000 − 383,285,000,000) / 383,285,000,000 × 100 ≈ 2.02 (percent)",
}
EARLIER: Final = figure(1, shown="US$383.285 billion", period="12 Months Ended Sep. 30, 2023")
RIVAL: Final = figure(
    2,
    shown="US$390.9 billion",
    value="390900000000",
    quote="Veldt's net sales came to $390.9 billion.",
    quotes=[
        {"role": "figure", "text": "Veldt's net sales came to $390.9 billion.", "start": 900, "end": 941},
        {"role": "subject", "text": "Veldt", "start": 900, "end": 905},
    ],
    url="https://other.example/news",
    page_title="Other News",
    page_sha256="33" * 32,
    raw_sha256="44" * 32,
    fetched_at_us=1_796_123_090_000_000,
)
CASES: Final = {
    "answered": memo_of(run(figure())),
    "computed": memo_of(run(figure(), EARLIER, derived=[GROWTH])),
    "disagreeing": memo_of(run(figure(), figure(1, shown="US$390.9 billion", url="https://other.example/"))),
    "conflicting": memo_of(
        run(
            status="not_found",
            reason="No figure that answers the question was proven.",
            answer={"text": "", "figures": [], "derived": [], "conflicts": [{"figures": [figure(0), RIVAL]}]},
        ),
        [Read("https://www.example.com/r4.htm", "2026-12-01 11:03:54 UTC")],
        unchecked=1,
    ),
    "not_found": memo_of(
        run(status="not_found", reason="No figure that answers the question was proven."),
        [Read("https://www.example.com/a", "2026-12-01 11:03:54 UTC"), Read("javascript:alert(1)", "")],
        unchecked=1,
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("form", "write"), [("md", markdown), ("html", sheet)])
def test_a_memo_is_what_it_was(name: str, form: str, write: Any) -> None:
    """The whole text, as it was looked at: a change of it is a change of what people paste."""
    golden = Path(__file__).with_name("memos") / f"{name}.{form}"
    assert write(CASES[name]) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("write", [markdown, sheet])
def test_a_figure_has_all_that_proves_it(write: Any) -> None:
    """Amount, period, company, quote, link, time and both hashes."""
    text = write(CASES["answered"])
    for said in (
        "US$391.035 billion",
        "12 Months Ended Sep. 28, 2024",
        "Veldt Inc.",
        "391,035",
        "https://www.example.com/r4.htm",
        "2026-12-01 11:03:54 UTC",
        "11" * 32,
        "22" * 32,
        SESSION,
    ):
        assert said in text.replace("\\", "")


def test_a_computed_figure_names_its_operands_in_the_formulas_order() -> None:
    """Growth is from the earlier to the later, whatever their order in the list."""
    (calculation,) = CASES["computed"].calculations
    assert calculation.operands == (2, 1)


@pytest.mark.parametrize("write", [markdown, sheet])
def test_figures_that_stand_against_each_other_are_shown_one_by_one(write: Any) -> None:
    """Each with its own amount, quote, link, period, time and hashes; none is first, and no number stands for both."""
    text = write(CASES["conflicting"]).replace("\\", "")
    assert "Sources disagree: US$391.035 billion vs US$390.9 billion" in text
    assert "Not decided." in text
    assert "Not found" not in text
    for each in CASES["conflicting"].conflicts[0].evidence:
        for said in (each.amount, each.period, each.url, each.captured, each.page_sha256, each.raw_sha256):
            assert said in text
    assert "391,035" in text
    assert "came to $390.9 billion" in text
    assert "390.9675" not in text  # the mean
    # What is shown one by one is not said to be unshown.
    assert "could not be checked" not in text


def test_several_periods_are_no_disagreement() -> None:
    """They are shown in the same way, under what they are."""
    several = {"figures": [figure(), EARLIER]}
    answer = {"text": "", "figures": [figure(2)], "derived": [], "conflicts": [several]}
    memo = memo_of(run(answer=answer))
    assert memo.conflicts[0].headline == "More than one figure fits"
    assert [each.number for each in memo.conflicts[0].evidence] == [2, 3]


def test_sources_that_disagree_are_shown_and_not_averaged() -> None:
    """Two amounts of one label, period and company; other periods and companies are no disagreement."""
    assert CASES["disagreeing"].disagreements == ((1, 2),)
    assert CASES["computed"].disagreements == ()
    assert "Sources disagree" in markdown(CASES["disagreeing"])
    assert "Sources disagree" in sheet(CASES["disagreeing"])


def test_nothing_found_says_what_was_read() -> None:
    """The pages with their times; an address that is none of the web is not linked."""
    text = markdown(CASES["not_found"])
    assert "<https://www.example.com/a>, 2026-12-01 11:03:54 UTC" in text
    assert "javascript" not in text
    assert "javascript" not in sheet(CASES["not_found"])
    assert "No page was read." in markdown(memo_of(run(status="not_found")))


def test_an_answer_stored_before_amounts_were_written_is_shown() -> None:
    """Digits and unit stand for the amount."""
    old = {key: value for key, value in figure().items() if key != "shown"}
    assert "391035000000 USD" in markdown(memo_of(run(old)))


HOSTILE: Final = (
    "</blockquote><script>alert(1)</script><img src=x onerror=alert(1)>",
    "[click](javascript:alert(1)) ![x](https://evil.example/t.png) <https://evil.example>",
    "see https://evil.example/steal?q=1 or www.evil.example or mail a@evil.example",
    "\n\n# Heading\n\n| a | b |\n|---|---|\n```\ncode\n```\n- item\n1. item\n> quote\n***\n",
    "&lt;b&gt; &#60;script&#62; &amp; **bold** _it_ ~~no~~ `code` $x$ \\",
    "profit \u202e0001$\u202c of \u2066200\u2069 and \u200f5\u200e, \u200bhidden\ufeff \U000e0041",
    "{{ 7*7 }} {% raw %} ${7*7} <%= 1 %>",
)


class _Tags(HTMLParser):
    """The tags and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Notes a tag."""
        self.tags.append((tag, dict(attrs)))


def hostile(text: str) -> dict[str, Any]:
    """A run in which a page has `text` wherever a page's text can stand."""
    quotes = [
        {"role": role, "text": text, "start": 1, "end": 2}
        for role in ("figure", "period", "scale", "subject")
    ]
    return run(
        figure(
            quote=text,
            quotes=quotes,
            label=text,
            period=text,
            page_title=text,
            url=f"https://e.example/{text}",
            shown="5 billion",
        ),
        question=text,
    )


def tags_of(text: str) -> list[tuple[str, dict[str, str | None]]]:
    """The tags of a page with their attributes."""
    seen = _Tags()
    seen.feed(text)
    return seen.tags


_HARMLESS: Final = {tag for tag, _ in tags_of(sheet(CASES["answered"]))} | {"ul", "li"}


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_page_is_no_html(text: str) -> None:
    """No tag, attribute or address that the template does not have, and no sign that changes the order of others."""
    written = sheet(memo_of(hostile(text)))
    seen = tags_of(written)
    assert {tag for tag, _ in seen} <= _HARMLESS
    for tag, attributes in seen:
        assert not [
            name for name in attributes if name.startswith("on") or name in ("style", "src", "srcset")
        ]
        if tag == "a":
            assert (attributes["href"] or "").startswith(("#figure-", "https://e.example/"))
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]", written)


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_page_is_no_markdown(text: str) -> None:
    """No tag, link, image, heading, table, code or emphasis begins in it, and no line is added."""
    ordinary, written = markdown(memo_of(hostile("plain"))), markdown(memo_of(hostile(text)))
    assert written.count("\n") == ordinary.count("\n")
    inside = re.sub(r"<https://e\.example/[^<>\s]*>", "", written)
    bare = re.sub(r"\\[!-/:-@\[-`{-~]", "", inside)
    assert not re.search(r"<[A-Za-z/!]|\]\(|!\[|~~|\$|(?<!`)`[^`]*evil|https?:|//|www\.|\w@\w", bare)
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]", written)
    for line in written.split("\n"):
        assert not re.match(r"\s{0,3}(?:#{1,6} Heading|\|)|```", line)


@pytest.mark.parametrize(
    "sign", "\u034f\u115f\u1160\u17b4\u180b\u2800\u3164\ufe0f\uffa0\U000e0100\u200b\u202e\u00a0"
)
def test_letters_and_marks_that_show_nothing_stand_as_their_number(sign: str) -> None:
    """Also those that count as printable: a person who decides about a query sees every sign of it."""
    assert seen(f"pumps{sign} in") == f"pumps‹U+{ord(sign):04X}› in"


@given(st.text(max_size=200))
@settings(max_examples=150, deadline=None)
def test_any_text_is_one_line_that_can_be_seen(text: str) -> None:
    """Whatever a page holds."""
    assert one_line(text).isprintable()


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("https://a.example/x?y=1#z", "https://a.example/x?y=1#z"),
        ("https://a.example/a b><script>", "https://a.example/a%20b%3E%3Cscript%3E"),
        ("HTTPS://a.example/\u202e", "HTTPS://a.example/%E2%80%AE"),
        ("javascript:alert(1)", ""),
        ("data:text/html,x", ""),
        ("//a.example/", ""),
        ("", ""),
    ],
)
def test_only_the_web_is_linked(url: str, written: str) -> None:
    """Everything that could end a link or run is encoded or left out."""
    assert address(url) == written
