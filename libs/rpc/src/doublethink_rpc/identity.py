"""Who a peer is: the one role that its certificate's SPIFFE URI and DNS name agree on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cryptography import x509
from doublethink.errors.v1.errors_pb2 import ErrorCode

from .contract import ROLES
from .errors import RpcError, StartRefused

_URI_START = "spiffe://doublethink/"
_DNS_END = ".doublethink.internal"


def spiffe_id(role: str) -> str:
    """The URI of a role."""
    return _URI_START + role


def dns_name(role: str) -> str:
    """The DNS name of a role, which a client checks a server's certificate for."""
    return role + _DNS_END


def caller_of(auth_context: Mapping[str, Iterable[bytes]]) -> str:
    """The role of the peer of a call. Raises RpcError (CALLER_REFUSED) unless it is certain.

    gRPC fills these properties from a certificate that it has verified; the full
    list of alternative names shows that there is no third one beside the two.
    """
    uris, dns = list(auth_context.get("peer_uri", ())), list(auth_context.get("peer_dns", ()))
    role = _role(uris, dns)
    secure = list(auth_context.get("transport_security_type", ())) == [b"ssl"]
    names = list(auth_context.get("x509_subject_alternative_name", ()))
    if role is None or not secure or sorted(names) != sorted(uris + dns):
        raise RpcError(ErrorCode.ERROR_CODE_CALLER_REFUSED)
    return role


def check_own(certificate_pem: bytes, role: str) -> None:
    """Checks that a process's own certificate names its own role. Raises StartRefused."""
    try:
        certificate = x509.load_pem_x509_certificates(certificate_pem)[0]
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, IndexError, x509.ExtensionNotFound):
        raise StartRefused("the certificate file holds no certificate with a SPIFFE URI") from None
    uris = [uri.encode() for uri in names.get_values_for_type(x509.UniformResourceIdentifier)]
    dns = [name.encode() for name in names.get_values_for_type(x509.DNSName)]
    if _role(uris, dns) != role:
        raise StartRefused(
            f"the certificate is not one of the role {role}: it needs the URI {spiffe_id(role)} "
            f"and the DNS name {dns_name(role)}, and no others"
        )


def _role(uris: list[bytes], dns: list[bytes]) -> str | None:
    if len(uris) != 1 or len(dns) != 1:
        return None
    for role in ROLES:
        if uris[0] == spiffe_id(role).encode():
            return role if dns[0] == dns_name(role).encode() else None
    return None
