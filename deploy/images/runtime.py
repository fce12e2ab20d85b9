"""Copies what Python needs to run out of a Debian image: the interpreter, its library, and the shared objects of both.

    python3 -I runtime.py TARGET --epoch SECONDS

Run by the Python that is copied. No shell, no pip, no headers, no static library, no development or test module. Paths
stay as they are, links among them too, so that the same works on any Debian layout (merged /usr or not).
"""

from __future__ import annotations

import argparse
import compileall
import os
import py_compile
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

# What the library holds for developing, testing, installing and drawing windows.
LEFT_OUT = frozenset(
    {
        *("test", "tests", "idlelib", "tkinter", "turtledemo", "turtle.py", "lib2to3", "ensurepip", "venv"),
        *("distutils", "pydoc_data", "pydoc.py", "site-packages", "dist-packages", "__pycache__"),
    }
)
# What wheels may be linked with (PEP 600), and what is opened by name while a program runs.
LOADED_LATER = (
    *("libgcc_s.so.1", "libstdc++.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1"),
    *("libm.so.6", "libutil.so.1", "libresolv.so.2"),
)
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")


def main() -> None:
    """Copy, compile, and set every time to the epoch."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", type=Path)
    parser.add_argument("--epoch", type=int, required=True, help="the modification time of everything")
    options = parser.parse_args()
    target: Path = options.target
    for interpreter in sorted(set(interpreters())):
        put(interpreter, target)
    library = Path(sysconfig.get_path("stdlib")).resolve()
    for file in files_of(library):
        put(file, target)
    objects = [Path(sys.executable).resolve(), *library.rglob("*.so")]
    later = [found for name in LOADED_LATER for found in named(name)]
    for needed in sorted({*needs(objects), *needs(later), *later}):
        put(needed, target)
    if AUTHORITIES.exists():
        put(AUTHORITIES, target)
        put(Path("/usr/lib/ssl/cert.pem"), target)
        put(Path("/usr/lib/ssl/certs"), target, only_link=True)
    make_linker_cache(target)
    (target / "tmp").mkdir(mode=0o1777)
    (target / "tmp").chmod(0o1777)
    compiled = compileall.compile_dir(
        target / library.relative_to("/"),
        quiet=1,
        stripdir=str(target),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    if not compiled:
        raise SystemExit("a module of the library cannot be compiled")
    set_times(target, options.epoch)


def interpreters() -> Iterator[Path]:
    """Every name under which a virtual environment may point to this interpreter."""
    for folder in ("/usr/local/bin", "/usr/bin"):
        for name in ("python", "python3", f"python3.{sys.version_info.minor}"):
            path = Path(folder, name)
            if path.exists() and path.resolve() == Path(sys.executable).resolve():
                yield path


def files_of(library: Path) -> Iterator[Path]:
    """The library's files, in order."""
    for folder, inner, files in os.walk(library):
        inner[:] = sorted(name for name in inner if name not in LEFT_OUT and not name.startswith("config-"))
        for name in sorted(files):
            path = Path(folder, name)
            if name not in LEFT_OUT and path.suffix not in (".a", ".pyc") and path.exists():
                yield path


def needs(objects: list[Path]) -> Iterator[Path]:
    """The shared objects that others are linked with, as the linker finds them. Raises SystemExit for a missing one."""
    for path in objects:
        done = subprocess.run(("ldd", str(path)), capture_output=True, text=True, check=False, timeout=60)
        for line in done.stdout.splitlines():
            if "not found" in line:
                raise SystemExit(f"{path}: {line.strip()}")
            words = [word for word in line.split() if word.startswith("/")]
            if words:
                yield Path(words[0])


def named(name: str) -> Iterator[Path]:
    """Where the linker's cache has a shared object."""
    done = subprocess.run(("ldconfig", "-p"), capture_output=True, text=True, check=True, timeout=60)
    found = [line.rpartition("=> ")[2] for line in done.stdout.splitlines() if line.split()[:1] == [name]]
    yield from map(Path, found[:1])


def put(path: Path, target: Path, *, only_link: bool = False) -> None:
    """Copy one file to its own place under `target`, with every link on the way."""
    place = Path("/")
    for part in path.relative_to("/").parts:
        place /= part
        copy = target / place.relative_to("/")
        if place.is_symlink():
            if not copy.is_symlink():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.symlink_to(os.readlink(place))
            if only_link and place == path:
                return
            rest = path.relative_to(place)
            put(Path(os.path.normpath(place.parent / os.readlink(place))) / rest, target)
            return
        if place.is_dir():
            copy.mkdir(exist_ok=True, parents=True)
    copy = target / path.relative_to("/")
    if path.is_file() and not copy.exists():
        shutil.copy2(path, copy)


def make_linker_cache(target: Path) -> None:
    """So that what lies in /usr/local/lib is found, too."""
    for path in (Path("/etc/ld.so.conf"), *sorted(Path("/etc/ld.so.conf.d").glob("*.conf"))):
        put(path, target)
    subprocess.run(("ldconfig", "-X", "-r", str(target)), check=True, timeout=60)
    shutil.rmtree(target / "var", ignore_errors=True)


def set_times(folder: Path, epoch: int) -> None:
    """Give everything below `folder` one modification time."""
    for path in (folder, *folder.rglob("*")):
        os.utime(path, (epoch, epoch), follow_symlinks=False)


if __name__ == "__main__":
    main()
