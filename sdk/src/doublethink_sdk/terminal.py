"""Text from outside, made fit to be printed: a page, a case or an error commands no person's terminal.

Control characters start escape sequences (ECMA-48), bidirectional controls show text in another
order than it has (Unicode Annex 9), and line separators make one line look like two of ours.
"""

import json
import re

# Everything that str.isprintable denies: controls, formats, separators, surrogates, private and unassigned.
_SPACE_LIKE = re.compile(r"[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")


def visible(text: str) -> str:
    """`text` as one line: white space as spaces, everything else that cannot be seen as its number."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else f"‹U+{ord(char):04X}›" for char in _SPACE_LIKE.sub(" ", text)
    )


def visible_lines(text: str) -> str:
    """`text` with its own line breaks, and each line `visible`."""
    return "\n".join(visible(line) for line in text.split("\n"))


def json_line(value: object) -> str:
    """`value` as one line of JSON that parses to the very same strings and holds only what can be seen."""
    line = json.dumps(value, ensure_ascii=False)
    if line.isprintable():
        return line
    # Such characters stand inside strings alone, where JSON takes them as escapes: RFC 8259, section 7.
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)
