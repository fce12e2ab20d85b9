"""Compiles the packages below a folder, each file to what its text and nothing else decides (PEP 552, unchecked).

python3 compiled.py FOLDER [PREFIX]

PREFIX: only packages whose name begins with it, and then every file of theirs has to compile; without it a package may
carry files for other Pythons, which stay as they are.
"""

from __future__ import annotations

import compileall
import py_compile
import sys
from pathlib import Path


def main(folder: Path, prefix: str) -> None:
    """Compile; raise SystemExit where that had to work and did not."""
    for packages in sorted(folder.glob("python3.*/site-packages")):
        for package in sorted(packages.glob(f"{prefix}*")):
            if not package.is_dir() or package.suffix == ".dist-info":
                continue
            done = compileall.compile_dir(
                package,
                quiet=2,
                maxlevels=40,
                invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
            )
            if prefix and not done:
                raise SystemExit(f"{package.name} cannot be compiled")
        for module in sorted(packages.glob(f"{prefix}*.py")):
            compileall.compile_file(
                module, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "")
