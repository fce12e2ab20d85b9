"""A fork server whose pages take their processes over: the copy that reads a page runs its bytes as a program.

What a flaw in a parser would give a hostile page, given to it outright: `python -I tests/sim/taken_page.py` in place of
the gate's own command. All else is the product's, so that what a page can do then is what it could do then.
The program finds `worker`, `header` (what the gate said of the page) and `frame`; its `answer` goes to the gate.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

from doublethink_gate.pages import worker

COMMAND: Final = (sys.executable, "-I", str(Path(__file__).resolve()))

SAY: Final = """
def said(text):
    text = text.encode()
    return frame({"title": "", "stripped": {}, "replaced": 0, "cut": False, "charset": "utf-8",
        "hints": {"language": "", "decimal": ""}, "extractor": "page-text/1/doublethink/3", "body": len(text)}, text)
"""
"""Before a program: `said(text)` is an answer in form."""


def page(program: str) -> bytes:
    """A page that runs a program."""
    return (SAY + program).encode()


def _run(body: bytes, header: dict[str, Any]) -> bytes:
    scope: dict[str, Any] = {"worker": worker, "header": header, "frame": worker.frame}
    exec(body.decode(), scope)  # noqa: S102 - the page has taken this process over
    answer: bytes = scope["answer"]
    return answer


if __name__ == "__main__":
    for task in worker.TASKS:
        worker.TASKS[task] = _run
    sys.exit(worker.main())
