"""The planner's configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doublethink_planner.config import load_config, parse_config
from doublethink_planner.errors import ConfigError

GOOD: dict[str, Any] = {
    "listen": {"rpc": "unix:/r", "health": "unix:/h"},
    "tls": {"certificate": "c.pem", "key": "k.pem", "authority": "a.pem"},
    "peers": {"gate": "unix:/g", "validator": "unix:/v"},
}


def test_defaults_are_safe() -> None:
    """Without a word about it the careless double is off; paths start at the file's folder."""
    config = parse_config(GOOD, Path("/somewhere"))
    assert not config.allow_careless
    assert config.metrics is None
    assert config.tls.key == Path("/somewhere/k.pem")


@pytest.mark.parametrize(
    ("section", "values"),
    [
        ("listen", {"rpc": "unix:/r"}),
        ("listen", {"rpc": "unix:/r", "health": "unix:/h", "port": 1}),
        ("tls", {"certificate": "c", "key": "k"}),
        ("peers", {"gate": "", "validator": "v"}),
        ("planner", {"pages_per_query": 9}),
        ("planner", {"pages_per_query": True}),
        ("planner", {"allow_careless": "yes"}),
        ("planner", {"memo": "x"}),
        ("limits", {"workers": 0}),
        ("extra", {}),
        ("tls", "text"),
    ],
)
def test_anything_else_is_refused_by_name(section: str, values: Any) -> None:
    """Unknown keys, missing keys and values out of range name the section."""
    with pytest.raises(ConfigError, match=section):
        parse_config({**GOOD, section: values}, Path("/"))


def test_a_missing_section_and_a_bad_file_are_errors(tmp_path: Path) -> None:
    """One clear error each."""
    with pytest.raises(ConfigError, match="peers"):
        parse_config({key: value for key, value in GOOD.items() if key != "peers"}, Path("/"))
    with pytest.raises(ConfigError, match="cannot read"):
        load_config(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"\xff = [")
    with pytest.raises(ConfigError, match="not TOML"):
        load_config(broken)
