"""Published templates: the only words of a completion's request that are neither the query nor a page.

A template is two files of this package, its words and the JSON schema of its answer. The schema keeps to what
Anthropic's structured outputs accept: closed objects, no bounds on numbers or strings, no recursion.
"""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from doublethink.gate.v1 import completion_pb2

from doublethink_gate.errors import Malformed

_NAMES = {completion_pb2.TEMPLATE_EXTRACT_CLAIMS: "extract_claims"}


@dataclass(frozen=True, slots=True)
class Template:
    """A template: its name, its words, the schema of the answer, and the SHA-256 over both files."""

    name: str
    words: str
    schema: dict[str, Any]
    sha256: bytes


def load_template(template: completion_pb2.Template) -> Template:
    """Return a published template. Raises Malformed for a number that names none.

    The digest is SHA-256 over be64(length of the words) || words || schema, as the files have them.
    """
    name = _NAMES.get(template)
    if name is None:
        raise Malformed
    folder = Path(__file__).parent
    words = (folder / f"{name}.txt").read_bytes()
    schema = (folder / f"{name}.json").read_bytes()
    digest = hashlib.sha256(struct.pack(">Q", len(words)) + words + schema).digest()
    return Template(name, words.decode(), json.loads(schema), digest)
