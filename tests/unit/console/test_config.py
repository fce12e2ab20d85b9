"""The console's configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doublethink_console.config import Config, access_of, load_config
from doublethink_settings import SettingsError, settings_of

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
    access = {"token_file": "t", "hosts": ["console.example"]}
    config = settings_of({**GOOD, "access": access}, Path("/etc"), Config)
    assert access_of(config).hosts == {"127.0.0.1:8443", "localhost:8443", "console.example"}
    assert config.database.dsn_file == Path("/etc/dsn")


@pytest.mark.parametrize("http", ["0.0.0.0:80", "example.com:80", "127.0.0.1", "127.0.0.1:0", "192.0.2.1:80"])
def test_it_listens_on_loopback_or_a_socket_only(http: str) -> None:
    """Nothing else reaches a console by its listener."""
    with pytest.raises(SettingsError, match=r"listen\.http must be"):
        settings_of({**GOOD, "listen": {"http": http, "health": "unix:/h"}}, Path("/"), Config)


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
    with pytest.raises(SettingsError, match=section):
        settings_of({**GOOD, section: values}, Path("/"), Config)


def test_a_missing_section_and_a_bad_file_are_errors(tmp_path: Path) -> None:
    """One clear error each."""
    with pytest.raises(SettingsError, match="keys"):
        settings_of({key: GOOD[key] for key in GOOD if key != "keys"}, Path("/"), Config)
    with pytest.raises(SettingsError, match="cannot read"):
        load_config(tmp_path / "absent.toml")


@pytest.mark.parametrize("http", ["0.0.0.0:8443", "[::]:8443", "10.1.2.3:8443"])
def test_any_address_where_something_else_keeps_strangers_away(http: str) -> None:
    """Only where the configuration says so; a name is never taken."""
    listen = {"http": http, "health": "unix:/h", "beyond_loopback": True}
    config = settings_of({**GOOD, "listen": listen}, Path("/"), Config)
    assert config.listen.http == http
    with pytest.raises(SettingsError, match=r"listen\.http must be"):
        settings_of({**GOOD, "listen": {**listen, "http": "example.com:80"}}, Path("/"), Config)
