"""How people talk, in the words that the grammar of questions knows: "pull Acme's top line" asks what its revenue was,
"shell out for" is "spend on".

Orders become questions, verbs that only say that a figure stood in a report become "report", and what a market calls a
line becomes the line. A verb that says more (to retire, to borrow, to settle) is left as it is, since it belongs to the
figure.
"""

from __future__ import annotations

import re
from typing import Final

from doublethink_figures import find_periods

_ORDER: Final = re.compile(
    r"^(?:please |just |quickly )?(?:(?:pull(?: up| out)?|fetch|grab|get(?: me)?|dig (?:up|out)|hunt down|work out"
    r"|figure out|derive|quote|name|identify|confirm|extract|retrieve|list|note|let me have|let's have"
    r"|remind me(?: of)?|i(?:'m| am) (?:after|looking for)|we(?:'re| are) (?:after|looking for)|looking for"
    r"|need(?: to know)?|want(?: to know)?|i(?:'d| would) like|we(?:'d| would) like"
    r"|(?:can|could|may) (?:i|we) (?:have|get|see))"
    r" (?:us |me )?(?:out )?)(?=\S)",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(r"(?:what|which|how|by how|by what|at what|for how|who)\b", re.IGNORECASE)
_DAY: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r" \d{1,2}, (?:19|20)\d\d"
)
_BEHIND: Final = re.compile(r",? (?=(?:what|which|how|by how|by what|to what|at what|who)\b)", re.IGNORECASE)
_BEFORE: Final = re.compile(
    r"(?:(?:as of|as at|at|on|in|for|during|over|by|through|the|its|end of|close of) ?)*", re.IGNORECASE
)
_LENGTHS: Final = re.compile(r"\b(?:trailing|months|weeks|quarter|year)\b", re.IGNORECASE)
_HELP: Final = r"(?:did|does|do|has|have|had)"
_NAMED: Final = r"(?P<co>(?-i:[A-Z0-9])[^,]*?)"


def _counted(found: re.Match[str]) -> str:
    noun = found["what"].lower()
    return "number of " + {"branch": "branches", "staff": "employees"}.get(noun, f"{noun}s")


_SPOKEN: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), to)
    for pattern, to in (
        # Verbs that only say that the figure stood there.
        (r"\b(?:shell|fork|lay) out (?:for|on)\b", "spend on"),
        (r"\b(?:splash out|splurge|lavish) on\b", "spend on"),
        (r"\b(?:shell|fork|lay) out (?=in\b)", "pay "),
        (r"\b(?:plough|plow|pour|pump|sink|plunge) (?:back )?into\b", "spend on"),
        (r"\b(?:pull|rake|haul|reel) in\b|\b(?:ring|chalk|rack|clock|notch|run|pile) up\b|\bchurn out\b|\bturn in\b",
         "report"),
        (r"\b(?:come|came) in (?:with|at)\b", "report"),
        (rf"\b(?:was|were|is|are) {_NAMED} sitting on\b", r"did \g<co> have"),
        (r"\b(?:sit|sits) on\b", "have"),
        (r"\bwalk(?:ed)? away with\b|\b(?:end|finish|close|wind)(?:ed)? up with\b", "have"),
        (rf"^(?P<head>how (?:much|many) .+? {_HELP} .+?) (?:end|finish"
         rf"|close) (?P<at>(?:the )?\S+(?: \S+){{0,3}}) with$",
         r"\g<head> have at the end of \g<at>"),
        (r"\b(?:spend|spent)(?: (?:on|for))? (?:buying|purchasing) back (?:its |their )?(?:own )?"
         r"(?:common )?(?:stock|shares)\b", "spend on share buybacks"),
        (r"\b(?:spend|spent)(?: (?:on|for))? repurchasing (?:its |their )?(?:own )?(?:common )?(?:stock|shares)\b",
         "spend on share repurchases"),
        (r"\b(?:spend|spent)(?: (?:on|for))? (?:paying|distributing) dividends\b", "pay in dividends"),
        (r"^how much money (?=did .+ (?:spend|invest|pay|receive|make|earn|take|report) )", "how much "),
        (rf"^(?:what|how much)(?: revenue| money)? did {_NAMED} (?:take in|make|earn|bring in|get|generate"
         rf"|derive|report)"
         r" from (?:its |their |the )?(?P<np>(?!operati|continuing|discontinued|investing|financing)"
         r"(?!.* and )(?:(?-i:[A-Za-z])[\w&-]* ?){1,5}?)(?P<at> (?:in|for|during|over) .+)$",
         r"what was \g<co>'s \g<np> revenue\g<at>"),
        (r"^what (?:is|was) the rate of interest\b", "what is the interest rate"),
        (r"\brate of interest\b", "interest rate"),
        (r"\b(?:booked|recorded|recogni[sz]ed|posted|reported|taken|incurred|logged|earned"
         r"|made) by (?=(?-i:[A-Z]))", "of "),
        (r"\b(?:sits|sat|is buried|was buried|is hidden|is included|was included|is|was) (?:inside|in|within)"
         r" (?P<np>(?:the )?(?:(?-i:[A-Z]).+?(?:'s|s') )?[^,]+?) line\b", r"was in \g<np>"),
        (r"\b(?:sits|sat|is buried|was buried|is hidden|is included|was included) (?:inside|in|within)\b", "was in"),
        (r"^how much (?P<np>.+?) (?:had|has) (?P<co>(?-i:[A-Z]).+?) (?:yet to recogni[sz]e|not yet recogni[sz]ed)",
         r"what was the unrecognized \g<np> of \g<co>"),
        (r"^(?P<np>.+?),? (?:was|were|is|are) what$", r"what was \g<np>"),
        (r"^(?P<np>.+?),? (?:came to|amounted to|stood at|totall?ed) what$", r"what was \g<np>"),
        (r"^in (?P<basis>constant currency|constant currencies"
         r"|local currency),? (?:by )?(?:what percent(?:age)?|how much)"
         r" (?:did|has|have) (?P<np>.+?) (?:rise|grow|increase|fall|decline|decrease|change|move)(?P<at> .*)?$",
         r"what was \g<np> \g<basis> growth\g<at>"),
        (rf"^(?P<head>how (?:many|much) [^,]+?) (?:is|was|were|are) {_NAMED} (?:running|carrying|holding|keeping)\b",
         r"\g<head> did \g<co> have"),
        (rf"\b(?:is|was|were|are) {_NAMED} guiding (?:to|for)\b", r"does \g<co> guide to"),
        (r"\bguid(?:e|es|ed|ing) to for\b", "guide to"),
        (r",? (?:that (?:is|are|was|were) |which (?:is|are|was|were) )?(?:listed|traded) on (?:the )?(?:NYSE"
         r"|Nasdaq|NASDAQ"
         r"|New York Stock Exchange)\b", ""),
        (r"(?P<what>\bmeeting)(?: held)? (?:on|of) " + _DAY + r"\b", r"\g<what>"),
        (r" \((?:as )?reported\b[^()]*\)", ""),
        (r"\b(?P<came>came|comes|coming) out of\b", r"\g<came> from"),
        (r"^after minorit(?:ies|y interests?),? (?P<rest>.*?)\b(?P<line>net (?:income|earnings|profit)|profit|earnings"
         r"|bottom line)\b", r"\g<rest>\g<line> attributable"),
        (r" \((?:percent|percentage|in percent|in %|%|in (?:US )?dollars|in (?:millions|thousands|billions))\)$", ""),
        (r"\bof (?:its|their) own (?=shares|stock|common|notes|bonds)", ""),
        (r"^how many (?=(?:its|their) own shares)", "how many "),
        (r"\bhow many (?:of )?(?:its|their) own shares\b", "how many shares"),
        (r"\bprice (?:for|of) (?:an?|each|one) (?P<unit>(?:metric |short )?(?:ton(?:ne)?|barrel|share|unit|ounce|pound"
         r"|bushel|square foot))\b", r"price per \g<unit>"),
        # What a market calls a line.
        (r"\btop[- ]lines?\b(?! growth)", "revenue"),
        (r"\btop[- ]line (?=growth)", "revenue "),
        (r"\bbottom[- ]lines?\b", "net income"),
        (r"\bopex\b", "operating expenses"),
        (r"\btax bill\b", "income tax expense"),
        (r"\b(?:interest|finance) bill\b", "interest expense"),
        (r"\b(?:wage|payroll|salary) bill\b", "personnel expenses"),
        (r"\bcash (?:pile|hoard|balance|position)\b", "cash and cash equivalents"),
        (r"\bdebt (?:pile|load|burden)\b", "total debt"),
        (r"(?<!average )(?<!diluted )(?<!basic )\bshare count\b", "shares outstanding"),
        (r"\b(?P<what>R&D|SG&A|capex|marketing|advertising|technology|research and development) (?:spend"
         r"|outlays?|bill)\b",
         r"\g<what> expense"),
        (r"\bcapex expense\b", "capex"),
        (r"(?<=based )\bcomp\b", "compensation"),
        (r"\b(?P<what>store|restaurant|branch|employee|customer|subscriber|location|staff) count\b", _counted),
        (r"\bloan book\b", "loans"),
        (r"\border book\b", "backlog"),
        # How far, how big, how much percent.
        (r"^how far (?=(?:did|has|have)\b)", "by how much "),
        (r"^how much of (?P<np>.+?) (?P<rest>(?:came|comes|was|were|is|stemmed|derived|did) .+?),?"
         r" (?:in percent|in percentage terms|as a percentage|as a share|percentage-wise|in %)$",
         r"what percentage of \g<np> \g<rest>"),
        (r"^(?P<what>(?:what|which) (?:share|part|portion|proportion|percentage|fraction) of .+?),?"
         r" (?:in percent|in percentage terms|as a percentage|as a percent|in %)$", r"\g<what>"),
        (r"^what percent(?:age)? share of ", "what percentage of "),
        # Two things named in front of the question, or beside each other.
        (r"^compare (?P<np>(?!.* (?:with|to) ).+? (?:in|for|at|between|over) .+)$", r"what was \g<np>"),
        (r"^(?:between |of )?(?P<a>(?-i:[A-Z])[^,:]*?) (?:vs\.?|versus|or|and) (?P<b>(?-i:[A-Z])[^,:]*?)[,:]"
         r" (?:who|which(?: company| one| of (?:the two|them))?) (?P<had>had|has|reported|posted|recorded"
         r"|made) (?:the )?"
         r"(?P<more>more|less|fewer|higher|lower|larger|smaller|bigger|greater) (?P<np>.+?)(?P<at>(?: (?:in|for"
         r"|at|on|as of) .+)?)$",
         r"which company had \g<more> \g<np>, \g<a> or \g<b>\g<at>"),
        (r"^(?:did )?(?P<a>(?-i:[A-Z])[\w&.-]*(?: (?-i:[A-Z])[\w&.-]*)*) (?:vs\.?|versus)"
         r" (?P<b>(?-i:[A-Z])[\w&.-]*(?: (?-i:[A-Z])[\w&.-]*)*):? (?P<np>(?-i:[a-z]).+)$",
         r"what was \g<a>'s and \g<b>'s \g<np>"),
        (r"^in which (?:quarter|half|year|period) (?:was|were) (?P<np>.+?) (?P<more>higher|lower|larger|smaller"
         r"|greater|bigger),?"
         r" (?P<rest>.+ or .+)$", r"which was \g<more>, \g<np> in \g<rest>"),
        (r"^add (?:up |together )?(?P<a>.+) to (?P<b>(?-i:[A-Z]).+)$", r"what is the sum of \g<a> and \g<b>"),
        # Votes and holdings.
        (r"\b(?P<what>shares|votes|ballots) went (?P<how>for|against|in favou?r of)\b",
         r"\g<what> \g<how>"),
        (r"\b(?:share|stock)?holders voted (?P<how>for|against|in favou?r of)\b", r"votes \g<how>"),
        (r"\b(?:shares|votes|holders) (?:abstained|were abstained) (?P<how>on|from)\b", "abstentions on"),
        (r"^(?:(?:after|following|post|upon) [^,]+, )?(?:what|which) (?:stake|holding|interest|percentage) (?:in|of)"
         r" (?P<co>(?-i:[A-Z0-9]).+?) (?:does|did|will|would) (?P<who>(?-i:[A-Z0-9]).+?)"
         r" (?:retain|keep|hold on to|hang on to|keep hold of)$", r"what percentage of \g<co> does \g<who> retain"),
        (r"^how (?:big|large|high) (?:is|was) (?P<who>(?-i:[A-Z0-9]).+?)(?:'s|(?<=s)') (?:stake|holding"
         r"|interest|position)"
         r" in (?P<co>(?-i:[A-Z]).+)$", r"what percentage of \g<co> does \g<who> own"),
        (r"^what (?:stake|holding|percentage stake|interest) (?:does|did) (?P<who>(?-i:[A-Z0-9]).+?) (?:have"
         r"|hold|own|keep"
         r"|report)(?: beneficially)? in (?P<co>(?-i:[A-Z]).+)$", r"what percentage of \g<co> does \g<who> own"),
    )
)  # fmt: skip


def in_plain_words(sentence: str) -> str:
    """The sentence so put, or as it is."""
    sentence = _period_behind(sentence)
    ordered = _ORDER.sub("", sentence)
    if ordered != sentence:
        sentence = ordered if _ASKS.match(ordered) else f"what was {ordered}"
    for pattern, to in _SPOKEN:
        sentence = pattern.sub(to if callable(to) else lambda found, to=to: _filled(to, found), sentence)
    return " ".join(sentence.split())


def _period_behind(sentence: str) -> str:
    """ "As of June 28, 2025, how much ..." with the period at its end."""
    for mention in find_periods(sentence):
        behind = _BEHIND.match(sentence, mention.span.end)
        alone = behind and not _LENGTHS.search(sentence, behind.end())
        if behind and alone and _BEFORE.fullmatch(sentence[: mention.span.start]):
            return f"{sentence[behind.end() :]} {sentence[:1].lower()}{sentence[1 : mention.span.end]}"
    return sentence


def _filled(to: str, found: re.Match[str]) -> str:
    return re.sub(r"\\g<(\w+)>", lambda name: found[name[1]] or "", to)
