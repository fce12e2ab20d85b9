"""I1, for the planner: the process that knows the memo has no code that could fetch or read a web page."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import doublethink_planner
import grimp
import pytest

PLANNER = "doublethink_planner"
MODEL_CLIENT = "doublethink_planner.model.client"
OWN = ("doublethink_planner", "doublethink_rpc", "doublethink_figures", "doublethink_settings")
READS_PAGES = (
    "doublethink_gate",
    "doublethink_reader",
    "doublethink_validator",
    "doublethink_console",
    "doublethink_corpus",
    "doublethink_sdk",
)
# Whatever speaks HTTP as a client, parses HTML or drives a browser.
PAGE_CODE = frozenset(
    {
        "aiohttp", "bs4", "ftplib", "html5lib", "httpcore", "httplib2", "httpx", "lxml", "mechanize",
        "niquests", "parsel", "playwright", "pycurl", "pyppeteer", "requests", "scrapy", "selectolax",
        "selenium", "smtplib", "treq", "trafilatura", "urllib3", "webbrowser", "websockets", "xmlrpc",
    }
)  # fmt: skip
PAGE_MODULES = frozenset(
    {"html.parser", "http.client", "http.cookiejar", "urllib.request", "urllib.robotparser"}
)


@cache
def closure(root: str) -> frozenset[str]:
    """Every module that the root's modules import, directly or not, external packages at their top."""
    graph = grimp.build_graph(*OWN, include_external_packages=True)
    found: set[str] = set()
    for module in {root, *graph.find_descendants(root)}:
        found |= graph.find_upstream_modules(module) | {module}
    return frozenset(found)


def test_the_walk_sees_what_is_imported() -> None:
    """The control: the closure holds the planner's own modules and the libraries that it is known to use."""
    assert {"doublethink_planner.worker", "doublethink_rpc.peer", "grpc", "google"} <= closure(PLANNER)


def test_the_planner_imports_nothing_that_reads_pages() -> None:
    """Neither another service nor a library for pages stands in the planner's import closure, but for the client of
    its model's unix socket, which one module alone imports.
    """
    tops = {module.partition(".")[0] for module in closure(PLANNER)}
    assert not tops & set(READS_PAGES)
    assert tops & PAGE_CODE == {"httpx"}
    graph = grimp.build_graph(*OWN, include_external_packages=True)
    assert graph.find_modules_that_directly_import("httpx") == {MODEL_CLIENT}


def test_the_model_client_reaches_a_unix_socket_and_nothing_else() -> None:
    """Its transport is bound to a path: whatever address a request names, it goes there."""
    source = Path(doublethink_planner.__path__[0], "model", "client.py").read_text(encoding="utf-8")
    assert source.count("httpx.AsyncHTTPTransport(") == source.count("uds=") == 1
    assert source.count("**_http(socket, seconds)") == source.count("AsyncClient(") == 2


@pytest.mark.parametrize("module", sorted(PAGE_MODULES))
def test_the_standard_library_s_page_code_is_not_imported_by_our_code(module: str) -> None:
    """No line of ours in the closure imports it."""
    graph = grimp.build_graph(*OWN, include_external_packages=True)
    for own in closure(PLANNER):
        if own.partition(".")[0] in OWN:
            for imported in graph.find_modules_directly_imported_by(own):
                for detail in graph.get_import_details(importer=own, imported=imported):
                    assert module not in str(detail["line_contents"])


def test_the_running_worker_has_loaded_none_of_it() -> None:
    """What a worker has in memory once it is imported, in isolated mode as it is started."""
    listing = "import sys, doublethink_planner.worker; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", listing], capture_output=True, text=True, timeout=60, check=True, env={}
    )
    loaded = done.stdout.split()
    tops = {module.partition(".")[0] for module in loaded}
    assert "doublethink_planner" in tops
    assert not tops & set(READS_PAGES)
    assert not tops & PAGE_CODE
    assert "html.parser" not in loaded


def test_no_message_that_reaches_the_planner_has_a_place_for_a_page() -> None:
    """From the gate and the validator come numbers, enumerations and ids of fixed form: no text, no bytes."""
    from doublethink.gate.v1 import search_pb2
    from doublethink.validator.v1 import examination_pb2
    from doublethink_rpc.declared import form_of
    from google.protobuf.descriptor import FieldDescriptor
    from sim.contracts import reachable

    for answer in (search_pb2.SearchResponse.DESCRIPTOR, examination_pb2.ExamineResponse.DESCRIPTOR):
        for message in reachable(answer).values():
            for field in message.fields:
                assert field.type != FieldDescriptor.TYPE_BYTES
                if field.type == FieldDescriptor.TYPE_STRING:
                    assert form_of(field).id
