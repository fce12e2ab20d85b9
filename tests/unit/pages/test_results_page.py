"""A page of results is recognised as a whole, or refused."""

import random

import pytest
from doublethink_gate.pages import FoundResult, PageError, ResultsChallenge, ResultsUnrecognised
from doublethink_gate.pages.results_page import MAX_RESULTS, read_results, target_of
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.duckduckgo import Hit, challenge_page, html_page, link_to, lite_page

QUERY = 'pumps "net sales" <2024>'
HITS = [
    Hit("https://www.acme.example/a?b=c&d=%20e", "Acme <b> results", "Sales & more"),
    Hit("https://b.example/"),
]
ADS = [Hit("https://shop.example/", "Buy pumps")]


@pytest.mark.parametrize("layout", [html_page, lite_page])
def test_results_are_read_and_advertisements_left_out(layout: object) -> None:
    """Links lead where they say, titles and words are text."""
    assert callable(layout)
    found = read_results(layout(QUERY, HITS, ads=ADS), QUERY)
    assert found.results == (
        FoundResult("https://www.acme.example/a?b=c&d=%20e", "Acme <b> results", "Sales & more"),
        FoundResult("https://b.example/", "A title", "Some words."),
    )
    assert (found.ads, found.dropped) == (1, 0)


@pytest.mark.parametrize("layout", [html_page, lite_page])
@pytest.mark.parametrize("said", ["No  results.", "No results found for <b>pumps</b>.", "No more results."])
def test_an_empty_page_says_so_itself(layout: object, said: str) -> None:
    """In its own words, and with no result beside them."""
    assert callable(layout)
    assert read_results(layout(QUERY, [], said=said), QUERY).results == ()
    with pytest.raises(ResultsUnrecognised, match="empty"):
        read_results(layout(QUERY, HITS, said=said), QUERY)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (html_page(QUERY, []), "empty"),
        (html_page(QUERY, [], ads=ADS), "empty"),
        (html_page(QUERY, [], said="Try again later."), "empty"),
        (html_page("another query", HITS), "query"),
        (html_page(QUERY, HITS).replace(b"name='q'", b"name='query'"), "form"),
        (html_page(QUERY, HITS).replace(b"id='links'", b"id='results'"), "layout"),
        (html_page(QUERY, HITS).replace(b"result__a", b"result__link", 1), "result"),
        (html_page(QUERY, HITS).replace(b"duckduckgo.com/l/", b"duckduckgo.com/m/"), "link"),
        (html_page(QUERY, HITS).replace(b"uddg=", b"udd="), "link"),
        (html_page(QUERY, HITS).replace(b"A title", b""), "title"),
        (html_page(QUERY, [Hit(f"https://a.example/{n}") for n in range(MAX_RESULTS + 1)]), "size"),
        (html_page(QUERY, HITS) + b"<p>" * 50_000, "size"),
        (html_page(QUERY, HITS) + b"\xff", "html"),
        (b"", "form"),
        (b"<html><body>Something else</body></html>", "form"),
    ],
)
def test_what_is_not_recognised_is_refused_with_the_part_that_is_not(body: bytes, what: str) -> None:
    """One result that is not understood refuses the page."""
    with pytest.raises(ResultsUnrecognised) as refused:
        read_results(body, QUERY)
    assert refused.value.what == what


@pytest.mark.parametrize(
    "body",
    [
        challenge_page(QUERY),
        b"<p>Unfortunately, bots use DuckDuckGo too.</p>",
        # Results that are hidden behind it count for nothing.
        html_page(QUERY, HITS).replace(b"</body>", b"<form id='challenge-form'></form></body>"),
    ],
)
def test_a_test_for_people_is_no_answer(body: bytes) -> None:
    """It is told apart from a page that is not understood."""
    with pytest.raises(ResultsChallenge):
        read_results(body, QUERY)


def test_an_address_comes_once_and_one_that_cannot_be_fetched_is_counted() -> None:
    """The first of several; schemes other than the web's, and addresses without an end, are dropped."""
    hits = [
        HITS[1],
        HITS[1],
        Hit("ftp://c.example/"),
        Hit("https://d.example/" + "x" * 3000),
        Hit("https://e.example/ f"),
    ]
    found = read_results(html_page(QUERY, hits), QUERY)
    assert [result.url for result in found.results] == ["https://b.example/"]
    assert found.dropped == 3


@pytest.mark.parametrize(
    ("href", "url"),
    [
        (link_to("https://a.example/?q=ü&x=%2F"), "https://a.example/?q=ü&x=%2F"),
        ("/l/?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("https://duckduckgo.com/l/?kh=-1&uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
        ("https://a.example/direct", "https://a.example/direct"),
        # Unwrapped once: what it leads to is an address like any other, for the guard to judge.
        (link_to("https://a.example/l/?uddg=b"), "https://a.example/l/?uddg=b"),
        ("javascript:alert(1)", None),
        ("//[", None),
        ("", None),
    ],
)
def test_a_redirect_is_unwrapped(href: str, url: str | None) -> None:
    """The address is the parameter itself."""
    assert target_of(href) == url


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.integers(0, 2**32), st.booleans())
def test_broken_pages_give_results_that_stood_there_or_an_error(noise: bytes, seed: int, lite: bool) -> None:
    """Bytes cut, doubled and strewn in: no crash, and no result out of nothing."""
    source = random.Random(seed)  # noqa: S311 - damage, no secret
    page = bytearray((lite_page if lite else html_page)(QUERY, HITS, ads=ADS))
    for _ in range(source.randrange(1, 6)):
        at = source.randrange(len(page))
        end = min(len(page), at + source.randrange(1, 60))
        page[at:end] = source.choice([b"", bytes(page[at:end]) * 2, noise])
    try:
        found = read_results(bytes(page), QUERY)
    except PageError:
        return
    assert len(found.results) <= MAX_RESULTS
    for result in found.results:
        assert result.url.startswith(("http://", "https://"))
        assert result.url.isprintable()


@given(st.text(max_size=300))
def test_whatever_a_link_is_it_gives_an_address_or_none(href: str) -> None:
    """Nothing but the one error for what is not understood."""
    try:
        url = target_of(href)
    except ResultsUnrecognised:
        return
    assert url is None or url.startswith(("http://", "https://"))
