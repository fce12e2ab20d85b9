"""Words that only lead up to a personal detail, and what stands in its place. Lower case; English."""

from __future__ import annotations

from typing import Final


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


PREPOSITIONS: Final = _set(
    "for of from to by with on at in under via about regarding concerning re per against as behalf through"
)
DETERMINERS: Final = _set("my his her their our your its the a an this that these whose following mine same")
COPULAS: Final = _set("is are was were be being equals reads")
TITLES: Final = _set("mr mrs ms miss mister dr prof professor sir madam herr frau")
ROLES: Final = _set(
    "patient claimant customer client insured insuree policyholder holder member employee subject resident person"
    " applicant beneficiary participant volunteer tenant driver passenger guest colleague named called name aka user"
)
LABELS: Final = _set(
    "name ssn social security number numbers no nr num id ids iban bic swift phone telephone tel mobile cell cellphone"
    " fax email e-mail e mail mailbox address addresses dob date birth birthday birthdate passport nino nhs mrn"
    " identification identity tax taxpayer national identifier reference ref contact details postcode zip whatsapp"
    " residence home street landline handle"
)
THINGS: Final = _set(
    "card credit debit visa mastercard amex account bank policy claim wallet invoice file record medical insurance"
    " membership licence license prescription booking order"
)
CONTACT_VERBS: Final = _set(
    "reach reached reachable call ring contact contacted email mail text message write reply respond answer born lives"
    " live living resides residing reside resident registered billed charged paid pay using used belongs belonging"
    " signed issued held staying based located available"
)
_PRONOUNS: Final = _set("i im i'm i’m me we us you he him she they them it who mine here")
_AUXILIARIES: Final = _set(
    "am is are was were be been can could will would may should do does did has have had"
)
_FILLERS: Final = _set(
    "please and or but also plus so thanks thank regards hi hello hey kind best back directly anytime any time with"
    " case needed if both either again just only there sincerely cc information info detail details given sure"
    " question ask asking need ending expiring expires cvv exp years old aged age code then too"
)
CONJUNCTIONS: Final = _set("if when whether that because while since unless although than")
CONNECTORS: Final = _set("and or but plus also so")

REACHED_AT: Final = _set("at on to via under by with in through")
"""Prepositions of an address or a number, before which a verb such as "reach" belongs to it and not to the question."""

IN_FRONT_OF_A_VERB: Final = CONJUNCTIONS | (_AUXILIARIES - {"am", "be", "been"}) | {"must", "might", "shall"}
"""After these somebody does something: without a word in their place, the sentence breaks."""

LEADING_UP: Final = (
    PREPOSITIONS
    | DETERMINERS
    | COPULAS
    | TITLES
    | ROLES
    | LABELS
    | THINGS
    | CONTACT_VERBS
    | _PRONOUNS
    | _AUXILIARIES
    | _FILLERS
)
"""A clause of these and a detail says nothing but the detail."""

ADDRESSED: Final = (
    CONTACT_VERBS | _PRONOUNS | (_AUXILIARIES & _set("can may could am is was")) | _set("please and back")
)
"""Between a verb such as "reach" and its preposition, and before it: "you can reach me at"."""

STOP: Final = (
    PREPOSITIONS
    | DETERMINERS
    | COPULAS
    | CONJUNCTIONS
    | CONNECTORS
    | _PRONOUNS
    | _AUXILIARIES
    | _set(
        "what which who whom when where why how please not no yes there here then too very into out up off over"
    )
)
"""Words that carry no subject of their own."""

ANYTHING: Final = "something"

CLASS_WORDS: Final = (
    ("secret.name", "a person"),
    ("secret.code", "a project"),
    ("secret.number", "an amount"),
    ("secret.date", "a date"),
    ("secret.id", "a number"),
    ("pattern.email", "an address"),
    ("pattern.phone", "a number"),
    ("pattern.card", "a card"),
    ("pattern.iban", "an account"),
    ("pattern.wallet", "an account"),
    ("pattern.", "a number"),
    ("provenance.number", "an amount"),
    ("", ANYTHING),
)
"""What stands for a finding where a sentence needs a word, by the beginning of its rule; the first one that fits."""


def class_word(rule: str) -> str:
    """Return what kind of thing a rule finds."""
    return next(word for prefix, word in CLASS_WORDS if rule.startswith(prefix))
