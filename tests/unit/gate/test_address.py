"""Two spellings of one address are one; everything else that differs tells two pages apart."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from doublethink_gate.sessions.address import canonical
from hypothesis import given, settings
from hypothesis import strategies as st


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://Shop.Example:443/Annual", "https://shop.example/Annual"),
        ("https://shop.example", "https://shop.example/"),
        ("https://shop.example/a#tables", "https://shop.example/a"),
        ("https://shop.example/a?utm_source=mail&id=7&gclid=x", "https://shop.example/a?id=7"),
        ("https://shop.example/a?fbclid=1", "https://shop.example/a"),
        ("http://[2001:DB8::1]:80/", "http://[2001:db8::1]/"),
    ],
)
def test_spellings_of_one_address_are_one(url: str, same: str) -> None:
    """Case of scheme and host, the default port, the fragment and tracking parameters say nothing."""
    assert canonical(url) == canonical(same) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://shop.example/a", "https://shop.example/A"),
        ("https://shop.example/a", "http://shop.example/a"),
        ("https://shop.example/a", "https://shop.example:8443/a"),
        ("https://shop.example/a?x=1&y=2", "https://shop.example/a?y=2&x=1"),
        ("https://shop.example/a?utm=1", "https://shop.example/a"),
        ("https://shop.example/a", "https://shop.example/a/"),
    ],
)
def test_what_may_be_another_page_is_another_address(one: str, other: str) -> None:
    """Path, scheme, port and the order of parameters are kept apart."""
    assert canonical(one) != canonical(other)


@settings(max_examples=80, deadline=None)
@given(st.one_of(st.text(max_size=40), st.text(max_size=40).map("https://shop.example/".__add__)))
def test_the_one_spelling_is_its_own(text: str) -> None:
    """Any text has a spelling, and that spelling stays as it is."""
    assert canonical(canonical(text)) == canonical(text)


@pytest.mark.parametrize("url", ["https://[::1", "mailto:a@b.example", "https://a@shop.example/", "no url"])
def test_what_is_no_plain_address_stays_as_it_is(url: str) -> None:
    """Nothing is read into a text that is no address of a page."""
    assert canonical(url) == url


def test_a_fragment_never_reaches_the_host() -> None:
    """The one spelling of a page's address has no fragment."""
    assert not urlsplit(canonical("https://shop.example/#/deal?x=1")).fragment
