"""The file of the identity provider's keys: what is taken from it, and what becomes of a file that changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from doublethink_console.identity.keys import LOOK_S, MAX_BYTES, MAX_KEYS, KeyFile, read_keys
from doublethink_settings import SettingsError
from sim.identity import Provider, encoded, made, public_jwk
from sim.logs import caught_log, records


class Seen:
    """Keeps what it was told."""

    def __init__(self) -> None:
        self.last = (-1, False)

    def keys_read(self, usable: int, *, stale: bool) -> None:
        """Keep it."""
        self.last = (usable, stale)


class Clock:
    """A clock that is moved by hand."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def later(self) -> None:
        """Move it until the file is looked at again."""
        self.now += LOOK_S


def written(folder: Path, *entries: Any) -> Path:
    """A JWK Set of the entries."""
    file = folder / "jwks.json"
    Provider().write(file, {"keys": list(entries)})
    return file


EC = made("P-256")
EXPONENTS = {
    "one": encoded(b"\x01"), "three": encoded(b"\x03"), "even": encoded(b"\x01\x00\x02"),
    "long": encoded(b"\x01" * 200), "none": "",
}  # fmt: skip
"""Of RSA: one signs everything alike, small ones have been forged, and long ones are slow to look at."""


def test_keys_that_sign_no_token_are_passed_over(tmp_path: Path) -> None:
    """Another use, curve, size or type, no kid, an algorithm that is not taken: the others stay."""
    good = public_jwk(EC, "good")
    file = written(
        tmp_path,
        good,
        public_jwk(EC, "enc", use="enc"),
        public_jwk(EC, "ops", key_ops=["sign"]),
        public_jwk(EC, "odd-ops", key_ops=7),
        public_jwk(EC, None),
        public_jwk(EC, ""),
        public_jwk(EC, "x" * 257),
        public_jwk(EC, "wrong-alg", alg="ES384"),
        public_jwk(made("P-384"), "curve"),
        public_jwk(made("RSA-1024"), "short"),
        {"kty": "OKP", "crv": "X25519", "x": encoded(bytes(32)), "kid": "exchange"},
        {
            "kty": "EC",
            "crv": "P-256",
            "x": encoded(bytes(32)),
            "y": encoded(bytes(32)),
            "kid": "off-the-curve",
        },
        {"kty": "EC", "crv": "P-256", "kid": "empty"},
        {"kty": "RSA", "n": "!", "e": "AQAB", "kid": "no-number"},
        {"kty": "RSA", "n": 5, "e": "AQAB", "kid": "a-number"},
        {"kty": "RSA", "n": encoded(b"\xff" * 256), "e": 3, "kid": "bad-exponent"},
        {"kty": "AKP", "kid": "future"},
        {"kty": ["EC"], "kid": "list"},
        {"kty": "EC", "crv": 1, "kid": "number"},
        {},
        *({**public_jwk(made("RSA-2048"), f"e-{name}"), "e": e} for name, e in EXPONENTS.items()),
    )
    assert list(read_keys(file)) == ["good"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"), (b"{", "not JSON"), (b"\xff", "not JSON"), (b"[" * 9999, "not JSON"),
        (b'{"keys":[],"keys":[]}', "not JSON"), (b"[]", "no JWK Set"), (b"{}", "no JWK Set"),
        (b'{"keys":{}}', "no JWK Set"), (b'{"keys":[1]}', "no object"),
        (json.dumps({"keys": [{}] * (MAX_KEYS + 1)}).encode(), "more than"), (b" " * (MAX_BYTES + 1), "more than"),
        (b'{"keys":[{"kty":"oct","k":"c2VjcmV0","kid":"x"}]}', "private or symmetric"),
        (b'{"keys":[{"kty":"oct"}]}', "private or symmetric"),
        (json.dumps({"keys": [public_jwk(EC, "x") | {"d": "AA"}]}).encode(), "private or symmetric"),
        (json.dumps({"keys": [public_jwk(EC, "x"), public_jwk(made("P-256/other"), "x")]}).encode(), "alike"),
    ],
)  # fmt: skip
def test_what_is_no_set_of_public_keys_is_refused_whole(tmp_path: Path, content: bytes, words: str) -> None:
    """With one line that names the file and no value of it."""
    file = tmp_path / "jwks.json"
    file.write_bytes(content)
    with pytest.raises(SettingsError, match=words) as refused:
        read_keys(file)
    assert "c2VjcmV0" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_no_start_without_a_key(tmp_path: Path) -> None:
    """A file that is not there, or has none that can be used, ends the start."""
    with pytest.raises(SettingsError, match="cannot read"):
        KeyFile(tmp_path / "absent.json", Seen())
    with pytest.raises(SettingsError, match="no key"):
        KeyFile(written(tmp_path, public_jwk(EC, "x", use="enc")), Seen())


def test_a_new_file_is_taken_within_seconds(tmp_path: Path) -> None:
    """Two keys while a rotation goes on; the old one is worth nothing once it is gone from the file."""
    file, clock, seen = written(tmp_path, public_jwk(EC, "old")), Clock(), Seen()
    keys = KeyFile(file, seen, clock)
    assert seen.last == (1, False)
    new = public_jwk(made("P-256/new"), "new")
    written(tmp_path, public_jwk(EC, "old"), new)
    assert keys.get("new") is None
    clock.later()
    assert keys.get("new") is not None
    assert keys.get("old") is not None
    written(tmp_path, new)
    clock.later()
    assert keys.get("old") is None
    assert seen.last == (1, False)


def test_a_link_that_is_turned_is_a_new_file(tmp_path: Path) -> None:
    """As Kubernetes replaces what it mounts: the file's own path stays a link."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        written(tmp_path / name, public_jwk(EC, name))
    (tmp_path / "data").symlink_to("one")
    (tmp_path / "jwks.json").symlink_to("data/jwks.json")
    clock = Clock()
    keys = KeyFile(tmp_path / "jwks.json", Seen(), clock)
    (tmp_path / "next").symlink_to("two")
    (tmp_path / "next").replace(tmp_path / "data")
    clock.later()
    assert keys.get("one") is None
    assert keys.get("two") is not None


def test_a_file_that_cannot_be_taken_leaves_the_keys_and_says_so(tmp_path: Path) -> None:
    """Half a file, or none: the log says it once, the gauge as long as it lasts."""
    file, clock, seen = written(tmp_path, public_jwk(EC, "old")), Clock(), Seen()
    keys = KeyFile(file, seen, clock)
    with caught_log("console") as log:
        file.write_text('{"keys": [')
        for _ in range(3):
            clock.later()
            assert keys.get("old") is not None
            assert seen.last == (1, True)
        file.unlink()
        for _ in range(3):
            clock.later()
            assert keys.get("old") is not None
        assert seen.last == (1, True)
        written(tmp_path, public_jwk(made("P-256/new"), "new"))
        clock.later()
        assert keys.get("old") is None
        assert seen.last == (1, False)
    events = [record["event"] for record in records(log)]
    assert events == ["identity_keys_not_read", "identity_keys_not_read", "identity_keys_read"]


def test_a_file_that_may_be_read_at_last_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new file that nobody here might read, until its rights were mended: they change neither its time nor its size,
    and a key that it takes away must not stay."""
    file, clock, seen = written(tmp_path, public_jwk(EC, "old")), Clock(), Seen()
    keys = KeyFile(file, seen, clock)
    written(tmp_path, public_jwk(made("P-256/new"), "new"))

    def refused(file: Path, *_: object, **__: object) -> bytes:
        raise SettingsError(f"cannot read {file}")

    with monkeypatch.context() as unreadable, caught_log("console") as log:
        unreadable.setattr("doublethink_console.identity.keys.read_file", refused)
        for _ in range(3):
            clock.later()
            assert keys.get("old") is not None
    assert [record["event"] for record in records(log)] == ["identity_keys_not_read"]
    assert seen.last == (1, True)
    clock.later()
    assert keys.get("old") is None
    assert keys.get("new") is not None
    assert seen.last == (1, False)


def test_a_set_that_takes_every_key_away_is_taken(tmp_path: Path) -> None:
    """It is how an operator locks everybody out at once."""
    file, clock, seen = written(tmp_path, public_jwk(EC, "old")), Clock(), Seen()
    keys = KeyFile(file, seen, clock)
    written(tmp_path)
    clock.later()
    assert keys.get("old") is None
    assert seen.last == (0, False)
