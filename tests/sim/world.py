"""A gate between a simulated web and a simulated model, ready for a test to look into."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import pytest
from doublethink.errors.v1 import errors_pb2
from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import page_pb2, record_pb2
from doublethink_gate.process import system_clock
from doublethink_rpc import RpcError
from sim.gate import GateClient, GateFiles, gate_running, short_folder
from sim.model import SimModel
from sim.source import SimPage, SimSource
from sim.web import SimWeb, serving

ANNUAL = SimPage(
    "https://www.sec.gov/halvorsen-10k.html",
    "Halvorsen Pumps annual report",
    "<html><head><title>Halvorsen Pumps annual report</title></head><body>"
    "<p>Revenue was $42,916 million in fiscal 2024.</p></body></html>",
)
NEWS = SimPage(
    "https://blog.example/halvorsen.html",
    "Halvorsen in the news",
    "<html><head><title>News</title></head><body><p>Pumps sold well.</p></body></html>",
)


@dataclass
class World:
    """A gate with a source and a model."""

    client: GateClient
    files: GateFiles
    source: SimSource
    web: SimWeb
    model: SimModel
    model_web: SimWeb


@contextlib.asynccontextmanager
async def outside(dsn: str, *pages: SimPage, model: bool = True, **files: Any) -> AsyncIterator[World]:
    """Everything but the gate: its files, its web and its model. `client` calls the first replica."""
    # Waits between attempts are for people's networks.
    files.setdefault("limits", {"retry_wait_s": 0.01})
    source, cloud = SimSource(list(pages or (ANNUAL, NEWS))), SimModel()
    with short_folder() as folder:
        async with serving(source) as web, serving(cloud) as model_web:
            made = GateFiles(folder, dsn, web.url, model_web.url if model else None, **files)
            yield World(made.client(), made, source, web, cloud, model_web)


@contextlib.asynccontextmanager
async def world_of(
    dsn: str, *pages: SimPage, clock: Callable[[], int] = system_clock, **files: Any
) -> AsyncIterator[World]:
    """A gate in this process, with its outside world."""
    async with outside(dsn, *pages, **files) as world, gate_running(world.files, clock=clock) as client:
        world.client = client
        yield world


async def refused(awaitable: Awaitable[object]) -> str:
    """The name of the code that a call ends with."""
    with pytest.raises(RpcError) as caught:
        await awaitable
    return errors_pb2.ErrorCode.Name(caught.value.code)


def fact_on(page: page_pb2.Page, query_id: str, piece: bytes = b"$42,916 million") -> record_pb2.Fact:
    """A fact whose figure is a piece of the page."""
    start = page.text.encode().index(piece)
    return record_pb2.Fact(
        query_id=query_id,
        page_id=page.page_id,
        spans=[record_pb2.Span(role=record_pb2.SPAN_ROLE_FIGURE, start=start, end=start + len(piece))],
        value=figures_pb2.Decimal(mantissa=42916, exponent=6),
        unit=figures_pb2.Unit(measure=figures_pb2.MEASURE_USD),
        label="Revenue",
    )
