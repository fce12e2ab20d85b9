"""A gate makes ready at its start what the first check would otherwise wait for."""

from __future__ import annotations

import subprocess
import sys

_LOOK = """
import gc
from doublethink_fingerprint.decoders.sieve import Sieve
from doublethink_gate.checks import make_ready
from doublethink_gate.policy import default_policy

def ready():
    return [bool(one._automata) for one in gc.get_objects() if isinstance(one, Sieve)]

before = ready()
make_ready(default_policy())
print(len(before), any(before), all(ready()))
"""


def test_every_automaton_is_made_before_the_first_query() -> None:
    """In a new process none is there; afterwards all are."""
    done = subprocess.run(
        [sys.executable, "-c", _LOOK], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.split() == ["4", "False", "True"]
