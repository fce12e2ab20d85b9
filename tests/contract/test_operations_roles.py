"""The table of roles and grants in docs/operations.md is what the database says, no more and no fewer."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from doublethink_sealer.findings import Reason
from sim.database import GateDatabase

pytestmark = pytest.mark.postgres

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
_ROW = re.compile(
    r"\| `(doublethink_[a-z]+)` \| `([a-z_.]+(?:\(\))?)(?: \(([a-z0-9_, ]+)\))?` \| ([A-Z, ]+) \|"
)

# Everything that is granted to somebody else than the owner, with columns where the grant names some.
GRANTS = """
SELECT pg_get_userbyid(a.grantee), n.nspname || '.' || c.relname, NULL, a.privilege_type
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace, aclexplode(c.relacl) AS a
WHERE n.nspname IN ('ledger', 'gate', 'migration') AND a.grantee <> c.relowner
UNION ALL
SELECT pg_get_userbyid(a.grantee), n.nspname || '.' || c.relname,
    string_agg(t.attname, ', ' ORDER BY t.attnum), a.privilege_type
FROM pg_attribute AS t JOIN pg_class AS c ON c.oid = t.attrelid
JOIN pg_namespace AS n ON n.oid = c.relnamespace, aclexplode(t.attacl) AS a
WHERE n.nspname IN ('ledger', 'gate', 'migration') GROUP BY 1, 2, 4
UNION ALL
SELECT pg_get_userbyid(a.grantee), n.nspname || '.' || p.proname || '()', NULL, a.privilege_type
FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = p.pronamespace, aclexplode(p.proacl) AS a
WHERE n.nspname IN ('ledger', 'gate', 'migration') AND a.grantee <> p.proowner
"""


def granted(database: GateDatabase) -> set[tuple[str, ...]]:
    """Role, object, columns and right, of every grant in the database."""
    with psycopg.connect(database.admin_dsn()) as connection:
        return {(row[0], row[1], row[2] or "", row[3]) for row in connection.execute(GRANTS).fetchall()}


def written() -> set[tuple[str, ...]]:
    """The same, as the page has it."""
    return {
        (row[1], row[2], row[3] or "", right)
        for row in _ROW.finditer(PAGE.read_text(encoding="utf-8"))
        for right in row[4].split(", ")
    }


def test_the_page_says_what_is_granted(gate_database: GateDatabase) -> None:
    """Every grant of the gate's database stands in the table, and every line of the table is a grant."""
    assert written() == granted(gate_database)
    assert len(written()) > 30


def test_the_page_has_a_procedure_for_every_cause() -> None:
    """Whatever the sealer or a check of the whole log can find, the page names it and says what to do."""
    page = PAGE.read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    named = {word for row in rows for word in re.findall(r"`([a-z_]+)`", row.split("|")[1])}
    assert {reason.value for reason in Reason} <= named


def test_the_page_has_a_procedure_for_every_part_of_a_bundle() -> None:
    """Whatever part of a bundle the verifier can name, the page has a line for it."""
    page = PAGE.read_text(encoding="utf-8")
    for part in ("row K", "header", "opening of row K", "since", "known checkpoint", "proof", "checkpoint"):
        assert re.search(rf"\| INVALID at [^|]*\b{part}\b", page), part
    assert "| UNKNOWN KEY |" in page
