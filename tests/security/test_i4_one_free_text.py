"""I4: the only free text that leaves the planner is a search query, and it goes to the gate."""

from __future__ import annotations

from typing import Any

from doublethink_rpc.contract import read_service
from doublethink_rpc.declared import form_of
from google.protobuf.descriptor import FieldDescriptor
from sim.contracts import all_methods, all_services, make_contract, make_field, reachable


def _is_free(field: FieldDescriptor) -> bool:
    if field.type == FieldDescriptor.TYPE_STRING:
        return not form_of(field).id
    if field.message_type is not None or field.enum_type is not None:
        return False
    if field.type == FieldDescriptor.TYPE_BOOL:
        return False
    if field.type == FieldDescriptor.TYPE_BYTES:
        return True
    form = form_of(field)
    return not 0 < form.max - form.min <= 2**24


def _free_fields(descriptor: Any) -> set[str]:
    return {
        field.full_name for kind in reachable(descriptor).values() for field in kind.fields if _is_free(field)
    }


def test_the_planner_writes_one_text() -> None:
    """Over all messages that it sends to gate and validator, one field alone takes free text or bytes."""
    requests = [contract for contract in all_methods() if "planner" in contract.callers]
    assert len(requests) == 3
    found = set().union(*(_free_fields(contract.request.DESCRIPTOR) for contract in requests))
    assert found == {"doublethink.gate.v1.SearchRequest.query"}


def test_that_text_goes_to_the_gate() -> None:
    """The one field belongs to the gate's search service, in no other message that anybody sends."""
    holders = {
        contract.path
        for contract in all_methods()
        for message in (contract.request.DESCRIPTOR, contract.response.DESCRIPTOR)
        if "doublethink.gate.v1.SearchRequest" in reachable(message)
    }
    assert holders == {"/doublethink.gate.v1.SearchService/Search"}


def test_what_the_planner_tells_the_console_holds_no_text() -> None:
    """Events and plans are ids, numbers and enums: nothing that it read from the memo flows back as text."""
    own = [service for service in all_services() if service.full_name.startswith("doublethink.planner.")]
    responses = [method.response.DESCRIPTOR for service in own for method in read_service(service)]
    assert responses
    assert set().union(*map(_free_fields, responses)) == set()


def test_the_text_is_short_and_the_query_stands_alone() -> None:
    """The request holds the query and nothing else, of a bounded length."""
    fields = reachable(_search_request())["doublethink.gate.v1.SearchRequest"].fields
    assert [field.name for field in fields] == ["query"]
    assert 0 < form_of(fields[0]).max_bytes <= 1600


def _search_request() -> Any:
    return next(
        contract.descriptor.input_type
        for contract in all_methods()
        if contract.path == "/doublethink.gate.v1.SearchService/Search"
    )


def test_the_walk_sees_free_text() -> None:
    """A string, bytes or a wide number is found, also inside another message."""
    fields = [
        make_field("word", 1, max_bytes=3),
        make_field("data", 2, 12, exact_bytes=3),
        make_field("wide", 3, 3, min=0, max=2**40),
        make_field("fine", 4, 3, min=0, max=9),
        make_field("inner", 5, 11, type_name=".made.v1.Made"),
    ]
    found = _free_fields(make_contract(fields=fields).file.message_types_by_name["Made"])
    assert found == {"made.v1.Made.word", "made.v1.Made.data", "made.v1.Made.wide"}
