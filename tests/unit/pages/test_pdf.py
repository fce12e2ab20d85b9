"""PDF files as text: pages named, tables as rows and columns, and nothing of what cannot be read."""

import random

import pytest
from doublethink_gate.pages import PageError, PageUnreadable, PdfEncrypted, PdfWithoutText, extract_page
from sim.pdf import assembled, encrypted, endless, pdf

PDF = "application/pdf"
PROSE = [
    (72, 700, "Halvorsen Pumps reported revenue of $1,284.6 million"),
    (72, 688, "for fiscal 2024, up 7.4% on the year before."),
    (72, 660, "The order book grew."),
]
TABLE = [
    (72, 700, "Consolidated statements of income"),
    (72, 688, "(in millions)"),
    (330, 670, "2024"), (450, 670, "2023"),
    (72, 658, "Revenue"), (312, 658, "1,284.6"), (432, 658, "1,196.3"),
    (72, 646, "Cost of sales"), (318, 646, "(801.2)"), (438, 646, "(755.0)"),
    (72, 634, "Operating income"), (324, 634, "152.9"), (444, 634, "130.1"),
    (72, 600, "The notes are part of these statements."),
]  # fmt: skip


def test_every_page_is_named_and_lines_of_a_paragraph_are_joined() -> None:
    """Where a quote stands in the text says which page it is on."""
    page = extract_page(pdf(PROSE, PROSE[2:], title="Annual report"), PDF)
    assert page.text == (
        "Annual report\n\n[page 1]\n\nHalvorsen Pumps reported revenue of $1,284.6 million for fiscal 2024, up 7.4% on "
        "the year before.\n\nThe order book grew.\n\n[page 2]\n\nThe order book grew.\n"
    )
    assert (page.title, page.cut, page.hints.decimal) == ("Annual report", False, ".")
    assert page.extractor.startswith("page-text/1/pypdf-")
    quote = b"revenue of $1,284.6 million"
    at = page.text.encode().index(quote)
    assert page.text.encode()[at : at + len(quote)] == quote


def test_a_table_keeps_rows_and_columns_under_their_headings() -> None:
    """A figure stands in the column of its year and the row of its name."""
    text = extract_page(pdf(TABLE), PDF).text
    assert "\n\n\t2024\t2023\nRevenue\t1,284.6\t1,196.3\nCost of sales\t(801.2)\t(755.0)\n" in text
    assert "\nOperating income\t152.9\t130.1\n\nThe notes are part of these statements.\n" in text
    assert "\n\nConsolidated statements of income (in millions)\n\n" in text


def test_prose_in_columns_is_read_column_by_column() -> None:
    """A line across both columns would be nobody's sentence."""
    left = [(72, 700 - 12 * n, f"Left words number {n} go on") for n in range(8)]
    right = [(350, 700 - 12 * n, f"right text line {n} too") for n in range(8)]
    text = extract_page(pdf([*left, *right]), PDF).text
    assert "go on right text" not in text
    assert text.index("Left words number 7") < text.index("right text line 0")


@pytest.mark.parametrize("password", ["", "word"])
def test_an_encrypted_file_is_not_read(password: str) -> None:
    """Also one that opens without a password: what it permits is not ours to leave out."""
    with pytest.raises(PdfEncrypted):
        extract_page(encrypted(pdf(PROSE), password), PDF)


def test_a_scan_is_not_read_and_a_picture_beside_text_is_counted() -> None:
    """A page without text says nothing, and the text says so of a part."""
    with pytest.raises(PdfWithoutText):
        extract_page(pdf([], []), PDF)
    assert extract_page(pdf(PROSE, []), PDF).stripped == {"pages_without_text": 1}


@pytest.mark.parametrize(
    "body", [b"", b"x", b"%PDF-1.7\n", endless(), assembled([b"<<>>"]), pdf(PROSE)[:300]]
)
def test_a_file_that_is_none_is_unreadable(body: bytes) -> None:
    """Whatever the library makes of it."""
    with pytest.raises((PageUnreadable, PdfWithoutText)):
        extract_page(body, PDF)


def test_damaged_files_give_text_or_an_error() -> None:
    """Bytes changed, cut and doubled."""
    whole = pdf(TABLE, PROSE)
    source = random.Random(11)  # noqa: S311 - damage, no secret
    for _ in range(150):
        body = bytearray(whole)
        for _ in range(source.randrange(1, 8)):
            at = source.randrange(len(body))
            end = at + source.randrange(20)
            body[at:end] = source.choice([b"", source.randbytes(8), bytes(body[at:end]) * 3])
        try:
            text = extract_page(bytes(body), PDF).text
        except PageError:
            continue
        assert text.endswith("\n")
