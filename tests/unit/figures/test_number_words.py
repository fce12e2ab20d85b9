"""Number words against a table of facts that others made."""

import csv
import os
from decimal import Decimal
from pathlib import Path

import pytest
from doublethink_figures import all_readings

CASES = Path(os.environ.get("DOUBLETHINK_CASES", Path(__file__).parents[4] / "shared" / "cases"))
TABLE = CASES / "number-words.tsv"
LOCALES = ("en", "en_GB", "en_IN", "de", "fr", "fr_CH")


@pytest.mark.parametrize("locale", LOCALES)
def test_every_row_of_a_locale_is_read(locale: str) -> None:
    """The value of each row is among the readings of its words."""
    if not TABLE.exists():
        pytest.skip(f"NOT RUN: {TABLE.name} is absent; set DOUBLETHINK_CASES to the folder that holds it")
    with TABLE.open(encoding="utf-8", newline="") as lines:
        rows = [
            row
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["lang"] == locale
        ]
    assert rows
    missed = [
        row["words"]
        for row in rows
        if Decimal(row["value"]) not in {r.value for r in all_readings(row["words"])}
    ]
    assert missed == []
