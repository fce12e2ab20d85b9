"""I6: the gate never holds a secret that nobody sent it: keyed fingerprints only, in memory and tables."""

from __future__ import annotations

import psycopg
import pytest
from doublethink_gate.ids import IdType, to_bytes
from doublethink_gate.ledger import KeyRing, PayloadError, Wrapped
from sim.database import GateDatabase
from sim.gate import SimSecret, gate_process, pack_of
from sim.scan import everything_stored, forms, found_in, memory_of
from sim.world import outside, refused

SECRETS = (
    SimSecret("code", "Vantorquill"),
    SimSecret("name", "Ottoline Marchbanks"),
    SimSecret("id", "DE89370400440532013000"),
    SimSecret("phrase", "forty-two euros per share"),
)
MEMO = (
    "Project Vantorquill: Ottoline Marchbanks will offer forty-two euros per share for Brackwater Hydraulics."
)
CONTROL = "centrifugal slurry pumps zirconia"
"""Public words that go through the gate: a scan that does not find them proves nothing."""


@pytest.mark.parametrize("secret", SECRETS)
def test_the_scan_finds_each_form(secret: SimSecret) -> None:
    """Each form of a secret is found where it stands between other bytes."""
    for name, form in forms(secret.value).items():
        assert name in found_in(b"before" + form + b"after", secret.value)
    assert found_in(b"nothing of the kind", secret.value) == []


@pytest.mark.postgres
async def test_neither_memory_nor_tables_hold_a_secret(gate_database: GateDatabase) -> None:
    """With a session open, used and checked, no form of a secret is in the gate's memory or in any table."""
    async with outside(gate_database.dsn()) as world, gate_process(world.files) as gate:
        client = world.client
        session = await client.open(pack_of(*SECRETS, memo=MEMO))
        found = await client.search(session, CONTROL)
        await client.fetch(session, found.query_id)
        memory = b"".join(memory_of(gate.pid))
        stored = everything_stored(gate_database)
        await client.close()
    # The positive controls: the scan of the memory sees a query, the scan of the tables a page's address.
    assert CONTROL.encode() in memory
    assert b"halvorsen-10k" in stored
    for secret in SECRETS:
        assert found_in(memory, secret.value) == []
        assert found_in(stored, secret.value) == []
    assert b"Brackwater" not in memory
    assert b"Brackwater" not in stored


@pytest.mark.postgres
async def test_a_secret_that_somebody_tried_to_send_is_stored_sealed(gate_database: GateDatabase) -> None:
    """A blocked query is kept as evidence, encrypted: no form of its secret is in any table."""
    async with outside(gate_database.dsn()) as world, gate_process(world.files) as gate:
        client = world.client
        session = await client.open(pack_of(*SECRETS))
        for secret in SECRETS:
            assert await refused(client.search(session, f"who knows {secret.value}")) == "ERROR_CODE_BLOCKED"
        stored = everything_stored(gate_database)
        log = "".join(gate.log).encode()
        await client.close()
    for secret in SECRETS:
        assert found_in(stored, secret.value) == []
        assert found_in(log, secret.value) == []
    with psycopg.connect(gate_database.admin_dsn()) as connection:
        sealed = connection.execute("SELECT count(*) FROM ledger.payload").fetchone()
    assert sealed == (len(SECRETS),)
    assert world.web.seen == []


@pytest.mark.postgres
async def test_a_pack_lies_wrapped_and_goes_when_the_session_closes(gate_database: GateDatabase) -> None:
    """A pack is in Postgres under the gates' key alone, bound to its session, and then it is gone."""
    pack = pack_of(*SECRETS, memo=MEMO)
    async with outside(gate_database.dsn()) as world, gate_process(world.files):
        client = world.client
        session = await client.open(pack)
        stored = everything_stored(gate_database)
        with psycopg.connect(gate_database.admin_dsn()) as connection:
            row = connection.execute("SELECT pack_kek, pack_iv, pack_wrapped FROM gate.session").fetchone()
        await client.end(session)
        with psycopg.connect(gate_database.admin_dsn()) as connection:
            after = connection.execute("SELECT pack_kek, pack_iv, pack_wrapped FROM gate.session").fetchone()
        await client.close()
        keyring = KeyRing.load(world.files.folder / "kek")
    key = pack[5:37]
    assert key not in stored
    assert key.hex().encode() not in stored
    step = 64
    assert not any(pack[at : at + step] in stored for at in range(0, len(pack) - step, step))
    assert row is not None
    wrapped = Wrapped(row[0], row[1], row[2])
    assert keyring.unwrap(wrapped, b"pack" + to_bytes(IdType.SESSION, session.id)) == pack
    with pytest.raises(PayloadError):
        keyring.unwrap(wrapped, b"pack" + bytes(16))
    with pytest.raises(PayloadError):
        KeyRing({"k1": bytes(32)}, "k1").unwrap(wrapped, b"pack" + to_bytes(IdType.SESSION, session.id))
    assert after == (None, None, None)
