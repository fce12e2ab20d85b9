"""Tables: what a person sees as one cell is one cell."""

from doublethink_gate.pages import extract_page

SPAN = "\u2007"


def rows(table: str) -> list[list[str]]:
    """The rows of the only table on a page that holds just this."""
    text = extract_page(f"<body>{table}</body>".encode(), "text/html; charset=utf-8").text
    blocks = [block for block in text.strip("\n").split("\n\n") if "\t" in block]
    assert len(blocks) == 1, text
    return [line.split("\t") for line in blocks[0].split("\n")]


def paragraphs(html: str) -> list[str]:
    """The blocks of a page after its title."""
    text = extract_page(f"<body>{html}</body>".encode(), "text/html; charset=utf-8").text
    return text.rstrip("\n").split("\n\n")[1:]


def test_split_currency_sign_and_brackets_join_their_number() -> None:
    """A sign, an opening bracket and a closing one in cells of their own belong to their number."""
    table = """<table>
    <tr><td></td><td>&nbsp;</td><td colspan="3">2018</td><td>&nbsp;</td><td colspan="3">2017</td></tr>
    <tr><td>Sales</td><td>&nbsp;</td><td>$</td><td>3,579</td><td>&nbsp;</td>
    <td>&nbsp;</td><td>$</td><td>2,859</td><td></td></tr>
    <tr><td>Tax</td><td>&nbsp;</td><td>&nbsp;</td><td>(31</td><td>)&nbsp;</td>
    <td>&nbsp;</td><td>&nbsp;</td><td>50</td><td></td></tr>
    <tr><td>Loss</td><td>&nbsp;</td><td>$</td><td>(75</td><td>)</td><td>&nbsp;</td><td>$</td><td>(</td><td>446)</td></tr>
    </table>"""
    assert rows(table)[:3] == [
        ["", "2018", "2017"],
        ["Sales", "$ 3,579", "$ 2,859"],
        ["Tax", "(31)", "50"],
    ]
    assert rows(table)[3][1] == "$ (75)"


def test_three_grid_columns_per_number() -> None:
    """The three-column grid of generated filings comes out with one column for each heading."""
    table = """<table><tr><td style="width:1%"></td><td></td><td></td><td></td><td></td><td></td><td></td>
    <td></td><td></td><td></td><td></td><td></td></tr>
    <tr><td colspan="3"></td><td colspan="3">July 29,<br>2023</td><td colspan="3"></td>
    <td colspan="3">July 30, 2022</td></tr>
    <tr><td colspan="3">Net loss</td><td>$</td><td>(2.8)</td><td></td><td colspan="3"></td>
    <td>$</td><td>(108.7)</td><td></td></tr>
    <tr><td colspan="3">Rate</td><td colspan="2">(16.5</td><td>)%</td><td colspan="3"></td>
    <td colspan="2">5.1</td><td>%</td></tr>
    </table>"""
    assert rows(table) == [
        ["", "July 29, 2023", "July 30, 2022"],
        ["Net loss", "$ (2.8)", "$ (108.7)"],
        ["Rate", "(16.5)%", "5.1%"],
    ]


def test_spanning_headings_are_followed_by_continuation_marks() -> None:
    """A heading over two columns stands in the first and is continued in the second."""
    table = """<table><tr><th></th><th colspan="2">Three months</th><th colspan="2">Six months</th></tr>
    <tr><th></th><th>2025</th><th>2024</th><th>2025</th><th>2024</th></tr>
    <tr><td>Sales</td><td>95</td><td>90</td><td>219</td><td>210</td></tr></table>"""
    assert rows(table) == [
        ["", "Three months", SPAN, "Six months", SPAN],
        ["", "2025", "2024", "2025", "2024"],
        ["Sales", "95", "90", "219", "210"],
    ]


def test_heading_beside_its_figures_joins_their_column() -> None:
    """A heading that sits over the spacer before its figures heads the figures."""
    table = """<table><tr><td>Item</td><td>2024</td><td></td><td>2023</td><td></td></tr>
    <tr><td>Sales</td><td></td><td>1,284</td><td></td><td>1,196</td></tr>
    <tr><td>Cost</td><td></td><td>900</td><td></td><td>880</td></tr></table>"""
    assert rows(table) == [["Item", "2024", "2023"], ["Sales", "1,284", "1,196"], ["Cost", "900", "880"]]


def test_halves_under_one_heading_join() -> None:
    """Amounts and rates in two grid columns under one heading are one column."""
    table = """<table><tr><td></td><td colspan="2">2024</td><td colspan="2">2023</td></tr>
    <tr><td>Sales</td><td>1,284.6</td><td></td><td>1,196.3</td><td></td></tr>
    <tr><td>Margin</td><td></td><td>11.8 %</td><td></td><td>10.9 %</td></tr></table>"""
    assert rows(table)[2] == ["Margin", "11.8 %", "10.9 %"]


def test_debit_and_credit_stay_apart() -> None:
    """Two columns with headings of their own are never joined, even if no row fills both."""
    table = """<table><tr><td></td><td>Debit</td><td>Credit</td></tr>
    <tr><td>Cash</td><td>100</td><td></td></tr><tr><td>Loan</td><td></td><td>250</td></tr></table>"""
    assert rows(table) == [["", "Debit", "Credit"], ["Cash", "100", ""], ["Loan", "", "250"]]


def test_prose_beside_rows_stands_in_the_first_of_them() -> None:
    """A cell of remarks that spans the rows names none of them; a label that spans them names each."""
    remarks = "Sales rose in every region, as new pumps were sold where there had been none before. " * 5
    table = f"""<table><tr><th>Region</th><th>Kind</th><th>Sales</th><th>Remarks</th></tr>
    <tr><td rowspan="2">Europe</td><td>Pumps</td><td>502.7</td><td rowspan="2">{remarks}</td></tr>
    <tr><td>Valves</td><td>44.1</td></tr></table>"""
    _, first, second = rows(table)
    assert first[3].count("Sales rose") == 5
    assert second == ["Europe", "Valves", "44.1", ""]


def test_row_spans_repeat_beside_figures_and_not_in_headings() -> None:
    """A label over several rows of figures stands in each; a heading over two rows stands once."""
    table = """<table><tr><th rowspan="2">Region</th><th rowspan="2">Kind</th><th colspan="2">Sales</th></tr>
    <tr><th>2024</th><th>2023</th></tr>
    <tr><td rowspan="2">Europe</td><td>Pumps</td><td>502.7</td><td>471.0</td></tr>
    <tr><td>Service</td><td>211.4</td><td>190.2</td></tr></table>"""
    assert rows(table) == [
        ["Region", "Kind", "Sales", SPAN],
        ["", "", "2024", "2023"],
        ["Europe", "Pumps", "502.7", "471.0"],
        ["Europe", "Service", "211.4", "190.2"],
    ]


def test_foot_comes_last_and_caption_first() -> None:
    """A tfoot written before the body is shown after it, the caption before the table."""
    html = """<table><caption>In millions</caption><thead><tr><th>a</th><th>b</th></tr></thead>
    <tfoot><tr><td>Total</td><td>3</td></tr></tfoot><tbody><tr><td>One</td><td>3</td></tr></tbody></table>"""
    assert paragraphs(html) == ["In millions", "a\tb\nOne\t3\nTotal\t3"]


def test_footnote_cells_join_what_they_mark() -> None:
    """A footnote mark in a cell of its own goes behind the cell to its left."""
    table = """<table><tr><td>Other</td><td>[1]</td><td>132.4</td><td><sup>(2)</sup></td><td>172.7</td></tr>
    <tr><td>Net</td><td></td><td>5.0</td><td></td><td>6.0</td></tr></table>"""
    assert rows(table) == [["Other[1]", "132.4⁽²⁾", "172.7"], ["Net", "5.0", "6.0"]]


def test_bullet_tables_are_paragraphs() -> None:
    """A table that sets a bullet or number beside a text is a list."""
    html = """<table><tr><td>•</td><td>First point.</td></tr></table>
    <table><tr><td>(a)</td><td>Second point.</td></tr><tr><td>(b)</td><td>Third point.</td></tr></table>"""
    assert paragraphs(html) == ["• First point.", "(a) Second point.", "(b) Third point."]


def test_layout_tables_are_paragraphs_and_their_tables_tables() -> None:
    """A table that only holds one cell in each row, or other tables, lays out the page."""
    html = """<table><tr><td><h1>Title</h1><p>Text</p></td></tr>
    <tr><td><table><tr><td>Sales</td><td>1</td></tr></table></td></tr></table>"""
    assert paragraphs(html) == ["Title", "Text", "Sales\t1"]


def test_prose_side_by_side_is_not_a_table() -> None:
    """Two columns of running text come out one after the other."""
    left, right = "Left word. " * 80, "Right word. " * 80
    assert paragraphs(f"<table><tr><td>{left}</td><td>{right}</td></tr></table>") == [
        left.strip(),
        right.strip(),
    ]


def test_every_row_has_as_many_cells() -> None:
    """Ragged rows and overlapping spans still give a table of equal rows."""
    table = """<table><tr><td>a</td><td>1</td><td>2</td></tr>
    <tr><td rowspan="9" colspan="2">b</td><td>3</td></tr>
    <tr><td>c</td></tr><tr><td colspan="7">d</td></tr></table>"""
    found = rows(table)
    assert len({len(row) for row in found}) == 1
    assert [cell for row in found for cell in row if cell.strip()].count("c") == 1


def test_no_cell_holds_a_tab_or_a_continuation_mark_of_the_page() -> None:
    """Tabs and figure spaces that the page itself has become ordinary spaces."""
    assert rows("<table><tr><td>a\tb</td><td>1\u2007234</td></tr><tr><td>c</td><td>5</td></tr></table>")[
        0
    ] == ["a b", "1 234"]
