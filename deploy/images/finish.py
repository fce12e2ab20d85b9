"""Makes an image's tree of a virtual environment: closed, with its bill of materials and its user.

    python finish.py TARGET --name NAME --user NUMBER --runtime FOLDER --epoch SECONDS

What stays of the environment is its interpreter's links and its packages. Fails where a package needs a shared object
that neither it nor the runtime has.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

VENV = Path("/opt/venv")


def main() -> None:
    """Build the tree."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("target", type=Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--user", type=int, required=True)
    parser.add_argument("--runtime", type=Path, required=True)
    parser.add_argument("--epoch", type=int, required=True)
    options = parser.parse_args()
    target: Path = options.target
    materials = bill_of_materials(options.name)
    clean()
    check_objects(options.runtime)
    shutil.copytree(VENV, target / "opt/venv", symlinks=True)
    write(target / "usr/share/doublethink/sbom.cdx.json", materials)
    for probe in VENV.glob("lib/python3.*/site-packages/doublethink_rpc/probe.py"):
        # Alone, so that a health check does not import the package around it.
        write(target / "usr/share/doublethink/probe.py", probe.read_text(encoding="utf-8"))
    user = options.user
    write(target / "etc/passwd", f"{options.name}:x:{user}:{user}::/nonexistent:/nonexistent\n")
    write(target / "etc/group", f"{options.name}:x:{user}:\n")
    write(target / "etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n")
    for folder in (
        "etc/doublethink/config",
        "etc/doublethink/private",
        "run/doublethink",
        "var/lib/doublethink",
    ):
        (target / folder).mkdir(parents=True)
    for folder in ("run/doublethink", "var/lib/doublethink"):
        (target / folder).chmod(0o700)
        os.chown(target / folder, user, user)
    for path in (target, *target.rglob("*")):
        os.utime(path, (options.epoch, options.epoch), follow_symlinks=False)


def bill_of_materials(name: str) -> str:
    """The packages of the environment in CycloneDX's JSON, the same for the same packages."""
    done = subprocess.run(
        (
            *(sys.executable, "-I", "-m", "cyclonedx_py", "environment", str(VENV / "bin/python")),
            *("--output-reproducible", "--output-format", "JSON", "--spec-version", "1.6"),
        ),
        check=True,
        capture_output=True,
        text=True,
        timeout=300,
    )
    if not done.stdout.strip():
        raise SystemExit(f"{name}: no bill of materials")
    return done.stdout


def clean() -> None:
    """Remove what installs, activates and records."""
    for path in (VENV / "bin").iterdir():
        if not path.name.startswith("python"):
            path.unlink()
    shutil.rmtree(VENV / "include", ignore_errors=True)
    for record in VENV.rglob("*.dist-info/direct_url.json"):
        record.unlink()


def check_objects(runtime: Path) -> None:
    """Raise SystemExit where a shared object needs one that will not be there."""
    for path in sorted(VENV.rglob("*.so*")):
        done = subprocess.run(("ldd", str(path)), capture_output=True, text=True, check=False, timeout=60)
        for line in done.stdout.splitlines():
            found = [word for word in line.split() if word.startswith("/")]
            inside = found and (found[0].startswith(str(VENV)) or (runtime / found[0].lstrip("/")).exists())
            if "not found" in line or (found and not inside):
                raise SystemExit(f"{path.name} needs {line.strip()}")


def write(path: Path, text: str) -> None:
    """Write a file that everybody may read."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)


if __name__ == "__main__":
    main()
