"""DuckDuckGo and the web behind it, on one TLS server of this machine: pages of results in both layouts, and web pages.

The markup follows what the real pages have in classes, nesting and links (see `doublethink_gate.pages.results_page`);
the words are this project's own.
"""

from __future__ import annotations

import contextlib
import html
import ipaddress
import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, quote

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from sim.web import SeenRequest, SimAnswer, SimWeb, serving

SEARCH_HOST = "html.duckduckgo.com"
ADDRESS = f"https://{SEARCH_HOST}/html/"
HTML = "text/html; charset=UTF-8"


@dataclass(frozen=True)
class Hit:
    """One result."""

    url: str
    title: str = "A title"
    snippet: str = "Some words."


def link_to(url: str) -> str:
    """The redirect that a result's link is."""
    return f"//duckduckgo.com/l/?uddg={quote(url, safe='')}&rut=0123456789abcdef"


def _head(query: str, action: str) -> str:
    shown = html.escape(query, quote=True)
    return (
        f"<!DOCTYPE html><html><head><meta charset='UTF-8'><title>{shown} at DuckDuckGo</title></head><body>"
        f"<form name='x' class='header__form' action='{action}' method='post'>"
        f"<input name='q' autocomplete='off' class='search__input' type='text' value=\"{shown}\">"
        "<input name='b' type='submit' class='search__button' value=''></form>"
    )


def html_page(query: str, hits: Iterable[Hit], *, ads: Iterable[Hit] = (), said: str | None = None) -> bytes:
    """The html layout. said: the words of an element that says that there is no result."""
    parts = [_head(query, "/html/"), "<div class='serp__results'><div id='links' class='results'>"]
    for ad in ads:
        parts.append(
            "<div class='result results_links results_links_deep result--ad '><div class='links_main result__body'>"
            "<h2 class='result__title'><a rel='nofollow' class='result__a' href='https://duckduckgo.com/y.js?ad_domain="
            f"x&amp;u3={quote(ad.url, safe='')}'>{html.escape(ad.title)}</a></h2></div></div>"
        )
    for hit in hits:
        leads = html.escape(link_to(hit.url))
        parts.append(
            "<div class='result results_links results_links_deep web-result '>"
            "<div class='links_main links_deep result__body'><h2 class='result__title'>"
            f"<a rel='nofollow' class='result__a' href='{leads}'>{html.escape(hit.title)}</a></h2>"
            f"<div class='result__extras'><a class='result__url' href='{leads}'> {html.escape(hit.url)} </a></div>"
            f"<a class='result__snippet' href='{leads}'>{html.escape(hit.snippet)}</a><div class='clear'></div>"
            "</div></div>"
        )
    if said is not None:
        parts.append(
            "<div class='result results_links results_links_deep result--no-result'>"
            f"<div class='no-results'>{said}</div></div>"
        )
    parts.append("<div class='nav-link'><form action='/html/' method='post'>")
    parts.append(f"<input type='hidden' name='q' value=\"{html.escape(query, quote=True)}\"></form></div>")
    return "".join([*parts, "</div></div></body></html>"]).encode()


def lite_page(query: str, hits: Iterable[Hit], *, ads: Iterable[Hit] = (), said: str | None = None) -> bytes:
    """The lite layout."""
    rows = []
    for ad in ads:
        rows.append(
            "<tr class='result-sponsored'><td>1.&nbsp;</td><td><a rel='nofollow' href='https://duckduckgo.com/y.js?"
            f"ad_domain=x' class='result-link'>{html.escape(ad.title)}</a></td></tr>"
        )
    for number, hit in enumerate(hits, 1):
        rows.append(
            f"<tr><td valign='top'>{number}.&nbsp;</td><td><a rel='nofollow' href='{html.escape(link_to(hit.url))}'"
            f" class='result-link'>{html.escape(hit.title)}</a></td></tr><tr><td>&nbsp;</td>"
            f"<td class='result-snippet'>{html.escape(hit.snippet)}</td></tr><tr><td>&nbsp;</td><td>"
            f"<span class='link-text'>{html.escape(hit.url)}</span></td></tr><tr><td>&nbsp;</td></tr>"
        )
    if said is not None:
        rows.append(f"<tr><td>{said}</td></tr>")
    body = f"{_head(query, '/lite/')}<table border='0'>{''.join(rows)}</table></body></html>"
    return body.encode()


def challenge_page(query: str) -> bytes:
    """What stands in place of results where a person is asked for."""
    return (
        f"{_head(query, '/html/')}<form id='challenge-form' action='//duckduckgo.com/anomaly.js?sv=html' method='POST'>"
        "<div class='anomaly-modal__mask'><div class='anomaly-modal__title'>Are you a person?</div></div></form>"
        "</body></html>"
    ).encode()


@dataclass
class Authority:
    """An authority of the stand-in's own, and a certificate of it for some names."""

    names: tuple[str, ...]
    folder: Path

    def __post_init__(self) -> None:
        now = datetime.now(UTC)
        root_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())

        def name(text: str) -> x509.Name:
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

        def made(subject: str, public: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
            return (
                x509.CertificateBuilder()
                .subject_name(name(subject))
                .issuer_name(name("stand-in authority"))
                .public_key(public)
                .serial_number(x509.random_serial_number())
                .not_valid_before(now - timedelta(hours=1))
                .not_valid_after(now + timedelta(days=1))
            )

        basic = x509.BasicConstraints(ca=True, path_length=0)
        root = (
            made("stand-in authority", root_key.public_key())
            .add_extension(basic, critical=True)
            .sign(root_key, hashes.SHA256())
        )
        alternatives = x509.SubjectAlternativeName([x509.DNSName(each) for each in self.names])
        leaf = (
            made("stand-in", key.public_key())
            .add_extension(alternatives, critical=False)
            .sign(root_key, hashes.SHA256())
        )
        self.pem = root.public_bytes(serialization.Encoding.PEM).decode()
        file = self.folder / "stand-in.pem"
        file.touch(mode=0o600)
        file.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
            + leaf.public_bytes(serialization.Encoding.PEM)
        )
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(file)


Page = SimAnswer | Callable[[SeenRequest], SimAnswer]


@dataclass
class SimDuckDuckGo:
    """Answers searches with `answer`, and other hosts' requests from `pages`, by host and path."""

    pages: dict[str, Page] = field(default_factory=dict)
    hits: list[Hit] = field(default_factory=list)
    answer: Callable[[str, Mapping[str, list[str]]], SimAnswer] | None = None

    async def __call__(self, request: SeenRequest) -> SimAnswer:
        """Answer one request."""
        host = request.header("host") or ""
        if host == SEARCH_HOST:
            fields = parse_qs(request.body.decode(), keep_blank_values=True)
            query = fields["q"][0]
            if self.answer is not None:
                return self.answer(query, fields)
            return SimAnswer(body=html_page(query, self.hits), content_type=HTML)
        page = self.pages.get(f"https://{host}{request.target}")
        if page is None:
            return SimAnswer(404, b"<p>no such page</p>", HTML)
        return page(request) if callable(page) else page


def redirect(location: str, status: int = 302) -> SimAnswer:
    """An answer that leads on."""
    return SimAnswer(status, b"", HTML, headers=(("location", location),))


def text_page(text: str, title: str = "A page") -> SimAnswer:
    """A small page."""
    return SimAnswer(
        200, f"<html><head><title>{title}</title></head><body>{text}</body></html>".encode(), HTML
    )


def policy_with(port: int, authority: str, names: Iterable[str], shipped: str | None = None) -> str:
    """The shipped policy with hosts placed on this machine."""
    text = shipped or files("doublethink_gate.policy").joinpath("default.yaml").read_text("utf-8")
    placed = ", ".join(f'"{name}={ipaddress.IPv4Address("127.0.0.1")}:{port}"' for name in names)
    indented = "".join(f"    {line}\n" for line in authority.splitlines())
    return f"{text}\nstand_ins:\n  hosts: [{placed}]\n  authority: |\n{indented}"


@contextlib.asynccontextmanager
async def standing_in(answers: SimDuckDuckGo, folder: Path, *names: str) -> AsyncIterator[tuple[SimWeb, str]]:
    """The web of some names, DuckDuckGo among them, and the policy that sends a gate there."""
    authority = Authority((SEARCH_HOST, *names), folder)
    async with serving(answers, authority.server) as web:
        yield web, policy_with(web.port, authority.pem, authority.names)
