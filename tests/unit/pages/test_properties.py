"""Whatever the page, the text keeps its format."""

import string

import pytest
from doublethink_gate.pages import PageError, extract_page
from hypothesis import given, settings
from hypothesis import strategies as st

HTML = "text/html; charset=utf-8"
CONTINUATION = "\u2007"
BOUNDED = settings(max_examples=150, deadline=None)

_tags = st.sampled_from(
    [
        "table",
        "tr",
        "td",
        "th",
        "p",
        "div",
        "span",
        "sup",
        "br",
        "ul",
        "li",
        "b",
        "pre",
        "caption",
        "details",
        "tbody",
    ]
)
_attributes = st.sampled_from(
    [
        "",
        " colspan=2",
        " rowspan=3",
        " style='display:none'",
        " style='font-size:0'",
        " hidden",
        " colspan=0",
        " rowspan=999",
    ]
)
_words = st.text(
    alphabet=string.ascii_letters + "0123456789 $()%,.\t\n\u2007\u200b\u202e\U000e0041—&<", max_size=12
)
_pieces = st.one_of(
    st.builds(lambda t, a: f"<{t}{a}>", _tags, _attributes), st.builds(lambda t: f"</{t}>", _tags), _words
)
_pages = st.lists(_pieces, max_size=60).map("".join)


def keeps_format(text: str) -> None:
    """Assert the form of "page-text/1"."""
    assert text.endswith("\n")
    _title, *blocks = text[:-1].split("\n\n")
    for block in blocks:
        lines = block.split("\n")
        assert all(line.strip(" \t" + CONTINUATION) for line in lines)
        if len(lines) > 1:
            assert all("\t" in line for line in lines)
        widths = {len(line.split("\t")) for line in lines}
        assert len(widths) == 1
        for line in lines:
            cells = line.split("\t")
            assert cells[0] != CONTINUATION
            for cell in cells:
                assert cell in ("", CONTINUATION) or (
                    cell == " ".join(cell.split()) and CONTINUATION not in cell
                )


@BOUNDED
@given(_pages)
def test_any_markup_gives_the_format(page: str) -> None:
    """Tables are rectangular, paragraphs are lines, nothing invisible or unfolded is left."""
    extracted = extract_page(page.encode(), HTML)
    keeps_format(extracted.text)
    assert not {"\u200b", "\u202e", "\U000e0041"} & set(extracted.text)


@BOUNDED
@given(
    st.binary(max_size=400),
    st.sampled_from(["text/html", "text/plain", "text/markdown", "application/xhtml+xml"]),
)
def test_any_bytes_give_text_or_a_typed_error(body: bytes, content_type: str) -> None:
    """There is no third outcome."""
    try:
        extracted = extract_page(body, content_type)
    except PageError:
        return
    keeps_format(extracted.text)


@BOUNDED
@given(
    st.lists(
        st.lists(st.from_regex(r"[0-9]{1,3}(,[0-9]{3})?", fullmatch=True), min_size=3, max_size=3),
        min_size=2,
        max_size=8,
    )
)
def test_plain_tables_come_out_cell_for_cell(cells: list[list[str]]) -> None:
    """A table without spans or split numbers is given back as it is."""
    body = "".join(
        f"<tr><td>row {i}</td>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>"
        for i, row in enumerate(cells)
    )
    text = extract_page(f"<table>{body}</table>".encode(), HTML).text
    assert text == "\n\n" + "\n".join("\t".join([f"row {i}", *row]) for i, row in enumerate(cells)) + "\n"


@BOUNDED
@given(
    st.lists(
        st.tuples(
            st.booleans(), st.from_regex(r"[1-9][0-9]{0,2}(,[0-9]{3})?", fullmatch=True), st.booleans()
        ),
        min_size=2,
        max_size=6,
    )
)
def test_split_numbers_join(cells: list[tuple[bool, str, bool]]) -> None:
    """However signs and brackets are split off in a column, each row has its number in one cell."""
    rows, expected = "", []
    for index, (sign, number, negative) in enumerate(cells):
        left, right = ("(" + number, ")") if negative else (number, "")
        currency = "$" if sign else ""
        rows += f"<tr><td>row {index}</td><td></td><td>{currency}</td><td>{left}</td><td>{right}</td></tr>"
        expected.append(f"row {index}\t{currency}{' ' if sign else ''}{left}{right}")
    text = extract_page(f"<table>{rows}</table>".encode(), HTML).text
    assert text == "\n\n" + "\n".join(expected) + "\n"


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"<sup>" + b"1 " * 5000 + b"x</sup>", HTML),
        (b"<sup>" + b"1" * 5000 + b"</sup>", HTML),
        (b"<style>" + b"/*" * 200_000 + b"</style>", HTML),
        (b"<p style='" + b"/*" * 200_000 + b"'>x", HTML),
        (b"<?xml version='1.0'?><" + b"a" * 400_000, HTML),
        (b"<!--" * 100_000, "text/markdown"),
        (b"# " + b" " * 200_000 + b"x", "text/markdown"),
        (b"x" + b" " * 200_000, "text/plain"),
        (b"<table><tr><td>" + b"(" * 100_000 + b"<td>1</table>", HTML),
    ],
    ids=["marks", "digits", "comments", "style", "xml", "markdown-comments", "heading", "plain", "brackets"],
)
def test_repetition_does_not_explode(body: bytes, content_type: str) -> None:
    """Patterns that make a backtracking matcher try everything are read in one pass (this would not end)."""
    keeps_format(extract_page(body, content_type).text)
