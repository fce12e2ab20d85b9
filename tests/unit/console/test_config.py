"""The console's configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doublethink_console.config import load_config, parse_config
from doublethink_console.errors import ConfigError

GOOD: dict[str, Any] = {
    "listen": {"http": "127.0.0.1:8443", "health": "unix:/h"},
    "tls": {"certificate": "c.pem", "key": "k.pem", "authority": "a.pem"},
    "peers": {"gate": "unix:/g", "planner": "unix:/p", "validator": "unix:/v"},
    "database": {"dsn_file": "dsn"},
    "keys": {"directory": "keys"},
    "access": {"token_file": "token"},
}


def test_the_hosts_are_those_of_the_listener() -> None:
    """A loopback address answers to itself and to localhost, and to what is named beside."""
    config = parse_config({**GOOD, "access": {"token_file": "t", "hosts": ["console.example"]}}, Path("/etc"))
    assert config.access.hosts == {"127.0.0.1:8443", "localhost:8443", "console.example"}
    assert config.dsn_file == Path("/etc/dsn")


@pytest.mark.parametrize("http", ["0.0.0.0:80", "example.com:80", "127.0.0.1", "127.0.0.1:0", "192.0.2.1:80"])
def test_it_listens_on_loopback_or_a_socket_only(http: str) -> None:
    """Nothing else reaches a console by its listener."""
    with pytest.raises(ConfigError, match="loopback"):
        parse_config({**GOOD, "listen": {"http": http, "health": "unix:/h"}}, Path("/"))


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("listen", {"http": "unix:/x"}),
        ("database", {"dsn": "postgresql://a:b@c/d"}),
        ("database", {"dsn_file": "x", "pool": 1}),
        ("access", {"token": "abc"}),
        ("access", {"token_file": "t", "hosts": ["Bad Host"]}),
        ("access", {"token_file": "t", "secure_cookie": 1}),
        ("back_ends", {"planner": "Rules!"}),
        ("runs", {"concurrent": 0}),
        ("runs", {"unknown": 1}),
        ("isolation", {"file": "x"}),
        ("extra", {}),
    ],
)
def test_anything_else_is_refused_by_name(section: str, values: Any) -> None:
    """Unknown keys, missing keys and values out of range name the section; secrets have no key."""
    with pytest.raises(ConfigError, match=section):
        parse_config({**GOOD, section: values}, Path("/"))


def test_a_missing_section_and_a_bad_file_are_errors(tmp_path: Path) -> None:
    """One clear error each."""
    with pytest.raises(ConfigError, match="keys"):
        parse_config({key: value for key, value in GOOD.items() if key != "keys"}, Path("/"))
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "absent.toml")
