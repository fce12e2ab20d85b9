"""Footnote marks, kept apart from the numbers that they stand next to.

"42,916" with a raised "1" must not become "42,9161". Raised digits, brackets and single letters become the
characters that Unicode has for them.
"""

import re

_RAISED = str.maketrans("0123456789()+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁻⁻")
_RAISED_LETTERS = str.maketrans("abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ")
_MARKS = re.compile(r"[\s\d()+\-\u2212,;&*]{1,24}")
_LETTER_MARKS = re.compile(r"[\s(),a-pr-z]{1,12}")
_MAX_MARK_DIGITS = 3
_NUMBERS = re.compile(r"\d+")
_WORDS = re.compile(r"[a-z]+")
_ALONE = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾⁺⁻,ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ]+|(?:\[(?:\d{1,2}|[a-z])\],?\s*)+")


def raise_text(text: str) -> str:
    """Text that the page raises: marks in Unicode superscripts, all else ("th", "TM", "[3]") as it is."""
    if _MARKS.fullmatch(text):
        numbers = _NUMBERS.findall(text)
        if numbers and max(map(len, numbers)) <= _MAX_MARK_DIGITS:
            return text.strip().translate(_RAISED)
    elif _LETTER_MARKS.fullmatch(text):
        words = _WORDS.findall(text)
        if words and max(map(len, words)) == 1:
            return text.strip().translate(_RAISED_LETTERS).translate(_RAISED)
    return text


def is_mark(text: str) -> bool:
    """Whether `text` is nothing but a footnote mark: superscripts, or a number in square brackets."""
    return _ALONE.fullmatch(text) is not None
