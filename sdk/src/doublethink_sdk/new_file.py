"""A file that a command writes beside others: whole or not at all, and never over one that is there."""

import tempfile
from pathlib import Path

from doublethink_sdk.exits import Exit, fail


def refuse_existing(target: Path) -> None:
    """End the command where `target` is taken: a bundle that was kept is evidence, and a case or memo is work."""
    try:
        taken = target.exists() or target.is_symlink()
    except OSError as error:
        raise fail(f"cannot write {target}: {error.strerror}", Exit.WRONG_USE) from error
    if taken:
        raise fail(f"{target} exists; remove it or name another file with --out", Exit.WRONG_USE)


def beside(target: Path) -> tuple[int, str]:
    """A new file in the folder of the target, to be renamed to it: descriptor and path.

    Ends the command where the target is taken, or none can be made.
    """
    refuse_existing(target)
    try:
        return tempfile.mkstemp(prefix=f".{target.name}.", dir=target.absolute().parent)
    except OSError as error:
        raise fail(f"cannot write {target}: {error.strerror}", Exit.WRONG_USE) from error
