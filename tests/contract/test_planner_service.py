"""The planner over real connections, its workers real processes, the gate and the validator stand-ins."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import psutil
import pytest
from doublethink.errors.v1 import errors_pb2 as errors
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink.planner.v1 import research_pb2 as research
from doublethink_planner.__main__ import build_server
from doublethink_planner.config import load_config
from doublethink_planner.workers import Workers, worker_command
from doublethink_rpc import Peer, RpcError
from sim.minds import (
    Place,
    SimSession,
    SimWorld,
    gate_services,
    minted,
    serving,
    short_folder,
    validator_services,
)

MEMO = "Codename Nordwind. Our client wants Halvorsen Pumps for $58.75 per share."
QUESTION = "How much did Acme's net sales change from fiscal 2022 to fiscal 2023?"


@dataclass
class Bench:
    """A planner with its stand-in peers."""

    place: Place
    world: SimWorld
    session: SimSession
    console: Peer

    def request(self, question: str = QUESTION, **changes: Any) -> research.ResearchRequest:
        """A request of the bench's session."""
        fields: dict[str, Any] = {
            "session_id": self.session.id,
            "memo": MEMO,
            "question": question,
            "public_terms": ["Halvorsen Pumps"],
            "back_end": research.PLANNER_BACK_END_RULES,
            "validator_capability": self.session.validator,
            "max_queries": 8,
        }
        return research.ResearchRequest(**(fields | changes))

    async def ask(self, request: research.ResearchRequest) -> list[research.ResearchEvent]:
        """All events of a request."""
        return [response.event async for response in self.stream(request)]

    def stream(self, request: research.ResearchRequest) -> Any:
        """The responses as they come."""
        return self.console.stream(
            "doublethink.planner.v1.ResearchService/Research",
            request,
            research.ResearchResponse,
            capability=self.session.planner,
        )


@asynccontextmanager
async def bench(extra: str = "", command: tuple[str, ...] = ()) -> AsyncIterator[Bench]:
    """A planner that serves; `extra` is appended to its configuration, `command` replaces its workers'."""
    with short_folder() as folder:
        place = Place(folder)
        world = SimWorld()
        known = SimSession(minted("ses"))
        world.sessions.append(known)
        file = folder / "planner.toml"
        file.write_text(
            f'[listen]\nrpc = "{place.address("planner")}"\nhealth = "{place.address("planner", "health")}"\n'
            + place.peers_toml("planner", ("gate", "validator"))
            + extra
        )
        config = load_config(file)
        workers = Workers(command or worker_command(file), config.limits.workers)
        planner = build_server(config, workers)
        await workers.prepare()
        gate, validator = (
            place.server("gate", gate_services(world)),
            place.server("validator", validator_services(world)),
        )
        async with serving(gate, validator, planner):
            console = Peer(place.address("planner"), "planner", place.tls("console"), "console")
            try:
                yield Bench(place, world, known, console)
            finally:
                await console.close()
                await workers.close()


async def _ask_or_code(on: Bench) -> tuple[list[research.ResearchEvent], int]:
    """The events of the bench's question, or the code that refused it."""
    try:
        return await on.ask(on.request()), 0
    except RpcError as error:
        return [], error.code


def kinds(events: list[research.ResearchEvent]) -> list[str]:
    """The kinds of some events."""
    return [str(event.WhichOneof("step")) for event in events]


async def test_a_change_is_planned_as_two_figures_and_a_difference() -> None:
    """Each figure is searched and examined, both at the same time, and the later one is the minuend."""
    async with bench() as on:
        on.world.numbers = {"fiscal 2022": 100, "fiscal 2023": 125}
        events = await on.ask(on.request())
        assert sorted(kinds(events)) == ["examined", "examined", "plan", "planned", "searched", "searched"]
        assert [event.index for event in events] == list(range(6))
        plan = events[-1].plan
        assert plan.status == research.PLAN_STATUS_ANSWERED
        assert [on.world.facts[fact] for fact in plan.operations[0].fact_ids] == [125, 100]
        assert plan.operations[0].kind == figures.OPERATION_KIND_DIFFERENCE
        assert sorted(on.world.searched) == ["Acme net sales fiscal 2022", "Acme net sales fiscal 2023"]
        assert [asked.unit_class for asked in on.world.examined] == [figures.UNIT_CLASS_CURRENCY] * 2


async def test_no_query_holds_a_word_that_only_the_memo_has() -> None:
    """A question that names the deal is asked without the name, and refused where nothing else remains."""
    async with bench() as on:
        on.world.numbers = {"revenue": 3}
        for question in (
            "For Project Nordwind, what was Halvorsen Pumps' revenue in 2023?",
            "What was Nordwind target Halvorsen Pumps' revenue in 2023?",
        ):
            events = await on.ask(on.request(question))
            assert events[-1].plan.status == research.PLAN_STATUS_ANSWERED
        refused = await on.ask(on.request("What was Nordwind's revenue in 2023?"))
        assert refused[-1].plan.status == research.PLAN_STATUS_REFUSED
        assert on.world.searched == ["Halvorsen Pumps revenue 2023"] * 2


async def test_what_is_not_found_is_reformulated_once() -> None:
    """A second query is tried, a third never."""
    async with bench() as on:
        events = await on.ask(on.request("What were Acme Corp's net sales in fiscal 2023?"))
        assert on.world.searched == ["Acme Corp net sales fiscal 2023", "net sales Acme fiscal 2023"]
        assert events[-1].plan.status == research.PLAN_STATUS_NOT_FOUND


async def test_without_results_nothing_is_examined() -> None:
    """A search without results counts as not found."""
    async with bench() as on:
        on.world.results = 0
        events = await on.ask(on.request("What were Acme Corp's net sales in fiscal 2023?"))
        assert kinds(events) == ["planned", "searched", "searched", "plan"]
        assert not on.world.examined


async def test_what_cannot_be_checked_is_reformulated_once_too() -> None:
    """CANNOT_CHECK is tried in other words, as what was not found, and then no more."""
    async with bench() as on:
        on.world.verdicts = {"Acme Corp net sales": figures.VERDICT_CANNOT_CHECK}
        on.world.numbers = {"net sales Acme": 7}
        question = "What were Acme Corp's net sales in fiscal 2023?"
        events = await on.ask(on.request(question))
        assert kinds(events) == ["planned", "searched", "examined", "searched", "examined", "plan"]
        assert events[-1].plan.status == research.PLAN_STATUS_ANSWERED
        on.world.verdicts = {"net sales": figures.VERDICT_CANNOT_CHECK}
        events = await on.ask(on.request(question))
        assert kinds(events) == ["planned", "searched", "examined", "searched", "examined", "plan"]
        assert events[-1].plan.status == research.PLAN_STATUS_NOT_FOUND


async def test_a_blocked_query_ends_the_run_as_refused() -> None:
    """After a block nothing else is tried."""
    async with bench() as on:
        on.world.judge = lambda query: errors.ERROR_CODE_BLOCKED
        events = await on.ask(on.request("What were Acme Corp's net sales in fiscal 2023?"))
        assert kinds(events) == ["planned", "refused", "plan"]
        assert events[1].refused.code == errors.ERROR_CODE_BLOCKED
        assert events[-1].plan.status == research.PLAN_STATUS_REFUSED


async def test_a_source_that_fails_fails_the_run_with_its_code() -> None:
    """An error that is no refusal is the last event."""
    async with bench() as on:
        on.world.judge = lambda query: errors.ERROR_CODE_SOURCE_UNAVAILABLE
        events = await on.ask(on.request())
        assert events[-1].failed.code == errors.ERROR_CODE_SOURCE_UNAVAILABLE


async def test_max_queries_bounds_the_searches() -> None:
    """The run's own bound is kept and named."""
    async with bench() as on:
        on.world.numbers = {"fiscal 2023": 125}
        events = await on.ask(on.request(max_queries=1))
        assert len(on.world.searched) == 1
        codes = [event.refused.code for event in events if event.WhichOneof("step") == "refused"]
        assert codes == [errors.ERROR_CODE_BUDGET_EXHAUSTED]
        assert events[-1].plan.status == research.PLAN_STATUS_REFUSED


@pytest.mark.parametrize("cut", [1, 2, 3, 4])
async def test_a_run_goes_on_from_its_events(cut: int) -> None:
    """What was done is not done again, wherever the run was cut off."""
    async with bench() as on:
        on.world.numbers = {"fiscal 2022": 100, "fiscal 2023": 125}
        whole = await on.ask(on.request())
        before = len(on.world.searched), len(on.world.examined)
        rest = await on.ask(on.request(history=whole[:cut]))
        assert sorted(kinds(whole[:cut] + rest)) == sorted(kinds(whole))
        assert rest[-1].plan.status == research.PLAN_STATUS_ANSWERED
        assert [event.index for event in rest] == list(range(cut, 6))
        searches = kinds(rest).count("searched")
        assert (len(on.world.searched) - before[0], len(on.world.examined) - before[1]) == (
            searches,
            kinds(rest).count("examined"),
        )


async def test_a_history_with_a_gap_is_refused() -> None:
    """Events must be gap-free and must not have ended."""
    async with bench() as on:
        whole = await on.ask(on.request("What were Acme's net sales in fiscal 2023?"))
        for history in (whole[1:2], whole):
            with pytest.raises(RpcError) as refused:
                await on.ask(on.request(history=history))
            assert refused.value.code == errors.ERROR_CODE_MALFORMED


async def test_a_history_of_another_question_fails() -> None:
    """Events that this plan cannot have given are not believed."""
    async with bench() as on:
        on.world.numbers = {"fiscal": 1}
        whole = await on.ask(on.request())
        events = await on.ask(on.request("What were Acme's net sales in fiscal 2023?", history=whole[:4]))
        assert events[-1].failed.code


@pytest.mark.parametrize("name", ["OLLAMA", "OPENAI", "CARELESS"])
async def test_a_back_end_that_is_not_there_is_an_error(name: str) -> None:
    """Also the careless double, unless the configuration allows it."""
    async with bench() as on:
        with pytest.raises(RpcError) as refused:
            await on.ask(on.request(back_end=research.PlannerBackEnd.Value(f"PLANNER_BACK_END_{name}")))
        assert refused.value.code == errors.ERROR_CODE_BACK_END_UNKNOWN


async def test_the_careless_double_is_stopped_and_the_run_goes_on() -> None:
    """Its first query holds the memo's sentences; the gate refuses it; the rules then answer."""
    async with bench("[planner]\nallow_careless = true\n") as on:
        on.world.judge = lambda query: errors.ERROR_CODE_BLOCKED if "Nordwind" in query else 0
        on.world.numbers = {"fiscal 2022": 100, "fiscal 2023": 125}
        events = await on.ask(on.request(back_end=research.PLANNER_BACK_END_CARELESS))
        assert sum("Nordwind" in query for query in on.world.searched) == 1
        codes = [event.refused.code for event in events if event.WhichOneof("step") == "refused"]
        assert codes == [errors.ERROR_CODE_BLOCKED]
        assert events[-1].plan.status == research.PLAN_STATUS_ANSWERED


async def test_a_worker_that_dies_is_a_failed_event() -> None:
    """Its death is INTERNAL, and the next request is served."""
    async with bench(command=(sys.executable, "-c", "import sys; sys.stdin.buffer.read(40)")) as on:
        for _ in range(2):
            events = await on.ask(on.request())
            assert [event.failed.code for event in events] == [errors.ERROR_CODE_INTERNAL]


async def test_a_worker_that_talks_nonsense_is_a_failed_event() -> None:
    """Bytes that are no event are not passed on."""
    noise = "import sys; sys.stdout.buffer.write(b'\\x05hello'); sys.stdout.flush(); sys.stdin.buffer.read()"
    async with bench(command=(sys.executable, "-c", noise)) as on:
        events = await on.ask(on.request())
        assert [event.failed.code for event in events] == [errors.ERROR_CODE_INTERNAL]


async def test_a_worker_ends_when_nobody_waits_for_it() -> None:
    """Breaking off the stream kills the worker and frees its session."""
    async with bench() as on:
        on.world.search_gate = asyncio.Event()
        async with aclosing(on.stream(on.request())) as responses:
            first = await anext(responses)
            assert first.event.WhichOneof("step") == "planned"
        on.world.search_gate.set()
        on.world.numbers = {"fiscal": 1}
        # The server learns of the broken stream a moment later: until then the session has its worker.
        code: int = errors.ERROR_CODE_CONFLICT
        while code == errors.ERROR_CODE_CONFLICT:
            events, code = await _ask_or_code(on)
        assert events[-1].plan.status == research.PLAN_STATUS_ANSWERED


async def test_a_session_has_one_worker_and_workers_are_bounded() -> None:
    """A second request of the session is a conflict, one beyond the bound an overload."""
    async with bench("[limits]\nworkers = 1\nqueue = 4\n") as on:
        # The server's own bound would make the second call wait: ask the pool itself.
        workers = Workers((sys.executable, "-c", "import sys; sys.stdin.buffer.read()"), 1)
        async with aclosing(workers.run(on.request(), bytes(32), 60.0)) as first:
            waiting = asyncio.create_task(anext(first))
            await asyncio.sleep(0)
            for request, code in (
                (on.request(), errors.ERROR_CODE_CONFLICT),
                (on.request(session_id=minted("ses")), errors.ERROR_CODE_OVERLOADED),
            ):
                with pytest.raises(RpcError) as refused:
                    await anext(workers.run(request, bytes(32), 60.0))
                assert refused.value.code == code
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)


async def test_a_worker_past_its_deadline_is_killed() -> None:
    """The time of the call is the time of the worker."""
    workers = Workers((sys.executable, "-c", "import sys; sys.stdin.buffer.read()"), 1)
    request = research.ResearchRequest(session_id=minted("ses"))
    with pytest.raises(RpcError) as refused:
        async for _ in workers.run(request, bytes(32), 0.05):
            pass
    assert refused.value.code == errors.ERROR_CODE_DEADLINE


async def test_a_worker_waits_for_the_next_run_and_is_replaced() -> None:
    """The worker that was started ahead takes the run, another stands behind it, and closing ends that."""
    workers = Workers((sys.executable, "-c", "import sys; sys.stdin.buffer.read(40)"), 1)
    before = set(psutil.Process().children())
    await workers.prepare()
    (ahead,) = set(psutil.Process().children()) - before
    request = research.ResearchRequest(session_id=minted("ses"))
    events = [event async for event in workers.run(request, bytes(32), 60.0)]
    assert [event.failed.code for event in events] == [errors.ERROR_CODE_INTERNAL]
    (behind,) = set(psutil.Process().children()) - before
    assert behind != ahead
    await workers.close()
    assert set(psutil.Process().children()) == before
