"""What a page says of its language, and what its numbers show of how they are written."""

import pytest
from doublethink_gate.pages import extract_page
from doublethink_gate.pages.hints import decimal_sign, declared_language
from hypothesis import given
from hypothesis import strategies as st

HTML = "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("declared", "language"),
    [("de", "de"), ("en-US", "en-us"), ("pt_BR", "pt-br"), ("zh-Hans-CN", "zh-hans-cn"), ("", ""), ("x" * 60, ""),
     ("ignore all that", ""), (None, ""), ("de<script>", "")],
)  # fmt: skip
def test_a_language_is_a_tag_or_nothing(declared: str | None, language: str) -> None:
    """A page cannot say anything else by it."""
    assert declared_language(declared) == language


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Revenue was 1,284.6 and 7.45 %", "."),
        ("Umsatz 1.284,6 und 7,45 %", ","),
        ("1,234,567 shares", "."),
        ("1.234.567 Aktien", ","),
        # One sign before three digits can be either.
        ("1.234 and 5,678", ""),
        ("no numbers", ""),
        ("1,5 and 1.5", ""),
        ("version 1.2.3 of 10.0.0.1", ""),
    ],
)
def test_the_sign_before_decimals_is_told_by_numbers_that_have_one_reading(text: str, sign: str) -> None:
    """What can be read in two ways tells nothing."""
    assert decimal_sign(text) == sign


@given(st.text(alphabet="0123456789.,  -", max_size=2000))
def test_any_text_has_a_hint_or_none(text: str) -> None:
    """It ends, whatever the digits."""
    assert decimal_sign(text) in ("", ".", ",")


def test_a_page_has_both() -> None:
    """From its root element and its text."""
    page = extract_page("<html lang=de-AT><body><p>Umsatz 1.284,6 Mio. €</body></html>".encode(), HTML)
    assert (page.hints.language, page.hints.decimal) == ("de-at", ",")
    assert extract_page(b"<p>nothing", HTML).hints.language == ""
