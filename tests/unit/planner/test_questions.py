"""What questions are understood to ask for: each row is a question and its figures in order."""

from __future__ import annotations

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_planner.question import MemoWords, NotUnderstood, Sought, Unaskable, understand
from hypothesis import given, settings
from hypothesis import strategies as st

MEMO = (
    "Codename Nordwind. Our client Bramblewick Holdings, led by Zephyra Quillfeather, wants Halvorsen Pumps. "
    "We need net sales, inventory and the number of stores for the latest quarter. Price $58.75 per share."
)
WORDS = MemoWords(MEMO, ["Halvorsen Pumps", "Bath and Body Works", "The Tollgate, Inc."])


def asked(question: str) -> tuple[str, list[str]]:
    """The operation and one line a figure: query, unit class and period."""
    understood = understand(question, WORDS)
    operation = figures.OperationKind.Name(understood.operation).removeprefix("OPERATION_KIND_")
    return operation, [line(sought) for sought in understood.sought]


def line(sought: Sought) -> str:
    """One figure as a line."""
    unit = figures.UnitClass.Name(sought.unit_class).removeprefix("UNIT_CLASS_").lower()
    return f"{sought.queries[0]} | {unit} | {period(sought.period)}"


def period(message: figures.Period | None) -> str:
    """A period as words."""
    if message is None:
        return "none"
    parts = [figures.PeriodKind.Name(message.kind).removeprefix("PERIOD_KIND_").lower()]
    if message.year:
        parts.append(str(message.year))
    parts.append(figures.PeriodPart.Name(message.part).removeprefix("PERIOD_PART_").lower())
    if message.HasField("end"):
        parts.append(f"{message.end.year}-{message.end.month:02}-{message.end.day:02}")
    return " ".join(parts)


DIRECT = [
    (
        "What were Acme Corp's net sales for the quarter ended July 30, 2023?",
        "Acme Corp net sales quarter ended July 30, 2023 | currency | trailing three_months 2023-07-30",
    ),
    (
        "What was Veldt's gross margin in Q3 2024?",
        "Veldt gross margin Q3 2024 | percent | year_label 2024 q3",
    ),
    (
        "What were total assets of Veldt as of May 31, 2024?",
        "Veldt total assets as of May 31, 2024 | currency | instant day 2024-05-31",
    ),
    (
        "At Veldt, what were total liabilities at December 31, 2022?",
        "Veldt total liabilities at December 31, 2022 | currency | instant day 2022-12-31",
    ),
    (
        "How many employees did Koning have at the end of 2022?",
        "Koning employees end of 2022 | count | instant 2022 year",
    ),
    (
        "How many people did Koning employ at the end of fiscal 2022?",
        "Koning employees end of fiscal 2022 | count | instant 2022 year",
    ),
    (
        "What was The Tollgate, Inc.'s diluted EPS for the third quarter of fiscal 2024?",
        "Tollgate, Inc. diluted EPS third quarter of fiscal 2024 | currency_per | fiscal 2024 q3",
    ),
    (
        "How much did Acme earn per share in fiscal 2021?",
        "Acme earnings per share fiscal 2021 | currency_per | fiscal 2021 year",
    ),
    (
        "How much cash did Acme have as of July 29, 2023?",
        "Acme cash as of July 29, 2023 | currency | instant day 2023-07-29",
    ),
    (
        "What was Acme's inventory on July 29, 2023?",
        "Acme inventory on July 29, 2023 | currency | instant day 2023-07-29",
    ),
    (
        "How much did Acme spend on research and development in the nine months ended June 28, 2025?",
        "Acme research and development nine months ended June 28, 2025 | currency"
        " | trailing nine_months 2025-06-28",
    ),
    (
        "What were Acme's SG&A expenses for the 13 weeks ended July 29, 2023?",
        "Acme SG&A expenses 13 weeks ended July 29, 2023 | currency | trailing three_months 2023-07-29",
    ),
    (
        "How many shares of Acme common stock were outstanding as of July 18, 2025?",
        "Acme common stock shares outstanding as of July 18, 2025 | count | instant day 2025-07-18",
    ),
    (
        "How many shares did Acme repurchase in the first quarter of 2024?",
        "Acme shares repurchased first quarter of 2024 | count | year_label 2024 q1",
    ),
    (
        "How many stores did Acme operate at the end of the second quarter of fiscal 2023?",
        "Acme stores end of second quarter of fiscal 2023 | count | fiscal 2023 q2",
    ),
    (
        "What gross margin did Veldt report for the quarter ended June 28, 2025?",
        "Veldt gross margin quarter ended June 28, 2025 | percent | trailing three_months 2025-06-28",
    ),
    (
        "What was the effective tax rate of Veldt in fiscal year 2024?",
        "Veldt effective tax rate fiscal year 2024 | percent | fiscal 2024 year",
    ),
    (
        "What was Lunar Bank's Common Equity Tier 1 ratio at March 31, 2022?",
        "Lunar Bank Common Equity Tier 1 ratio at March 31, 2022 | percent | instant day 2022-03-31",
    ),
    (
        "What dividend per share did Veldt declare in the third quarter of fiscal 2025?",
        "Veldt dividend per share third quarter of fiscal 2025 | currency_per | fiscal 2025 q3",
    ),
    (
        "Can you tell me what was Acme's operating income for fiscal 2020, in millions?",
        "Acme operating income fiscal 2020 | currency | fiscal 2020 year",
    ),
    (
        "What were Acme's net sales in FY2023? Please cite the page.",
        "Acme net sales FY2023 | currency | fiscal 2023 year",
    ),
    (
        "According to its 10-Q, what were Acme's net sales in Q2 2023?",
        "Acme net sales Q2 2023 | currency | year_label 2023 q2",
    ),
    (
        "What were net sales of Bath and Body Works in fiscal 2023?",
        "Bath and Body Works net sales fiscal 2023 | currency | fiscal 2023 year",
    ),
    (
        "Acme total revenues fiscal 2024",
        "Acme total revenues fiscal 2024 | currency | fiscal 2024 year",
    ),
    (
        "What were Smith & Wells's net sales for the six months ended July 30, 2023?",
        "Smith & Wells net sales six months ended July 30, 2023 | currency | trailing six_months 2023-07-30",
    ),
    (
        "What was Veldt's average realized price per metric ton of alumina in the second quarter of 2018?",
        "Veldt average realized price per metric ton of alumina second quarter of 2018 | currency_per"
        " | year_label 2018 q2",
    ),
    (
        "How much revenue did Acme generate from cloud services in Q1 2025?",
        "Acme cloud services revenue Q1 2025 | currency | year_label 2025 q1",
    ),
    (
        "What was the segment income of Acme's Pumps segment in Q2 2018?",
        "Acme Pumps segment income Q2 2018 | currency | year_label 2018 q2",
    ),
    (
        "What Adjusted EBITA margin does Koning target for 2025?",
        "Koning Adjusted EBITA margin target 2025 | percent | year_label 2025 year",
    ),
    (
        "What were McDonald's net sales in fiscal 2020?",
        "McDonald's net sales fiscal 2020 | currency | fiscal 2020 year",
    ),
    (
        "What was Acme's cash flow from operations in fiscal 2022?",
        "Acme cash flow from operations fiscal 2022 | currency | fiscal 2022 year",
    ),
    (
        "What were Acme’s property, plant and equipment, net, at June 30, 2024?",
        "Acme property, plant and equipment, net at June 30, 2024 | currency | instant day 2024-06-30",
    ),
    (
        "What was Acme's sales volume in fiscal 2022?",
        "Acme sales volume fiscal 2022 | unspecified | fiscal 2022 year",
    ),
]


@pytest.mark.parametrize(("question", "figure"), DIRECT)
def test_a_plain_question_is_one_figure(question: str, figure: str) -> None:
    """The query holds company, metric and period in the question's words; unit and period are typed."""
    assert asked(question) == ("UNSPECIFIED", [figure])


COMPUTED = [
    (
        "How much did Veldt's operating income change from fiscal 2022 to fiscal 2023?",
        "DIFFERENCE",
        ["Veldt operating income fiscal 2023", "Veldt operating income fiscal 2022"],
    ),
    (
        "What was the change in Veldt's net sales between fiscal 2022 and 2023?",
        "DIFFERENCE",
        ["Veldt net sales fiscal 2023", "Veldt net sales fiscal 2022"],
    ),
    (
        "What was the decrease in Veldt's net sales from Q2 2024 to Q2 2023?",
        "DIFFERENCE",
        ["Veldt net sales Q2 2024", "Veldt net sales Q2 2023"],
    ),
    (
        "Did Veldt's revenue grow from fiscal 2023 to fiscal 2024?",
        "DIFFERENCE",
        ["Veldt revenue fiscal 2024", "Veldt revenue fiscal 2023"],
    ),
    (
        "Did Veldt's revenue grow in fiscal 2024?",
        "DIFFERENCE",
        ["Veldt revenue fiscal 2024", "Veldt revenue fiscal 2023"],
    ),
    (
        "How much lower was Veldt's net income in fiscal 2022 than in fiscal 2021?",
        "DIFFERENCE",
        ["Veldt net income fiscal 2021", "Veldt net income fiscal 2022"],
    ),
    (
        "How much higher was Veldt's net income in fiscal 2022 than in fiscal 2021?",
        "DIFFERENCE",
        ["Veldt net income fiscal 2022", "Veldt net income fiscal 2021"],
    ),
    (
        "How much more did Veldt spend on R&D than Koning in fiscal 2024?",
        "DIFFERENCE",
        ["Veldt R&D fiscal 2024", "Koning R&D fiscal 2024"],
    ),
    (
        "How many more employees did Veldt have than Koning in fiscal 2024?",
        "DIFFERENCE",
        ["Veldt employees fiscal 2024", "Koning employees fiscal 2024"],
    ),
    (
        "How much less was Veldt's revenue than Koning's in fiscal 2024?",
        "DIFFERENCE",
        ["Koning revenue fiscal 2024", "Veldt revenue fiscal 2024"],
    ),
    (
        "What was the difference in net sales between Veldt and Koning in fiscal 2024?",
        "DIFFERENCE",
        ["Veldt net sales fiscal 2024", "Koning net sales fiscal 2024"],
    ),
    (
        "What was the difference between Veldt's cost of revenue and its gross profit in fiscal 2024?",
        "DIFFERENCE",
        ["Veldt cost of revenue fiscal 2024", "Veldt gross profit fiscal 2024"],
    ),
    (
        "How much did Veldt's net sales change in Q2 2023 compared to the same quarter a year earlier?",
        "DIFFERENCE",
        ["Veldt net sales Q2 2023", "Veldt net sales Q2 2022"],
    ),
    (
        "What was the percentage change in Veldt's total revenues from fiscal 2023 to fiscal 2024?",
        "GROWTH",
        ["Veldt total revenues fiscal 2023", "Veldt total revenues fiscal 2024"],
    ),
    (
        "By what percentage did Veldt's net income grow from 2020 to 2021?",
        "GROWTH",
        ["Veldt net income 2020", "Veldt net income 2021"],
    ),
    (
        "What was Veldt's year-over-year revenue growth in fiscal 2024?",
        "GROWTH",
        ["Veldt revenue fiscal 2023", "Veldt revenue fiscal 2024"],
    ),
    (
        "What was Veldt's revenue CAGR from fiscal 2020 to fiscal 2024?",
        "CAGR",
        ["Veldt revenue fiscal 2020", "Veldt revenue fiscal 2024"],
    ),
    (
        "What percentage of total revenue came from services in fiscal 2024 at Veldt?",
        "SHARE",
        ["Veldt services revenue fiscal 2024", "Veldt total revenue fiscal 2024"],
    ),
    (
        "What percentage of Veldt's total revenue did the Services segment contribute in Q3 2023?",
        "SHARE",
        ["Veldt Services revenue Q3 2023", "Veldt total revenue Q3 2023"],
    ),
    (
        "What was Veldt's R&D as a percentage of sales in 2022?",
        "SHARE",
        ["Veldt R&D 2022", "Veldt sales 2022"],
    ),
    (
        "What was the ratio of Veldt's total debt to total equity as of May 31, 2024?",
        "RATIO",
        ["Veldt total debt as of May 31, 2024", "Veldt total equity as of May 31, 2024"],
    ),
    (
        "What is the median revenue in fiscal 2024 of Veldt, Koning and Acme Corp.?",
        "MEDIAN",
        ["Veldt revenue fiscal 2024", "Koning revenue fiscal 2024", "Acme Corp revenue fiscal 2024"],
    ),
    (
        "What is the average revenue of Bath and Body Works, Gap and Foot Locker in fiscal 2023?",
        "MEAN",
        [
            "Bath and Body Works revenue fiscal 2023",
            "Gap revenue fiscal 2023",
            "Foot Locker revenue fiscal 2023",
        ],
    ),
    (
        "What was the average net income of Veldt in fiscal 2022, 2023 and 2024?",
        "MEAN",
        ["Veldt net income fiscal 2022", "Veldt net income fiscal 2023", "Veldt net income fiscal 2024"],
    ),
    (
        "What was the average net income of Veldt from fiscal 2021 to fiscal 2023?",
        "MEAN",
        ["Veldt net income fiscal 2021", "Veldt net income fiscal 2022", "Veldt net income fiscal 2023"],
    ),
    (
        "What was the combined net income of Veldt and Lunar Bank USA in 2020?",
        "SUM",
        ["Veldt net income 2020", "Lunar Bank USA net income 2020"],
    ),
    (
        "What was the total of Veldt's net sales and operating income in fiscal 2024?",
        "SUM",
        ["Veldt net sales fiscal 2024", "Veldt operating income fiscal 2024"],
    ),
    (
        "Which company had the highest revenue in fiscal 2024: Veldt, Koning or Acme?",
        "MAX",
        ["Veldt revenue fiscal 2024", "Koning revenue fiscal 2024", "Acme revenue fiscal 2024"],
    ),
    (
        "What was the lowest gross margin among Veldt, Koning and Acme in 2023?",
        "MIN",
        ["Veldt gross margin 2023", "Koning gross margin 2023", "Acme gross margin 2023"],
    ),
    (
        "What were Veldt's revenue and net income in fiscal 2024?",
        "UNSPECIFIED",
        ["Veldt revenue fiscal 2024", "Veldt net income fiscal 2024"],
    ),
    (
        "What were the net sales of Veldt, Koning and Acme in 2023?",
        "UNSPECIFIED",
        ["Veldt net sales 2023", "Koning net sales 2023", "Acme net sales 2023"],
    ),
    (
        "What was the growth in Veldt's net sales from 2022 to 2023?",
        "GROWTH",
        ["Veldt net sales 2022", "Veldt net sales 2023"],
    ),
    (
        "What were Veldt's net sales in Q2 2023 compared with Q2 2022?",
        "UNSPECIFIED",
        ["Veldt net sales Q2 2023", "Veldt net sales Q2 2022"],
    ),
    (
        "What were Veldt's net sales for the quarters ended June 30, 2023 and 2022?",
        "UNSPECIFIED",
        ["Veldt net sales quarter ended June 30, 2023", "Veldt net sales quarter ended June 30, 2022"],
    ),
]


@pytest.mark.parametrize(("question", "operation", "queries"), COMPUTED)
def test_an_operation_and_its_operands_in_order(question: str, operation: str, queries: list[str]) -> None:
    """Later less earlier, part over whole, from before to after."""
    found = understand(question, WORDS)
    assert figures.OperationKind.Name(found.operation) == f"OPERATION_KIND_{operation}"
    assert [sought.queries[0] for sought in found.sought] == queries


def test_a_compound_rate_counts_its_years() -> None:
    """The years of a CAGR are those between its ends."""
    assert understand("What was Veldt's revenue CAGR from 2019 to 2024?", WORDS).years == 5


@pytest.mark.parametrize(
    "question",
    [
        "Why did Veldt's revenue fall in 2023?",
        "How did Veldt's strategy evolve in 2023?",
        "Tell me about Veldt.",
        "Who is the CEO of Veldt?",
        "When did Veldt close the merger?",
        "What are the main risks of Veldt in fiscal 2024?",
        "What was its revenue in fiscal 2024?",
        "What were the company's net sales in 2023?",
        "What was total revenue in fiscal 2023?",
        "What was Veldt's revenue?",
        "What were Veldt's net sales in the latest quarter?",
        "What were Veldt's net sales this quarter?",
        "What were Veldt's net sales in the previous quarter?",
        "How much higher were Veldt's net sales than Koning's in the second quarter?",
        "How much did Veldt's net sales change in the second quarter?",
        "What was the median revenue of Veldt, Koning and Acme for the full year?",
        "What percentage of total revenue came from services in the second quarter at Veldt?",
        "What were Veldt's revenue and net income in the second quarter?",
        "What were Veldt's net sales last year?",
        "What is the growth of Veldt's gross margin from fiscal 2022 to fiscal 2023?",
        "How much did Veldt's net sales change from fiscal 2022 to Q2 2023?",
        "What was the median revenue of Veldt in fiscal 2024?",
        "What was the average revenue of Veldt and Gap and Acme in 2023?",
        "What were Veldt's net sales in 2023 and Koning's in 2024?",
        "What were the net sales of Veldt, Koning and Acme in 2022 and 2023?",
        "What were Veldt's net sales in 2023? And what was its net income?",
        "What was Veldt's response to the ruling in 2023?",
        "What is the record date for Veldt's dividend?",
        "In what year did Veldt issue its notes?",
        "What led to lower capital expenditures at Veldt in 2019?",
        "Was Veldt profitable in 2023?",
        "What will Veldt's revenue be in fiscal 2027?",
        "How much did Acme's comparable sales change from fiscal 2021 to fiscal 2022?",
        "Is there a fee for a transfer?",
        "what is 25 percent of 6999",
        "",
        "?",
        "word " * 200,
    ],
)
def test_what_is_not_certain_is_not_understood(question: str) -> None:
    """No figure is looked up where two plans are possible, or none."""
    with pytest.raises(NotUnderstood):
        understand(question, WORDS)


@pytest.mark.parametrize(
    "question",
    [
        "What was Nordwind's revenue in 2023?",
        "What was the revenue of Bramblewick Holdings in 2023?",
        "What was the target's revenue in 2023?",
        "What was our client's revenue in 2023?",
        "What were Veldt's Nordwind sales in 2023?",
        "What is the median revenue of Veldt, Nordwind and Koning in 2023?",
    ],
)
def test_what_only_the_memo_names_cannot_be_asked(question: str) -> None:
    """Without the deal's own words nothing certain remains."""
    with pytest.raises(Unaskable):
        understand(question, WORDS)


@pytest.mark.parametrize(
    "question",
    [
        "For Project Nordwind, what was Halvorsen Pumps' revenue in 2023?",
        "What was Nordwind target Halvorsen Pumps' revenue in 2023?",
        "What was Halvorsen Pumps' (Nordwind) revenue in 2023?",
        "What was the revenue of Halvorsen Pumps for Project Nordwind in 2023?",
    ],
)
def test_the_deal_is_left_out_of_a_question_about_a_public_company(question: str) -> None:
    """The approved company is asked about, and no word of the deal goes along."""
    (sought,) = understand(question, WORDS).sought
    assert sought.queries[0] == "Halvorsen Pumps revenue 2023"


def test_the_second_query_begins_with_the_metric_and_leaves_the_legal_form_out() -> None:
    """A reformulation says the same in other words."""
    (sought,) = understand("What were Acme Holdings, Inc.'s net sales in fiscal 2023?", WORDS).sought
    assert sought.queries == ("Acme Holdings, Inc. net sales fiscal 2023", "net sales Acme fiscal 2023")


@given(st.text(max_size=120))
@settings(max_examples=150, deadline=None)
def test_any_text_is_understood_or_refused(text: str) -> None:
    """No text makes anything else happen than understanding or one of the two refusals."""
    try:
        understood = understand(text, WORDS)
    except (NotUnderstood, Unaskable):
        return
    assert all(query.strip() for sought in understood.sought for query in sought.queries)


_PIECES = st.sampled_from(
    [
        "what was", "how much did", "did", "the median", "percentage of", "Veldt's", "Nordwind's", "Nordwind",
        "Quillfeather", "58.75", "of", "and", "revenue", "net sales", "change",
        "from fiscal 2022", "to fiscal 2023",
        "in 2023", "between", "Halvorsen Pumps", "Bramblewick", "project", "for", ",", "?", "than", "Koning",
        "Did", "exceed $58.75 million", "according to Nordwind's 10-Q,", "Bramblewick filed its 10-Q.",
        "its notes due 2030", "in the second quarter", "what purchase price did", "pay for", "interest rate",
        "own", "the 2021 Nordwind Plan", "(Nordwind)",
    ]
)  # fmt: skip


@given(st.lists(_PIECES, min_size=2, max_size=12))
@settings(max_examples=400, deadline=None)
def test_no_query_ever_holds_a_private_word(pieces: list[str]) -> None:
    """However a question is put together, what leaves has no word that only the memo has."""
    try:
        understood = understand(" ".join(pieces), WORDS)
    except (NotUnderstood, Unaskable):
        return
    for sought in understood.sought:
        for query in sought.queries:
            lowered = query.lower()
            assert not any(word in lowered for word in ("nordwind", "bramblewick", "quillfeather", "58.75"))
