"""A memo as one HTML file for printing: its style is inside, and its policy lets it load and run nothing."""

from __future__ import annotations

from importlib import resources

from doublethink_console.pages.rendering import rendered

from .view import Memo, unchecked_words


def sheet(memo: Memo) -> str:
    """The file's text."""
    style = resources.files("doublethink_console.pages").joinpath("static", "answer.css").read_text("utf-8")
    return rendered("sheet.html", memo=memo, style=style, unchecked=unchecked_words(memo.unchecked))
