"""The visible text of saved pages, and how a figure's page is found."""

import hashlib
from pathlib import Path

import pytest

from eval.answers.page_text import SavedPages, UnknownPage, compact, visible_text

_PAGE = b"""<html><head><title>Ardent plc</title><style>p{color:red}</style><script>1</script></head><body>
<div style="display: none">secret 1</div><p hidden>secret 2</p><span style="VISIBILITY:hidden">secret 3</span>
<ix:header><ix:hidden>secret 4</ix:hidden></ix:header><template>secret 5</template><!-- secret 6 -->
<table><tr><td>Net sales<sup>2</sup></td><td>$</td><td>42,916</td></tr>
<tr><td>Loss</td><td>(17</td><td>)</td></tr></table></body></html>"""


def test_hidden_elements_are_not_text() -> None:
    """Style, script, comments, templates and whatever is not displayed are left out; the title is kept."""
    text = visible_text(_PAGE)
    assert "secret" not in text
    assert "color" not in text
    assert compact(text) == "ArdentplcNetsales2$42,916Loss(17)"


def test_split_cells_and_footnote_marks_compare_equal() -> None:
    """White space of any kind, soft hyphens and superscript digits make no difference; a digit does."""
    page = compact(visible_text(_PAGE))
    assert compact("Net sales²\t$\u00a042,916\n\u2007Lo\u00adss (17)") in page
    assert compact("Net sales $ 42,917") not in page


def test_a_footnote_mark_in_brackets_compares_equal() -> None:
    """ "(1)" and "(a)" that a page raises are what the product writes in superscripts; another number is not."""
    page = compact(visible_text(b"<p>Average ticket <sup>(1)</sup> <sup>(a)</sup> $90.07</p>"))
    assert compact("Average ticket \u207d\u00b9\u207e \u207d\u1d43\u207e\t$90.07") in page
    assert compact("Average ticket \u207d\u00b2\u207e \u207d\u1d43\u207e\t$90.07") not in page


def test_a_deep_page_is_read() -> None:
    """Depth is no matter of the interpreter's stack."""
    assert "deep" in visible_text(b"<div>" * 5000 + b"deep")


@pytest.fixture
def pages(tmp_path: Path) -> SavedPages:
    """Three pages: two with the same address, one with its own."""
    folder = tmp_path / "pages"
    folder.mkdir()
    for name in ("Alpha", "beta", "gamma"):
        (folder / f"{name}.html").write_text(f"<p>{name} text</p>", encoding="utf-8")
    (tmp_path / "pages.tsv").write_text(
        "slug\toriginal_url\nAlpha\thttps://a.example/x (p. 1)\nbeta\thttps://b.example/\ngamma\thttps://b.example/\n",
        encoding="utf-8",
    )
    return SavedPages(folder)


@pytest.mark.parametrize(
    ("url", "text"),
    [
        ("https://a.example/x", "Alphatext"),
        ("https://alpha.pages.example/", "Alphatext"),
        ("http://127.0.0.1:1/pages/gamma.html", "gammatext"),
        ("https://beta.pages.example/", "betatext"),
    ],
)
def test_a_page_is_found_by_address_or_name(pages: SavedPages, url: str, text: str) -> None:
    """The address of the table where it is one page's own, else the name in the address."""
    assert pages.source_text({"url": url}) == text


def test_a_digest_of_the_bytes_goes_before_the_address(pages: SavedPages) -> None:
    """The bytes a figure rests on decide which page is meant."""
    digest = hashlib.sha256(b"<p>beta text</p>").hexdigest()
    assert pages.source_text({"url": "https://a.example/x", "page_sha256": digest}) == "betatext"


@pytest.mark.parametrize("url", ["https://b.example/", "https://elsewhere.example/x", "", None])
def test_an_address_that_names_no_one_page_is_unknown(pages: SavedPages, url: str | None) -> None:
    """Shared, foreign and missing addresses are errors."""
    with pytest.raises(UnknownPage):
        pages.source_text({"url": url})
