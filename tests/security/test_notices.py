"""A notice that a secret is public reaches its owner alone: not the planner, the validator or the reader, and no other
session; and it never holds the secret.
"""

from __future__ import annotations

from typing import Any

import pytest
from doublethink.gate.v1 import completion_pb2, page_pb2, record_pb2, search_pb2
from doublethink.planner.v1 import research_pb2
from doublethink.reader.v1 import reading_pb2
from doublethink.validator.v1 import composition_pb2, examination_pb2
from doublethink_console.explaining.notices import notices_of
from doublethink_console.runs.follower import readable
from google.protobuf.descriptor import FileDescriptor
from google.protobuf.message import Message
from sim.database import GateDatabase
from sim.gate import NORDWIND, Opened, SimSecret, pack_of
from sim.source import SimPage
from sim.world import NEWS, World, world_of

pytestmark = pytest.mark.postgres

CANARY = "bcd7fgh2jkm9npq4rst6"
OTHER = SimSecret("code", "Thornquill")
TOLD = SimPage(
    "https://press.example/",
    "Press",
    f"<p>Project Nordwind is about to be announced; the memo says {CANARY}.</p>",
)
FOR_MINDS: tuple[FileDescriptor, ...] = tuple(
    module.DESCRIPTOR
    for module in (
        search_pb2,
        page_pb2,
        record_pb2,
        completion_pb2,
        research_pb2,
        reading_pb2,
        examination_pb2,
        composition_pb2,
    )
)


class Copy:
    """A row as the console copies it: with the text of what was allowed to leave."""

    def __init__(self, n: int, id: bytes, body: dict[str, Any], payload: str | None) -> None:
        self.n, self.id, self.body, self.payload = n, id, body, payload


async def copies(world: World, session: Opened) -> list[Copy]:
    """What the console keeps of a session."""
    rows, bodies = await world.client.rows(session), await world.client.bodies(session)
    found = []
    for row, body in zip(rows, bodies, strict=True):
        left = body["kind"] == "attempt" and body["verdict"] == "allow"
        payload = readable(await world.client.payload(session, row.id)) if left else None
        found.append(Copy(row.n, row.id, body, payload))
    return found


def without_ids(message: Message) -> list[tuple[str, object]]:
    """The fields of a message that two sessions can have in common, also within others."""
    found: list[tuple[str, object]] = []
    for field, value in message.ListFields():
        if isinstance(value, Message):
            found += [(f"{field.name}.{name}", inner) for name, inner in without_ids(value)]
        elif not field.name.endswith(("_id", "_capability", "_us")):
            found.append((field.name, value if isinstance(value, str | bytes | int | bool) else str(value)))
    return found


async def step(world: World, session: Opened) -> list[list[tuple[str, object]]]:
    """What planner, validator and reader get for a search, its pages and a completion."""
    found = await world.client.search(session, "pump makers")
    messages = await world.client.fetch(session, found.query_id)
    page = messages[1].page
    again = await world.client.page(session, page.page_id)
    reader = messages[0].query.reader_capability
    completion = await world.client.complete(reader, found.query_id, [page.page_id])
    return [*map(without_ids, [found, *messages, again]), [("completion", completion)]]


async def test_minds_learn_nothing_of_a_notice(gate_database: GateDatabase) -> None:
    """Byte for byte they get the same where the page prints a secret of the case as where it does not, but for ids
    and times, while the owner of the one session, and not of the other, finds the notice in the rows.
    """
    async with world_of(gate_database.dsn(), TOLD, NEWS) as world:
        owner = await world.client.open(pack_of(NORDWIND, canaries=[CANARY]))
        stranger = await world.client.open(pack_of(OTHER))
        assert await step(world, owner) == await step(world, stranger)
        (notice,) = notices_of(await copies(world, owner))
        assert notice.address == TOLD.url
        assert sorted(
            notice.words.removesuffix(" of the case are already public.").lower().split(" and ")
        ) == [
            "a canary",
            "a confirmed code name",
        ]
        assert notices_of(await copies(world, stranger)) == []


async def test_a_notice_never_holds_the_secret(gate_database: GateDatabase) -> None:
    """Neither the rows nor the notice's JSON, in any case of letters."""
    async with world_of(gate_database.dsn(), TOLD, NEWS) as world:
        owner = await world.client.open(pack_of(NORDWIND, canaries=[CANARY]))
        await step(world, owner)
        (notice,) = notices_of(await copies(world, owner))
        told = str(notice.as_json()) + notice.words + repr(notice)
        rows = b"".join(row.body for row in await world.client.rows(owner)).decode()
        for secret in ("nordwind", "north wind", CANARY):
            assert secret not in told.lower()
            assert secret not in rows.lower()
        assert "public.canary" in rows


async def test_a_completion_over_the_page_goes_and_says_so_in_its_row(gate_database: GateDatabase) -> None:
    """The stored page in the body is outside the look-up for secrets; that it holds one is a rule of the row, beside
    the verdict that lets it go.
    """
    async with world_of(gate_database.dsn(), TOLD, NEWS) as world:
        owner = await world.client.open(pack_of(NORDWIND, canaries=[CANARY]))
        await step(world, owner)
        bodies = await world.client.bodies(owner)
        (completion,) = [body for body in bodies if body.get("method") == "complete"]
        assert completion["verdict"] == "allow"
        assert "public.secret.code.exact" in completion["rules"]
        assert all(rule.startswith("public.") for rule in completion["rules"])


def test_no_message_of_a_mind_has_a_place_for_a_notice() -> None:
    """No field or enum member that a mind may be sent is about notices, reasons or rules."""
    names: set[str] = set()
    for file in FOR_MINDS:
        for message in file.message_types_by_name.values():
            names |= {field.name for field in message.fields}
        for enum in file.enum_types_by_name.values():
            names |= {value.name.lower() for value in enum.values}
    assert len(names) > 50
    telling = {
        name for name in names if {"notice", "public", "reason", "rule", "rules"} & set(name.split("_"))
    }
    # What the console itself gives the planner: the case's public terms, and which of its back ends to take.
    assert telling == {"public_terms", "planner_back_end_rules"}
