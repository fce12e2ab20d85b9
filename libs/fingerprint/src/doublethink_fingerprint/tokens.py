"""What a token is, on both sides: a run of letters and digits in folded text."""

from __future__ import annotations

import re

TOKEN = re.compile(r"[^\W_]+")
