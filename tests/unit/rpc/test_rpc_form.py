"""Messages are in form or refused, and contracts declare a form or are refused."""

from __future__ import annotations

from typing import Any

import pytest
from doublethink.figures.v1 import figures_pb2
from doublethink.gate.v1 import page_pb2, record_pb2, search_pb2, session_pb2
from doublethink.planner.v1 import research_pb2
from doublethink.validator.v1 import examination_pb2
from doublethink_rpc.errors import FormBroken, StartRefused
from doublethink_rpc.form import check_for, decode, encode
from hypothesis import given, settings
from hypothesis import strategies as st
from sim.contracts import BYTES, all_methods, made, make_contract, make_field, sample

_ID = "qry_" + "a" * 26
_KINDS = {
    kind.full_name: kind
    for contract in all_methods()
    for kind in (contract.request.DESCRIPTOR, contract.response.DESCRIPTOR)
}


def _decode(message: Any, kind: type[Any], limit: int = 1 << 20) -> Any:
    wire = message if isinstance(message, bytes) else message.SerializeToString()
    return decode(wire, kind, check_for(kind.DESCRIPTOR), limit)


@pytest.mark.parametrize("name", sorted(_KINDS))
def test_a_sample_of_each_message_is_in_form(name: str) -> None:
    """The sample that tests use passes the check of its own contract, and comes back equal."""
    message = sample(_KINDS[name])
    assert _decode(message, type(message)) == message


@pytest.mark.parametrize(
    "query_id",
    ["", "qry_", "qry_" + "a" * 25, "qry_" + "a" * 27, "pag_" + "a" * 26, "qry_" + "A" * 26,
     "qry_" + "1" * 26, "qry_" + "a" * 25 + "\n", _ID + "\n", " " + _ID, "qry_" + "á" * 26],
)  # fmt: skip
def test_an_id_has_one_form(query_id: str) -> None:
    """An id is its prefix and 26 characters of base32, with nothing before or behind."""
    with pytest.raises(FormBroken):
        _decode(page_pb2.FetchPagesRequest(query_id=query_id, pages=1), page_pb2.FetchPagesRequest)


def test_an_optional_id_may_be_empty_and_is_checked_otherwise() -> None:
    """Where the form says optional, an id is absent or right."""
    kind = research_pb2.Examined
    right = kind(figure=0, query_id=_ID, verdict=figures_pb2.VERDICT_NOT_FOUND)
    assert _decode(right, kind) == right
    right.fact_id = "fct"
    with pytest.raises(FormBroken):
        _decode(right, kind)


@pytest.mark.parametrize(
    ("query", "right"),
    [("", False), ("x", True), ("x" * 1600, True), ("x" * 1601, False), ("é" * 800, True),
     ("é" * 801, False), ("😀" * 400, True), ("😀" * 401, False), ("😀" * 400 + "x", False)],
)  # fmt: skip
def test_a_string_is_measured_in_bytes(query: str, right: bool) -> None:
    """max_bytes counts UTF-8 bytes, whatever the characters."""
    message = search_pb2.SearchRequest(query=query)
    if right:
        assert _decode(message, search_pb2.SearchRequest) == message
    else:
        with pytest.raises(FormBroken):
            _decode(message, search_pb2.SearchRequest)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=90))
def test_the_shortcut_of_measuring_agrees_with_encoding(text: str) -> None:
    """A text passes exactly if its UTF-8 bytes are one to 64."""
    check = check_for(_SERVICE.file.message_types_by_name["Made"])
    message = made(_SERVICE)(word=text)
    try:
        check(message)
        passed = True
    except FormBroken:
        passed = False
    assert passed == (1 <= len(text.encode()) <= 64)


_SERVICE = make_contract()


@pytest.mark.parametrize("length", [0, 31, 33])
def test_exact_bytes_are_exact(length: int) -> None:
    """A digest or capability of another length is refused."""
    message = sample(session_pb2.OpenSessionResponse.DESCRIPTOR)
    message.policy_digest = b"x" * length
    with pytest.raises(FormBroken):
        _decode(message, session_pb2.OpenSessionResponse)


@pytest.mark.parametrize("measure", [49, 10_000, 2**31 - 1, -1, 0])
def test_enums_are_closed(measure: Any) -> None:
    """A number that the enum does not name is refused, and zero where the field is not optional."""
    with pytest.raises(FormBroken):
        _decode(figures_pb2.Unit(measure=measure), figures_pb2.Unit)


def test_an_optional_enum_may_be_unspecified() -> None:
    """Zero passes where the form says optional, and only zero."""
    right = figures_pb2.Unit(measure=figures_pb2.MEASURE_USD)
    assert _decode(right, figures_pb2.Unit) == right
    outside: Any = 999
    with pytest.raises(FormBroken):
        _decode(figures_pb2.Unit(measure=figures_pb2.MEASURE_USD, per=outside), figures_pb2.Unit)


def test_a_repeated_enum_holds_no_zero() -> None:
    """In a list, unspecified says nothing, so it is refused; so is a number without a name."""
    fact = sample(record_pb2.Fact.DESCRIPTOR)
    del fact.flags[:]
    for flag in (0, 99):
        fact.flags[:] = [flag]
        with pytest.raises(FormBroken):
            _decode(fact, type(fact))


@pytest.mark.parametrize(
    ("mantissa", "exponent", "right"),
    [(0, 0, True), (999_999_999_999, 15, True), (-999_999_999_999, -12, True), (10**12, 0, False),
     (-(10**12), 0, False), (2**63 - 1, 0, False), (1, 16, False), (1, -13, False)],
)  # fmt: skip
def test_integers_stay_in_their_range(mantissa: int, exponent: int, right: bool) -> None:
    """A decimal has at most twelve digits and a small exponent, both ends included."""
    message = figures_pb2.Decimal(mantissa=mantissa, exponent=exponent)
    if right:
        assert _decode(message, figures_pb2.Decimal) == message
    else:
        with pytest.raises(FormBroken):
            _decode(message, figures_pb2.Decimal)


def test_an_optional_integer_may_be_zero_outside_its_range() -> None:
    """A year is unset or a year."""
    assert _decode(figures_pb2.Period(year=0), figures_pb2.Period) == figures_pb2.Period()
    with pytest.raises(FormBroken):
        _decode(figures_pb2.Period(year=1), figures_pb2.Period)


def test_repeated_fields_are_counted() -> None:
    """max_items are allowed and one more is not, for messages and for scalars; each item is checked."""
    counts = [search_pb2.ClassCount(source_class=figures_pb2.SOURCE_CLASS_COMPANY, results=1)] * 5
    kind = search_pb2.SearchResponse
    assert _decode(kind(query_id=_ID, counts=counts), kind)
    with pytest.raises(FormBroken):
        _decode(kind(query_id=_ID, counts=[*counts, counts[0]]), kind)
    wrong = search_pb2.ClassCount(source_class=figures_pb2.SOURCE_CLASS_COMPANY, results=51)
    with pytest.raises(FormBroken):
        _decode(kind(query_id=_ID, counts=[wrong]), kind)
    ids = research_pb2.Plan(status=research_pb2.PLAN_STATUS_ANSWERED, fact_ids=["fct_" + "a" * 26] * 33)
    with pytest.raises(FormBroken):
        _decode(ids, research_pb2.Plan)


def test_a_message_is_there_unless_optional() -> None:
    """An absent message is refused, and allowed where the form says so."""
    with pytest.raises(FormBroken):
        _decode(page_pb2.GetPageResponse(), page_pb2.GetPageResponse)
    request = examination_pb2.ExamineRequest(query_id=_ID, pages=1)
    assert _decode(request, examination_pb2.ExamineRequest) == request


def test_a_oneof_has_one_member() -> None:
    """A oneof without a member is refused, and the member that is set is checked."""
    kind = page_pb2.FetchPagesResponse
    with pytest.raises(FormBroken):
        _decode(kind(), kind)
    with pytest.raises(FormBroken):
        _decode(kind(failed=page_pb2.FailedPage(rank=1)), kind)
    right = kind(failed=page_pb2.FailedPage(rank=1, outcome=page_pb2.PAGE_OUTCOME_BLOCKED))
    assert _decode(right, kind) == right


def test_the_break_names_the_field_and_not_the_value() -> None:
    """The error holds the contract's own name, so that it may be logged."""
    with pytest.raises(FormBroken) as broken:
        _decode(search_pb2.SearchResponse(query_id="Nordwind"), search_pb2.SearchResponse)
    assert str(broken.value) == "doublethink.gate.v1.SearchResponse.query_id"


# A field that no contract has: number 1000, and the length-delimited text "smuggled".
_SMUGGLED = bytes([0xC2, 0x3E, 8]) + b"smuggled"


def _with_inner(inner: bytes) -> bytes:
    return search_pb2.SearchResponse(query_id=_ID).SerializeToString() + bytes([0x12, len(inner)]) + inner


@pytest.mark.parametrize(
    "wire",
    [
        search_pb2.SearchResponse(query_id=_ID).SerializeToString() + _SMUGGLED,
        _SMUGGLED + search_pb2.SearchResponse(query_id=_ID).SerializeToString(),
        _with_inner(b"\x08\x01\x10\x01" + _SMUGGLED),
        _with_inner(b"\x08\x01\x10\x01" + b"\x98\x06\x07"),
        search_pb2.SearchResponse(query_id=_ID).SerializeToString() * 2,
        _with_inner(b"\x08\x01\x10\x01\x10\x01"),
        _with_inner(b"\x08\x01\x10\x81\x80\x00"),
        _with_inner(b"\x08\x01\x10\x00"),
        _with_inner(b"\x08\x01\x12\x01x"),
        b"\x0a\x02\xff\xff",
        b"\x0a\x7f",
        b"\xff" * 9,
    ],
    ids=["behind", "before", "inside", "inside-number", "twice", "inside-twice", "padded-number",
         "spelt-out-default", "wrong-type", "not-utf8", "cut-off", "noise"],
)  # fmt: skip
def test_bytes_that_say_more_than_the_message_are_refused(wire: bytes) -> None:
    """Unknown fields at any depth, values sent twice, padded encodings and broken bytes do not pass."""
    with pytest.raises(FormBroken):
        _decode(wire, search_pb2.SearchResponse)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_are_a_message_or_refused(wire: bytes) -> None:
    """Decoding raises nothing but the one error, and what passes re-encodes to the same length."""
    try:
        message = _decode(wire, search_pb2.SearchResponse)
    except FormBroken:
        return
    assert len(message.SerializeToString()) == len(wire)


def test_size_is_checked_before_parsing() -> None:
    """One byte above the limit is refused, the limit itself is not."""
    wire = search_pb2.SearchRequest(query="x" * 10).SerializeToString()
    assert _decode(wire, search_pb2.SearchRequest, len(wire))
    with pytest.raises(FormBroken):
        _decode(wire, search_pb2.SearchRequest, len(wire) - 1)


def test_what_is_sent_is_checked_too() -> None:
    """Encoding refuses a message of another type, out of form or too large, and drops unknown fields."""
    kind: Any = search_pb2.SearchResponse
    check = check_for(kind.DESCRIPTOR)
    with pytest.raises(FormBroken):
        encode(search_pb2.SearchRequest(query="x"), kind, check, 1024)
    with pytest.raises(FormBroken):
        encode(kind(query_id="x"), kind, check, 1024)
    with pytest.raises(FormBroken):
        encode(kind(query_id=_ID), kind, check, 8)
    clean = kind(query_id=_ID).SerializeToString()
    assert encode(kind.FromString(clean + _SMUGGLED), kind, check, 1024) == clean


@pytest.mark.parametrize(
    "field",
    [
        make_field("word"),
        make_field("word", kind=BYTES),
        make_field("word", repeated=True, max_bytes=10),
        make_field("word", repeated=True, kind=5),
        make_field("word", max_items=3),
        make_field("word", kind=1),
        make_field("word", kind=2),
        make_field("word", id="NOT"),
        make_field("word", id="a.c"),
        make_field("word", kind=5, min=2, max=1),
    ],
    ids=["string", "bytes", "no-items", "numbers-no-items", "items-only", "double", "float",
         "id-upper", "id-pattern", "empty-range"],
)  # fmt: skip
def test_a_field_without_its_form_builds_no_check(field: Any) -> None:
    """A field that could hold anything is found before a server starts."""
    service = make_contract(fields=[field])
    with pytest.raises(StartRefused, match=r"made\.v1\.Made\.word"):
        check_for(service.file.message_types_by_name["Made"])


def test_a_type_may_contain_itself() -> None:
    """The check of a recursive type is built, and looks at every level."""
    fields = [
        make_field("word", max_bytes=4),
        make_field("inner", 2, 11, type_name=".made.v1.Made", optional=True),
    ]
    service = make_contract(fields=fields)
    kind = made(service)
    inner = kind(word="x", inner=kind(word="x"))
    assert _decode(inner, kind) == inner
    with pytest.raises(FormBroken):
        _decode(kind(word="x", inner=kind(word="xxxxx")), kind)
