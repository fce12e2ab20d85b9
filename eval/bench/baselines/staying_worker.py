"""The baseline of `page_process.py`: one confined process that stays, and reads page after page on its standard input.

Run by that benchmark alone. It is what a gate with one process for all sessions would do; the product does not.
"""

from __future__ import annotations

import json
import struct
import sys

from doublethink_gate.pages.confinement import confine
from doublethink_gate.pages.extract import extract_page
from doublethink_gate.pages.pdf import load_everything


def main() -> int:
    """Serve frames until the input ends: a header's length, the header, the body; answer with a text and its length."""
    load_everything()
    extract_page(b"<p>", "text/html; charset=utf-8")
    confine()
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    while length := requests.read(4):
        header = json.loads(requests.read(struct.unpack(">I", length)[0]))
        text = extract_page(requests.read(header["body"]), header["content_type"]).text.encode()
        answers.write(struct.pack(">I", len(text)) + text)
        answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
