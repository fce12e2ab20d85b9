"""The one sentence of a question that asks, without courtesy and asides."""

from __future__ import annotations

import re
from typing import Final

from .context import fold_context
from .errors import NotUnderstood
from .memo_words import MemoWords
from .period_spelling import plain_periods

_MAX_CHARS: Final = 600
_MAX_SENTENCES: Final = 3
_FOLD: Final = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2013": "-", "\u2014": "-"}
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:Inc|Corp|Co|Ltd|vs|No|St|Mr|Mrs|Dr|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|approx|incl"
    r"|excl|L\.P|N\.V|S\.A|U\.S|U\.K)|\b[A-Z])\.$"
)
_COURTESY: Final = re.compile(
    r"^(?:(?:please|kindly|hi|hello|ok|okay|so|and|now|also|next|then)[,:]? |(?:can|could|would) (?:you"
    r"|we) (?:please )?(?:tell me|find(?: out)?|give me|show me|look up|say|check|get)?,? ?"
    r"|(?:do you know|(?:i|we)(?:'d| would) (?:like|want|need) to (?:know|see)|(?:i|we) (?:want|need) to know"
    r"|i'm trying to find|i am trying to find|we are trying to find"
    r"|tell me|find out|look up|check),? (?=what|which|how|by|the|did|[A-Z]))",
    re.IGNORECASE,
)
_ASKED: Final = re.compile(
    r"^(?:what|which|how|by|to what|in|for|at|as|on|during|over|did|does|do|is|are|was|were|has|have|had|give"
    r"|show|find|tell"
    r"|state|provide|report|get|calculate|compute|determine|look|i|we|according|from|per|based|please|who|when"
    r"|why|where)\b",
    re.IGNORECASE,
)
_BOARD: Final = re.compile(
    r"\bthe (?:board(?: of directors)?|directors|management) of (?=[A-Z])"
    r"|(?P<company>\b[A-Z][\w&.-]*)'s (?:board(?: of directors)?|management)(?= [a-z])"
)
"""Who acts for a company is the company."""
_BASIS_FIRST: Final = re.compile(
    r"^(?P<basis>on an? [\w-]+(?: currency)? basis), (?P<rest>.+)$", re.IGNORECASE
)
_SHOWN_FOR: Final = re.compile(
    r"^what (?:is|was|are|were) (?:shown|reported|listed|stated|given|recorded|disclosed|presented) (?:for|as) ",
    re.IGNORECASE,
)
_INSTRUCTION: Final = re.compile(
    r"^(?:please )?(?:cite|quote|give|state|show|name|answer|report|express|use|include|provide"
    r"|round)\b.{0,120}$",
    re.IGNORECASE,
)
_PLEASE: Final = re.compile(r",? (?:please|thanks|thank you)$", re.IGNORECASE)
_UNIT_TAIL: Final = re.compile(
    r",? \(?(?:expressed |stated |reported )?in (?:us |u\.s\. )?(?:\$ ?)?(?:thousands|millions|billions"
    r"|million|billion|dollars|usd|us\$|euros?|eur)(?: of (?:us |u\.s\. )?(?:dollars|euros))?\)?$",
    re.IGNORECASE,
)
_UNIT_MIDDLE: Final = re.compile(
    r", (?:expressed |stated |reported )?in (?:us |u\.s\. )?(?:thousands|millions|billions|dollars|euros),",
    re.IGNORECASE,
)
_FORM_LEAD: Final = re.compile(
    r"^(?:(?:(?:expressed|stated|given|measured|shown) )?in (?:us |u\.s\. )?"
    r"(?:(?:thousands|millions|billions)(?: of)? ?)?(?:us |u\.s\. )?(?:dollars|euros|pounds|usd|eur|gbp)?"
    r"|in absolute terms|in total"
    r"|(?:rounded )?to (?:the nearest|one|two|three|\d)[\w ]*), (?=\w)|^(?:approximately|about|roughly) (?=how )",
    re.IGNORECASE,
)
"""In what form the answer is wanted, in front of the question; the page gives the figure in its own."""
_FORM_TAIL: Final = re.compile(
    r",? (?:rounded )?to (?:the nearest|one|two|three|\d) (?:decimals?(?: places?)?|tenth|hundredth|percent|million"
    r"|billion|cent|dollar|whole number)s?(?: of a percent)?$",
    re.IGNORECASE,
)
_PARENTHESIS: Final = re.compile(r" ?\(([^()]{1,80})\)")
_ADJUNCT: Final = re.compile(
    r"^(?:for|in|under|regarding|concerning|within|on|as part of|in connection with|at|from|in the case of"
    r"|as for) (?P<what>[^,]{1,80}), (?=what|which|how|by|did|find|calculate)",
    re.IGNORECASE,
)


def asking_sentence(question: str, words: MemoWords) -> str:
    """The sentence that asks, folded to plain quotes and single spaces, without its question mark.

    Raises NotUnderstood for several questions at once and for texts beyond 600 characters.
    """
    text = plain_periods(" ".join(question.translate(_FOLD).split()))
    if not text or len(text) > _MAX_CHARS:
        raise NotUnderstood("no question, or a long one")
    sentences = [
        sentence for sentence in _sentences(text) if not _INSTRUCTION.match(sentence) or "?" in sentence
    ]
    if not sentences:
        sentences = _sentences(text)
    if not sentences:
        raise NotUnderstood("no word")
    *context, asking = sentences
    if context and ("?" not in asking or len(sentences) > _MAX_SENTENCES):
        raise NotUnderstood("more than one sentence")
    if any("?" in sentence for sentence in context):
        raise NotUnderstood("more than one question")
    sentence = asking.strip().rstrip("?!. ").strip(' "')
    if "?" in sentence:
        raise NotUnderstood("more than one question")
    sentence = re.sub(r",? \brespective(?:ly)?\b,?", "", sentence, flags=re.IGNORECASE)
    sentence = _UNIT_MIDDLE.sub("", sentence)
    previous = None
    while previous != sentence:
        previous = sentence
        sentence, courteous = _COURTESY.subn("", sentence)
        if courteous and not _ASKED.match(sentence):
            sentence = f"what is {sentence}"
        sentence = _FORM_TAIL.sub("", _UNIT_TAIL.sub("", sentence))
        sentence = _FORM_LEAD.sub("", sentence)
        sentence = _PLEASE.sub("", sentence)
    sentence = _BOARD.sub(lambda found: found["company"] or "", sentence)
    sentence = _BASIS_FIRST.sub(r"\g<rest> \g<basis>", sentence)
    sentence = _SHOWN_FOR.sub("what was ", sentence)
    sentence = _without_asides(sentence, words)
    if context:
        sentence = fold_context(context, sentence, words)
    return sentence


def _without_asides(sentence: str, words: MemoWords) -> str:
    def judge(found: re.Match[str]) -> str:
        inner = found[1]
        if words.private_in(inner) or re.match(
            r"(?:in (?:millions|thousands|billions)|NYSE|NASDAQ|Nasdaq|ticker|GAAP$)", inner
        ):
            return ""
        return found[0]

    sentence = _PARENTHESIS.sub(judge, sentence)
    adjunct = _ADJUNCT.match(sentence)
    if adjunct and words.private_in(adjunct["what"]) and words.public_term_in(adjunct["what"]) is None:
        sentence = sentence[adjunct.end() :]
    return sentence


def _sentences(text: str) -> list[str]:
    sentences: list[str] = []
    start = 0
    for mark in re.finditer(r"[.?!;](?= +[A-Z\"(]|$)", text):
        if (
            text[mark.start()] == "."
            and _ABBREVIATION.search(text[start : mark.end()])
            and mark.end() < len(text)
        ):
            continue
        sentences.append(text[start : mark.end()].strip())
        start = mark.end()
    if text[start:].strip():
        sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if re.search(r"\w", sentence)]
