"""The words of a saved page, for searching. The text that figures are proven on is made by the gate."""

from selectolax.lexbor import LexborHTMLParser

_NOT_TEXT = ["script", "style", "noscript", "template", "svg", "iframe", "head"]
_HIDDEN = "[hidden], [aria-hidden=true], ix\\:header"
MAX_TITLE = 300
MAX_TEXT = 2_000_000


def title_and_text(html: str) -> tuple[str, str]:
    """The title and the visible words of a page, white space folded, both of bounded length."""
    page = LexborHTMLParser(html)
    element = page.css_first("title")
    title = " ".join((element.text() if element else "").split())[:MAX_TITLE]
    drop_hidden(page)
    body = page.body
    text = " ".join(body.text(separator=" ").split()) if body else ""
    return title, text[:MAX_TEXT]


def drop_hidden(page: LexborHTMLParser) -> None:
    """Take out of a page what is no text, or not to be seen."""
    page.strip_tags(_NOT_TEXT, recursive=True)
    for node in page.css(_HIDDEN):
        node.decompose()
    for node in page.css("[style]"):
        if "display:none" in (node.attributes.get("style") or "").replace(" ", "").lower():
            node.decompose()
