"""Open the container of a payload: its text, and the joined streams of its fields.

A secret can be a JSON key, be cut over query values, or over host labels; so beside the payload as a whole
there are views of the values in order, the keys in order, and the host labels run together.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from email.message import Message
from itertools import accumulate, islice
from urllib.parse import SplitResult, urlsplit

from doublethink_fingerprint import Segment, View, joined, limits

from doublethink_gate.checks.request import Request, RequestKind

_MAX_INFLATED = 1024 * 1024
_MAX_DEPTH = 64
# Nothing is put together over it.
_BREAK = "\n\n"
# More strings or fields than any request here has cost more to take apart than they can be worth.
_MAX_FIELDS = 20_000
_STRING = re.compile(r'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+"')
_COLON = re.compile(r"\s*+:")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = [1 if code in b"[{" else -1 for code in range(256)]
_URL_CHARS = re.compile(r"[\x00-\x20\x7f\\<>\"{}|^`]")
_TEXT_TYPES = ("text/", "application/xml", "application/xhtml+xml", "application/graphql")
_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})")


@dataclass(frozen=True, slots=True)
class Opened:
    """A payload's text and views, or the rule id that says why it cannot be read.

    `text` counts characters; `to_bytes` turns its offsets into offsets of the payload.
    """

    root: View
    more: tuple[View, ...] = ()
    refused: str | None = None
    url: SplitResult | None = None
    size: int = 0
    inflated: bool = False
    _text: str = field(default="", repr=False)

    def to_bytes(self, start: int, end: int) -> tuple[int, int]:
        """Return byte offsets in the payload for character offsets in its text."""
        if self.inflated:
            return 0, self.size
        if self._text.isascii():
            return max(0, min(start, self.size)), max(0, min(end, self.size))
        head = len(self._text[:start].encode("utf-8"))
        return head, head + len(self._text[start:end].encode("utf-8"))


def open_container(request: Request) -> Opened:
    """Read a request's payload. Whatever cannot be read completely comes back as refused."""
    data = request.payload
    inflated = False
    if request.kind is RequestKind.BODY and (request.content_encoding or "identity").lower() != "identity":
        unpacked = _inflate(data, (request.content_encoding or "").lower().strip())
        if unpacked is None:
            return _refuse("unreadable.encoding", data)
        data, inflated = unpacked, True
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _refuse("unreadable.encoding" if request.kind is RequestKind.BODY else "shape.utf8", data)
    root = View(text)
    if request.kind is RequestKind.QUERY:
        return Opened(root, size=len(request.payload), _text=text)
    if request.kind is RequestKind.URL:
        return _open_url(root, text)
    opened = _open_body(root, text, request.content_type)
    return Opened(opened.root, opened.more, opened.refused, None, len(request.payload), inflated, text)


def without(view: View, spans: tuple[tuple[int, int], ...]) -> tuple[View, View]:
    """Return two views of `view`: what lies outside the character ranges `spans`, and what lies inside."""
    outside: list[tuple[int, int, str]] = []
    inside: list[tuple[int, int, str]] = []
    at = 0
    for start, end in sorted(spans):
        start = max(at, start)
        if end <= start:
            continue
        outside.append((at, start, view.text[at:start]))
        inside.append((start, end, view.text[start:end]))
        at = end
    outside.append((at, len(view.text), view.text[at:]))
    views = joined(view, outside, "values"), joined(view, inside, "values")
    for made in views:
        made.first = True
    return views


def reduced(view: View, spans: tuple[tuple[int, int], ...]) -> View:
    """Return a view of the payload's fields without those that lie in the character ranges `spans`."""
    kept: list[Segment] = []
    texts: list[str] = []
    at = 0
    for segment in view.segments:
        text = view.text[at : at + segment.length]
        at += segment.length
        if not any(start <= segment.start and segment.end <= end for start, end in spans):
            kept.append(segment)
            texts.append(text)
    return View("".join(texts), view.parent, tuple(kept), view.chain, view.depth)


def _refuse(rule: str, data: bytes) -> Opened:
    return Opened(View(""), refused=rule, size=len(data))


def _inflate(data: bytes, encoding: str) -> bytes | None:
    windows = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}.get(encoding, ())
    for window in windows:
        engine = zlib.decompressobj(window)
        try:
            out = engine.decompress(data, _MAX_INFLATED)
        except zlib.error:
            continue
        if engine.eof and not engine.unused_data:
            return out
    return None


def _open_url(root: View, text: str) -> Opened:
    size = len(text.encode("utf-8"))
    refused = Opened(root, refused="shape.url", size=size, _text=text)
    if _URL_CHARS.search(text):
        return refused
    try:
        parts = urlsplit(text)
        host = parts.hostname
        _ = parts.port
    except ValueError:
        return refused
    if not parts.scheme or not host:
        return refused
    return Opened(root, tuple(_url_views(root, text, parts)), None, parts, size, False, text)


def _url_views(root: View, text: str, parts: SplitResult) -> Iterator[View]:
    host_at = text.find("//") + 2
    host_end = host_at + len(parts.netloc)
    labels = [(m.start() + host_at, m.end() + host_at, m[0]) for m in re.finditer(r"[^.@:]+", parts.netloc)]
    yield joined(root, labels, "host", separator="")
    # A domain stands behind what labels carry; without it they may be one encoding.
    for domain in (2, 3):
        if len(labels) > domain + 1:
            yield joined(root, labels[:-domain], "host", separator="")
    rest = text[host_end:]
    values = [
        (match.start(1) + host_end, match.end(1) + host_end, match[1])
        for match in re.finditer(
            r"[/?&;#=]?((?:(?<=[=/#])|(?<=[?&;])(?=[^=&;#]*(?:[&;#]|$)))[^/?&;#=]+)", rest
        )
    ]
    if values:
        yield joined(root, values, "values", separator="")
        yield joined(root, values, "values")
    keys = [
        (match.start(1) + host_end, match.end(1) + host_end, match[1])
        for match in re.finditer(r"[?&;]([^=&;#]+)=", rest)
    ]
    if keys:
        yield joined(root, keys, "keys", separator="")


def _open_body(root: View, text: str, content_type: str | None) -> Opened:
    header = Message()
    header["content-type"] = content_type or "application/octet-stream"
    kind = header.get_content_type()
    if kind == "application/json" or kind.endswith("+json"):
        return _open_json(root, text)
    if kind == "application/x-www-form-urlencoded":
        if max(text.count("&"), text.count("=")) > _MAX_FIELDS:
            return Opened(root, refused="unreadable.budget")
        return Opened(root, tuple(_form_views(root, text)))
    if kind == "multipart/form-data":
        boundary = header.get_param("boundary")
        if not isinstance(boundary, str) or f"--{boundary}--" not in text:
            return Opened(root, refused="shape.multipart")
        return Opened(root)
    if kind.startswith(_TEXT_TYPES):
        return _open_json(root, text) if text.lstrip()[:1] in ("{", "[") and _is_json(text) else Opened(root)
    return Opened(root, refused="unreadable.content_type")


def _form_views(root: View, text: str) -> Iterator[View]:
    values = [(m.start(1), m.end(1), m[1]) for m in re.finditer(r"=([^&]*)", text)]
    keys = [(m.start(1), m.end(1), m[1]) for m in re.finditer(r"(?:^|&)([^=&]*)", text)]
    if values:
        yield joined(root, values, "values", separator="")
        yield joined(root, values, "values")
    if keys:
        yield joined(root, keys, "keys", separator="")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _open_json(root: View, text: str) -> Opened:
    # A lone surrogate cannot be encoded again: what was checked would not be what a receiver reads.
    strings = list(islice(_STRING.finditer(text), _MAX_FIELDS + 1))
    if len(strings) > _MAX_FIELDS:
        return Opened(root, refused="unreadable.budget")
    if _SURROGATE_ESCAPE.search(text) or _nesting(text, strings) > _MAX_DEPTH or not _is_json(text):
        return Opened(root, refused="shape.json")
    return Opened(root, tuple(_json_views(root, text, strings)))


def _nesting(text: str, strings: Sequence[re.Match[str]]) -> int:
    """Return how deep brackets outside the strings are nested."""
    borders = [0, *(at for match in strings for at in match.span()), len(text)]
    outside = "".join([text[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True)])
    brackets = outside.encode("utf-8").translate(None, _NO_BRACKETS)
    return max(accumulate(map(_STEP.__getitem__, brackets)), default=0)


def _json_views(root: View, text: str, strings: Sequence[re.Match[str]]) -> Iterator[View]:
    """Values in order and keys in order, every one of them, duplicates too, run together without
    separators; and the values of each key that occurs again, for what is cut over the parts of a message."""
    keys: list[tuple[int, int, str]] = []
    values: list[tuple[int, int, str]] = []
    named: dict[str, list[tuple[int, int, str]]] = {}
    name = ""
    for match in strings:
        decoded = json.loads(match[0])
        place = (match.start() + 1, match.end() - 1, decoded)
        if _COLON.match(text, match.end()):
            name = decoded
            keys.append(place)
        else:
            values.append(place)
            named.setdefault(name, []).append(place)
    for chain, places, separator in (("values", values, "\n"), ("values", values, ""), ("keys", keys, "")):
        if places and (separator or len(places) > 1):
            yield joined(root, places, chain, separator=separator)
    edges = [edge for places in named.values() if 1 < len(places) < len(values) for edge in _edges(places)]
    if edges:
        yield joined(root, edges, "values", separator="")


def _edges(places: list[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """The values of one key, of long ones only what may be half of a secret, and a break behind the last."""
    for start, end, value in places:
        if len(value) <= 2 * limits.VALUE_CHARS:
            yield start, end, value
            continue
        exact = len(value) == end - start
        head, tail = value[: limits.VALUE_CHARS], value[-limits.VALUE_CHARS :]
        yield start, start + len(head) if exact else end, head
        yield end, end, _BREAK
        yield end - len(tail) if exact else start, end, tail
    yield places[-1][1], places[-1][1], _BREAK
