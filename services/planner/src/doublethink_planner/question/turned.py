"""Sentences that ask by a verb, or at their end, turned into ones that ask for a noun: "net sales fell to what amount"
is "what was net sales", "how much did Acme lose" is "what was Acme's net loss".

Only what says the same: a verb that stands for a line of a report, and the places where a question word may stand.
"""

from __future__ import annotations

import re
from typing import Final

_WHAT: Final = (
    r"(?:what|how (?:much|many|high|large))"
    r"(?: (?:dollar )?(?:amount|level|figure|number|value|percentage))?"
)
_LEVEL: Final = (
    r"(?:was|were|is|are|stood at|stands at|amounted to|came to|totall?ed|equall?ed|reached"
    r"|(?:rose|fell|increased|decreased|declined|grew|dropped|improved|climbed|changed|went (?:up|down)) to)"
)
_AT: Final = r"(?P<at>(?: (?:in|for|at|as of|on|during|by) .+)?)"
_WHEN: Final = (
    r"(?P<at>(?: (?:in|for|during|over) (?:the |its )?(?:full |entire )?(?:first|second|third|fourth|fiscal"
    r"|financial|calendar|year|quarter|half|three|six|nine|twelve|thirteen|twenty-six|thirty-nine|fifty-two"
    r"|Q[1-4]|H[12]|FY|\d).*)?)"
)
"""A time, or nothing: what else a company earns or loses "in" is another figure."""
_TAX: Final = r"(?P<np>interest|(?:income )?tax(?:es)?)"
_CO: Final = r"(?P<co>(?-i:[A-Z0-9]).*?)"
_TURNED: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), to)
    for pattern, to in (
        (rf"^(?P<np>[^,]+?) {_LEVEL} {_WHAT}{_AT}$", r"what was \g<np>\g<at>"),
        (rf"^to (?:what|which) (?:amount|level|figure|value|number) did (?P<np>.+?)"
         r" (?:rise|fall|increase|decrease|decline|grow|drop|improve|climb|amount|come)"
         rf"{_AT}$", r"what was \g<np>\g<at>"),
        (rf"^{_CO} (?:reported|recorded|posted|had|booked|generated|recogni[sz]ed|held|carried|disclosed)"
         rf" (?P<np>[^,]+?) of {_WHAT}{_AT}$", r"what was the \g<np> of \g<co>\g<at>"),
        (r"^of (?P<np>.+), how (?P<many>much|many) (?P<rest>(?:was|were|is|are) .+)$",
         r"how \g<many> \g<np> \g<rest>"),
        (r"^of (?:its|their|the|all) .*?(?P<np>[a-z]+), how many (?P<rest>(?:did|does|were|was|are|is) .+)$",
         r"how many \g<np> \g<rest>"),
        (rf"^how much did {_CO} lose from operations{_WHEN}$",
         r"what was the operating loss of \g<co>\g<at>"),
        (rf"^how much (?:money )?did {_CO} lose{_WHEN}$", r"what was the net loss of \g<co>\g<at>"),
        (rf"^how much (?:money )?did {_CO} (?:earn|make)(?: in (?:total|profit))?{_WHEN}$",
         r"what was the net income of \g<co>\g<at>"),
        (rf"^how much (?:interest did {_CO} earn|did (?P<by>(?-i:[A-Z0-9]).*?) earn (?:in|from) interest){_WHEN}$",
         r"what was the interest income of \g<co>\g<by>\g<at>"),
        (rf"^(?:for how much|(?:for )?what price|how much|what) (?:money )?did {_CO} (?:agree to )?"
         r"(?:pay (?:for|to (?:acquire|buy|purchase))|acquire|buy|purchase)"
         r" (?P<np>(?-i:[A-Z][\w&.'-]*)(?: (?-i:[A-Z][\w&.'-]*))*)"
         r"(?P<at>(?: (?:in|for|at|as of|on|during|by) .+)?)$",
         r"what purchase price did \g<co> pay for \g<np>\g<at>"),
        (rf"^(?:how much|what) (?:cash )?{_TAX} did {_CO} pay(?P<net>,? net,?|){_WHEN}$",
         r"what was the cash paid for \g<np>\g<net> of \g<co>\g<at>"),
        (rf"^(?:how much|what) (?:cash )?did {_CO} pay (?:for|in) {_TAX}"
         rf"(?P<net>,? net,?|){_WHEN}$",
         r"what was the cash paid for \g<np>\g<net> of \g<co>\g<at>"),
        (r"^if (?:you|one|we) adds? (?P<np>.+?), what (?:is|would be) (?:the|their|its) (?:total|sum)$",
         r"what is the sum of \g<np>"),
        (r"^(?:what|how much) do (?P<np>.+ and .+) (?:add up|come|amount) to(?: together| in total)?$",
         r"what is the sum of \g<np>"),
        (r"^(?:compare (?P<a>.+) (?:with|to) (?P<b>.+)|how (?:does|did|do) (?P<c>.+) compare (?:with|to) (?P<d>.+))$",
         r"what was \g<a>\g<c> compared with \g<b>\g<d>"),
        (r"^(?:what (?:is left|remains|is the result|do you get) (?:if|when) (?:you |one |we )?)?subtract(?:ing)?"
         r" (?P<b>.+?) from (?P<a>.+?)$", r"what is the difference between \g<a> and \g<b>"),
        (r"^(?P<np>(?-i:[A-Z]).+?) (?P<be>was|were|is|are) (?:by )?how much"
         r" (?P<more>higher|lower|larger|smaller|greater) (?P<rest>.+)$", r"how much \g<more> \g<be> \g<np> \g<rest>"),
        (r"^(?P<many>how much|how many) did (?P<np>.+?) differ from (?P<b>.+)$",
         r"what is the difference between \g<np> and \g<b>"),
        (r"^by how much,? in (?:percent|percentage terms),? (?=(?:did|has|have)\b)", "in percent by how much "),
        (r"^how many times (?:as )?(?:large|big|high|much|great) (?:was|were|is|are) (?P<a>.+?) as (?P<b>.+)$",
         r"what was the ratio of \g<a> to \g<b>"),
        (r"^(?:across|among|of|between) (?P<list>(?-i:[A-Z]).+?,? and (?-i:[A-Z])[\w.&' -]*), what (?:was|is|were|are) "
         r"(?P<np>the (?:highest|lowest|largest|smallest|median|average|mean|combined|total) .+)$",
         r"what was \g<np> of \g<list>"),
        (r"^(?:by )?how many (?:us |u\.s\. )?(?:dollars|euros|pounds) (?=(?:did|was|were|has|have)\b)", "by how much "),
    )
)  # fmt: skip
"""What is asked, and how it is asked by its noun. In order; the first that fits is taken."""


def turned(sentence: str) -> str:
    """The sentence asking for a noun, or as it is."""
    sentence = re.sub(r"^The (?=[a-z])", "the ", sentence)
    for pattern, to in _TURNED:
        found = pattern.search(sentence)
        if found:
            said = f"{_filled(to, found)}{sentence[found.end() :]}"
            return " ".join(said.split())
    return sentence


def _filled(to: str, found: re.Match[str]) -> str:
    return re.sub(r"\\g<(\w+)>", lambda name: (found[name[1]] or "").rstrip(","), to)
