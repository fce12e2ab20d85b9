"""The standalone verifier as tests use it: loaded from its file, or run alone where nothing of ours can be imported."""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from doublethink_ledger import VerifierKey

VERIFIER = Path(__file__).parents[2] / "verify" / "doublethink_verify.py"


def load() -> ModuleType:
    """The verifier as a module."""
    spec = importlib.util.spec_from_file_location("doublethink_verify", VERIFIER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Data classes look their module up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def judge(module: ModuleType, data: bytes, keys: Iterable[VerifierKey], known: bytes | None = None) -> Any:
    """The verifier's report on these bytes, with these keys pinned."""
    pinned = [module.Key(key.name, key.public) for key in keys]
    earlier = None if known is None else module.open_checkpoint(known, pinned, "known checkpoint")
    return module.verify(io.BytesIO(data), pinned, earlier)


def run(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run the file alone: isolated, in a folder without anything, and nothing of ours can be imported."""
    block = (
        "import sys, runpy\n"
        "class No:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0].startswith('doublethink'):\n"
        "            raise ImportError('not to be had here: ' + name)\n"
        "        if name in ('socket', '_socket', 'ssl', 'http', 'urllib.request'):\n"
        "            raise ImportError('no network: ' + name)\n"
        "sys.meta_path.insert(0, No())\n"
        "sys.argv = sys.argv[1:]\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    return subprocess.run(
        [sys.executable, "-I", "-c", block, str(VERIFIER), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env=environment or {},
        timeout=120,
    )
