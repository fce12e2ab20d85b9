"""PDF files made of text at places, and files that mean harm."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence

from pypdf import PdfReader, PdfWriter

Drawn = tuple[int, int, str]
"""Points from the left and from the bottom, and a text."""


def pdf(*pages: Sequence[Drawn], title: str = "") -> bytes:
    """A file with a page for each list, set in a font of equal widths."""
    objects = [b"<</Type/Catalog/Pages 2 0 R>>"]
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects.append(f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>".encode())
    objects.append(b"<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding/WinAnsiEncoding>>")
    for number, page in enumerate(pages):
        parts = [f"BT /F 10 Tf {x} {y} Td ({_escaped(text)}) Tj ET" for x, y, text in page]
        content = "\n".join(parts).encode("cp1252")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents {5 + 2 * number} 0 R"
            "/Resources<</Font<</F 3 0 R>>>>>>".encode()
        )
        objects.append(stream(content))
    objects.append(f"<</Title({_escaped(title)})>>".encode())
    return assembled(objects, info=len(objects))


def stream(content: bytes, extra: bytes = b"") -> bytes:
    """A stream's object."""
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(content), extra, content)


def assembled(objects: Sequence[bytes], info: int = 0) -> bytes:
    """Objects, numbered from 1, with their table."""
    out, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    named = b"/Info %d 0 R" % info if info else b""
    out += b"trailer<</Root 1 0 R%s/Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (named, len(objects) + 1, table)
    return bytes(out)


def encrypted(body: bytes, password: str = "") -> bytes:
    """The same file under a password; "" opens without one."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(body)))
    writer.encrypt(user_password=password, owner_password="owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def bomb(megabytes: int) -> bytes:
    """A page whose content grows to so many million bytes."""
    content = zlib.compress(b"BT /F 10 Tf 0 0 Td (x) Tj ET\n" * (megabytes * 1_000_000 // 29), 9)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>"
    return assembled(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            page,
            stream(content, b"/Filter/FlateDecode"),
            b"<</Type/Font/Subtype/Type1/BaseFont/Courier>>",
        ]
    )


def endless() -> bytes:
    """A tree of pages that has itself as a child."""
    return assembled(
        [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2/Parent 2 0 R>>"]
    )


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
