"""Certificates, keys and passwords are made once, each for the one who reads it."""

from __future__ import annotations

import os
import stat
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography import x509
from doublethink_ledger import SigningKey, VerifierKey
from doublethink_rpc.certificates import make_authority
from doublethink_sdk.containers import setup
from doublethink_sdk.containers.places import CERTIFIED, USERS


@pytest.fixture
def owners(monkeypatch: pytest.MonkeyPatch) -> dict[int, tuple[int, int]]:
    """Who was given each file, by inode: only root could really give it."""
    given: dict[int, tuple[int, int]] = {}

    def chown(path: str | Path, user: int, group: int) -> None:
        given[Path(path).stat().st_ino] = (user, group)

    def fchown(descriptor: int, user: int, group: int) -> None:
        given[os.fstat(descriptor).st_ino] = (user, group)

    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(os, "fchown", fchown)
    return given


def _content(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


def test_everything_is_made_for_its_reader_alone(tmp_path: Path, owners: dict[int, tuple[int, int]]) -> None:
    """Every file is closed to others and given to the service whose folder it is in."""
    setup.make(tmp_path, setup.ORIGIN)
    for path in (one for one in tmp_path.rglob("*") if one.is_file()):
        folder = path.relative_to(tmp_path).parts[0]
        # The database's image reads its password as a user whose number is its own matter.
        assert stat.S_IMODE(path.stat().st_mode) == (0o444 if folder == "postgres" else 0o600), path
        user = {
            "migrate": 64105,
            "retention": 64105,
            "database": 64109,
            "postgres": 0,
            "checkpoints": 64104,
        }.get(folder, USERS.get(folder, -1))
        assert owners[path.stat().st_ino] == (user, user), path
    for name in CERTIFIED:
        names = x509.load_pem_x509_certificate((tmp_path / name / "tls" / "tls.crt").read_bytes()).extensions
        found = names.get_extension_for_class(x509.SubjectAlternativeName).value
        assert found.get_values_for_type(x509.DNSName) == [f"{name}.doublethink.internal"]
    assert not {"forwarder", "corpus"} & {path.name for path in tmp_path.iterdir()}


def test_a_service_gets_its_own_password_and_no_other(
    tmp_path: Path, owners: dict[int, tuple[int, int]]
) -> None:
    """A connection string holds the password of its role; nobody has the administrator's but the server and its job."""
    setup.make(tmp_path, setup.ORIGIN)
    passwords = {
        path.stem: path.read_text().strip().rpartition(":")[2]
        for path in (tmp_path / "database" / "passwords").iterdir()
    }
    assert len(set(passwords.values())) == len(passwords) == 5
    for folder in ("gate", "console", "sealer", "migrate", "retention"):
        text = (tmp_path / folder / "secrets" / "dsn").read_text()
        held = {role for role, password in passwords.items() if password in text}
        assert held == {"doublethink_migrator" if folder == "migrate" else f"doublethink_{folder}"}
    administrator = (tmp_path / "postgres" / "password").read_bytes()
    holders = {name.split("/")[0] for name, content in _content(tmp_path).items() if administrator in content}
    assert holders == {"postgres", "database"}


def test_a_second_run_changes_nothing(tmp_path: Path, owners: dict[int, tuple[int, int]]) -> None:
    """Not one byte, since data is encrypted and signed under what is there."""
    assert len(setup.make(tmp_path, setup.ORIGIN)) == 2
    before = _content(tmp_path)
    assert setup.make(tmp_path, setup.ORIGIN) == []
    assert _content(tmp_path) == before


def test_certificates_that_end_soon_are_made_anew_and_nothing_else(
    tmp_path: Path, owners: dict[int, tuple[int, int]]
) -> None:
    """All of them, under a new authority, ten days before the first one ends."""
    setup.make(tmp_path, setup.ORIGIN)
    before = _content(tmp_path)
    soon = make_authority().issue("reader", timedelta(days=9))
    (tmp_path / "reader" / "tls" / "tls.crt").write_bytes(soon.certificate)
    assert setup.make(tmp_path, setup.ORIGIN) == ["certificates for 30 days"]
    changed = {name for name, content in _content(tmp_path).items() if content != before[name]}
    assert changed == {
        f"{name}/tls/{file}" for name in CERTIFIED for file in ("tls.crt", "tls.key", "ca.crt")
    }


def test_the_logs_key_fits_its_public_half(tmp_path: Path, owners: dict[int, tuple[int, int]]) -> None:
    """Also after a set-up that was killed between the two; a log that was sealed is never marked as new."""
    setup.make(tmp_path, setup.ORIGIN)
    vkey = tmp_path / "sealer" / "keys" / "log.vkey"
    first = vkey.read_text().strip()
    vkey.unlink()
    setup.make(tmp_path, setup.ORIGIN)
    assert vkey.read_text().strip() == first
    key = SigningKey.from_pem(setup.ORIGIN, (tmp_path / "sealer" / "keys" / "log.pem").read_bytes())
    assert VerifierKey.parse(first) == key.verifier
    (tmp_path / "checkpoints" / "first-start").unlink()
    setup.make(tmp_path, setup.ORIGIN)
    assert not (tmp_path / "checkpoints" / "first-start").exists()


def test_token_and_public_key_are_shown_and_a_folder_that_is_none_is_said(
    tmp_path: Path, owners: dict[int, tuple[int, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    """`token` and `vkey` print one line; before the set-up they end with 2 and one line that names the file."""
    assert setup.main(["token", "--out", str(tmp_path)]) == 2
    assert "console/secrets/token" in capsys.readouterr().err
    assert setup.main(["make", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert said == "made a key for the ledger's log\nmade certificates for 30 days\n"
    assert setup.main(["token", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.strip() == (tmp_path / "console" / "secrets" / "token").read_text()
    assert setup.main(["vkey", "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith(setup.ORIGIN + "+")
