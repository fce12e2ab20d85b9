"""Write a case file that a person is meant to read, correct and keep."""

from __future__ import annotations

from collections.abc import Iterable

from doublethink_casefile.case import Secret
from doublethink_casefile.proposals import Proposals

_INTRO = """\
# Proposed from a memo. Nothing here is checked yet: read every line, delete what is not secret,
# add what is missing, then keep this file where the memo may be kept.
"""
_SECRETS_NOTE = """\
# What must not leave, in any form. Classes: code, name, number, date, id, phrase.
# A short or common word finds too much: give the phrase it stands in.
"""
_TERMS_NOTE = """\
# What may be searched for. Remove a company here if the market must not learn that you look at it.
"""
_CANARY_NOTE = "# Random marks planted in the memo; left empty, one is made when the case is stored.\n"


def render_case(title: str, memo: str, proposals: Proposals, canaries: Iterable[str] = ()) -> str:
    """Return the text of a case file with comments; `parse_case` reads it back to the same values."""
    parts = [_INTRO, f"title: {_quoted(title)}\n\n", f"memo: {_block(memo)}\n", _SECRETS_NOTE]
    parts.append("secrets:\n" if proposals.secrets else "secrets: []\n")
    for secret in proposals.secrets:
        note = proposals.notes.get(secret.value)
        parts.append(f"  # LOOK: {note}:\n" if note else "")
        parts.append(f"  - {_secret(secret)}\n")
    parts.append(f"\n{_TERMS_NOTE}")
    parts.append("public_terms:\n" if proposals.public_terms else "public_terms: []\n")
    parts.extend(f"  - {_quoted(term)}\n" for term in proposals.public_terms)
    parts.append(f"\n{_CANARY_NOTE}canaries: [{', '.join(_quoted(canary) for canary in canaries)}]\n")
    return "".join(parts)


def _secret(secret: Secret) -> str:
    aliases = f", aliases: [{', '.join(map(_quoted, secret.aliases))}]" if secret.aliases else ""
    return f"{{class: {secret.secret_class.value}, value: {_quoted(secret.value)}{aliases}}}"


def _quoted(text: str) -> str:
    # YAML 1.2 section 5.7: the escapes of a double-quoted scalar.
    escaped = []
    for char in text:
        if char in '"\\':
            escaped.append("\\" + char)
        elif char.isprintable():
            escaped.append(char)
        else:
            escaped.append(f"\\U{ord(char):08x}")
    return '"' + "".join(escaped) + '"'


def _block(memo: str) -> str:
    lines = memo.split("\n")
    plain = all(line.isprintable() for line in lines) and lines[0].strip() and not lines[0].startswith(" ")
    if not plain or memo.endswith("\n\n"):
        return _quoted(memo) + "\n"
    mark = "|" if memo.endswith("\n") else "|-"
    body = "\n".join(f"  {line}" if line else "" for line in (lines[:-1] if memo.endswith("\n") else lines))
    return f"{mark}\n{body}\n"
