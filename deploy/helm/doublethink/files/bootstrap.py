"""Makes the secrets of a trial that are not there yet, by the API server, and ends.

    bootstrap.py WANTED_JSON

Certificates are issued by an authority that lives in this process alone, so that all five are made together: if one is
missing or has less than a third of its life left, all are made anew. Nothing else that is there is ever changed.
Nothing of a secret is printed. Exit codes: 0 done, 1 refused.
"""

from __future__ import annotations

import base64
import datetime
import http.client
import json
import secrets
import ssl
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cryptography import x509
from doublethink_rpc.certificates import make_authority
from doublethink_sealer.keys import write_key

ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
TIMEOUT_SECONDS = 20
MOST_BYTES = 1_048_576
TLS_ROLES = ("console", "planner", "gate", "validator", "reader")
DATABASES = {
    "gate": "doublethink_gate",
    "sealer": "doublethink_gate",
    "migrator": "doublethink_gate",
    "retention": "doublethink_gate",
    "console": "doublethink_console",
}


class Refused(Exception):
    """The API server refused; the message is its status and no more."""


class Api:
    """The Secrets of one namespace. Raises Refused or OSError."""

    def __init__(self, namespace: str) -> None:
        self._path = f"/api/v1/namespaces/{quote(namespace)}/secrets"
        self._token = (ACCOUNT / "token").read_text(encoding="utf-8").strip()
        self._tls = ssl.create_default_context(cafile=str(ACCOUNT / "ca.crt"))

    def read(self, name: str) -> Mapping[str, bytes] | None:
        """The content of a Secret, None if there is none."""
        status, found = self._ask("GET", f"{self._path}/{quote(name)}", None)
        if status == 404:
            return None
        if status != 200:
            raise Refused(f"reading {name}: status {status}")
        return {key: base64.b64decode(value) for key, value in (found.get("data") or {}).items()}

    def write(self, name: str, content: Mapping[str, bytes], *, replace: bool) -> None:
        """Make a Secret, or give one that is there another content."""
        document = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": name, "labels": {"doublethink.dev/made-by": "bootstrap"}},
            "type": "Opaque",
            "data": {key: base64.b64encode(value).decode() for key, value in content.items()},
        }
        method, path = ("PUT", f"{self._path}/{quote(name)}") if replace else ("POST", self._path)
        status, _ = self._ask(method, path, document)
        if status not in (200, 201):
            raise Refused(f"writing {name}: status {status}")

    def _ask(self, method: str, path: str, document: Any) -> tuple[int, Any]:
        connection = http.client.HTTPSConnection(
            "kubernetes.default.svc", timeout=TIMEOUT_SECONDS, context=self._tls
        )
        try:
            headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
            connection.request(method, path, None if document is None else json.dumps(document), headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read(MOST_BYTES) or b"{}")
        finally:
            connection.close()


def make_certificates(api: Api, prefix: str, days: int) -> None:
    """All certificates anew, unless all are good."""
    names = {role: f"{prefix}-tls-{role}" for role in TLS_ROLES}
    there = {role: api.read(name) for role, name in names.items()}
    if all(content is not None and _is_good(content) for content in there.values()):
        return
    life = datetime.timedelta(days=days)
    authority = make_authority(life)
    for role, name in names.items():
        issued = authority.issue(role, life)
        content = {"tls.crt": issued.certificate, "tls.key": issued.key, "ca.crt": issued.authority}
        api.write(name, content, replace=there[role] is not None)
        print(f"made {name}")


def _is_good(content: Mapping[str, bytes]) -> bool:
    try:
        certificate = x509.load_pem_x509_certificate(content["tls.crt"])
    except (KeyError, ValueError):
        return False
    now = datetime.datetime.now(datetime.UTC).replace(tzinfo=None)
    begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
    return end.replace(tzinfo=None) - now > (end - begin) / 3


def wanted_secrets(
    prefix: str, database: str, origin: str, passwords: Mapping[str, bytes]
) -> dict[str, dict[str, bytes]]:
    """The content of every other Secret, by name. `passwords` are those of the database's roles."""
    made: dict[str, dict[str, bytes]] = {}
    for role in ("gate", "console"):
        made[f"{prefix}-keys-{role}"] = {"v1.key": secrets.token_hex(32).encode(), "active": b"v1"}
    made[f"{prefix}-console-token"] = {"token": secrets.token_hex(32).encode()}
    key, vkey = Path("/tmp/log.pem"), Path("/tmp/log.vkey")  # noqa: S108 - a folder of this pod's own, in memory
    for path in (key, vkey):
        path.unlink(missing_ok=True)
    write_key(origin, key, vkey)
    made[f"{prefix}-keys-sealer"] = {"log.pem": key.read_bytes(), "log.vkey": vkey.read_bytes()}
    key.unlink()
    for role, name in DATABASES.items():
        dsn = (
            f"host={database} port=5432 dbname={name} user=doublethink_{role} "
            f"password={passwords[role].decode()} connect_timeout=10"
        )
        made[f"{prefix}-dsn-{role}"] = {"dsn": dsn.encode()}
    return made


def make_secrets(api: Api, wanted: Mapping[str, Any]) -> None:
    """Every other Secret that is not there."""
    prefix = wanted["prefix"]
    name = f"{prefix}-postgres"
    passwords = api.read(name)
    if passwords is None:
        passwords = {role: secrets.token_hex(24).encode() for role in (*DATABASES, "administrator")}
        api.write(name, passwords, replace=False)
        print(f"made {name}")
    contents = wanted_secrets(prefix, wanted["database"], wanted["origin"], passwords)
    for name, content in contents.items():
        if api.read(name) is None:
            api.write(name, content, replace=False)
            print(f"made {name}")


def main() -> int:
    """Return the exit code."""
    wanted = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    api = Api(wanted["namespace"])
    try:
        if wanted["certificates"]:
            make_certificates(api, wanted["prefix"], int(wanted["days"]))
        if wanted["secrets"]:
            make_secrets(api, wanted)
    except (Refused, OSError) as error:
        sys.stderr.write(f"bootstrap: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
