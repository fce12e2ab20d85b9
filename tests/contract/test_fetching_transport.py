"""One hop over real TLS on this machine: good answers, and servers that mean harm."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import gzip
import ipaddress
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from doublethink_gate.fetching import FetchFailed, Target
from doublethink_gate.fetching.rules import Bounds
from doublethink_gate.fetching.transport import Answer, DirectTransport, page_ask

HOST = "press.example"
HERE = (ipaddress.IPv4Address("127.0.0.1"),)
BOUNDS = Bounds(connect_s=20, read_s=20, total_s=60, wire_bytes=100_000, decoded_bytes=200_000)
HASTY = Bounds(connect_s=1, read_s=1, total_s=2)
HTML = b"<html><body>Revenue was 4.2 million.</body></html>"
Serve = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and certificate of a host, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "host.pem"
    path.touch(mode=0o600)
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


@contextlib.asynccontextmanager
async def server(certificate: Path, serve: Serve) -> AsyncIterator[int]:
    """A TLS server that reads one request's head and gives it to `serve`; its port."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await serve(await reader.readuntil(b"\r\n\r\n"), writer)
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listening = await asyncio.start_server(one, "127.0.0.1", 0, ssl=context)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()


async def get(certificate: Path, serve: Serve, bounds: Bounds = BOUNDS, host: str = HOST) -> Answer:
    """What the transport makes of such a server."""
    async with server(certificate, serve) as port:
        transport = DirectTransport(ssl.create_default_context(cafile=str(certificate)))
        target = Target("https", host, port, "/a?b=c")
        return await transport.send(page_ask(target), target, HERE, bounds)


def answering(
    body: bytes = HTML, *headers: bytes, status: bytes = b"200 OK", length: int | None = None
) -> Serve:
    """A server with one fixed answer."""

    async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
        size = len(body) if length is None else length
        lines = (b"HTTP/1.1 " + status, b"content-type: text/html", b"content-length: %d" % size, *headers)
        writer.write(b"\r\n".join(lines) + b"\r\n\r\n" + body)
        await writer.drain()

    return serve


async def test_the_request_says_what_was_judged_and_nothing_else(certificate: Path) -> None:
    """Path, host with its port, what may be sent back; no cookie, no referrer, no name of a person's browser."""
    heads: list[bytes] = []

    async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
        heads.append(head)
        await answering()(head, writer)

    answer = await get(certificate, serve)
    assert (answer.status, answer.body, answer.cut, answer.location) == (200, HTML, False, None)
    first, *rest = heads[0].decode().strip().split("\r\n")
    assert first == "GET /a?b=c HTTP/1.1"
    names = [line.partition(":")[0].lower() for line in rest]
    assert names == ["host", "accept", "accept-encoding", "user-agent", "connection"]
    assert rest[0].lower().startswith(f"host: {HOST}:")


@pytest.mark.parametrize(
    ("encoding", "body"),
    [(b"gzip", gzip.compress(HTML)), (b"deflate", zlib.compress(HTML)), (b"identity", HTML)],
)
async def test_a_compressed_answer_is_decoded(certificate: Path, encoding: bytes, body: bytes) -> None:
    """The two encodings that were asked for, and none."""
    answer = await get(certificate, answering(body, b"content-encoding: " + encoding))
    assert (answer.body, answer.cut, answer.wire_bytes) == (HTML, False, len(body))


async def test_a_bomb_is_cut_at_the_bound_and_said(certificate: Path) -> None:
    """A gigabyte of zeros in a megabyte: what is kept is the bound."""
    bomb = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    body = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(64)) + bomb.flush()
    answer = await get(certificate, answering(body, b"content-encoding: gzip"))
    assert (len(answer.body), answer.cut) == (BOUNDS.decoded_bytes, True)


async def test_a_body_without_an_end_is_cut_at_the_bound(certificate: Path) -> None:
    """Chunk after chunk, for ever."""

    async def serve(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n")
        for _ in range(10_000):
            writer.write(b"400\r\n" + bytes(1024) + b"\r\n")
            await writer.drain()

    answer = await get(certificate, serve)
    assert (len(answer.body), answer.cut) == (BOUNDS.wire_bytes, True)


@pytest.mark.parametrize(
    ("serve", "kind"),
    [
        (answering(HTML, b"content-encoding: br"), "unreadable"),
        (answering(HTML, b"content-encoding: gzip, gzip"), "unreadable"),
        (answering(HTML, b"content-encoding: gzip"), "unreadable"),
        (answering(gzip.compress(HTML)[:-4], b"content-encoding: gzip"), "unreadable"),
        (answering(HTML, length=1000), "unreachable"),
        (answering(HTML, b"x: " + b"y" * 200_000), "unreachable"),
        (answering(HTML, status=b"9999 what"), "unreachable"),
    ],
    ids=["unasked", "twice", "untrue", "broken off", "short", "long header", "no status"],
)
async def test_an_answer_that_is_not_one_is_a_failure(certificate: Path, serve: Serve, kind: str) -> None:
    """Each with its kind; nothing of it is kept."""
    with pytest.raises(FetchFailed) as failed:
        await get(certificate, serve)
    assert failed.value.kind == kind


async def test_endless_headers_and_silence_end_by_themselves(certificate: Path) -> None:
    """Header after header; a byte now and then; nothing at all."""

    async def headers(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n")
        for number in range(1_000_000):
            writer.write(b"x-%d: y\r\n" % number)
            await writer.drain()

    async def drip(head: bytes, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n")
        for _ in range(100):
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.1)

    async def silence(head: bytes, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(20)

    with pytest.raises(FetchFailed) as failed:
        await get(certificate, headers)
    assert failed.value.kind == "unreachable"
    for serve in (drip, silence):
        with pytest.raises(FetchFailed) as failed:
            await get(certificate, serve, HASTY)
        assert failed.value.kind == "timed_out"


async def test_a_redirect_is_an_answer_whose_body_is_not_read(certificate: Path) -> None:
    """Nothing is followed here."""
    answer = await get(
        certificate, answering(b"x", b"location: //other.example/", status=b"302 Found", length=1 << 30)
    )
    assert (answer.status, answer.location, answer.body) == (302, "//other.example/", b"")


async def test_a_certificate_of_another_name_is_refused(certificate: Path) -> None:
    """The name decides, not the address."""
    with pytest.raises(FetchFailed) as failed:
        await get(certificate, answering(), host="other.example")
    assert failed.value.kind == "unreachable"


async def test_the_proxy_settings_of_a_machine_are_not_read(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A proxy would resolve and dial by itself."""
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert (await get(certificate, answering())).body == HTML
