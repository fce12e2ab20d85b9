"""A stand-in identity provider: keys that are made at run time, and tokens signed without the library under test."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

ISSUER = "https://login.example.com/realms/deals"
AUDIENCE = "doublethink"
Private = rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey


def encoded(value: bytes) -> str:
    """Base64url without padding (RFC 7515, section 2)."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def part(fields: Mapping[str, Any]) -> str:
    """An object as a part of a token."""
    return encoded(json.dumps(fields).encode())


def _number(value: int, size: int = 0) -> str:
    return encoded(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


@cache
def made(kind: str) -> Private:
    """A key of the kind, one for all tests of a process: making an RSA key takes long."""
    if kind.startswith("RSA"):
        return rsa.generate_private_key(65537, int(kind.partition("-")[2].partition("/")[0] or 2048))
    if kind.startswith("P-"):
        curve = ec.SECP384R1() if kind.startswith("P-384") else ec.SECP256R1()
        return ec.generate_private_key(curve)
    return ed25519.Ed25519PrivateKey.generate()


def public_jwk(key: Private, kid: str | None, **fields: Any) -> dict[str, Any]:
    """The public half as a JSON Web Key (RFC 7517, 7518 and 8037)."""
    named: dict[str, Any] = {"use": "sig", **({} if kid is None else {"kid": kid}), **fields}
    match key:
        case rsa.RSAPrivateKey():
            numbers = key.public_key().public_numbers()
            return {"kty": "RSA", "n": _number(numbers.n), "e": _number(numbers.e), **named}
        case ec.EllipticCurvePrivateKey():
            point, size = key.public_key().public_numbers(), (key.key_size + 7) // 8
            curve = {"secp256r1": "P-256", "secp384r1": "P-384"}[key.curve.name]
            return {
                "kty": "EC",
                "crv": curve,
                "x": _number(point.x, size),
                "y": _number(point.y, size),
                **named,
            }
        case ed25519.Ed25519PrivateKey():
            raw = key.public_key().public_bytes_raw()
            return {"kty": "OKP", "crv": "Ed25519", "x": encoded(raw), **named}


def pem(key: Private) -> bytes:
    """The public half as it is often written, the classic secret of an HMAC that confuses the two."""
    return key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )


def signature(key: Private | bytes, alg: str, signed: bytes) -> bytes:
    """A signature as the algorithm says (RFC 7518, section 3; RFC 8037), or an HMAC where the key is bytes."""
    match key:
        case bytes():
            return hmac.digest(key, signed, "sha256")
        case rsa.RSAPrivateKey() if alg == "PS256":
            pss = padding.PSS(padding.MGF1(hashes.SHA256()), hashlib.sha256().digest_size)
            return key.sign(signed, pss, hashes.SHA256())
        case rsa.RSAPrivateKey():
            return key.sign(signed, padding.PKCS1v15(), hashes.SHA256())
        case ec.EllipticCurvePrivateKey():
            size = (key.key_size + 7) // 8
            r, s = decode_dss_signature(key.sign(signed, ec.ECDSA(hashes.SHA256())))
            return r.to_bytes(size, "big") + s.to_bytes(size, "big")
        case ed25519.Ed25519PrivateKey():
            return key.sign(signed)


def signed(header: Mapping[str, Any], claims: Mapping[str, Any], key: Private | bytes) -> str:
    """A token, whatever its header says."""
    text = f"{part(header)}.{part(claims)}"
    return f"{text}.{encoded(signature(key, str(header.get('alg')), text.encode()))}"


@dataclass
class Provider:
    """An identity provider with one key by default. `now` is its clock."""

    now: float = field(default_factory=time.time)
    keys: dict[str, tuple[str, Private]] = field(
        default_factory=lambda: {"first": ("ES256", made("P-256/first"))}
    )

    def claims(self, *groups: str, subject: str = "person-1", **changed: Any) -> dict[str, Any]:
        """What a good token says; a claim that is changed to None is left out."""
        now = int(self.now)
        fields = {
            "iss": ISSUER, "aud": AUDIENCE, "sub": subject, "iat": now, "exp": now + 300, "name": "A. Person",
            "groups": list(groups), **changed,
        }  # fmt: skip
        return {name: value for name, value in fields.items() if value is not None}

    def token(self, *groups: str, kid: str = "first", **changed: Any) -> str:
        """A good token, but for the claims that are changed."""
        alg, key = self.keys[kid]
        return signed({"alg": alg, "kid": kid, "typ": "JWT"}, self.claims(*groups, **changed), key)

    def jwks(self) -> dict[str, Any]:
        """The public keys as a JWK Set."""
        return {"keys": [public_jwk(key, kid) for kid, (_, key) in self.keys.items()]}

    def write(self, file: Path, document: object = None) -> None:
        """Put a file of keys in the old one's place, as a mounted ConfigMap is."""
        fresh = file.with_name(f"{file.name}.new")
        fresh.write_text(json.dumps(self.jwks() if document is None else document))
        fresh.replace(file)


def oidc_toml(keys_file: str = "jwks.json", extra: str = "") -> str:
    """The section [oidc] of two teams."""
    return (
        f'[oidc]\nissuer = "{ISSUER}"\naudience = "{AUDIENCE}"\nkeys_file = "{keys_file}"\n'
        'teams = [{ group = "deals-a", team = "a" }, { group = "deals-b", team = "b" }]\n'
        'approvers = ["approvers"]\nlog_readers = ["auditors"]\nleeway_s = 0\n' + extra
    )
