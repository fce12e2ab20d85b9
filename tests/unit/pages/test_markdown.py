"""Markdown, which Tavily gives in place of a page."""

import pytest
from doublethink_gate.pages import Limits, extract_page

MARKDOWN = "text/markdown; charset=utf-8"


def text(markdown: str) -> str:
    """The stored text."""
    return extract_page(markdown.encode(), MARKDOWN).text


def test_headings_paragraphs_and_lists() -> None:
    """The first heading of the first level is the title; wrapped lines join; each item is a line."""
    page = "intro\n\n# Results **2024**\nwrapped\nline\n\n## Part\n- one\n- two\n"
    page += "\n1. three\n> said\n\n---\nend  \nnext"
    assert text(page) == (
        "Results 2024\n\nintro\n\nResults 2024\n\nwrapped line\n\nPart\n\n"
        "one\n\ntwo\n\nthree said\n\nend\n\nnext\n"
    )


def test_pipe_tables_are_tables() -> None:
    """The divider goes, split numbers join, escaped pipes are text, empty columns are dropped."""
    page = (
        "| (in millions) | | 2024 | |\n|---|:-:|--:|---|\n| Sales \\| net | $ | 42,916 | |\n"
        "| Loss | | (31 | ) |\n| **Rate** | | 1.5 | % |\n"
    )
    assert text(page) == "\n\n(in millions)\t2024\nSales | net\t$ 42,916\nLoss\t(31)\nRate\t1.5%\n"


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("[Net sales](https://a.example/x_(y)) rose", "Net sales rose"),
        ("![logo](x.png) text", "text"),
        ("1,234<sup>1</sup> and a<br/>b<b>c</b>", "1,234¹ and a bc"),
        ("a * b * c and *d* and 5*", "a * b * c and d and 5*"),
        ("\\$5 &amp; \\*", "$5 & *"),
        ("a\u200bb<!-- hidden -->c", "a bc"),
        ("`code`", "code"),
    ],
)
def test_inline_marks_do_not_stay(markdown: str, plain: str) -> None:
    """What only gives form is dropped; what is read stays."""
    assert text(markdown) == f"\n\n{plain}\n"


def test_fenced_lines_stay_lines() -> None:
    """Preformatted lines are lines, and their marks are text no more than elsewhere."""
    assert text("```\n# a\nb\n```\nc") == "\n\n# a\n\nb\n\nc\n"


def test_tables_are_bounded() -> None:
    """Over the budget of cells the table ends and the page is marked."""
    page = extract_page(b"| a | 1 |\n" * 10, MARKDOWN, Limits(cells=10))
    assert page.cut
    assert page.text.count("\n") < 8
