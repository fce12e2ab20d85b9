"""Every service's configuration is closed: a key that nobody reads stops the start, in whichever section."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from doublethink_settings import SettingsError, settings_of

_TLS = {"certificate": "c.pem", "key": "k.pem", "authority": "a.pem"}
_LISTEN = {"rpc": "unix:/r", "health": "unix:/h"}
_DATABASE = {"database": {"dsn_file": "dsn"}, "keys": {"directory": "keys"}}
# The smallest document of each service, with every section that is optional beside it.
DOCUMENTS: dict[str, dict[str, Any]] = {
    "gate": {
        "listen": _LISTEN,
        "tls": _TLS,
        **_DATABASE,
        "source": {"kind": "corpus", "base_url": "http://127.0.0.1:1"},
        "policy": {},
        "model": {},
        "limits": {},
    },
    "planner": {
        "listen": _LISTEN,
        "tls": _TLS,
        "peers": {"gate": "unix:/g", "validator": "unix:/v"},
        "planner": {},
        "model": {"dialect": "ollama", "name": "m:1b", "socket": "m.sock"},
        "limits": {},
    },
    "reader": {
        "listen": _LISTEN,
        "tls": _TLS,
        "peers": {"gate": "unix:/g"},
        "reader": {},
        "limits": {},
    },
    "validator": {
        "listen": _LISTEN,
        "tls": _TLS,
        "peers": {"gate": "unix:/g", "reader": "unix:/r"},
        "examination": {},
        "limits": {},
    },
    "console": {
        "listen": {"http": "127.0.0.1:8443", "health": "unix:/h"},
        "tls": _TLS,
        "peers": {"gate": "unix:/g", "planner": "unix:/p", "validator": "unix:/v"},
        **_DATABASE,
        "access": {"token_file": "token"},
        "back_ends": {},
        "planner_model": {"name": "m:1b"},
        "runs": {},
        "isolation": {"report_file": "isolation.json"},
    },
    "forwarder": {
        "listen": {"socket": "m.sock", "health": "unix:/h"},
        "model": {"dialect": "ollama", "address": "http://127.0.0.1:1", "name": "m:1b"},
        "limits": {},
    },
    "sealer": {
        "listen": {"health": "unix:/h"},
        "database": {"dsn_file": "dsn"},
        "log": {"origin": "ledger.test/one"},
        "keys": {"sign": ["ledger.pem"]},
        "places": {"folders": ["checkpoints"], "object_stores": ["store.toml"]},
        "limits": {},
    },
}
# What a service has in place of a section: people of an identity provider, and no launch token.
DOCUMENTS["console, oidc"] = {
    **DOCUMENTS["console"],
    "access": {},
    "oidc": {
        "issuer": "https://login.example.com",
        "audience": "doublethink",
        "keys_file": "jwks.json",
        "teams": [{"group": "deals", "team": "deals"}],
    },
}
PLACES = [(service, section) for service, document in DOCUMENTS.items() for section in ("", *document)]
ROOT = Path(__file__).parents[3]


def _kind(service: str) -> Any:
    return importlib.import_module(f"doublethink_{service.partition(',')[0]}.config").Config


def test_no_service_and_no_section_is_left_out() -> None:
    """The documents below are those of all services, with all sections that their configurations have."""
    sections: dict[str, set[str]] = {}
    for name, document in DOCUMENTS.items():
        sections.setdefault(name.partition(",")[0], set()).update(document)
    assert set(sections) == {folder.name for folder in (ROOT / "services").iterdir() if folder.is_dir()}
    for service, known in sections.items():
        assert known == set(_kind(service).__struct_fields__) - {"failpoints"}, service


@pytest.mark.parametrize("service", DOCUMENTS)
def test_the_document_is_taken(service: str) -> None:
    """The control: without an unknown key there is nothing to refuse, and failpoints are off."""
    taken = settings_of(DOCUMENTS[service], Path("/"), _kind(service))
    # The forwarder writes nothing and has none.
    assert service == "forwarder" or not taken.failpoints


@pytest.mark.parametrize(("service", "section"), PLACES)
def test_an_unknown_key_is_refused_by_name(service: str, section: str) -> None:
    """At the top and in every section, and the error says which key."""
    document = DOCUMENTS[service]
    changed = (
        {**document, section: {**document[section], "nobody": 1}} if section else {**document, "nobody": 1}
    )
    with pytest.raises(SettingsError, match="nobody"):
        settings_of(changed, Path("/"), _kind(service))
