"""The sealer's configuration and keys: every key known, every file its owner's alone, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from doublethink_ledger import Checkpoint, NoteError
from doublethink_sealer.__main__ import main
from doublethink_sealer.config import Config, host_and_port
from doublethink_sealer.keys import load_keys, make_key, read_vkeys, write_key
from doublethink_sealer.service import make_keys, make_places
from doublethink_settings import SettingsError, settings_of
from sim.logs import caught_log
from sim.sealed import ORIGIN, OTHER_ORIGIN, keys_of, signing_key


def document(**changes: Any) -> dict[str, Any]:
    """The smallest configuration, with other sections."""
    return {
        "listen": {"health": "unix:/h"},
        "database": {"dsn_file": "dsn"},
        "log": {"origin": ORIGIN},
        "keys": {"sign": ["log.pem"]},
        "places": {"folders": ["published"]},
        **changes,
    }


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"places": {}}, "folders or object_stores"),
        ({"places": {"folders": ["f"] * 9}}, r"places\.folders"),
        ({"log": {"origin": ""}}, r"log\.origin"),
        ({"log": {"origin": "../other"}}, r"log\.origin"),
        ({"log": {"origin": "a name"}}, r"log\.origin"),
        ({"log": {"origin": "a+b"}}, r"log\.origin"),
        ({"keys": {"sign": ["k"] * 5}}, r"keys\.sign"),
        ({"limits": {"batch_rows": 0}}, r"limits\.batch_rows"),
        ({"limits": {"seal_every_s": 0}}, r"limits\.seal_every_s"),
        ({"limits": {"heads": 5}}, r"limits\.heads"),
    ],
)
def test_what_is_out_of_bounds_is_refused_by_name(changes: dict[str, Any], named: str) -> None:
    """No place, a name that leads elsewhere, a bound that is none."""
    settings_of(document(), Path("/"), Config)
    with pytest.raises(SettingsError, match=named):
        settings_of(document(**changes), Path("/"), Config)


def test_places_are_numbered_in_their_order(tmp_path: Path) -> None:
    """Names are a closed set; a relative folder starts at the file's own."""
    config = settings_of(document(places={"folders": ["a", "b"]}), tmp_path, Config)
    assert [(one.name, one.where) for one in make_places(config)] == [
        ("folder-1", str(tmp_path / "a")),
        ("folder-2", str(tmp_path / "b")),
    ]


def test_a_key_is_made_once_and_its_vkey_added(tmp_path: Path) -> None:
    """Mode 0600, never over another, and the vkey goes with it."""
    key, vkeys = tmp_path / "log.pem", tmp_path / "log.vkey"
    write_key(ORIGIN, key, vkeys)
    assert key.stat().st_mode & 0o777 == 0o600
    keys = load_keys(ORIGIN, [key], [vkeys])
    assert [one.name for one in keys.trusted] == [ORIGIN]
    before = key.read_bytes()
    with pytest.raises(SettingsError, match="File exists"):
        write_key(ORIGIN, key, vkeys)
    assert key.read_bytes() == before
    assert len(read_vkeys(vkeys)) == 1


def test_a_name_that_is_no_keys_leaves_no_file(tmp_path: Path) -> None:
    """The same command with a better name works: no private key lies there that nothing names."""
    with pytest.raises(SettingsError, match="--origin"):
        write_key("two words", tmp_path / "log.pem", tmp_path / "log.vkey")
    assert list(tmp_path.iterdir()) == []


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    """As every secret: the error says what to do and repeats nothing."""
    key = tmp_path / "log.pem"
    key.write_bytes(make_key())
    key.chmod(0o640)
    with pytest.raises(SettingsError, match="chmod 600"):
        load_keys(ORIGIN, [key], [])
    key.chmod(0o600)
    load_keys(ORIGIN, [key], [])


@pytest.mark.parametrize(
    "content", [b"", b"not a key", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_file_that_holds_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    """Without a word of what it holds."""
    key = tmp_path / "log.pem"
    key.touch(mode=0o600)
    key.write_bytes(content)
    with pytest.raises(SettingsError, match=r"log\.pem") as refused:
        load_keys(ORIGIN, [key], [])
    assert "AAAA" not in str(refused.value)


def test_a_list_of_keys_has_one_a_line(tmp_path: Path) -> None:
    """Comments and empty lines are passed over; anything else is refused."""
    path = tmp_path / "keys"
    vkeys = [signing_key(1).verifier, signing_key(2, OTHER_ORIGIN).verifier]
    path.write_text("# kept\n\n" + "".join(f"{key.format()}\n" for key in vkeys))
    assert read_vkeys(path) == vkeys
    path.write_text("no key\n")
    with pytest.raises(SettingsError, match="vkeys, one a line"):
        read_vkeys(path)


def test_a_sealer_needs_a_key_that_signs_and_a_check_does_not(tmp_path: Path) -> None:
    """Whoever only verifies holds no private key; both need a key with the log's name."""
    path = tmp_path / "keys"
    path.write_text(signing_key(1).verifier.format() + "\n")
    config = settings_of(document(keys={"trusted": ["keys"]}), tmp_path, Config)
    assert make_keys(config, signing=False).signing == ()
    with pytest.raises(SettingsError, match=r"keys\.sign"):
        make_keys(config)
    other = settings_of(document(keys={"trusted": ["keys"]}, log={"origin": OTHER_ORIGIN}), tmp_path, Config)
    with pytest.raises(SettingsError, match=OTHER_ORIGIN):
        make_keys(other, signing=False)


def test_a_key_speaks_for_its_own_log_alone() -> None:
    """A checkpoint of one log that the key of another signed is not believed, though both keys are."""
    keys = keys_of(signing_key(1), trusted=[signing_key(2, OTHER_ORIGIN)])
    text = Checkpoint(OTHER_ORIGIN, 5, b"r" * 32).encode()
    with pytest.raises(NoteError):
        keys.open(keys.sign(text))
    with pytest.raises(NoteError):
        keys.open(keys_of(signing_key(3)).sign(Checkpoint(ORIGIN, 5, b"r" * 32).encode()))


def test_wrong_use_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there, a place that is not configured, an option that is none."""
    config = tmp_path / "config.toml"
    config.write_text(
        '[listen]\nhealth = "unix:/h"\n[database]\ndsn_file = "dsn"\n[log]\norigin = "o/1"\n[keys]\n'
        'sign = ["k"]\n[places]\nfolders = ["f"]\n'
    )
    # What it installs for its log is put back.
    with caught_log("sealer"):
        assert main(["serve", "--config", str(tmp_path / "absent.toml")]) == 2
        assert main(["serve", "--config", str(config), "--new-place", "folder-2"]) == 2
    assert "folder-2" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main(["recover", "--config", str(config)])
    assert ended.value.code == 2


def test_a_loopback_address_may_do_without_tls() -> None:
    """By address, not by name: a name may lead anywhere."""
    assert host_and_port("http://127.0.0.1:9000") == "127.0.0.1:9000"
    assert host_and_port("http://[::1]:9000") == "::1:9000"
    with pytest.raises(ValueError, match="https"):
        host_and_port("http://localhost:9000")
