"""An object store with object lock on loopback, over TLS: moto's S3 in a thread."""

from __future__ import annotations

import contextlib
import datetime
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from moto.backends import get_backend
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

BUCKET = "checkpoints"
ACCESS_KEY, SECRET_KEY = "test-access-key", "test-secret-key"


@dataclass
class ObjectStore:
    """A running store. `ca` is the certificate that a client has to be given."""

    port: int
    ca: Path

    @property
    def endpoint(self) -> str:
        """Its address."""
        return f"https://127.0.0.1:{self.port}"

    def client(self) -> Any:
        """A client for the test's own look into the store."""
        return boto3.client(
            "s3",
            endpoint_url=self.endpoint,
            region_name="us-east-1",
            aws_access_key_id=ACCESS_KEY,
            aws_secret_access_key=SECRET_KEY,
            verify=str(self.ca),
            config=Config(s3={"addressing_style": "path"}, proxies={}),
        )

    def write_settings(self, folder: Path, **changes: object) -> Path:
        """Write the file that a sealer is given, with its keys beside it; returns its path."""
        for name, secret in (("store.id", ACCESS_KEY), ("store.secret", SECRET_KEY)):
            (folder / name).touch(mode=0o600)
            (folder / name).write_text(secret + "\n")
        settings: dict[str, object] = {
            "endpoint": self.endpoint,
            "bucket": BUCKET,
            "access_key_file": "store.id",
            "secret_key_file": "store.secret",
            "ca_file": str(self.ca),
            "retain_days": 30,
            **changes,
        }
        lines = [
            f"{key} = {value if isinstance(value, int) else repr(value)}" for key, value in settings.items()
        ]
        path = folder / "store.toml"
        path.write_text("\n".join(lines) + "\n")
        return path


@contextlib.contextmanager
def object_store(folder: Path) -> Iterator[ObjectStore]:
    """A store with one empty bucket that has object lock, gone at the end."""
    certificate, key = _certificate(folder)
    app = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", 0, app, threaded=True, ssl_context=(str(certificate), str(key)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        store = ObjectStore(server.server_port, certificate)
        client = store.client()
        client.create_bucket(Bucket=BUCKET, ObjectLockEnabledForBucket=True)
        yield store
        client.close()
    finally:
        server.shutdown()
        server.server_close()
        # Its state belongs to the process, not to the server: the next store is to be empty.
        for account in get_backend("s3").values():
            for backend in account.values():
                backend.reset()
        thread.join()


def _certificate(folder: Path) -> tuple[Path, Path]:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "object store of a test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(IPv4Address("127.0.0.1"))]), critical=False
        )
        .sign(private, hashes.SHA256())
    )
    certificate, key = folder / "store-ca.pem", folder / "store-key.pem"
    certificate.write_bytes(made.public_bytes(Encoding.PEM))
    key.write_bytes(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate, key
