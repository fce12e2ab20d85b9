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


OIDC: dict[str, Any] = {
    "issuer": "https://login.example.com/realms/deals",
    "audience": "doublethink",
    "keys_file": "jwks.json",
    "teams": [{"group": "deals", "team": "deals"}],
}


def test_the_two_ways_in_exclude_each_other() -> None:
    """A launch token or an identity provider: both or neither ends the start, and both are named."""
    assert settings_of({**GOOD, "access": {}, "oidc": OIDC}, Path("/etc"), Config).oidc is not None
    words = r"access\.token_file or the section \[oidc\].*not "
    with pytest.raises(SettingsError, match=words + "both"):
        settings_of({**GOOD, "oidc": OIDC}, Path("/"), Config)
    for access in ({}, {"collector_token_file": "c"}):
        with pytest.raises(SettingsError, match=words + "none"):
            settings_of({**GOOD, "access": access}, Path("/"), Config)
    with pytest.raises(SettingsError, match=words + "none"):
        settings_of({key: GOOD[key] for key in GOOD if key != "access"}, Path("/"), Config)


@pytest.mark.parametrize(
    "changed",
    [
        {"issuer": "http://login.example.com"},
        {"issuer": "https://login example.com"},
        {"audience": ""},
        {"teams": []},
        {"teams": [{"group": "deals"}]},
        {"teams": [{"group": "deals", "team": "Deals"}]},
        {"teams": [{"group": "a\nb", "team": "deals"}]},
        {"teams": [{"group": "deals", "team": "a"}, {"group": "deals", "team": "b"}]},
        {"teams": [{"group": "deals", "team": "a", "role": "x"}]},
        {"header": "Authorization"},
        {"header": "cookie"},
        {"algorithms": []},
        {"algorithms": ["HS256"]},
        {"algorithms": ["none"]},
        {"leeway_s": 121},
        {"leeway_s": -1},
        {"longest_minutes": 0},
        {"groups_claim": []},
        {"groups_claim": "groups"},
        {"sign_out_url": "//evil.example/out"},
        {"sign_out_url": "/\\evil.example"},
        {"sign_out_url": "javascript:alert(1)"},
        {"sign_out_url": "http://login.example.com/out"},
        {"sign_out_url": "/out\n"},
    ],
)
def test_what_is_asked_of_a_token_is_checked_at_the_start(changed: dict[str, Any]) -> None:
    """By name, and no value is repeated."""
    with pytest.raises(SettingsError, match=rf"oidc\.{next(iter(changed))}"):
        settings_of({**GOOD, "access": {}, "oidc": {**OIDC, **changed}}, Path("/"), Config)


@pytest.mark.parametrize("url", ["/", "/oauth2/sign_out?rd=%2F", "https://login.example.com/logout?a=b"])
def test_people_can_sign_out_elsewhere(url: str) -> None:
    """A path of the proxy's, or an https address."""
    config = settings_of({**GOOD, "access": {}, "oidc": {**OIDC, "sign_out_url": url}}, Path("/"), Config)
    assert config.oidc is not None
    assert config.oidc.sign_out_url == url


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
