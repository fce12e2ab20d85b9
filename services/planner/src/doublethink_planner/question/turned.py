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
_OVER: Final = r"(?P<at>(?: (?:between|from|in|during|over|compared|since) .+)?)"
_TWO_YEARS: Final = r"(?=.*\b(?:19|20)\d\d\b.*\b(?:19|20)\d\d\b)"
_FRAGMENT: Final = re.compile(
    r"^(?:(?i:average|mean|median|sum|total|difference|ratio|percentage (?:change|increase|decrease)|change|growth|cagr"
    r"|compound annual growth rate|highest|lowest|combined|cumulative) (?i:of|in|between)"
    r"|(?:revenues?|sales|turnover|net|gross|operating|total|capex|profit|ebitda)) (?=[a-zA-Z])"
)
"""How key words begin that ask for a figure without a verb."""
_SHARE: Final = r"(?:share|percentage|percent|proportion|portion|fraction)"
_PHRASAL: Final = (
    (re.compile(r",? comparing (?P<a>.+?) (?:with|to|against) ", re.IGNORECASE), r" in \g<a> compared with "),
    (re.compile(r"\bhow many cents (?=higher|lower|more|less)", re.IGNORECASE), "how much "),
    (
        re.compile(r"\b(change|increase|decrease|difference) in (?:us )?dollars (?=in|of)", re.IGNORECASE),
        r"\1 ",
    ),
    (re.compile(r"\b(?:one|two|three|four|five|six|\d{1,2})-year (?=CAGR|compound)", re.IGNORECASE), ""),
    (
        re.compile(
            r"\b(quarter|half|months|weeks) of (?:its|their|the) (?=(?:fiscal|financial) )", re.IGNORECASE
        ),
        r"\1 of ",
    ),
    (
        re.compile(
            r"\b(average|mean|median) (.+?) per (?:quarter|year) (?=over|across|in |for )", re.IGNORECASE
        ),
        r"\1 \2 ",
    ),
    (re.compile(r"^by what amount\b", re.IGNORECASE), "by how much"),
    (re.compile(r"^how much percent\b", re.IGNORECASE), "by what percentage"),
    (re.compile(r"(?<=loss) narrow\b", re.IGNORECASE), " decrease"),
    (re.compile(r"(?<=loss) widen\b", re.IGNORECASE), " increase"),
    (re.compile(r"\b(highest|lowest) quarterly (?=[a-z])", re.IGNORECASE), r"\1 "),
    (re.compile(r"\b(?:go|gone|went) up\b", re.IGNORECASE), "increase"),
    (re.compile(r"\b(?:go|gone|went|come|came) down\b", re.IGNORECASE), "decrease"),
    (
        re.compile(r"\b(average|mean|median|highest|lowest) (?:annual|yearly) (?=[a-z])", re.IGNORECASE),
        r"\1 ",
    ),
    (
        re.compile(
            r"(?<!compound )(?<!compounded )\bannual (?=(?:[\w&]+ ){0,3}growth\b)"
            r"(?!.*\b(?:19|20)\d\d\b.*\b(?:19|20)\d\d\b)",
            re.IGNORECASE,
        ),
        "",
    ),
)
"""Verbs of two words, and words beside an aggregate that say again what its years say."""
_TAX: Final = r"(?P<np>interest|(?:income )?tax(?:es)?)"
_CO: Final = r"(?P<co>(?-i:[A-Z0-9]).*?)"
_TURNED: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), to)
    for pattern, to in (
        (rf"^(?P<np>[^,]+?) {_LEVEL} {_WHAT}{_AT}$", r"what was \g<np>\g<at>"),
        (rf"^(?P<at>(?:as of|at|on|in|for|by) [^,]+(?:, \d{{4}})?), (?P<np>[^,]+?) {_LEVEL} {_WHAT}$",
         r"what was \g<np> \g<at>"),
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
        (rf"^how much (?:money )?did {_CO} lose (?P<np>before (?:income )?tax(?:es)?){_WHEN}$",
         r"what was the loss \g<np> of \g<co>\g<at>"),
        (rf"^how much (?:money )?did {_CO} (?:earn|make) (?P<np>(?:before|after) (?:income )?tax(?:es)?){_WHEN}$",
         r"what was the profit \g<np> of \g<co>\g<at>"),
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
        (r"^(?:what|how much) (?:do|did) (?P<np>(?-i:[a-z]).+ and .+) (?:add up|come|amount) to"
         r"(?: together| in total)?$",
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
        (rf"^(?P<by>(?:by )?)how much did {_CO} (?:reduce|cut|lower|bring down|pay down)"
         rf" (?:its|their) (?P<np>.+?){_OVER}$",
         r"\g<by> how much did \g<co>'s \g<np> decrease \g<at>"),
        (rf"^(?P<by>(?:by )?)how much did {_CO} (?:increase|raise|grow|expand|lift)"
         rf" (?:its|their) (?P<np>.+?){_OVER}$",
         r"\g<by> how much did \g<co>'s \g<np> increase \g<at>"),
        (r"^how many times (?:did|does) (?P<a>.+?) cover (?P<b>.+)$",
         r"what was the ratio of \g<a> to \g<b>"),
        (r"^how much of (?P<np>.+?),? (?:in percent|in percentage terms|as a percentage),?"
         r" (?P<rest>(?:came|comes|was|were|is|stemmed|derived) .+)$", r"what percentage of \g<np> \g<rest>"),
        (r"^(?P<np>(?:by )?how much (?:higher|lower|larger|smaller|greater|bigger) (?:was|were|is|are) .+?)"
         r" compared (?:to|with) (?P<b>.+)$", r"\g<np> than \g<b>"),
        (r"^at what compound(?:ed)? annual(?:i[sz]ed)? (?:growth )?rate (?:did|has|have) (?P<np>.+?)"
         r" (?:grow|grown|increase|increased|rise|risen|expand|expanded)(?P<at> .+)?$",
         r"what was the compound annual growth rate of \g<np>\g<at>"),
        (rf"^what did (?P<np>.+?) average (?P<at>(?:over|across|in|from|between|for) {_TWO_YEARS}.+)$",
         r"what was the average \g<np> \g<at>"),
        (rf"^what (?:was|were|is) (?P<np>.+?) (?P<at>(?:over|across|in|from|for) {_TWO_YEARS}.+?),?"
         r" (?:combined|taken together|in total|together)$", r"what was the sum of \g<np> \g<at>"),
        (r"^how much did (?P<list>(?-i:[A-Z]).+? and (?-i:[A-Z]).+?) (?:together|combined|jointly) (?:spend|invest)"
         r" (?:on|in) (?P<np>.+?)(?P<at>(?: (?:in|for|over|during) .+)?)$",
         r"what was the combined \g<np> of \g<list>\g<at>"),
        (r"^how much did (?:the )?(?P<a>.+?)(?: segment| division| business| unit)? contribute to (?P<b>.+?),?"
         r" (?:in percent|in percentage terms|as a percentage)$", r"what percentage of \g<b> came from \g<a>"),
        (rf"^(?:what|how much) did {_CO} (?:earn|make) per (?P<np>(?:\w+ )?share)(?P<at> .+)?$",
         r"what were the earnings per \g<np> of \g<co>\g<at>"),
        (rf"^(?:what|how much) did {_CO} (?:pay(?: out)?|distribute)(?: in| as)? dividends"
         rf"(?: to (?:its|their)? ?(?:share|stock)holders)?{_WHEN}$", r"what were the dividends paid of \g<co>\g<at>"),
        (rf"^how much did {_CO} return to (?:its |their )?(?:share|stock)holders"
         rf" (?:through|via|in|by) (?P<np>.+?){_WHEN}$",
         r"how much did \g<co> spend on \g<np>\g<at>"),
        (rf"^how much did it cost {_CO} to (?:acquire|buy|purchase) (?P<np>(?-i:[A-Z]).+)$",
         r"what purchase price did \g<co> pay for \g<np>"),
        (r"^what (?:is|was) the (?P<yoy>(?:year-over-year |year-on-year |annual )?)"
         r"(?P<np>(?:change|increase|decrease|growth|decline|rise|drop) (?:in|of) .+?),?"
         r" (?:in percent|in percentage terms|expressed as a percentage|as a percentage)$",
         r"what was the \g<yoy>percentage \g<np>"),
        (r"^how much,? (?:in percent|in percentage terms),? (?P<did>did|has|have) (?P<np>.+)$",
         r"by what percentage \g<did> \g<np>"),
        (r"^how (?P<did>did|has|have) (?P<np>.+?),? (?:in percent|in percentage terms)$",
         r"by what percentage \g<did> \g<np>"),
        (r"^by (?:what|how many) (?:percent|percentage) (?:was|were) (?P<np>.+?) (?:higher|larger|greater|bigger) than"
         r" (?P<b>.+)$", r"by what percentage did \g<np> change compared with \g<b>"),
        (r"^(?:what|which) (?P<pc>percent|percentage|share|proportion) of (?P<np>.+?) (?:was|is|were|are)"
         r" (?:beneficially )?(?:owned|held) by (?P<b>(?-i:[A-Z]).+)$",
         r"what \g<pc> of \g<np> did \g<b> own"),
        (rf"^how much more did {_CO} (?:spend|invest) (?:on|in) (?P<np>.+?)"
         r" (?P<at>(?:in|during|for|over) .+ than (?:in|during|for|over) .+)$",
         r"how much higher was \g<co>'s \g<np> \g<at>"),
        (rf"^how much less did {_CO} (?:spend|invest) (?:on|in) (?P<np>.+?)"
         r" (?P<at>(?:in|during|for|over) .+ than (?:in|during|for|over) .+)$",
         r"how much lower was \g<co>'s \g<np> \g<at>"),
        (r"^on average,? what (?:was|were|is) (?:the )?(?P<co>(?-i:[A-Z]).+?'s )?(?:annual |yearly )?(?P<np>.+)$",
         r"what was the average \g<co>\g<np>"),
        (r"^what did the (?P<np>.+ of (?-i:[A-Z]).+?) (?:amount|come|add up) to(?P<at>(?: (?:in|for|at|during) .+)?)$",
         r"what was the \g<np>\g<at>"),
        (r"^how (?P<did>did|has|have) (?P<np>.+?), in (?:percent|percentage terms|%), (?P<rest>.+)$",
         r"by what percentage \g<did> \g<np> \g<rest>"),
        (r"^(?:by )?how much (?:did|does|do) (?P<a>.+?) fall short of (?P<b>.+)$",
         r"how much lower was \g<a> than \g<b>"),
        (r"^what multiple of (?P<b>(?:its|their) .+?) (?:was|were|is|are) (?P<a>.+)$",
         r"what was the ratio of \g<a> to \g<b>"),
        (rf"^(?:how much|what) did {_CO} (?:spend|invest|pay)(?: out)? (?:on|in|for) (?P<a>.+?) and (?P<np>.+?),?"
         r" (?:combined|together|in total|taken together)(?P<at>(?: (?:in|for|over|during) .+)?)$",
         r"what was the sum of \g<co>'s \g<a> and \g<np>\g<at>"),
        (rf"^how much(?: cash| money)?,?(?: in total,?)? did {_CO} return to (?:its |their )?(?:share|stock)holders"
         r" (?:through|via|in|by) (?P<a>dividends) and (?P<np>.+?)(?P<at> (?:in|for|over|during) .+)$",
         r"what was the sum of \g<co>'s \g<a> paid and \g<np>\g<at>"),
        (rf"^of (?P<np>.+), what (?P<pc>{_SHARE}) (?P<rest>(?:came|comes|was|were|is|did|stemmed|derived) .+)$",
         r"what \g<pc> of \g<np> \g<rest>"),
        (rf"^(?:how (?:large|big|high)|what) (?:was|is) (?:the )?(?P<pc>{_SHARE}) of (?P<a>.+?) in"
         r" (?P<np>(?-i:[A-Z]).+?(?:'s|(?<=s)') .+)$", r"what \g<pc> of \g<np> did \g<a> account for"),
        (rf"^what (?P<pc>{_SHARE}) did (?:the )?(?P<a>.+?)(?: segment| division)? contribute to (?P<np>.+)$",
         r"what \g<pc> of \g<np> came from \g<a>"),
        (r"^what (?P<pc>percentage|percent) (?P<np>change|increase|decrease) (?:occurred|was there|took place) in"
         r" (?P<rest>.+)$", r"what was the percentage \g<np> in \g<rest>"),
        (r"^what (?:is|was) the percentage by which (?P<np>.+?) (?:grew|increased|rose|climbed)(?P<rest> .+)$",
         r"by what percentage did \g<np> increase\g<rest>"),
        (r"^what (?:is|was) the percentage by which (?P<np>.+?) (?:fell|decreased|declined|dropped)(?P<rest> .+)$",
         r"by what percentage did \g<np> decrease\g<rest>"),
        (r"^what (?:is|was) the amount by which (?P<np>.+?) exceeded (?P<rest>.+)$",
         r"by how much did \g<np> exceed \g<rest>"),
        (r"^what (?:is|was) the quotient of (?P<a>.+?) and (?P<b>.+)$", r"what was the ratio of \g<a> to \g<b>"),
        (r"^add (?:up |together )?(?P<np>.+)$", r"what is the sum of \g<np>"),
        (r"^(?:between|of|out of) (?P<a>(?-i:[A-Z]).+?) and (?P<b>(?-i:[A-Z]).+?), which (?:company |one )?had the"
         r" (?P<np>(?:higher|larger|greater|bigger|lower|smaller) .+)$",
         r"which company had the \g<np>, \g<a> or \g<b>"),
        (r"^what (?P<np>compound(?:ed)? annual growth rate|CAGR) did (?P<a>.+?) (?:show|have|post|achieve|record)"
         r"(?P<at> .+)?$", r"what was the \g<np> of \g<a>\g<at>"),
        (rf"^what (?:is|was) the number of (?P<np>[a-z][a-z -]+?) (?:that )?{_CO} (?:operated|had|employed|owned|ran)"
         r"(?P<at>(?: (?:at|as of|in|on|by) .+)?)$", r"how many \g<np> did \g<co> have\g<at>"),
        (r"^what (?:is|was) the gap between ", "what is the difference between "),
        (rf"^what (?:was|were|is) (?P<np>.*?)\btotal (?P<m>.+?) (?P<at>(?:over|across) {_TWO_YEARS}.+)$",
         r"what was the sum of \g<np>\g<m> \g<at>"),
        (rf"^how much did {_CO} (?:pay|pay out|distribute) in (?P<np>.+?) in total"
         rf" (?P<at>(?:from|over|across|in) {_TWO_YEARS}.+)$",
         r"what was the sum of \g<co>'s \g<np> paid \g<at>"),
        (rf"^how much did {_CO} (?:spend|invest) (?:on|in) (?P<np>.+?) in total"
         rf" (?P<at>(?:from|over|across|in) {_TWO_YEARS}.+)$",
         r"what was the sum of \g<co>'s \g<np> \g<at>"),
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
    sentence = _FRAGMENT.sub(lambda word: f"what was the {word[0].lower()}", sentence)
    for verb, plain in _PHRASAL:
        sentence = verb.sub(plain, sentence)
    for pattern, to in _TURNED:
        found = pattern.search(sentence)
        if found:
            said = f"{_filled(to, found)}{sentence[found.end() :]}"
            return " ".join(said.split())
    return sentence


def _filled(to: str, found: re.Match[str]) -> str:
    return re.sub(r"\\g<(\w+)>", lambda name: (found[name[1]] or "").rstrip(","), to)
