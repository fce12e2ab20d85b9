"""Paragraphs, characters, charsets and what is hidden."""

import pytest
from doublethink_gate.pages import (
    Limits,
    PageTooComplex,
    PageTooLarge,
    UnsupportedCharset,
    UnsupportedContentType,
    extract_page,
)

HTML = "text/html; charset=utf-8"


def blocks(html: str, content_type: str = HTML) -> list[str]:
    """The blocks of a page after its title."""
    return extract_page(html.encode(), content_type).text.rstrip("\n").split("\n\n")[1:]


def test_first_line_is_the_title() -> None:
    """The title's line comes first, also when it is empty."""
    assert extract_page(b"<title> A\n b </title><p>x", HTML).text == "A b\n\nx\n"
    assert extract_page(b"<p>x", HTML).text == "\n\nx\n"


def test_blocks_and_line_breaks_make_lines() -> None:
    """Headings, paragraphs, list items and breaks each end a line; inline elements do not."""
    html = "<h1>He<b>ad</b></h1><p>one<br>two</p><ul><li>three</li><li>four</li></ul>"
    html += "<div>a<span>b</span> c</div>"
    assert blocks(html) == ["Head", "one", "two", "three", "four", "ab c"]


def test_display_overrides_the_element() -> None:
    """A div shown inline joins its line, a span shown as a block leaves it."""
    assert blocks("<p>a<span style='display:block'>b</span>c</p>") == ["a", "b", "c"]
    assert blocks("<div>a<div style='display: inline'>b</div>c</div>") == ["abc"]


def test_white_space_is_folded() -> None:
    """Every kind of space counts as one space, and no cell or line begins or ends with one."""
    assert blocks("<p>\u00a0a\u2009\u202fb\u3000 \n c\u00a0</p>") == ["a b c"]


def test_raised_digits_never_join_a_number() -> None:
    """Footnote marks become superscripts, by element and by style; ordinals and bracketed marks stay."""
    assert blocks("<p>42,916<sup>1</sup> m<sup>2</sup> 4<sup>th</sup> 5<sup>[3]</sup></p>") == [
        "42,916¹ m² 4th 5[3]"
    ]
    assert blocks("<p>Sales<span style='position:relative;top:-3.5pt;font-size:6pt'>(1)(2)</span></p>") == [
        "Sales⁽¹⁾⁽²⁾"
    ]
    assert blocks("<p>7<span style='vertical-align:super'>a</span></p>") == ["7ᵃ"]


def test_invisible_characters_are_stripped_and_counted() -> None:
    """A zero-width space separates; the other invisibles vanish; each kind is counted."""
    page = extract_page("<p>a\u200bb c\u2060d \u202ee\ufe0f\U000e0041\ue000\u00adf</p>".encode(), HTML)
    assert page.text == "\n\na b cd ef\n"
    assert page.stripped == {"bidi": 1, "private_use": 1, "tag": 1, "variation": 1, "zero_width": 3}


@pytest.mark.parametrize(
    "html",
    [
        "<p hidden>{}</p>",
        "<p aria-hidden=true>{}</p>",
        "<p style='display:none'>{}</p>",
        "<p style='DISPLAY : None !important'>{}</p>",
        "<p style='visibility:hidden'>{}</p>",
        "<p style='opacity:0.01'>{}</p>",
        "<p style='font-size:0'><b>{}</b></p>",
        "<p style='font-size:1px'>{}</p>",
        "<div style='color:#fff'><p>{}</p></div>",
        "<div style='background:#123456'><p style='color:rgb(18,52,86)'>{}</p></div>",
        "<font color=FFFFFF>{}</font>",
        "<p style='position:absolute;left:-9999px'>{}</p>",
        "<p style='text-indent:-5000px'>{}</p>",
        "<p style='clip:rect(0,0,0,0);position:absolute'>{}</p>",
        "<p style='clip-path:inset(100%)'>{}</p>",
        "<p style='height:0;overflow:hidden'>{}</p>",
        "<p style='transform:scale(0)'>{}</p>",
        "<style>.x{{display:none}}</style><p class=x>{}</p>",
        "<style>.x{{display:none !important}}</style><p class=x style='display:block'>{}</p>",
        "<p style='display:none !important; display:block'>{}</p>",
        "<style>@media all {{ .x{{display:none}} }}</style><p class=x>{}</p>",
        "<style>@media only screen {{ @layer a {{ p.x{{display:none}} }} }}</style><p class=x>{}</p>",
        "<style>@supports (display:block) {{ .x{{display:none}} }}</style><p class=x>{}</p>",
        "<p style='filter:opacity(0)'>{}</p>",
        "<p style='-webkit-text-fill-color:transparent'>{}</p>",
        "<p style='position:fixed;bottom:-9999px'>{}</p>",
        "<p style='scale:0'>{}</p>",
        "<p style='translate:-9999px'>{}</p>",
        "<p style='position:absolute;inset:0 auto auto -9999px'>{}</p>",
        "<p style='margin:-9999px 0 0'>{}</p>",
        "<p style='position:absolute;left:calc(1px - 9999px)'>{}</p>",
        "<p style='transform:matrix(0,0,0,0,0,0)'>{}</p>",
        "<p style='color:hsl(0,0%,100%)'>{}</p>",
        "<p style='color:hsla(0, 0%, 0%, 0)'>{}</p>",
        "<p style='color:rgb(100%,100%,100%)'>{}</p>",
        "<p style='clip-path:polygon(0 0,0 0,0 0)'>{}</p>",
        "<p style='clip-path:circle(0px at 50% 50%)'>{}</p>",
        "<style>div p.x, .y {{ font-size:0px }}</style><div><p class=x>{}</p></div>",
        "<details><summary>open</summary>{}</details>",
        "<dialog>{}</dialog>",
        "<template>{}</template>",
        "<noscript>{}</noscript>",
        "<script>{}</script>",
        "<svg><text>{}</text></svg>",
        "<iframe>{}</iframe>",
        "<!-- {} -->",
        "<ix:header><ix:hidden>{}</ix:hidden></ix:header>",
        "<table><tr><td>seen</td><td style='display:none'>{}</td><td>1</td></tr></table>",
        "<table><tr style='color:white'><td>{}</td></tr></table>",
    ],
)
def test_what_style_or_markup_hides_is_not_text(html: str) -> None:
    """A person who looks at the page does not see it, and neither does a reader."""
    text = extract_page(
        f"<body><p>shown</p>{html.format('secret 4,210')}<p>end</p></body>".encode(), HTML
    ).text
    assert "4,210" not in text
    assert "shown" in text
    assert "end" in text


@pytest.mark.parametrize(
    "html",
    [
        "<div style='visibility:hidden'><p style='visibility:visible'>{}</p></div>",
        "<div style='font-size:0'><p style='font-size:12px'>{}</p></div>",
        "<div style='background:#000'><p style='color:#fff'>{}</p></div>",
        "<div style='background:url(x.png)'><p style='color:#fff'>{}</p></div>",
        "<link rel=stylesheet href=x.css><p class=dark style='color:#fff'>{}</p>",
        "<style>@media print {{ p {{ display:none }} }}</style><p>{}</p>",
        "<style>@media screen and (max-width:600px) {{ p {{ display:none }} }}</style><p>{}</p>",
        "<style>@supports not (display:grid) {{ p {{ display:none }} }}</style><p>{}</p>",
        "<style>.x{{display:block !important}}</style><p class=x style='display:none'>{}</p>",
        "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>{}</p>",
        "<p style='margin:-12px auto;inset:0;scale:1;translate:10px;filter:opacity(0.9)'>{}</p>",
        "<p style='clip-path:polygon(0 0,100% 0,100% 100%)'>{}</p>",
        "<p style='transform:matrix(1,0,0,1,10,10)'>{}</p>",
        "<p style='color:hsl(210,50%,30%)'>{}</p>",
        "<p style='left:calc(100% - 20px)'>{}</p>",
        "<style>.x {{ display:none }} #y {{ display:block }}</style><p class=x id=y>{}</p>",
        "<details open><summary>s</summary>{}</details>",
        "<ix:nonFraction name='a' contextRef='c' scale='6'>{}</ix:nonFraction>",
    ],
)
def test_what_can_be_seen_stays(html: str) -> None:
    """Text is only dropped where the page itself says that it is not seen."""
    assert "4,210" in extract_page(f"<body>{html.format('4,210')}</body>".encode(), HTML).text


def test_hidden_text_is_counted() -> None:
    """What was dropped shows in the counts, by reason; empty hidden elements do not count."""
    page = extract_page(b"<p hidden>x</p><p style='display:none'>y</p><p style='display:none'> </p>", HTML)
    assert page.stripped == {"hidden_attribute": 1, "hidden_display": 1}


def test_empty_elements_of_xml_do_not_swallow_the_page() -> None:
    """A page written as XML may close an element at once, which HTML does not know."""
    page = b'<?xml version="1.0"?><html><body><div style="display:none"/><p>seen</p></body></html>'
    assert extract_page(page, HTML).text == "\n\nseen\n"
    assert extract_page(page[21:], "application/xhtml+xml").text == "\n\nseen\n"


def test_preformatted_lines_stay_lines() -> None:
    """Line ends in preformatted text are line ends."""
    assert blocks("<pre>one\n two\n</pre>") == ["one", "two"]


def test_plain_text() -> None:
    """Wrapped lines are joined, set columns are not, and markup is text."""
    body = b"A sentence that\nwraps. <b>\n\nSales      12\nCosts       9\n"
    assert extract_page(body, "text/plain").text == "\n\nA sentence that wraps. <b>\n\nSales 12\n\nCosts 9\n"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("\ufeff<p>é€".encode(), "text/html; charset=iso-8859-1", "é€"),
        ("<p>é€".encode("utf-16"), "text/html", "é€"),
        ("<p>é€".encode("cp1252"), 'text/html; charset="ISO-8859-1"', "é€"),
        ("<meta charset=windows-1252><p>é€".encode("cp1252"), "text/html", "é€"),
        ("<?xml version='1.0' encoding='iso-8859-2'?><p>ő".encode("iso-8859-2"), "text/html", "ő"),
        ("<!-- <meta charset=koi8-r> --><p>é".encode(), "text/html", "é"),
        ("<p>é€".encode(), "text/html", "é€"),
        ("<p>é€".encode("cp1252"), "text/html", "é€"),
        ("<meta charset=utf-16><p>é".encode(), "text/html", "é"),
        ("<p>円".encode("cp932"), "text/html;charset=Shift_JIS", "円"),
    ],
)
def test_charsets(body: bytes, content_type: str, text: str) -> None:
    """Byte order mark, then header, then the page's own word, then UTF-8, then Windows-1252."""
    assert extract_page(body, content_type).text == f"\n\n{text}\n"


def test_undecodable_bytes_are_marked() -> None:
    """Bytes that the declared charset cannot have become replacement characters and are counted."""
    page = extract_page(b"<p>a\xff\xfeb", "text/html; charset=utf-8")
    assert page.text == "\n\na\ufffd\ufffdb\n"
    assert page.replaced == 2


@pytest.mark.parametrize("charset", ["utf-7", "iso-2022-jp", "hz-gb-2312", "x-user-defined", "ebcdic"])
def test_charsets_off_the_list_are_refused(charset: str) -> None:
    """A declared charset that is not on the list fails closed, in the header and in the page."""
    with pytest.raises(UnsupportedCharset):
        extract_page(b"<p>x", f"text/html; charset={charset}")
    with pytest.raises(UnsupportedCharset):
        extract_page(f"<meta charset={charset}><p>x".encode(), "text/html")


@pytest.mark.parametrize(
    "content_type", ["application/zip", "", "image/png", "text/html+x", "text/css; charset=utf-8"]
)
def test_other_content_types_are_refused(content_type: str) -> None:
    """Only the content types that are read are read."""
    with pytest.raises(UnsupportedContentType):
        extract_page(b"x", content_type)


def test_errors_do_not_repeat_what_a_server_wrote() -> None:
    """A declared name is cut to a short, harmless alphabet before it is shown."""
    with pytest.raises(UnsupportedContentType) as refused:
        extract_page(b"x", "text/<script>\n" + "x" * 500)
    assert len(str(refused.value)) < 140
    assert "<" not in str(refused.value)


def test_too_many_bytes_are_refused() -> None:
    """A body over the bound is refused, one at the bound is read."""
    limits = Limits(body_bytes=20)
    assert extract_page(b"<p>" + b"x" * 17, HTML, limits).cut is False
    with pytest.raises(PageTooLarge):
        extract_page(b"<p>" + b"x" * 18, HTML, limits)


def test_too_many_tags_are_refused() -> None:
    """The number of tags is bounded before anything is parsed."""
    with pytest.raises(PageTooComplex):
        extract_page(b"<p>" * 11, HTML, Limits(tags=10))


@pytest.mark.parametrize(
    "limits",
    [Limits(nodes=20), Limits(depth=8), Limits(text_bytes=60), Limits(cells=5)],
    ids=["nodes", "depth", "text", "cells"],
)
def test_over_a_bound_the_text_is_cut_and_marked(limits: Limits) -> None:
    """Nodes, depth, cells and length are bounded; the page says that it was cut, and begins as it would."""
    deep = "<div>" * 10 + "x" + "</div>" * 10
    table = "<table>" + "<tr><td>a</td><td>b</td></tr>" * 10 + "</table>"
    html = f"<title>t</title><p>first</p>{deep}{table}{'<p>more text</p>' * 10}"
    page = extract_page(html.encode(), HTML, limits)
    assert page.cut
    assert page.text.startswith("t\n\nfirst\n") or limits.nodes == 20
    assert len(page.text.encode()) <= limits.text_bytes
