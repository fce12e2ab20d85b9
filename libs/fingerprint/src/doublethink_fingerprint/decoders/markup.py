"""Text with its markup taken out, and names in their own encodings: tags, Markdown marks, punycode hosts."""

from __future__ import annotations

import re

from doublethink_fingerprint.decoders.chunk import Decoder, every_match

_MARKUP = re.compile(
    r"</?[A-Za-z!][^<>]{0,200}>|<!--.{0,200}?-->|`{1,3}|\*\*|__|~~|\{\{|\}\}|\[/?[a-z]{1,6}\]"
)
_PUNYCODE = re.compile(r"(?i)xn--([a-z0-9-]{1,60})")


def _punycode(match: re.Match[str]) -> str | None:
    try:
        return match[1].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        return None


DECODERS: tuple[Decoder, ...] = (
    Decoder("markup", every_match(_MARKUP, lambda match: "", everything=True), needs="<`*_~{["),
    Decoder("punycode", every_match(_PUNYCODE, _punycode), needs="-"),
)
