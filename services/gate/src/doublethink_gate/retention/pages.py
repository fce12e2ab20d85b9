"""Erases what the gate keeps beside the ledger: queries, results, pages and facts of sessions that ended long ago.

Their ledger rows stay, with the hash of every page. The session itself stays too, and with it its owner's right to
read its rows, until no payload of it is left.
"""

from __future__ import annotations

from typing import Final

from doublethink_gate.retention.erasure import Connection

_QUERIES: Final = """
SELECT DISTINCT q.session FROM gate.query AS q JOIN gate.session AS s ON s.id = q.session
WHERE s.closed_us < %s ORDER BY q.session LIMIT %s
"""


def due_sessions(connection: Connection, before_us: int, limit: int) -> list[str]:
    """Return sessions that ended before a time and still have queries or pages. Raises psycopg.Error."""
    return [row[0] for row in connection.execute(_QUERIES, (before_us, limit)).fetchall()]


def erase_pages(connection: Connection, session: str) -> None:
    """Delete the queries of a session, and with them its results, pages and facts. Raises psycopg.Error."""
    connection.execute("SELECT gate.forget(%s)", (session,))
