"""trafilatura in an environment of its own; `page_text.py` starts it.

The first line of standard output says that it is loaded. Each line of standard input is a JSON list of files; the
answer is a line with the seconds of the processor that their texts took, and how many characters these have.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from pathlib import Path
from typing import Any


def main() -> int:
    """Answer until the input ends."""
    extract: Any = importlib.import_module("trafilatura").extract
    print(json.dumps({"loaded": True}), flush=True)
    for line in sys.stdin:
        pages = [Path(name).read_bytes() for name in json.loads(line)]
        started = time.process_time()
        size = sum(len(extract(page, include_tables=True) or "") for page in pages)
        print(json.dumps({"seconds": time.process_time() - started, "characters": size}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
