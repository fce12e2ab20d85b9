"""Runs the standalone verifier: the file that anybody can take along, in a process of its own.

It lies beside this package as data (`standalone/`, in the repository a link to `verify/`), and is never imported: what
it says of a bundle does not depend on anything else here.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path

from doublethink_sdk.exits import Exit

KEY_VARIABLE = "DOUBLETHINK_VKEY"
_FILE = "doublethink_verify.py"
_CODES = frozenset((Exit.DONE, Exit.REFUSED, Exit.WRONG_USE, Exit.PARTLY))


def pinned_key(data: Path) -> Path | None:
    """The file of the keys that this installation trusts, if there is one: $DOUBLETHINK_VKEY, or DATA/ledger.vkey."""
    named = named_key()
    if named is not None:
        return named
    made = data / "ledger.vkey"
    return made if made.exists() else None


def named_key() -> Path | None:
    """The file that $DOUBLETHINK_VKEY names, if any."""
    named = os.environ.get(KEY_VARIABLE)
    return Path(named) if named else None


def run(bundle: Path, key: Path | None, options: Sequence[str] = ()) -> Exit:
    """Verify a bundle; its words go to stdout and stderr as they are. Return the verifier's exit code."""
    arguments = [str(bundle.absolute()), *options]
    if key is not None:
        arguments += ["--key", str(key.absolute())]
    # What click has written so far comes first.
    sys.stdout.flush()
    with as_file(files("doublethink_sdk").joinpath("standalone", _FILE)) as file:
        done = subprocess.run((sys.executable, "-I", str(file), *arguments), env={}, check=False)
    # Anything else than its own codes, such as a signal, proves nothing.
    return Exit(done.returncode) if done.returncode in _CODES else Exit.REFUSED
