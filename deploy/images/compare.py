"""Whether two images are the same, file by file: name, kind, mode, owner, time and content. Exit code 0 same, 1 not.

python3 deploy/images/compare.py IMAGE IMAGE

Reproducible means: the same commit, base image, locks and SOURCE_DATE_EPOCH give the same files. Layers are not
compared, since engines of different versions pack the same files differently.
"""

from __future__ import annotations

import hashlib
import sys
import tarfile

from report import tree

Entry = tuple[bytes, int, int, int, int, str, str]


def entries(files: tarfile.TarFile) -> dict[str, Entry]:
    """What is compared of each file. What the engine itself makes in every container is left out."""
    made = {
        "dev",
        "proc",
        "sys",
        "etc",
        ".dockerenv",
        "etc/hosts",
        "etc/hostname",
        "etc/resolv.conf",
        "etc/mtab",
    }
    found = {}
    for member in files:
        if member.name in made or member.name.split("/")[0] in ("dev", "proc", "sys"):
            continue
        content = files.extractfile(member) if member.isfile() else None
        digest = hashlib.sha256(content.read()).hexdigest() if content is not None else ""
        found[member.name] = (
            *(member.type, member.mode, member.uid, member.gid, int(member.mtime)),
            *(member.linkname, digest),
        )
    return found


def main(first: str, second: str) -> int:
    """Print what differs."""
    left, right = entries(tree(first)), entries(tree(second))
    different = sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
    for name in different[:50]:
        print(f"{name}: {left.get(name)} and {right.get(name)}")
    print(f"{len(left)} files, {len(different)} differ")
    return 1 if different else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: compare.py IMAGE IMAGE")
    sys.exit(main(sys.argv[1], sys.argv[2]))
