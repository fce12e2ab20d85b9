"""The digest of the gate's own source: it stands in every row, so that a row names the code behind it.

SHA-256 over, for each source file of the package in order of its path: be32(length of path) || path ||
be64(length of content) || content. Paths are relative, with "/" between the parts. Source files are those
that decide what the gate does: Python, SQL, and the data files that are shipped beside them.
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

_SUFFIXES = frozenset({".py", ".sql", ".json", ".yaml", ".txt", ".tsv"})


def build_digest(package: Path | None = None) -> bytes:
    """Return the 32-byte digest of a package folder, by default of the one that this module stands in.

    Raises OSError if a file cannot be read: a gate that cannot say what it is does not start.
    """
    root = Path(__file__).parent if package is None else package
    digest = hashlib.sha256()
    names = sorted(
        path.relative_to(root).as_posix()
        for path in root.rglob("*")
        if path.suffix in _SUFFIXES and path.is_file() and "__pycache__" not in path.parts
    )
    for name in names:
        content = (root / name).read_bytes()
        encoded = name.encode()
        digest.update(struct.pack(">I", len(encoded)) + encoded + struct.pack(">Q", len(content)) + content)
    return digest.digest()
