"""The forwarder's configuration keeps the memo on this machine or in this network."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from doublethink_forwarder.config import (
    Dialect,
    ModelServer,
    check_model,
    is_near,
    is_remote_name,
    load_config,
)
from doublethink_forwarder.process import bind
from doublethink_settings import SettingsError

GOOD = """
[listen]
socket = "/run/f.sock"
health = "unix:/run/h.sock"

[model]
dialect = "ollama"
address = "http://127.0.0.1:11434"
name = "qwen3:8b"
"""


def test_a_configuration_is_read(tmp_path: Path) -> None:
    """What is left out has its default."""
    file = tmp_path / "forwarder.toml"
    file.write_text(GOOD)
    config = load_config(file)
    assert config.model == ModelServer(Dialect.OLLAMA, "http://127.0.0.1:11434", "qwen3:8b")
    assert config.limits.at_once == 1


def test_an_unknown_key_is_named(tmp_path: Path) -> None:
    """A misspelt key stops the start."""
    file = tmp_path / "forwarder.toml"
    file.write_text(GOOD + 'nmae = "x"\n')
    with pytest.raises(SettingsError, match="nmae"):
        load_config(file)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:11434",
        "http://[::1]:8000",
        "https://10.1.2.3:443",
        "http://192.168.0.9:1",
        "http://172.31.255.255:1",
        "http://[::ffff:10.0.0.1]:1",
        "http://[fd00::1]:1",
    ],
)
def test_loopback_and_private_addresses_are_near(address: str) -> None:
    """What they reach belongs to this machine or this network."""
    assert is_near(address)


@pytest.mark.parametrize(
    "address",
    [
        "http://8.8.8.8:11434",
        "http://[2606:4700::1]:11434",
        "http://169.254.169.254:80",
        "http://[fe80::1]:80",
        "http://0.0.0.0:11434",
        "http://[::ffff:8.8.8.8]:80",
        "http://172.32.0.1:80",
        "http://[2001::1]:80",
        "http://[2002:808:808::1]:80",
        "http://[64:ff9b::808:808]:80",
        "http://198.18.0.1:80",
        "http://255.255.255.255:80",
    ],
)
def test_other_addresses_void_the_promise(address: str) -> None:
    """They are refused unless the operator says in writing that the promise is void."""
    assert not is_near(address)
    with pytest.raises(SettingsError, match="void_promise"):
        check_model(ModelServer(Dialect.OLLAMA, address, "m"))
    check_model(ModelServer(Dialect.OLLAMA, address, "m", void_promise=True))


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:11434",
        "http://models.example:11434",
        "http://127.0.0.1",
        "ftp://127.0.0.1:1",
        "http://127.0.0.1:11434/v1",
        "http://user:pass@127.0.0.1:11434",
        "http://127.0.0.1:11434?x=1",
        "http://127.0.0.1:port",
        "http://2130706433:80",
        "",
    ],
)
def test_other_forms_of_an_address_are_refused(address: str) -> None:
    """A name would be looked up, and may be given another address at any time."""
    with pytest.raises(SettingsError, match=r"model\.address"):
        is_near(address)


@pytest.mark.parametrize(
    "name", ["gpt-oss:120b-cloud", "x:cloud", "kimi-k2:1t-CLOUD", "lib/x:cloud", "mycloud"]
)
def test_cloud_models_are_refused_by_name(name: str) -> None:
    """Ollama answers for such names without having pulled them."""
    assert is_remote_name(name)
    with pytest.raises(SettingsError, match="cloud"):
        check_model(ModelServer(Dialect.OLLAMA, "http://127.0.0.1:1", name))


@pytest.mark.parametrize("name", ["qwen3:8b", "cloudy:7b", "hf.co/cloud/x:q4"])
def test_local_names_are_not_taken_for_cloud_models(name: str) -> None:
    """Only the tag tells, or the whole name where there is no tag."""
    assert not is_remote_name(name)


def test_a_digest_is_sixty_four_digits_of_ollamas() -> None:
    """A pin that could never match is wrong use."""
    with pytest.raises(SettingsError, match="digest"):
        check_model(ModelServer(Dialect.OLLAMA, "http://127.0.0.1:1", "m", digest="AB"))
    with pytest.raises(SettingsError, match="digest"):
        check_model(ModelServer(Dialect.OPENAI, "http://127.0.0.1:1", "m", digest="ab" * 32))


@pytest.mark.parametrize("group", [False, True])
def test_the_socket_is_open_to_its_group_where_that_is_said(tmp_path: Path, group: bool) -> None:
    """In containers the planner is another user with the same group; nobody else may ever connect."""
    previous = os.umask(0o077)
    try:
        bind(tmp_path / "s", group=group).close()
    finally:
        os.umask(previous)
    assert stat.S_IMODE((tmp_path / "s").stat().st_mode) == (0o660 if group else 0o700)
