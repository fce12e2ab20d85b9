"""A page is read up to a bound; what lies behind it is not read, and said so."""

from doublethink.gate.v1 import page_pb2
from doublethink_validator.service import _MAX_READ_CHARS, _material


def _page(text: str) -> page_pb2.Page:
    return page_pb2.Page(page_id="pag_" + "a" * 26, text=text)


def test_a_page_beyond_the_bound_is_cut_at_a_line_and_counts_as_cut() -> None:
    """A hostile page cannot use up the time of the honest ones, and "not found" is never claimed for the rest."""
    line = "Acme Corp made pumps.\n"
    material = _material(_page(line * (_MAX_READ_CHARS // len(line) + 1000)), [], titled=False)
    assert material.cut
    assert _MAX_READ_CHARS - len(line) <= len(material.text) <= _MAX_READ_CHARS
    assert material.text.endswith("\n")


def test_a_page_within_the_bound_is_read_whole() -> None:
    """Nothing is lost of an ordinary page."""
    material = _material(_page("Acme Corp\n"), [], titled=False)
    assert (material.text, material.cut) == ("Acme Corp\n", False)


def test_a_page_without_lines_is_not_read_at_all_beyond_the_bound() -> None:
    """One endless line has no place to cut: nothing of it is proven."""
    material = _material(_page("a" * (_MAX_READ_CHARS + 1)), [], titled=False)
    assert (material.text, material.cut) == ("", True)


def test_a_results_title_counts_only_where_the_operator_says_so() -> None:
    """What no quote of the page shows is no proof: it is left out unless it was asked for."""
    page = _page("Acme Corp\n")
    page.result_title = "Corvane balance sheets"
    assert _material(page, [], titled=False).title == ""
    assert _material(page, [], titled=True).title == "Corvane balance sheets"
