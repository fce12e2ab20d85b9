"""I1, for reader and validator: the processes that read pages have no place for a secret."""

from __future__ import annotations

from functools import cache

import grimp
import pytest
from doublethink_rpc.declared import form_of
from google.protobuf.descriptor import FieldDescriptor
from sim.contracts import all_methods, reachable

OWN = (
    "doublethink_reader",
    "doublethink_validator",
    "doublethink_rpc",
    "doublethink_figures",
    "doublethink_settings",
)
# What reads a case, makes fingerprints of its secrets, or plans from its memo.
KNOWS_SECRETS = frozenset(
    {
        "doublethink_casefile",
        "doublethink_fingerprint",
        "doublethink_planner",
        "doublethink_console",
        "doublethink_gate",
        "doublethink_sdk",
    }
)
# Every text that reader and validator are given, and whose it is: an approved query, or what a page says.
PUBLIC_TEXTS = {
    "doublethink.gate.v1.ApprovedQuery.text",
    "doublethink.gate.v1.CompleteResponse.completion",
    "doublethink.gate.v1.Fact.label",
    "doublethink.gate.v1.Page.extractor",
    "doublethink.gate.v1.Page.text",
    "doublethink.gate.v1.Page.result_title",
    "doublethink.gate.v1.Page.url",
    "doublethink.reader.v1.Claim.heading_quotes",
    "doublethink.reader.v1.Claim.period",
    "doublethink.reader.v1.Claim.quote",
    "doublethink.reader.v1.Claim.scale",
    "doublethink.reader.v1.Claim.unit",
    "doublethink.reader.v1.Claim.value",
    "doublethink.reader.v1.ReadPage.text",
    "doublethink.reader.v1.ReadQuery.text",
}


@cache
def imported(root: str) -> frozenset[str]:
    """The top names of everything that a service imports, directly or not."""
    graph = grimp.build_graph(*OWN, include_external_packages=True)
    found: set[str] = set()
    for module in {root, *graph.find_descendants(root)}:
        found |= graph.find_upstream_modules(module) | {module}
    return frozenset(module.partition(".")[0] for module in found)


def _texts(descriptor: object) -> set[str]:
    return {
        field.full_name
        for kind in reachable(descriptor).values()
        for field in kind.fields
        if field.type == FieldDescriptor.TYPE_STRING and not form_of(field).id
    }


@pytest.mark.parametrize("service", ["doublethink_reader", "doublethink_validator"])
def test_who_reads_pages_imports_nothing_that_knows_secrets(service: str) -> None:
    """Neither the case file nor its fingerprints nor the planner stands in the import closure."""
    assert {service, "doublethink_rpc", "grpc"} <= imported(service)
    assert not imported(service) & KNOWS_SECRETS


def test_every_text_that_they_are_given_is_public() -> None:
    """Requests to them and answers to their own calls hold approved queries and what pages say, no more."""
    given: set[str] = set()
    for contract in all_methods():
        own = contract.service.startswith(("doublethink.reader.", "doublethink.validator."))
        if own:
            given |= _texts(contract.request.DESCRIPTOR)
        if contract.callers & {"reader", "validator"}:
            given |= _texts(contract.response.DESCRIPTOR)
    assert given == PUBLIC_TEXTS


@pytest.mark.parametrize("caller", ["console", "planner"])
def test_who_knows_the_secret_gives_them_no_text(caller: str) -> None:
    """Console and planner name queries and facts by id: no field of theirs could carry a word."""
    calls = [
        contract
        for contract in all_methods()
        if caller in contract.callers
        and contract.service.startswith(("doublethink.reader.", "doublethink.validator."))
    ]
    assert calls
    for contract in calls:
        assert _texts(contract.request.DESCRIPTOR) == set()
        for kind in reachable(contract.request.DESCRIPTOR).values():
            assert not [field.full_name for field in kind.fields if field.type == FieldDescriptor.TYPE_BYTES]
