"""A page is read up to a bound; what lies behind it is not read, and said so."""

from doublethink.gate.v1 import page_pb2
from doublethink_validator.service import _MAX_READ_CHARS, _material


def _page(text: str) -> page_pb2.Page:
    return page_pb2.Page(page_id="pag_" + "a" * 26, text=text)


def test_a_page_beyond_the_bound_is_cut_at_a_line_and_counts_as_cut() -> None:
    """A hostile page cannot use up the time of the honest ones, and "not found" is never claimed for the rest."""
    line = "Acme Corp made pumps.\n"
    material = _material(_page(line * (_MAX_READ_CHARS // len(line) + 1000)), [])
    assert material.cut
    assert _MAX_READ_CHARS - len(line) <= len(material.text) <= _MAX_READ_CHARS
    assert material.text.endswith("\n")


def test_a_page_within_the_bound_is_read_whole() -> None:
    """Nothing is lost of an ordinary page."""
    material = _material(_page("Acme Corp\n"), [])
    assert (material.text, material.cut) == ("Acme Corp\n", False)


def test_a_page_without_lines_is_not_read_at_all_beyond_the_bound() -> None:
    """One endless line has no place to cut: nothing of it is proven."""
    material = _material(_page("a" * (_MAX_READ_CHARS + 1)), [])
    assert (material.text, material.cut) == ("", True)
