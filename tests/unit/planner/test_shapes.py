"""How people who read filings ask for one figure: what each question is looked up with.

A row is a question, the words that its first query must hold besides the period (those that tell nothing apart
left out), the class of unit, and the typed period. Order counts for nothing: the validator has to find every word.
"""

from __future__ import annotations

import re
from typing import Final

import pytest
from doublethink.figures.v1 import figures_pb2 as figures
from doublethink_planner.question import MemoWords, NotUnderstood, Sought, understand

MEMO: Final = (
    "Codename Nordwind. Our client Bramblewick Holdings wants Halvorsen Pumps; the committee looks at the earnings, "
    "the dividend, the votes and the maturity of the notes before it agrees on a bid at $58.75 per share."
)
WORDS: Final = MemoWords(MEMO, ["Halvorsen Pumps"])

INCOME_STATEMENT: Final = """
What were Veldt's net sales for the second quarter (three months ended July 30, 2023)? | veldt net sales | currency | trailing three_months 2023-07-30
For the second quarter of fiscal 2023 (ended July 30, 2023), what was Veldt's gross profit? | veldt gross profit | currency | fiscal q2 2023-07-30
What was Koning's operating income in fiscal 2022, the year ended January 28, 2023? | koning operating income | currency | fiscal year 2023-01-28
In the quarter ended June 30, 2023, how much did Koning report in interest expense? | koning interest expense | currency | trailing three_months 2023-06-30
What was Koning's net loss per diluted share in the first six months of fiscal 2023? | koning net loss per diluted share | currency_per | fiscal 2023 six_months
How much did Marlowe Foods earn per diluted share in Q2 2023? | marlowe foods earnings per diluted share | currency_per | year_label 2023 q2
What diluted earnings per share did Marlowe Foods post for the thirteen weeks ended July 29, 2023? | marlowe foods diluted earnings per share | currency_per | trailing three_months 2023-07-29
What was the cost of goods sold at Marlowe Foods for the nine months ended September 30, 2022? | marlowe foods cost goods sold | currency | trailing nine_months 2022-09-30
What total revenue did Castellan Energy book for the trailing twelve months ended March 31, 2024? | castellan energy revenue | currency | trailing twelve_months 2024-03-31
Castellan Energy's depreciation and amortization for fiscal year 2021? | castellan energy depreciation amortization | currency | fiscal 2021 year
What did Veldt report as its provision for income taxes in fiscal 2023? | veldt provision income taxes | currency | fiscal 2023 year
What was Veldt's effective tax rate for the three months ended September 30, 2023? | veldt effective tax rate | percent | trailing three_months 2023-09-30
What effective income tax rate did Koning record in the second quarter of 2022? | koning effective income tax rate | percent | year_label 2022 q2
How large was the impairment charge that Koning recorded in the fourth quarter of 2021? | koning impairment charge | currency | year_label 2021 q4
What was total stock-based compensation expense at Brightwater in the year ended December 31, 2022? | brightwater stock-based compensation expense | currency | fiscal year 2022-12-31
What were Brightwater's selling, general and administrative expenses in its income statement for Q1 2023? | brightwater selling general administrative expenses | currency | year_label 2023 q1
What was Brightwater's net income attributable to common shareholders for Q4 2022? | brightwater net income attributable common shareholders | currency | year_label 2022 q4
What was Acme Corp's non-GAAP operating margin for Q3 2023? | acme corp non-gaap operating margin | percent | year_label 2023 q3
What was Acme Corp's adjusted EBITDA on a non-GAAP basis in fiscal 2022? | acme corp adjusted ebitda non-gaap | currency | fiscal 2022 year
How much restructuring expense did Acme Corp incur in the half year ended June 30, 2022? | acme corp restructuring expense | currency | trailing six_months 2022-06-30
What was the weighted-average number of diluted shares used by Acme Corp in Q3 2023? | acme corp weighted-average diluted shares | count | year_label 2023 q3
How many weighted average diluted shares did Veldt have for the year ended December 31, 2023? | veldt weighted average diluted shares | count | fiscal year 2023-12-31
What was Veldt's gain on the sale of its aircraft parts business in fiscal 2021? | veldt gain sale aircraft parts business | currency | fiscal 2021 year
What was comprehensive income at Lunar Bank for 2022? | lunar bank comprehensive income | currency | year_label 2022 year
What was Lunar Bank's provision for credit losses in Q1 2024? | lunar bank provision credit losses | currency | year_label 2024 q1
What was Lunar Bank's net interest margin for the first quarter of 2024? | lunar bank net interest margin | percent | year_label 2024 q1
"""

BALANCE_SHEET: Final = """
How much cash and cash equivalents did Veldt have on its balance sheet at June 30, 2023? | veldt cash cash equivalents | currency | instant day 2023-06-30
What were Veldt's total current liabilities as of quarter end, July 30, 2023? | veldt current liabilities | currency | instant day 2023-07-30
What was the balance of goodwill on Koning's balance sheet as of December 31, 2022? | koning goodwill | currency | instant day 2022-12-31
As of December 31, 2023, how much long-term debt did Koning carry? | koning long-term debt | currency | instant day 2023-12-31
What was accounts receivable, net, at Marlowe Foods on April 1, 2023? | marlowe foods accounts receivable net | currency | instant day 2023-04-01
How much did Marlowe Foods owe under its 2019 Credit Facility as of April 1, 2023? | marlowe foods 2019 credit facility | currency | instant day 2023-04-01
What amount was outstanding under Castellan Energy's revolving credit facility at September 30, 2023? | castellan energy outstanding revolving credit facility | currency | instant day 2023-09-30
What did Castellan Energy report for total stockholders' equity at the end of fiscal 2022? | castellan energy stockholders' equity | currency | instant 2022 year
How much was Brightwater's allowance for doubtful accounts at December 31, 2021? | brightwater allowance doubtful accounts | currency | instant day 2021-12-31
What was the carrying value of Brightwater's convertible notes due 2026 at June 30, 2022? | brightwater carrying value convertible notes due 2026 | currency | instant day 2022-06-30
What were deferred revenues at Acme Corp as of March 31, 2023, according to its 10-Q? | acme corp deferred revenues | currency | instant day 2023-03-31
At year-end 2022, what were Acme Corp's total assets? | acme corp assets | currency | instant 2022 year
What were total deposits at Lunar Bank as of March 31, 2024? | lunar bank deposits | currency | instant day 2024-03-31
What was Lunar Bank's tangible book value per share at March 31, 2024? | lunar bank tangible book value per share | currency_per | instant day 2024-03-31
How many shares of common stock did Veldt have outstanding as of August 25, 2023? | veldt shares common stock outstanding | count | instant day 2023-08-25
How many Class A shares did Koning have outstanding on October 20, 2023? | koning class a shares outstanding | count | instant day 2023-10-20
What was the number of Veldt's authorized preferred shares as of July 30, 2023? | veldt authorized preferred shares | count | instant day 2023-07-30
What was the par value per share of Veldt's common stock as of July 30, 2023? | veldt par value per share common stock | currency_per | instant day 2023-07-30
What were remaining performance obligations at Acme Corp on January 31, 2024? | acme corp remaining performance obligations | currency | instant day 2024-01-31
What was the operating lease liability of Marlowe Foods at the end of Q1 2023? | marlowe foods operating lease liability | currency | year_label 2023 q1
"""

CASH_FLOW: Final = """
What was Veldt's net cash provided by operating activities in the first six months of fiscal 2023? | veldt net cash provided operating activities | currency | fiscal 2023 six_months
What were Koning's capital expenditures in the consolidated statements of cash flows for the year ended December 31, 2022? | koning capital expenditures | currency | fiscal year 2022-12-31
How much cash did Koning use in investing activities in the nine months ended September 30, 2023? | koning net cash used investing activities | currency | trailing nine_months 2023-09-30
How much did Marlowe Foods pay in dividends in fiscal 2022, per its cash flow statement? | marlowe foods dividends paid | currency | fiscal 2022 year
What was the net increase in cash at Marlowe Foods in fiscal 2022? | marlowe foods net increase cash | currency | fiscal 2022 year
What did Castellan Energy spend on share repurchases in 2023? | castellan energy share repurchases | currency | year_label 2023 year
What were Castellan Energy's proceeds from the issuance of long-term debt in Q2 2023? | castellan energy proceeds issuance long-term debt | currency | year_label 2023 q2
What was free cash flow at Acme Corp in fiscal 2023? | acme corp free cash flow | currency | fiscal 2023 year
How much cash did Acme Corp pay for income taxes in the six months ended June 30, 2023? | acme corp cash paid income taxes | currency | trailing six_months 2023-06-30
How much did Brightwater spend on acquisitions, net of cash acquired, in fiscal 2021? | brightwater acquisitions net cash acquired | currency | fiscal 2021 year
What amount did Brightwater borrow under its term loan in Q1 2022? | brightwater borrowed term loan | currency | year_label 2022 q1
How much did Veldt repay on its 2020 Term Loan in fiscal 2022? | veldt 2020 term loan repaid | currency | fiscal 2022 year
"""

PRESS_RELEASE: Final = """
According to its Q2 2023 press release, what was Veldt's revenue? | veldt revenue | currency | year_label 2023 q2
What was Veldt's adjusted net income per diluted share according to its press release for the quarter ended July 30, 2023? | veldt adjusted net income per diluted share | currency_per | trailing three_months 2023-07-30
In its earnings release for the fourth quarter of 2022, what backlog did Koning report? | koning backlog | currency | year_label 2022 q4
What were comparable store sales at Marlowe Foods in Q3 2023, as stated in the earnings release? | marlowe foods comparable store sales | unspecified | year_label 2023 q3
According to Koning's press release, what was adjusted EBITDA in the third quarter of 2023? | koning adjusted ebitda | currency | year_label 2023 q3
How many new stores did Marlowe Foods open in fiscal 2022? | marlowe foods new stores opened | count | fiscal 2022 year
How many monthly active users did Brightwater have in Q4 2023? | brightwater monthly active users | count | year_label 2023 q4
What quarterly dividend per share did the board of Castellan Energy declare in May 2023? | castellan energy quarterly dividend per share | currency_per | calendar 2023 month 2023-05-31
What ROIC did Veldt report for fiscal 2023? | veldt roic | percent | fiscal 2023 year
What was Acme Corp's return on invested capital for the trailing twelve months ended June 30, 2023? | acme corp return invested capital | percent | trailing twelve_months 2023-06-30
What was Acme Corp's return on equity in 2022? | acme corp return equity | percent | year_label 2022 year
What was the book-to-bill ratio of Acme Corp in Q1 2023? | acme corp book-to-bill ratio | unspecified | year_label 2023 q1
What was Koning's order intake in the first half of 2023? | koning order intake | currency | year_label 2023 h1
Tell me Koning's organic revenue for H1 2023, please. | koning organic revenue | currency | year_label 2023 h1
Could you find out what Koning's adjusted operating profit was in FY2022? | koning adjusted operating profit | currency | fiscal 2022 year
I'd like to know the gross margin Veldt achieved in Q1 2024. | veldt gross margin | percent | year_label 2024 q1
I need Veldt's inventory as of January 28, 2023. | veldt inventory | currency | instant day 2023-01-28
Please give me the total revenues of Brightwater for the year 2022. | brightwater revenues | currency | year_label 2022 year
What occupancy did Brightwater report for the quarter ended September 30, 2023? | brightwater occupancy | percent | trailing three_months 2023-09-30
What was the average revenue per user at Brightwater in Q4 2023? | brightwater average revenue per user | currency_per | year_label 2023 q4
What is the trailing twelve months adjusted EBITDA of Koning? | koning adjusted ebitda trailing twelve months | currency | none
"""

GUIDANCE: Final = """
What revenue does Veldt expect for Q3 2024? | veldt revenue guidance | currency | year_label 2024 q3
What is Veldt's revenue guidance for fiscal 2024? | veldt revenue guidance | currency | fiscal 2024 year
What capital expenditures does Castellan Energy anticipate in 2024? | castellan energy capital expenditures guidance | currency | year_label 2024 year
What effective tax rate did Acme Corp forecast for fiscal 2024? | acme corp effective tax rate guidance | percent | fiscal 2024 year
What adjusted EPS outlook did Marlowe Foods give for fiscal 2024? | marlowe foods adjusted eps outlook | currency_per | fiscal 2024 year
How much does Castellan Energy expect to spend on capital expenditures in 2024? | castellan energy capital expenditures guidance | currency | year_label 2024 year
What was Koning's outlook for full-year 2023 adjusted EBITDA? | koning outlook adjusted ebitda | currency | year_label 2023 year
"""

EVENTS: Final = """
What was Jane Doe's total compensation for 2022 according to Acme Corp's proxy statement? | jane doe compensation acme corp | currency | year_label 2022 year
What base salary will Tomas Rivera receive as chief financial officer of Koning? | base salary tomas rivera chief financial officer koning | currency | none
What annual base salary does the employment agreement between Koning and Tomas Rivera provide for? | annual base salary employment agreement koning tomas rivera | currency | none
How much was the signing bonus that Koning agreed to pay Tomas Rivera? | signing bonus koning tomas rivera | currency | none
What was the CEO pay ratio at Veldt for fiscal 2022? | ceo pay ratio veldt | unspecified | fiscal 2022 year
How many votes were cast in favor of the election of Jane Doe at Veldt's 2023 annual meeting? | votes favor election jane doe veldt 2023 annual meeting | count | none
How many shares voted against the say-on-pay proposal at Koning's annual meeting? | shares against say-on-pay proposal koning annual meeting | count | none
How many broker non-votes were there on the auditor ratification at Veldt's annual meeting? | broker non-votes auditor ratification veldt annual meeting | count | none
What purchase price did Veldt pay for Beacon Labs? | purchase price veldt beacon labs | currency | none
What was the total purchase consideration for Koning's acquisition of Stellar Tools? | purchase consideration koning acquisition stellar tools | currency | none
How much did Koning agree to pay for Stellar Tools? | koning stellar tools | currency | none
What interest rate do Veldt's senior notes due 2030 bear? | interest rate veldt senior notes due 2030 | percent | none
What is the coupon on Castellan Energy's senior notes due March 15, 2030? | coupon castellan energy senior notes due march 15 2030 | percent | none
What is the aggregate principal amount of the convertible senior notes due 2028 that Brightwater offered? | aggregate principal convertible senior notes due 2028 brightwater | currency | none
What was the initial conversion price per share of Brightwater's convertible notes due 2028? | initial conversion price per share brightwater convertible notes due 2028 | currency_per | none
What net proceeds did Castellan Energy receive from its offering of notes due 2030? | net proceeds castellan energy offering notes due 2030 | currency | none
How many shares did Acme Corp sell in its initial public offering? | shares acme corp sold initial public offering | count | none
What was the public offering price per share in Acme Corp's IPO? | public offering price per share acme corp ipo | currency_per | none
How much is the share repurchase program that Marlowe Foods authorized in February 2023? | share repurchase program marlowe foods | currency | calendar 2023 month 2023-02-28
What is the size of the new revolving credit facility that Marlowe Foods entered into? | new revolving credit facility marlowe foods | currency | none
What commitment fee does Marlowe Foods pay on the unused portion of its revolving credit facility? | commitment fee marlowe foods unused portion revolving credit facility | percent | none
How many shares may be issued under Veldt's 2021 Equity Incentive Plan? | shares veldt 2021 equity incentive plan | count | none
How many restricted stock units did Veldt grant under its Class of 2021 plan in fiscal 2022? | restricted stock units veldt granted class 2021 plan | count | fiscal 2022 year
What termination fee would Stellar Tools owe Koning? | termination fee stellar tools koning | currency | none
What severance charge did Acme Corp record in connection with the closing of its Dayton plant in fiscal 2022? | severance charge acme corp closing dayton plant | currency | fiscal 2022 year
How many employees does Acme Corp expect to lay off under its restructuring plan? | employees acme corp restructuring plan | count | none
How much did Acme Corp pay to settle the Harlan lawsuit? | acme corp harlan lawsuit | currency | none
"""

OWNERSHIP: Final = """
What percentage of Veldt's common stock does Northgate Advisors own? | percentage veldt common stock northgate advisors | percent | none
What percent of the class did Northgate Advisors beneficially own in Koning according to its 13G? | percent class northgate advisors koning | percent | none
How many Koning shares did Northgate Advisors beneficially own as of December 31, 2022? | koning shares northgate advisors beneficially owned | count | instant day 2022-12-31
How many shares does Northgate Advisors hold with sole voting power in Veldt? | shares northgate advisors sole voting power veldt | count | none
What percentage of its shares outstanding did Jane Doe hold in Veldt as of April 3, 2023? | percentage shares outstanding jane doe veldt | percent | instant day 2023-04-03
What ownership stake does Koning hold in Stellar Tools? | ownership stake koning stellar tools | percent | none
"""

SEGMENTS: Final = """
What revenue did Veldt's Pumps segment report in Q2 2023? | revenue veldt pumps | currency | year_label 2023 q2
What was operating income in Koning's Industrial segment for the six months ended June 30, 2023? | operating income koning industrial | currency | trailing six_months 2023-06-30
How much revenue did Acme Corp generate in Europe in fiscal 2022? | revenue acme corp europe | currency | fiscal 2022 year
What were Marlowe Foods' net sales in the North America segment for Q1 2023? | marlowe foods net sales north america | currency | year_label 2023 q1
How much revenue came from subscriptions at Brightwater in fiscal 2023? | revenue subscriptions brightwater | currency | fiscal 2023 year
What was the adjusted EBITDA of Koning's Healthcare division in Q4 2022? | adjusted ebitda koning healthcare | currency | year_label 2022 q4
What was Castellan Energy's average daily production in the third quarter of 2023? | castellan energy average daily production | unspecified | year_label 2023 q3
What was Castellan Energy's average realized oil price per barrel in 2022? | castellan energy average realized oil price per barrel | currency_per | year_label 2022 year
What was Halvorsen Pumps' service revenue in its fiscal 2022 annual report? | halvorsen pumps service revenue | currency | fiscal 2022 year
"""

WHERE_IT_STANDS: Final = """
In its 10-Q for the quarter ended July 30, 2023, what total assets did Veldt report? | veldt assets | currency | instant day 2023-07-30
What does Veldt's balance sheet show for inventories at July 30, 2023? | veldt inventories | currency | instant day 2023-07-30
What figure for net sales does Koning give in its consolidated statements of operations for fiscal 2022? | koning net sales | currency | fiscal 2022 year
Looking at Koning's 10-K for fiscal 2022, what was its interest expense? | koning interest expense | currency | fiscal 2022 year
Per the 10-Q, what was Brightwater's operating loss in the three months ended March 31, 2023? | brightwater operating loss | currency | trailing three_months 2023-03-31
What was Brightwater's accumulated deficit at March 31, 2023, as disclosed in its quarterly report on Form 10-Q? | brightwater accumulated deficit | currency | instant day 2023-03-31
How much goodwill does Acme Corp list on its consolidated balance sheet as of June 30, 2023? | acme corp goodwill | currency | instant day 2023-06-30
From Acme Corp's 8-K, what were preliminary revenues for Q4 2023? | acme corp preliminary revenues | currency | year_label 2023 q4
What was amortization of intangible assets in Acme Corp's cash flow statement for fiscal 2023? | acme corp amortization intangible assets | currency | fiscal 2023 year
"""

CONTEXT: Final = """
Veldt filed its 10-Q for the quarter ended July 30, 2023. What was its net income? | veldt net income | currency | trailing three_months 2023-07-30
I am looking at Koning's annual report for fiscal 2022. What were total current assets? | koning current assets | currency | instant 2022 year
We are reviewing Marlowe Foods. How much inventory did the company hold at April 1, 2023? | marlowe foods inventory | currency | instant day 2023-04-01
Acme Corp released its results for Q3 2023. What operating margin did it report? | acme corp operating margin | percent | year_label 2023 q3
This is about Brightwater's second quarter of 2023. What was its net loss? | brightwater net loss | currency | year_label 2023 q2
Consider Castellan Energy in fiscal 2022. What were its capital expenditures? | castellan energy capital expenditures | currency | fiscal 2022 year
"""

YES_OR_NO: Final = """
Did Veldt's net income for fiscal 2023 exceed $5 million? | veldt net income | currency | fiscal 2023 year
Was Koning's gross margin above 40% in Q2 2023? | koning gross margin | percent | year_label 2023 q2
Did Marlowe Foods report net sales of more than $2 billion in fiscal 2022? | marlowe foods net sales | currency | fiscal 2022 year
Did Acme Corp have at least 450 employees at the end of fiscal 2022? | acme corp employees | count | instant 2022 year
Is it true that Brightwater's total debt was $75 million as of June 30, 2022? | brightwater debt | currency | instant day 2022-06-30
Did Castellan Energy pay a dividend of $0.25 per share in Q1 2024? | castellan energy dividend per share | currency_per | year_label 2024 q1
Did Koning record a goodwill impairment charge in fiscal 2023? | koning goodwill impairment charge | currency | fiscal 2023 year
"""

WITHOUT_A_YEAR: Final = """
What was Veldt's net income in the second quarter? | veldt net income | currency | none
What were Koning's net sales in the first six months? | koning net sales | currency | none
How much cash did Marlowe Foods have as of quarter end? | marlowe foods cash | currency | none
What was the operating margin of Acme Corp for the quarter, according to its Q2 press release? | acme corp operating margin | percent | none
What was Brightwater's free cash flow for the full year? | brightwater free cash flow | currency | none
What inventory did Veldt report at the end of the third quarter? | veldt inventory | currency | none
"""

GROUPS: Final = (
    INCOME_STATEMENT, BALANCE_SHEET, CASH_FLOW, PRESS_RELEASE, GUIDANCE, EVENTS, OWNERSHIP, SEGMENTS,
    WHERE_IT_STANDS, CONTEXT, YES_OR_NO, WITHOUT_A_YEAR,
)  # fmt: skip
SHAPES: Final = [
    tuple(field.strip() for field in line.split(" | "))
    for group in GROUPS
    for line in group.strip().splitlines()
]
_IDLE: Final = frozenset(
    """
    a an the of in for on at by to from with and or its their as total amount number figure value was is
    """.split()
)


def telling(sought: Sought) -> set[str]:
    """The words of the first query besides the period's and those that tell nothing apart."""
    query = sought.queries[0]
    if sought.period is not None:
        assert sought.period_words in query
        query = query.replace(sought.period_words, " ")
    found = re.findall(r"[^\s,;:()\"]+", query.lower().replace("'s ", " "))
    return {word.strip(".") for word in found} - _IDLE


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


@pytest.mark.parametrize(("question", "words", "unit", "when"), SHAPES)
def test_a_question_for_one_figure_is_one_query(question: str, words: str, unit: str, when: str) -> None:
    """Company and metric in the query and nothing else, the period and the class of unit typed."""
    understood = understand(question, WORDS)
    assert understood.operation == figures.OPERATION_KIND_UNSPECIFIED
    (sought,) = understood.sought
    assert telling(sought) == set(words.replace("'s ", " ").split()) - _IDLE
    assert figures.UnitClass.Name(sought.unit_class).removeprefix("UNIT_CLASS_").lower() == unit
    assert period(sought.period) == when
