"""The committed code is what the contracts generate, and the contracts pass their linter."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

_PROTO = Path(__file__).parents[2] / "proto"


def _generated(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*_pb2.py*"))
        if path.suffix in (".py", ".pyi")
    }


def test_generated_code_has_not_drifted(tmp_path: Path) -> None:
    """Generating anew gives exactly the committed files: none changed, none missing, none left over."""
    sources = sorted(str(path.relative_to(_PROTO)) for path in _PROTO.glob("doublethink/**/*.proto"))
    assert sources
    command = [sys.executable, "-m", "grpc_tools.protoc", f"-I{_PROTO}"]
    command += [f"--python_out={tmp_path}", f"--pyi_out={tmp_path}", *sources]
    subprocess.run(command, check=True, cwd=_PROTO)
    assert _generated(tmp_path) == _generated(_PROTO / "src"), "run make proto and commit the result"


def test_the_contracts_pass_their_linter() -> None:
    """buf finds nothing to say about the contracts, neither their rules nor their layout."""
    buf = shutil.which("buf", path=str(Path(sys.executable).parent)) or shutil.which("buf")
    assert buf is not None, "buf is missing: run make setup"
    for command in (["lint"], ["format", "--diff", "--exit-code"]):
        done = subprocess.run([buf, *command], cwd=_PROTO, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
