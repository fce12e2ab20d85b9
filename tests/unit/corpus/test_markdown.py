"""A saved page as Markdown: what a reader of Markdown finds in it is what the page says."""

from __future__ import annotations

from doublethink_corpus.markdown import markdown
from doublethink_gate.pages import extract_page

PAGE = """<html><head><title>T</title><style>p {}</style></head><body><h1>Halvorsen  Pumps</h1>
<div>Words <b>in bold</b> and<br>more.<p>A paragraph.</p>After it.</div>
<ul><li>One</li><li>Two | three</li></ul><p hidden>Not seen.</p>
<table><caption>EUR million</caption><tr><th></th><th colspan="2">Fiscal 2024</th></tr>
<tr><td>Revenue | net</td><td>1,284.6</td><td>7.4 %</td></tr></table><script>alert(1)</script></body></html>"""


def test_blocks_stay_blocks_and_tables_stay_tables() -> None:
    """Headings, paragraphs, items and rows, in their order; what is hidden or no text is left out."""
    assert markdown(PAGE) == (
        "# Halvorsen Pumps\n\nWords in bold and more.\n\nA paragraph.\n\nAfter it.\n\n- One\n\n- Two | three\n\n"
        "EUR million\n\n|  | Fiscal 2024 |  |\n| --- | --- | --- |\n| Revenue \\| net | 1,284.6 | 7.4 % |\n"
    )


def test_the_gate_reads_the_same_figures_in_it() -> None:
    """A row of the table is a row of the gate's text."""
    text = extract_page(markdown(PAGE).encode(), "text/markdown; charset=utf-8").text
    assert "Revenue | net\t1,284.6\t7.4 %" in text


def test_hostile_depth_ends() -> None:
    """Thousands of nested blocks and tables neither fail nor lose the words inside."""
    for tag in ("div", "table"):
        assert "deep" in markdown(f"<body>{f'<{tag}>' * 3000}deep{f'</{tag}>' * 3000}</body>")
