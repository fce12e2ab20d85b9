"""The configuration file is read strictly."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from doublethink_gate import config as config_module
from doublethink_gate.config import Config, ModelKind, SourceKind, load_config
from doublethink_gate.policy import default_policy
from doublethink_gate.process import check_providers
from doublethink_rpc import StartRefused
from doublethink_settings import SettingsError, settings_of
from sim.contracts import all_methods


def document(**changes: Any) -> dict[str, Any]:
    """A configuration that is right, with changes."""
    base: dict[str, Any] = {
        "listen": {"rpc": "unix:/run/g.sock", "health": "unix:/run/h.sock"},
        "tls": {"certificate": "c.pem", "key": "k.pem", "authority": "a.pem"},
        "database": {"dsn_file": "dsn"},
        "keys": {"directory": "kek"},
        "source": {"kind": "corpus", "base_url": "http://127.0.0.1:8765"},
    }
    return {**base, **changes}


def test_paths_start_at_the_files_folder(tmp_path: Path) -> None:
    """A relative path is one beside the configuration file, and an absolute one stays."""
    config = settings_of(document(keys={"directory": "/etc/kek"}), tmp_path, Config)
    assert config.tls.key == tmp_path / "k.pem"
    assert config.keys.directory == Path("/etc/kek")
    assert config.source.kind is SourceKind.CORPUS
    assert config.model.kind is ModelKind.NONE


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"sourc": {}}, "sourc"),
        ({"limits": {"session_per_tenant": 3}}, "limits.session_per_tenant"),
        ({"source": {"kind": "corpus", "base_url": "http://127.0.0.1:1", "api_key": "x"}}, "source.api_key"),
    ],
)
def test_an_unknown_key_is_an_error_that_names_it(
    changes: dict[str, Any], named: str, tmp_path: Path
) -> None:
    """A misspelt key never silently falls back to a default."""
    with pytest.raises(SettingsError, match=f"^{named} is not a key"):
        settings_of(document(**changes), tmp_path, Config)


@pytest.mark.parametrize(
    "changes",
    [
        {"source": {"kind": "bing", "base_url": "https://x.example"}},
        {"source": {"kind": "tavily", "base_url": "https://x.example"}},
        {"source": {"kind": "corpus", "base_url": "http://corpus.example"}},
        {"source": {"kind": "corpus", "base_url": "https://user:pw@x.example"}},
        {"source": {"kind": "corpus", "base_url": "https://x.example:99999"}},
        {"model": {"kind": "claude", "name": "m"}},
        {"model": {"kind": "claude", "api_key_file": "k", "name": "Claude Sonnet"}},
        {"model": {"kind": "claude", "api_key_file": "k", "name": "claude-sonnet\n"}},
        {"model": {"kind": "claude", "api_key_file": "k"}},
        {"database": {"dsn_file": "dsn", "pool": 0}},
        {"database": {"dsn_file": "dsn", "pool": True}},
        {"limits": {"queue": 0}},
        {"limits": {"queue": "many"}},
        {"listen": {"rpc": "unix:/x"}},
        {"tls": "here"},
    ],
)
def test_a_value_out_of_place_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    """Kinds, addresses, counts and missing keys are checked before anything starts."""
    with pytest.raises(SettingsError):
        settings_of(document(**changes), tmp_path, Config)


def test_a_missing_section_is_named(tmp_path: Path) -> None:
    """A file without a section that is needed says which."""
    incomplete = document()
    del incomplete["keys"]
    with pytest.raises(SettingsError, match=r"\[keys\]"):
        settings_of(incomplete, tmp_path, Config)


def test_a_file_that_is_not_toml_is_one_clear_error(tmp_path: Path) -> None:
    """Broken TOML, a missing file and a huge file end in SettingsError."""
    broken = tmp_path / "gate.toml"
    broken.write_text("[listen\n")
    for path in (broken, tmp_path / "absent.toml"):
        with pytest.raises(SettingsError):
            load_config(path)
    broken.write_text("#" * 70_000)
    with pytest.raises(SettingsError, match="more than"):
        load_config(broken)


def test_the_documented_configuration_names_every_key() -> None:
    """The example in the module's docstring has all keys, and those with a default show that default."""
    first, _, example = (config_module.__doc__ or "").partition("\n")
    assert first
    shown = tomllib.loads(example)
    for table in Config.__struct_fields__:
        section = shown[table]
        if isinstance(section, dict):
            kind = get_type_hints(Config)[table]
            assert sorted(section) == sorted(get_type_hints(kind)), table
    defaults = config_module.Limits()
    assert shown["limits"] == {name: getattr(defaults, name) for name in defaults.__struct_fields__}


def provided(source: str, model: str | None = None) -> Config:
    """A configuration whose requests go to these places."""
    changes: dict[str, Any] = {"source": {"kind": "tavily", "base_url": source, "api_key_file": "t.key"}}
    if model is not None:
        changes["model"] = {"kind": "claude", "name": "m", "base_url": model, "api_key_file": "c.key"}
    return settings_of(document(**changes), Path("/etc/gate"), Config)


def test_requests_go_only_to_providers_that_the_policy_names() -> None:
    """The vendors' own hosts and this machine pass; any other is named, with the key that points there."""
    policy = default_policy()
    check_providers(provided("https://api.tavily.com", "https://api.anthropic.com"), policy)
    check_providers(provided("http://127.0.0.1:9", "http://[::1]:9"), policy)
    for source, model, named in (
        ("https://tavily.example", None, "source.base_url is at tavily.example"),
        (
            "https://api.tavily.com",
            "https://api.anthropic.com.example",
            "model.base_url is at api.anthropic.com.ex",
        ),
    ):
        with pytest.raises(StartRefused, match=named):
            check_providers(provided(source, model), policy)


def test_the_gate_waits_at_its_end_for_the_longest_request() -> None:
    """Every request that a run waits for fits into what is left at the end. What is followed does not have to, and a
    session's recording can be asked for again.
    """
    longest = {
        f"{contract.service}/{contract.method}": contract.deadline_s
        for contract in all_methods()
        if contract.service.startswith("doublethink.gate.v1.")
    }
    assert len(longest) >= 15
    stop_s = settings_of(document(), Path("/"), Config).limits.stop_s
    assert {name for name, seconds in longest.items() if seconds > stop_s} == {
        "doublethink.gate.v1.LedgerService/ListRows",
        "doublethink.gate.v1.RecordingService/RecordSession",
    }
