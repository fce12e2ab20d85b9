"""Mutual TLS from files, taken up again when the files change.

A change is seen by inode, size and modification time. A set of files that does
not fit together (a rotation half done) is left alone and the last good one stays.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import grpc
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from . import logs
from .errors import StartRefused
from .identity import check_own

_LARGEST_FILE = 1024 * 1024


@dataclass(frozen=True)
class TlsFiles:
    """PEM files: a certificate (chain), its private key, and the authority that peers must have."""

    certificate: Path
    key: Path
    authority: Path


@dataclass(frozen=True, repr=False)
class Material:
    """The contents of the files, checked to fit together."""

    certificate: bytes
    key: bytes
    authority: bytes


_Stamp = tuple[tuple[int, int, int], ...]


class Watched:
    """TLS material that follows its files. Raises StartRefused if the first reading is not good."""

    def __init__(self, files: TlsFiles, role: str) -> None:
        self._files = files
        self._role = role
        self._lock = Lock()
        self._stamp = self._look()
        self._refused: _Stamp | None = None
        self.material = _read(files, role)

    def changed(self) -> Material | None:
        """The new material if the files changed and are good, else None. Safe in any thread."""
        with self._lock:
            stamp: _Stamp | None = None
            try:
                stamp = self._look()
                if stamp == self._stamp:
                    return None
                material = _read(self._files, self._role)
            except StartRefused as error:
                if stamp is None or stamp != self._refused:  # one event a set of files
                    logs.log().warning("certificate_reload_refused", error=error)
                self._refused = stamp
                return None
            self._stamp = stamp
            self.material = material
        logs.log().info("certificate_reloaded")
        return material

    def _look(self) -> _Stamp:
        files = self._files
        try:
            stats = [os.stat(path) for path in (files.certificate, files.key, files.authority)]
        except OSError:
            raise StartRefused("a TLS file cannot be read: check the paths and the permissions") from None
        return tuple((stat.st_ino, stat.st_size, stat.st_mtime_ns) for stat in stats)


def server_credentials(watched: Watched) -> grpc.ServerCredentials:
    """Credentials that demand a client certificate and are renewed at each handshake; for one address."""
    served = watched.material

    def fetch() -> grpc.ServerCertificateConfiguration | None:
        nonlocal served
        watched.changed()
        # Not what `changed` returns: with several addresses another one's handshake may have seen the change.
        material = watched.material
        if material is served:
            return None
        served = material
        return _configuration(material)

    return grpc.dynamic_ssl_server_credentials(
        _configuration(served), fetch, require_client_authentication=True
    )


def channel_credentials(material: Material) -> grpc.ChannelCredentials:
    """Credentials of a client with a certificate of its own."""
    return grpc.ssl_channel_credentials(
        root_certificates=material.authority,
        private_key=material.key,
        certificate_chain=material.certificate,
    )


def _configuration(material: Material) -> grpc.ServerCertificateConfiguration:
    return grpc.ssl_server_certificate_configuration(
        [(material.key, material.certificate)], root_certificates=material.authority
    )


def _read(files: TlsFiles, role: str) -> Material:
    material = Material(_content(files.certificate), _content(files.key), _content(files.authority))
    check_own(material.certificate, role)
    try:
        key = serialization.load_pem_private_key(material.key, password=None)
        certificate = x509.load_pem_x509_certificates(material.certificate)[0]
        x509.load_pem_x509_certificates(material.authority)
    except (ValueError, TypeError):
        raise StartRefused("a TLS file does not hold what its name says, as PEM") from None
    if not isinstance(key, ec.EllipticCurvePrivateKey) or not isinstance(key.curve, ec.SECP256R1):
        raise StartRefused("the private key is not a P-256 key")
    if key.public_key() != certificate.public_key():
        raise StartRefused("the private key does not belong to the certificate")
    return material


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError:
        raise StartRefused("a TLS file cannot be read: check the paths and the permissions") from None
    if len(content) > _LARGEST_FILE:
        raise StartRefused(f"a TLS file is larger than {_LARGEST_FILE} bytes")
    return content
