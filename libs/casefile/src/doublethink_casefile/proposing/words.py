"""Words of a memo with their places, and what the ordinary ones are: those that begin, end or stand for no name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from doublethink_casefile.proposing.shapes import MONTHS

# A shorter line ends where its writer wanted it to: in a list each line has a name of its own.
FULL_LINE: Final = 50


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD: Final = re.compile(
    r"(?<![^\W_])(?:[AKIP]/S(?!\w)"
    # J.P, S.p.A, N.V: letters with a full stop after each but the last.
    r"|[^\W\d_](?:\.[^\W\d_]{1,2})+(?!\w)"
    r"|[^\W_]+(?:['’&-][^\W_]+)*|&)"
)
LEGAL: Final = _listed(
    """
    Inc Corp Corporation Company Co Ltd Limited LLC LLP LP L.P plc PLC AG GmbH mbH SE SA S.A NV N.V BV B.V AB ASA AS
    A/S ApS K/S I/S P/S Oyj Oy SpA S.p.A KG KGaA SAS S.A.S SARL SRL S.r.l Sàrl KK Pty Pte Bhd Tbk OÜ UAB SIA Kft Zrt
    """
)
KIND: Final = LEGAL | _listed(
    """
    Holding Holdings Group Partners Bancshares Bancorp Bank Industries Metals Resources Capital Ventures Pumps Systems
    Technologies Technology Pharma Pharmaceuticals Energy Foods Mutual Trust Ventilation Motors Airlines Airways
    Insurance Logistics Shipping Chemicals Semiconductors Software Telecom Media Brewery Brewing Mining Steel Hotels
    Retail Stores Therapeutics Biosciences Laboratories Labs Networks Solutions Services Engineering Electronics
    Instruments Materials Cement Paper Marine Offshore Automotive Aerospace Robotics Power Oil Gas Petroleum Water
    """
)
"""Words that say that a name is a company's."""

BEFORE_OF: Final = _listed("Bank University House Institute Ministry Church Royal Kingdom Duchy Republic")
_PARTICLES: Final = _listed("& of de del della di da von van der den du la le et y e")
TITLES: Final = _listed("Mr Mrs Ms Miss Dr Prof Professor Sir Dame Lord Lady Herr Frau Monsieur Madame")
_ABBREVIATED: Final = TITLES | {"St", "Bros", "Co", "Inc", "Ltd", "Corp"}
ORDINARY: Final = _listed(
    """
    The A An We Our Ours I You Your He She They His Her Their It Its This That These Those There Here In On At For From
    To Of And But Or If As By Before After Not No Yes Please Questions Question Drafts Signing Memo Memorandum Strictly
    Do Does Did Also Nobody Somebody Everybody Next When While With Without Who What Where Which Why How All Any Each
    Every Both Some Only Then Than So Since Until About Above Below Between During Against Within Under Over Because
    Although However Therefore Moreover Meanwhile Today Tomorrow Yesterday Currently Recently Finally First Second Third
    Last Once Should Would Could Can May Might Must Shall Will Is Are Was Were Be Been Being Has Have Had Let See Note
    Compare Compared Consider Discuss Discussed Review Reviewed Ask Call Contact Email Phone Tel Mobile Send Sent
    Private Confidential Secret Internal Draft Final Version Date Subject Re Cc Bcc Dear Regards Sincerely Executive
    Summary Background Introduction Conclusion Overview Agenda Appendix Annex Table Figure Section Page Steps Timeline
    Client Buyer Seller Bidder Acquirer Purchaser Vendor Target Sponsor Adviser Advisor Advisers Advisors Peer Peers
    Competitors Comparables Team Working Board Chair Chairman Chairwoman Chairperson Chief Officer Financial Operating
    Managing Director Directors President Vice Partner Head Secretary Counsel Lawyer Banker Manager Analyst Owner
    Founder Codename Codenames Codeword Code Name Names Project Operation Projekt Deal Offer Price Valuation Value
    Revenue Sales Profit Margin Growth Debt Cash Equity Share Shares Fiscal Year Quarter Annual General Meeting Capital
    Markets Day Data Room Due Diligence Letter Intent Term Sheet Agreement Transaction Parties Party Press Release
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday North South East West
    EUR USD GBP CHF JPY SEK NOK DKK PLN CAD AUD CNY INR EBITDA EBIT EPS IPO NDA LOI SPA CEO CFO COO CTO FY CY IFRS GAAP
    Tel Fax IBAN SWIFT BIC VAT PDF URL Advise Buy Sell Acquire Meet Tell Talk Speak Talks Keep Use Make Take Give Get
    Find Look Read Write Add Remove Check Start Stop Finish Prepare Approve Sign Close Open Confirm Include Exclude
    """
)
# They stand inside names as well ("North Sea Capital Partners", "Vice Media"), but never make one by themselves.
_INSIDE_NAMES: Final = _listed(
    "The Capital Partner Markets General Data First Second Third Last North South East West Markets Equity Cash"
    " Water Power Private Head Target May Will Day Room Price Page Chief Figure Value Share"
)
_MONTH: Final = re.compile(rf"(?:{MONTHS})")


@dataclass(frozen=True, slots=True)
class Word:
    """A word and where it stands."""

    text: str
    start: int
    end: int

    @property
    def capitalised(self) -> bool:
        """Begins as a name does; "3M" and "7N" too."""
        return self.text[0].isupper() or (self.text[0].isdigit() and self.text[1:2].isupper())

    @property
    def particle(self) -> bool:
        """Joins two words of a name."""
        return self.text in _PARTICLES

    @property
    def breaks(self) -> bool:
        """Capitalised, and yet no word of a name."""
        return self.text in ORDINARY - _INSIDE_NAMES or _MONTH.fullmatch(self.text) is not None

    @property
    def abbreviated(self) -> bool:
        """A full stop after it is not the end of a sentence."""
        return len(self.text) == 1 or "." in self.text or self.text in _ABBREVIATED


def words_of(memo: str) -> Iterator[Word]:
    """All words, in order."""
    for match in _WORD.finditer(memo):
        yield Word(match[0], *match.span())
