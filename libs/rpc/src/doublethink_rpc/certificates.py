"""Certificates for one machine: an authority in memory and one certificate per role.

P-256 keys; the SPIFFE URI "spiffe://doublethink/<role>" and the DNS name
"<role>.doublethink.internal" stand in the subject alternative name
(SPIFFE X.509-SVID, https://github.com/spiffe/spiffe/blob/main/standards/X509-SVID.md).
The authority's key is never written anywhere: when the object is gone, so is the
right to issue. A company's own authority takes its place in a cluster.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from .contract import ROLES
from .identity import dns_name, spiffe_id
from .tls import TlsFiles

_CLOCK_SKEW = timedelta(minutes=5)
_LIFE = timedelta(days=30)


@dataclass(frozen=True)
class Issued:
    """One role's certificate, its key and the authority's certificate, each as PEM."""

    role: str
    certificate: bytes
    key: bytes = field(repr=False)
    authority: bytes

    def write(self, directory: Path) -> TlsFiles:
        """Writes `<role>.pem`, `<role>.key` (mode 0600) and `authority.pem`, each by rename."""
        files = TlsFiles(
            certificate=directory / f"{self.role}.pem",
            key=directory / f"{self.role}.key",
            authority=directory / "authority.pem",
        )
        _replace(files.authority, self.authority, 0o644)
        _replace(files.key, self.key, 0o600)
        _replace(files.certificate, self.certificate, 0o644)
        return files


@dataclass(frozen=True)
class Authority:
    """An authority. `certificate` is PEM; the key stays inside."""

    certificate: bytes
    _certificate: x509.Certificate = field(repr=False)
    _key: ec.EllipticCurvePrivateKey = field(repr=False)

    def issue(self, role: str, life: timedelta = _LIFE) -> Issued:
        """A certificate for a role, for both ends of a connection. Raises ValueError for an unknown role."""
        if role not in ROLES:
            raise ValueError("not a role of the contracts")
        return self.issue_names(role, dns_name(role), spiffe_id(role), life)

    def issue_names(self, role: str, dns: str, uri: str, life: timedelta = _LIFE) -> Issued:
        """A certificate with names of the caller's choice; tests use it for wrong ones."""
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        alternative = x509.SubjectAlternativeName([x509.DNSName(dns), x509.UniformResourceIdentifier(uri)])
        certificate = (
            x509.CertificateBuilder()
            .subject_name(_name(role))
            .issuer_name(self._certificate.subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _CLOCK_SKEW)
            .not_valid_after(now + life)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(authority=False), critical=True)
            .add_extension(
                x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]),
                critical=False,
            )
            .add_extension(alternative, critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        return Issued(
            role=role,
            certificate=certificate.public_bytes(serialization.Encoding.PEM),
            key=key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            ),
            authority=self.certificate,
        )


def make_authority(life: timedelta = _LIFE) -> Authority:
    """A fresh authority that may issue for the roles of the contracts."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    name = _name("doublethink local authority")
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _CLOCK_SKEW)
        .not_valid_after(now + life)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(authority=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, hashes.SHA256())
    )
    return Authority(certificate.public_bytes(serialization.Encoding.PEM), certificate, key)


def issue(authority: Authority, role: str) -> Issued:
    """A certificate for a role; the same as `authority.issue(role)`."""
    return authority.issue(role)


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _key_usage(*, authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not authority,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=authority,
        crl_sign=authority,
        encipher_only=False,
        decipher_only=False,
    )


def _replace(path: Path, content: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(content)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
