"""The planner's configuration file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doublethink_planner.config import Config, load_config
from doublethink_settings import SettingsError, settings_of

GOOD: dict[str, Any] = {
    "listen": {"rpc": "unix:/r", "health": "unix:/h"},
    "tls": {"certificate": "c.pem", "key": "k.pem", "authority": "a.pem"},
    "peers": {"gate": "unix:/g", "validator": "unix:/v"},
}


def test_defaults_are_safe() -> None:
    """Without a word about it the careless double is off; paths start at the file's folder."""
    config = settings_of(GOOD, Path("/somewhere"), Config)
    assert not config.planner.allow_careless
    assert config.listen.metrics is None
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
    with pytest.raises(SettingsError, match=section):
        settings_of({**GOOD, section: values}, Path("/"), Config)


def test_a_missing_section_and_a_bad_file_are_errors(tmp_path: Path) -> None:
    """One clear error each."""
    with pytest.raises(SettingsError, match="peers"):
        settings_of({key: GOOD[key] for key in GOOD if key != "peers"}, Path("/"), Config)
    with pytest.raises(SettingsError, match="cannot read"):
        load_config(tmp_path / "absent.toml")
    broken = tmp_path / "broken.toml"
    broken.write_bytes(b"\xff = [")
    with pytest.raises(SettingsError, match="not TOML"):
        load_config(broken)
