"""Text with its markup taken out, and names in their own encodings: tags, Markdown marks, punycode hosts."""

from __future__ import annotations

import re

from doublethink_fingerprint.decoders.chunk import Decoder, every_match

_MARKUP = re.compile(
    r"<!\[CDATA\[|\]\]>|</?[A-Za-z!][^<>]{0,200}>|<!--.{0,200}?-->|`{1,3}|\*\*|__|~~|\{\{|\}\}|\[/?[a-z]{1,6}\]"
    r"|\x1b\[[0-9;?]{0,16}[A-Za-z]"
)
# An element that is not shown, with what is in it: what stands before it and behind is read as one.
_UNSHOWN = re.compile(
    r"(?i)<([a-z]{1,10})\s(?=[^<>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|\bhidden\b))"
    r"[^<>]{0,200}>[^<>]{0,200}</\1>"
)
# A command of TeX with its argument, or a group that begins with one, as in RTF too: what is set is the argument.
_COMMANDS = re.compile(r"\\[A-Za-z]{1,20}\*?\{([^{}\\]{0,200})\}|\{\\[A-Za-z]{1,12} ([^{}\\]{0,200})\}")
_PUNYCODE = re.compile(r"(?i)xn--([a-z0-9-]{1,60})")
# Hyphens from the end of a label before which its own encoding may end.
_TAILS = 4


def _punycode(match: re.Match[str]) -> str | None:
    """Decode a label, and what is before each of its last hyphens: something may be written behind a name."""
    parts = match[1].split("-")
    read: dict[str, None] = {}
    for end in range(len(parts), max(0, len(parts) - _TAILS), -1):
        try:
            decoded = "-".join(parts[:end]).encode("ascii").decode("punycode")
        except (UnicodeError, ValueError, OverflowError):
            continue
        if not decoded.isascii() or end == len(parts):
            read.setdefault(decoded)
    return " ".join(read) or None


DECODERS: tuple[Decoder, ...] = (
    Decoder("markup", every_match(_MARKUP, lambda match: "", everything=True), needs="<`*_~{[\x1b"),
    Decoder("markup", every_match(_UNSHOWN, lambda match: "", everything=True), needs="<"),
    Decoder(
        "markup",
        every_match(_COMMANDS, lambda match: match[1] or match[2] or "", everything=True),
        needs="\\",
    ),
    Decoder("punycode", every_match(_PUNYCODE, _punycode), needs="-"),
)
