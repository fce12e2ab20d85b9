"""Size, user and packages of each image, as a table.

    make images-report        or        python3 deploy/images/report.py [--version TAG]

Sizes are the engine's own: unpacked, and each counted whole, though all share the layer of the Python runtime. Packages
are read from the bill of materials in the image. Standard library alone.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
import tarfile
from typing import Any, Final

IMAGES: Final = (
    *("gate", "planner", "reader", "validator", "console"),
    *("sealer", "forwarder", "corpus", "operator"),
)
SBOM: Final = "usr/share/doublethink/sbom.cdx.json"


def docker(*arguments: str) -> bytes:
    """What docker prints. Raises SystemExit with its words."""
    done = subprocess.run(("docker", *arguments), capture_output=True, check=False, timeout=300)
    if done.returncode != 0:
        raise SystemExit(f"report: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def tree(image: str) -> tarfile.TarFile:
    """All files of an image."""
    container = docker("create", image).decode().strip()
    try:
        return tarfile.open(fileobj=io.BytesIO(docker("export", container)))
    finally:
        docker("rm", container)


def materials(files: tarfile.TarFile) -> dict[str, str]:
    """Name and version of each package in the bill of materials."""
    found = files.extractfile(SBOM)
    if found is None:
        raise SystemExit(f"report: {SBOM} is missing")
    document: dict[str, Any] = json.load(found)
    return {component["name"].lower(): component["version"] for component in document["components"]}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", default="dev")
    options = parser.parse_args()
    sys.stdout.write("| image | MB | user | packages of others |\n|---|---|---|---|\n")
    for name in IMAGES:
        image = f"doublethink/{name}:{options.version}"
        about = json.loads(docker("image", "inspect", image))[0]
        packages = [one for one in materials(tree(image)) if not one.startswith("doublethink")]
        size = about["Size"] / 1e6
        sys.stdout.write(f"| {name} | {size:.0f} | {about['Config']['User']} | {len(packages)} |\n")


if __name__ == "__main__":
    main()
