"""The class of a source, told from the host of an address by the table in `hosts.tsv`."""

import enum
from functools import cache
from importlib import resources
from urllib.parse import urlsplit


class SourceClass(enum.Enum):
    """What kind of publisher a host is; the values are those of `doublethink.figures.v1.SourceClass`."""

    REGULATOR = 1
    COMPANY = 2
    NEWS = 3
    ENCYCLOPEDIA = 4
    OTHER = 5


def classify(url: str) -> SourceClass:
    """The class of the address's host: the longest entry of the table that the host is or ends in."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".").lower()
    except ValueError:
        return SourceClass.OTHER
    labels = host.split(".")
    table = _table()
    for start in range(len(labels)):
        found = table.get(".".join(labels[start:]))
        if found is not None:
            return found
    # The word that investor relations sites put in front: ir.example.com, investors.example.com.
    return SourceClass.COMPANY if len(labels) > 2 and labels[0] in _INVESTOR_LABELS else SourceClass.OTHER


_INVESTOR_LABELS = frozenset(
    ("ir", "investor", "investors", "investorrelations", "newsroom", "press", "corporate", "annualreport")
)


@cache
def _table() -> dict[str, SourceClass]:
    text = resources.files(__package__).joinpath("hosts.tsv").read_text(encoding="utf-8")
    table = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            host, name = line.split("\t")
            table[host] = SourceClass[name.upper()]
    return table
