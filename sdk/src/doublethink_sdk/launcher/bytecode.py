"""Compiles the product's own modules before anything is started.

A mind sees the modules read-only, so that it cannot keep what it compiles: each start, and each worker of the
planner, would compile them all anew. Installed packages are compiled when they are installed; a folder of sources
that was changed or pulled is not.
"""

import compileall
import sys
from collections.abc import Iterator
from pathlib import Path
from py_compile import PycInvalidationMode


def own_packages() -> Iterator[Path]:
    """The folders of the product's packages, wherever this interpreter finds them."""
    for place in sys.path:
        for folder in Path(place).glob("doublethink*"):
            # A checkout in the folder where a person works may bear the name too, and is no package.
            if folder.is_dir() and folder.name.isidentifier() and not (folder / "pyproject.toml").exists():
                yield folder


def compile_own() -> bool:
    """Compile what has changed; whether all could be kept.

    Where a folder cannot be written, or a module has an error, the programs start all the same: slower, or with their
    own words about it.
    """
    kept = [
        compileall.compile_dir(package, quiet=2, invalidation_mode=PycInvalidationMode.TIMESTAMP)
        for package in own_packages()
    ]
    return all(kept)
