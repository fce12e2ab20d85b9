"""A run's answer as a person pastes it into a memo: figures with company, period, quote, link, time and hash.

    memo_of(run, reads) -> Memo        everything that is shown, as plain lines
    markdown(memo) -> str              CommonMark
    sheet(memo) -> str                 one HTML file that needs nothing beside itself

The console's own page (`/runs/{id}/answer`) shows the same `Memo`.
"""

from .markdown import markdown
from .sheet import sheet
from .view import Memo, Read, memo_of, unchecked_words

__all__ = ["Memo", "Read", "markdown", "memo_of", "sheet", "unchecked_words"]
