"""I3: what enters the planner from the web is typed and bounded."""

from __future__ import annotations

import math
from typing import Any

import pytest
from doublethink.gate.v1 import search_pb2
from doublethink.validator.v1 import examination_pb2
from doublethink_rpc.contract import MethodContract, read_service
from doublethink_rpc.declared import form_of
from google.protobuf.descriptor import FieldDescriptor
from sim.contracts import BYTES, all_methods, all_services, make_contract, make_field, reachable

_INTO_PLANNER = [contract for contract in all_methods() if "planner" in contract.callers]
_WIDEST_RANGE = 2 * 10**12


def findings(descriptor: Any) -> list[str]:
    """The fields, at any depth, that could carry something else than a bounded typed value."""
    return [
        f"{field.full_name}: {why}"
        for kind in reachable(descriptor).values()
        for field in kind.fields
        if (why := _why_not(field)) is not None
    ]


def _why_not(field: FieldDescriptor) -> str | None:
    form = form_of(field)
    if field.is_repeated and form.max_items == 0:
        return "an unbounded list"
    if field.type == FieldDescriptor.TYPE_STRING:
        return None if form.id else "a string that is no id"
    if field.message_type is not None or field.enum_type is not None:
        return None
    if field.type == FieldDescriptor.TYPE_BOOL:
        return None
    if field.cpp_type in (
        FieldDescriptor.CPPTYPE_INT32,
        FieldDescriptor.CPPTYPE_INT64,
        FieldDescriptor.CPPTYPE_UINT32,
        FieldDescriptor.CPPTYPE_UINT64,
    ):
        return None if 0 < form.max - form.min <= _WIDEST_RANGE else "an integer without bounds"
    return "bytes or a floating-point number"


def bits(descriptor: Any) -> float:
    """The most bits that one message of a type can carry in its declared forms; ids are not counted."""
    total = 0.0
    for field in descriptor.fields:
        form = form_of(field)
        if field.message_type is not None:
            one = bits(field.message_type)
        elif field.enum_type is not None:
            one = math.log2(len(field.enum_type.values))
        elif field.type == FieldDescriptor.TYPE_STRING:
            one = 0.0
        else:
            one = math.log2(form.max - form.min + 1)
        total += one * max(1, form.max_items)
    return total


def test_the_planner_hears_from_gate_and_validator_alone() -> None:
    """Two services answer the planner, and it is itself called by the console alone."""
    assert {contract.service for contract in _INTO_PLANNER} == {
        "doublethink.gate.v1.SearchService",
        "doublethink.validator.v1.ExaminationService",
    }
    own = [service for service in all_services() if service.full_name.startswith("doublethink.planner.")]
    assert own
    assert {caller for service in own for method in read_service(service) for caller in method.callers} == {
        "console"
    }


@pytest.mark.parametrize("contract", _INTO_PLANNER, ids=lambda contract: contract.path)
def test_every_answer_to_the_planner_is_typed_and_bounded(contract: MethodContract) -> None:
    """No string beside ids, no bytes, every integer in a range, every list counted, at any depth."""
    assert findings(contract.response.DESCRIPTOR) == []


def test_a_number_is_a_decimal_of_twelve_digits() -> None:
    """The value of an observation is a mantissa and an exponent, and there are at most four observations."""
    kinds = reachable(examination_pb2.ExamineResponse.DESCRIPTOR)
    value = kinds["doublethink.validator.v1.Observation"].fields_by_name["value"]
    assert value.message_type is not None
    fields = value.message_type.fields_by_name
    assert set(fields) == {"mantissa", "exponent"}
    mantissa, exponent = form_of(fields["mantissa"]), form_of(fields["exponent"])
    assert (mantissa.min, mantissa.max) == (-(10**12) + 1, 10**12 - 1)
    assert (exponent.min, exponent.max) == (-12, 15)
    response = kinds["doublethink.validator.v1.ExamineResponse"]
    assert form_of(response.fields_by_name["observations"]).max_items == 4


def test_the_channel_has_a_bit_budget() -> None:
    """One search answers with less than 64 bits beside its id, and one examination with less than 512."""
    assert bits(search_pb2.SearchResponse.DESCRIPTOR) < 64
    assert bits(examination_pb2.ExamineResponse.DESCRIPTOR) < 512


@pytest.mark.parametrize(
    "field",
    [
        make_field("word", max_bytes=10),
        make_field("word", kind=BYTES, exact_bytes=4),
        make_field("word", kind=3),
        make_field("word", kind=3, min=-(2**62), max=2**62),
        make_field("word", kind=1),
        make_field("word", repeated=True, id="fct"),
    ],
    ids=["text", "bytes", "integer", "wide-integer", "double", "endless-list"],
)
def test_the_walk_sees_what_it_looks_for(field: Any) -> None:
    """Each kind of field that I3 forbids is found by the walk, also one level down."""
    inner = make_field("inner", 2, 11, type_name=".made.v1.Made")
    service = make_contract(fields=[field, inner])
    assert len(findings(service.file.message_types_by_name["Made"])) == 1
