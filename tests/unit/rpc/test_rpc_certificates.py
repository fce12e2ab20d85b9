"""Certificates name one role, and files that do not fit together are not used."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from doublethink.errors.v1.errors_pb2 import ErrorCode
from doublethink_rpc import Peer, RpcError, StartRefused, TlsFiles
from doublethink_rpc.certificates import issue, make_authority
from doublethink_rpc.contract import ROLES
from doublethink_rpc.identity import caller_of, check_own
from doublethink_rpc.tls import Watched


def _auth(uri: bytes, dns: bytes, **changes: list[bytes]) -> dict[str, list[bytes]]:
    return {
        "transport_security_type": [b"ssl"],
        "peer_uri": [uri],
        "peer_dns": [dns],
        "x509_subject_alternative_name": [dns, uri],
        **changes,
    }


_URI, _DNS = b"spiffe://doublethink/planner", b"planner.doublethink.internal"


def test_an_issued_certificate_has_the_names_of_its_role() -> None:
    """P-256, one SPIFFE URI, one DNS name, both usages, signed by the authority, for a limited time."""
    authority = make_authority()
    signer = x509.load_pem_x509_certificate(authority.certificate)
    for role in sorted(ROLES):
        issued = issue(authority, role)
        certificate = x509.load_pem_x509_certificate(issued.certificate)
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        assert names.get_values_for_type(x509.UniformResourceIdentifier) == [f"spiffe://doublethink/{role}"]
        assert names.get_values_for_type(x509.DNSName) == [f"{role}.doublethink.internal"]
        assert isinstance(certificate.public_key(), ec.EllipticCurvePublicKey)
        certificate.verify_directly_issued_by(signer)
        assert certificate.not_valid_after_utc < datetime.now(UTC) + timedelta(days=31)
        check_own(issued.certificate, role)


def test_only_roles_are_issued_for() -> None:
    """The authority refuses a name that no contract knows."""
    with pytest.raises(ValueError, match="not a role"):
        make_authority().issue("launcher")


def test_keys_do_not_show() -> None:
    """A representation holds no key."""
    authority = make_authority()
    assert "PRIVATE" not in repr(authority) + repr(authority.issue("gate"))


def test_written_files_are_private(tmp_path: Path) -> None:
    """The key's file is for its owner alone, and nothing else is left in the folder."""
    files = make_authority().issue("gate").write(tmp_path)
    assert stat.S_IMODE(files.key.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["authority.pem", "gate.key", "gate.pem"]


def test_a_caller_is_what_both_names_say() -> None:
    """The role comes from the URI, and the DNS name agrees."""
    assert caller_of(_auth(_URI, _DNS)) == "planner"


@pytest.mark.parametrize(
    "context",
    [
        {},
        _auth(_URI, _DNS, transport_security_type=[]),
        _auth(_URI, _DNS, transport_security_type=[b"insecure"]),
        _auth(_URI, _DNS, transport_security_type=[b"local"]),
        _auth(_URI, _DNS, peer_uri=[]),
        _auth(_URI, _DNS, peer_uri=[_URI, b"spiffe://doublethink/gate"]),
        _auth(_URI, _DNS, peer_dns=[_DNS, b"gate.doublethink.internal"]),
        _auth(_URI, _DNS, x509_subject_alternative_name=[_DNS, _URI, b"10.0.0.1"]),
        _auth(_URI, _DNS, x509_subject_alternative_name=[]),
        _auth(_URI, b"reader.doublethink.internal"),
        _auth(_URI, b"PLANNER.doublethink.internal"),
        _auth(b"spiffe://doublethink/planner/", _DNS),
        _auth(b"SPIFFE://doublethink/planner", _DNS),
        _auth(b"spiffe://doublethink/planner\x00", _DNS),
        _auth(b"spiffe://doublethink/unspecified", b"unspecified.doublethink.internal"),
        _auth(b"spiffe://doublethink/\xff", _DNS),
    ],
)
def test_whoever_is_not_certain_is_nobody(context: dict[str, list[bytes]]) -> None:
    """Missing, doubled, disagreeing or extra names: refused."""
    with pytest.raises(RpcError) as error:
        caller_of(context)
    assert error.value.code == ErrorCode.ERROR_CODE_CALLER_REFUSED


def _watched(files: TlsFiles, role: str = "gate") -> Watched:
    return Watched(files, role)


def test_a_process_has_its_own_role(tmp_path: Path) -> None:
    """A certificate of another role stops the start, and the message says what is needed."""
    files = make_authority().issue("reader").write(tmp_path)
    with pytest.raises(StartRefused, match="spiffe://doublethink/gate"):
        _watched(files)
    with pytest.raises(StartRefused, match="spiffe://doublethink/planner"):
        Peer("unix:/nowhere", "gate", files, "planner")
    with pytest.raises(StartRefused, match="roles of the contracts"):
        Peer("unix:/nowhere", "nobody", files, "reader")


@pytest.mark.parametrize("which", ["certificate", "key", "authority"])
@pytest.mark.parametrize("content", [None, b"", b"junk", b"x" * (1024 * 1024 + 1)])
def test_a_bad_file_stops_the_start(tmp_path: Path, which: str, content: bytes | None) -> None:
    """A file that is missing, empty, not PEM or too large is refused, without its content in the text."""
    files = make_authority().issue("gate").write(tmp_path)
    path: Path = getattr(files, which)
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    with pytest.raises(StartRefused) as refused:
        _watched(files)
    assert "junk" not in str(refused.value)


def test_a_key_of_another_kind_or_owner_stops_the_start(tmp_path: Path) -> None:
    """The key is P-256 and the certificate's own."""
    authority = make_authority()
    files = authority.issue("gate").write(tmp_path)
    files.key.write_bytes(authority.issue("gate").key)
    with pytest.raises(StartRefused, match="does not belong"):
        _watched(files)
    other = ed25519.Ed25519PrivateKey.generate()
    files.key.write_bytes(
        other.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    with pytest.raises(StartRefused, match="P-256"):
        _watched(files)


def test_files_are_read_again_only_when_they_change(tmp_path: Path) -> None:
    """Unchanged files give nothing new; replaced ones give the new certificate, once."""
    authority = make_authority()
    watched = _watched(authority.issue("gate").write(tmp_path))
    assert watched.changed() is None
    second = authority.issue("gate")
    second.write(tmp_path)
    renewed = watched.changed()
    assert renewed is not None
    assert renewed.certificate == second.certificate == watched.material.certificate
    assert watched.changed() is None


def test_a_rotation_half_done_keeps_the_last_good_set(tmp_path: Path) -> None:
    """A new key beside an old certificate is left alone until the pair is whole."""
    authority = make_authority()
    first, second = authority.issue("gate"), authority.issue("gate")
    files = first.write(tmp_path)
    watched = _watched(files)
    files.key.write_bytes(second.key)
    assert watched.changed() is None
    assert watched.material.certificate == first.certificate
    files.certificate.write_bytes(second.certificate)
    renewed = watched.changed()
    assert renewed is not None
    assert renewed.certificate == second.certificate


def test_files_that_vanish_keep_the_last_good_set(tmp_path: Path) -> None:
    """A folder that is being replaced does not take a running process down."""
    files = make_authority().issue("gate").write(tmp_path)
    watched = _watched(files)
    os.unlink(files.certificate)
    assert watched.changed() is None
