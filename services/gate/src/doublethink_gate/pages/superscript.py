"""Footnote marks, kept apart from the numbers that they stand next to.

"42,916" with a raised "1" must not become "42,9161". Raised digits, brackets and single letters become the
characters that Unicode has for them.
"""

import re

_RAISED = str.maketrans("0123456789()+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁻⁻")
_RAISED_LETTERS = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_MARK = re.compile(r"\s*[(]?[-+\u2212]?\d{1,3}[)]?(?:\s*[,;&*]?\s*[(]?\d{1,3}[)]?)*\s*")
_LETTER_MARK = re.compile(r"\s*[(]?[a-pr-z][)]?(?:\s*,\s*[(]?[a-pr-z][)]?)*\s*")
_ALONE = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁻,ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ]+|(?:\[(?:\d{1,2}|[a-z])\],?\s*)+")


def raise_text(text: str) -> str:
    """Text that the page raises: marks in Unicode superscripts, all else ("th", "TM", "[3]") as it is."""
    if _MARK.fullmatch(text):
        return text.strip().translate(_RAISED)
    if _LETTER_MARK.fullmatch(text):
        return text.strip().translate(_RAISED_LETTERS).translate(_RAISED)
    return text


def is_mark(text: str) -> bool:
    """Whether `text` is nothing but a footnote mark: superscripts, or a number in square brackets."""
    return _ALONE.fullmatch(text) is not None
