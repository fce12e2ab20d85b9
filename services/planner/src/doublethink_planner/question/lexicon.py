"""Closed word lists of the question grammar. Longer than most modules because it is one table after another.

All words are lower case and in the singular where a plural is formed with "s".
"""

from __future__ import annotations

from typing import Final


def listed(text: str) -> frozenset[str]:
    """The words of a list that is written out as text."""
    return frozenset(text.split())


CURRENCY_HEADS: Final = listed(
    """
    revenue turnover sale income profit earning loss expense cost cash debt asset liability equity inventory
    capex expenditure spending dividend ebitda ebita ebit borrowing receivable payable deposit loan goodwill
    proceeds proceed compensation tax provision depreciation amortization amortisation impairment charge payment
    balance capital investment security note bond fee gain reserve allowance overhead depletion contribution
    funding bookings backlog equivalent equipment consideration nopat cogs obligation writedown write-down
    severance benefit salary bonus bonu repayment wage deficit charge-off retainer remuneration penalty fine fare
    """
)
"""Nouns that, as the head of a metric, are amounts of money."""

PERCENT_WORDS: Final = listed("margin percent percentage % yield coupon roic roe roa roce rotce nim")
"""Words that make a metric a percentage wherever they stand."""

PERCENT_PHRASES: Final = (
    "tax rate",
    "interest rate",
    "coupon rate",
    "discount rate",
    "growth rate",
    "occupancy rate",
    "occupancy",
    "retention rate",
    "churn rate",
    "unemployment rate",
    "inflation rate",
    "utilization rate",
    "payout ratio",
    "efficiency ratio",
    "combined ratio",
    "loss ratio",
    "expense ratio",
    "tier 1 ratio",
    "cet1 ratio",
    "capital ratio",
    "market share",
    "return on equity",
    "return on assets",
    "return on invested capital",
    "ownership stake",
    "ownership interest",
    "equity stake",
    "economic interest",
    "commitment fee",
    "facility fee",
)

NOT_MONEY: Final = listed(
    """
    growth ratio percentage percent number volume unit comparable same-store like-for-like shipment production
    per rate share headcount employee day turn multiple tonnage quantity
    """
)
"""Words beside a money noun that leave its unit open: "sales volume", "inventory days", "comparable sales".
"""

COUNT_HEADS: Final = listed(
    """
    employee store share customer subscriber user branch location restaurant vehicle patient member headcount
    shareholder stockholder workforce facility site plant hospital aircraft property clinic franchise warehouse
    """
)
"""Nouns that "how many" and "number of" count."""

COUNTED: Final = listed(
    """
    employee workforce store restaurant location subscriber member shareholder stockholder aircraft vehicle patient
    headcount
    """
)
"""Nouns that are counted also where nobody says "how many"."""

BALANCE_HEADS: Final = listed(
    """
    asset liability equity debt cash inventory receivable payable goodwill deposit loan borrowing backlog
    employee store headcount security balance note capitalization receivables allowance outstanding deficit
    """
)
"""Nouns whose figures stand at a date."""

BALANCE_LINES: Final = listed(
    "asset liability equity inventory receivable payable goodwill deposit deficit debt backlog"
)
"""Lines of a balance sheet, and of nothing else unless a word of `MOVEMENTS` stands beside them."""
MOVEMENTS: Final = listed(
    """
    flow expense change sale revenue income cash proceed proceeds repayment issuance paid pay used provided
    increase decrease charge impairment purchase return gain loss amortization depreciation write-down
    writedown turnover compensation investment cost ratio average turn day provision use spend repay borrow
    acquisition incentive plan interest rate yield margin issue raise cagr growth
    """
)

OTHER_FIGURE_HEADS: Final = listed(
    """
    margin rate ratio yield price value volume production shipment eps headcount output growth percentage
    capacity number share unit premium wage salary rent capitalization guidance target forecast outlook amount
    total term age settlement conversion exercise ticket footage passenger megawatt synergy valuation multiple
    return workforce
    population enrollment occupancy area emission
    consumption deficit surplus budget royalty award option warrant swap derivative hedge pension accrual
    credit deduction interest maturity duration life coupon spread stock buyback repurchase quantity donation
    paper land position transaction
    grant subscription patent stake roic roe roa roce rotce nim arpu arr aum nav intake vote non-vote
    principal payout bonus bonu severance retainer facility revolver ownership barrel fine penalty remuneration
    """
)
"""Further nouns that name a figure; a "what was" question without any of these is not one for a figure."""

FLOW_WITHOUT_PERIOD: Final = listed(
    "revenue turnover sale income profit earning loss asset liability equity margin ebitda ebita ebit eps"
    " inventory"
)
"""Figures of every statement: without a period there are as many answers as statements."""

NOT_A_FIGURE: Final = listed(
    """
    trend impact effect reason driver cause strategy risk policy factor name date address headquarters ceo
    auditor ticker website type kind status structure composition nature purpose why describe explain summary
    summarize relationship breakdown detail difference highest lowest largest smallest biggest main top best
    worst most least than that which who whom whose because if when while but whether how what where it they
    he she we you i median sum mean method approach response plan view opinion statement reaction
    """
)
"""Words that must not stand in what was taken for a metric."""

NOT_IN_A_SUBJECT: Final = listed(
    """
    did does do was were is are has have had been will would can could should may might shall must why how
    what when where who whom which whose if because explain describe summarize summarise compare discuss list
    name analyze analyse i you me my your yours we us our ours he him his she her they them this these those
    there here not never someone anyone everybody nobody something anything after before although since please
    help need want get got let go be being am isn't don't doesn't didn't can't won't couldn't wouldn't i've
    each every i'm i'd it's where'd haven't hasn't
    """
)
"""Verbs and question words: what holds one of them is a clause, not a company or a metric."""

VAGUE_PERIOD: Final = listed(
    """
    latest last recent current previous prior next past upcoming fiscal quarter quarterly quarters year years
    month months half week weeks annual annually ytd ttm ltm today now this week's yesterday recently period
    periods january february march april june july august september october november december ended ending
    """
)
"""Period words that must not be left once the periods with a date or a year are taken out."""

PERIOD_WORDS_IN_METRICS: Final = (
    "current assets",
    "current liabilities",
    "current portion",
    "current tax",
    "current income tax",
    "current ratio",
    "current debt",
    "current maturities",
    "non-current",
    "noncurrent",
    "prior service",
    "annual recurring revenue",
    "profit for the period",
    "profit for the year",
    "loss for the period",
    "loss for the year",
    "income for the period",
    "income for the year",
    "compound annual",
    "compounded annual",
    "annual dividend",
    "quarterly dividend",
    "quarterly cash dividend",
    "monthly active users",
    "daily active users",
    "annual meeting",
    "half-life",
)
"""Metrics that hold such a word without meaning a period."""

HOLDERS: Final = listed(
    "stockholders shareholders members owners partners holders unitholders customers employees"
)
"""Whose equity or deposits a line is; they are no company."""
PRONOUNS: Final = listed("its their our his her your my")
PRIVATE_SUBJECTS: Final = listed(
    "target client buyer bidder acquirer acquiror seller counterparty codename project deal"
)
UNNAMED_SUBJECTS: Final = listed(
    "company firm group business issuer registrant it they corporation bank retailer"
)

DEAL_WORDS: Final = listed(
    """
    bid bidder bidding buyer buyout acquirer acquiror suitor offeror offeree takeover toehold stakebuilding
    overbid squeeze-out counterbid white-knight shortlist lowball
    """
)
DEAL_PHRASES: Final = (
    ("offer", "price"),
    ("bid", "price"),
    ("tender", "offer"),
    ("stake", "building"),
    ("exchange", "ratio"),
    ("due", "diligence"),
    ("letter", "of", "intent"),
    ("hostile", "offer"),
    ("break", "fee"),
    ("take", "private"),
    ("lock-up", "agreement"),
    ("walk-away", "price"),
)
"""Ordinary words that say what a memo is about: private, alone or together, where the memo has them."""

ACRONYMS: Final = listed(
    """
    EPS EBITDA EBIT EBITA GAAP R&D SG&A G&A S&M D&A PP&E COGS CAPEX FCF FFO AFFO NAV ROE ROA ROIC ROCE ROTCE CET1 NII
    NIM AUM ARR NRR ARPU RWA DPS RSU RSUs PSU PSUs NOPAT TTM LTM YTD IPO CEO CFO COO CTO US U.S USA UK EU SEC IRS FDA
    LIBOR SOFR ESG USD EUR GBP ADS ADR
    """
)
"""Words in capitals that name no company."""
METRIC_ACRONYMS: Final = ACRONYMS & listed(
    """
    EPS EBITDA EBIT EBITA GAAP R&D SG&A G&A S&M D&A PP&E COGS CAPEX FCF FFO AFFO NAV ROE ROA ROIC ROCE ROTCE CET1 NII
    NIM AUM ARR NRR ARPU RWA DPS NOPAT
    """
)
"""Those of them that are metrics, or begin one."""

COMPOUND_METRICS: Final = (
    "cash and cash equivalents",
    "cash and short-term investments",
    "cash and marketable securities",
    "cash and investments",
    "cash and equivalents",
    "cash, cash equivalents and marketable securities",
    "cash, cash equivalents and restricted cash",
    "cash, cash equivalents, and restricted cash",
    "cash, cash equivalents and short-term investments",
    "research and development",
    "selling, general and administrative",
    "selling, general, and administrative",
    "general and administrative",
    "sales and marketing",
    "selling and marketing",
    "marketing and advertising",
    "property and equipment",
    "property, plant and equipment",
    "property, plant, and equipment",
    "land and buildings",
    "machinery and equipment",
    "depreciation and amortization",
    "depreciation, depletion and amortization",
    "mergers and acquisitions",
    "acquisition and integration",
    "accounts payable and accrued",
    "loans and leases",
    "liabilities and equity",
    "liabilities and stockholders",
    "liabilities and shareholders",
    "salaries and benefits",
    "salaries and wages",
    "hardware and accessories",
    "cloud services and license support",
    "subscription and maintenance",
    "wearables, home and accessories",
    "oil and gas",
    "technology and content",
    "interest and dividend",
    "income before taxes and",
    "basic and diluted",
)
"""Single metrics that hold an "and" or a comma."""

SPLITTABLE_METRICS: Final = frozenset(
    {
        "revenue",
        "revenues",
        "total revenue",
        "total revenues",
        "net revenue",
        "net revenues",
        "net sales",
        "sales",
        "total net sales",
        "cost of sales",
        "cost of revenue",
        "cost of goods sold",
        "gross profit",
        "gross margin",
        "operating income",
        "operating profit",
        "operating loss",
        "operating margin",
        "operating expenses",
        "net income",
        "net loss",
        "net profit",
        "net earnings",
        "net margin",
        "ebitda",
        "adjusted ebitda",
        "ebit",
        "diluted eps",
        "diluted earnings per share",
        "basic earnings per share",
        "total assets",
        "total liabilities",
        "total equity",
        "total debt",
        "long-term debt",
        "inventory",
        "inventories",
        "goodwill",
        "free cash flow",
        "operating cash flow",
        "capital expenditures",
        "capex",
        "interest expense",
        "income tax expense",
        "accounts receivable",
        "accounts payable",
        "research and development expense",
        "research and development expenses",
        "r&d expense",
        "r&d expenses",
        "sg&a expense",
        "sg&a expenses",
    }
)
"""Metrics that are complete by themselves: only between two of these does "and" stand between two figures."""

NAMES_WITH_S: Final = listed(
    """
    mcdonald's macy's kohl's lowe's wendy's dillard's moody's sotheby's domino's denny's casey's ollie's
    dick's levi's chili's sainsbury's kellogg's lloyd's bj's john's victoria's children's men's carter's
    dillard's christie's ruth's zaxby's popeye's conn's hibbett's lands' land's
    """
)
"""Last or inner words of company names that end in 's themselves."""

LEGAL_SUFFIXES: Final = (
    "inc",
    "incorporated",
    "corp",
    "corporation",
    "co",
    "company",
    "companies",
    "ltd",
    "limited",
    "llc",
    "lp",
    "l.p",
    "llp",
    "plc",
    "n.v",
    "nv",
    "s.a",
    "sa",
    "ag",
    "se",
    "gmbh",
    "kgaa",
    "ab",
    "asa",
    "oyj",
    "spa",
    "s.p.a",
    "a/s",
    "holdings",
    "group",
)

UP: Final = listed(
    "grow increase rise improve expand climb gain grown increased risen improved expanded climbed higher"
)
DOWN: Final = listed(
    """
    decline decrease fall drop shrink contract reduce slip deteriorate declined decreased fallen dropped
    shrunk contracted lower
    """
)
MOVE: Final = UP | DOWN | {"change", "changed", "develop", "move", "vary", "differ"}
