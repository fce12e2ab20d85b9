"""What each rule of the gate means, and what a person can do about it. The words never repeat a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class RuleWords:
    """means: one sentence. do: what a person can do, the most likely first. setting: the policy's key, if one."""

    means: str
    do: tuple[str, ...]
    setting: str | None = None


_KINDS: Final[Mapping[str, str]] = {
    "code": "code name",
    "name": "name",
    "number": "number",
    "date": "date",
    "id": "identifier",
    "phrase": "phrase",
    "canary": "canary",
}
_REPHRASE: Final = "Ask without it: name the company and the figure as the market knows them."
_TAKE_OUT: Final = (
    "If it is no secret, or is one no longer, take it out of the case's secrets and ask again in a new run."
)
_PUBLIC_TERM: Final = (
    "If the market may know it, add it to the case's public_terms and ask again in a new run."
)
_SHOWN_FIRST: Final = (
    "Or search without it first: once two domains, or one trusted host of the policy, have shown it in the same"
    " session, it may be searched."
)
_FORM: Final = "Ask without it. Such things are refused whoever they belong to."
_WAIT: Final = "Nothing was sent. Ask again with other words."
_OPERATOR: Final = "Whoever runs the gate can change this in the policy; the policy's digest is in every row."

_PATTERNS: Final[Mapping[str, str]] = {
    "pem": "a private key",
    "jwt": "a signed token",
    "aws_key": "a cloud access key",
    "aws_secret": "a cloud secret key",
    "github_token": "a code host's token",
    "gitlab_token": "a code host's token",
    "slack_token": "a chat service's token",
    "slack_hook": "a chat service's secret address",
    "google_key": "a cloud API key",
    "google_token": "a cloud access token",
    "vendor_key": "a vendor's API key",
    "plain_key": "an API key",
    "sendgrid_key": "a mail service's key",
    "package_token": "a package registry's token",
    "cloud_token": "a cloud access token",
    "twilio_key": "a telephone service's key",
    "azure_key": "a cloud storage key",
    "bot_token": "a bot's token",
    "age_key": "an encryption key",
    "url_password": "an address with a password in it",
    "bearer": "a bearer token",
    "basic_login": "a login in a header",
    "assignment": "a password beside its name",
    "card": "a payment card's number",
    "iban": "a bank account's number",
    "wallet": "a wallet's address",
    "wallet_bech32": "a wallet's address",
    "wallet_hex": "a wallet's address",
    "email": "a mail address",
    "phone": "a telephone number",
    "phone_us": "a telephone number",
    "ssn": "a social security number",
    "ssn_named": "a social security number",
    "nino": "a national insurance number",
    "passport_zone": "a passport's machine-readable lines",
    "host_blob": "a host name that holds encoded text",
    "pem_body": "a private key",
    "putty_key": "a private key",
    "secret_run": "a long secret",
    "aws_bedrock_key": "a cloud API key",
    "chat_hook": "a chat service's secret address",
    "discord_token": "a chat service's token",
    "model_key": "a model vendor's API key",
    "mail_key": "a mail service's key",
    "azure_secret": "a cloud secret key",
    "service_token": "a service's token",
    "payment_key": "a payment service's key",
    "signed_address": "an address with a signature that opens it",
    "connection_string": "a database's address with its password",
    "env_secret": "a secret beside its variable's name",
    "seed_phrase": "the words that open a wallet",
    "card_spaced": "a payment card's number",
    "extended_key": "a wallet's key",
    "phone_named": "a telephone number",
    "itin": "a tax payer's number",
    "passport_named": "a passport's number",
    "licence_named": "a driving licence's number",
    "birth_date": "a date of birth",
    "inner_host": "a host of a private network",
    "path_blob": "a path that holds encoded text",
    "inner_scheme": "an address that is not of the web",
    "layered_percent": "an address that is encoded several times over",
    "unread_frame": "a part that no check can read",
}
_COMMANDS: Final = frozenset(
    [
        "chat_control", "covert_order", "credential_file", "forced_removal", "handover", "override", "reverse_shell",
        "role_header", "secret_variable", "shell_disguise", "shell_pipe", "shell_substitution", "shell_upload",
        "tool_shadow", "unrestricted",
    ]
)  # fmt: skip
"""Orders to an agent or a shell, in place of a question."""

_FIXED: Final[Mapping[str, RuleWords]] = {
    "provenance.word": RuleWords(
        "A rare word of the memo that no public page of this session has shown.",
        ("Ask without the word.", _PUBLIC_TERM, _SHOWN_FIRST),
        "provenance",
    ),
    "provenance.number": RuleWords(
        "A figure of the memo that no public page of this session has shown.",
        ("Ask without the figure.", _PUBLIC_TERM, _SHOWN_FIRST),
        "provenance",
    ),
    "provenance.blob": RuleWords(
        "A long token that no word, number or product code looks like, and that no public page explains.",
        ("Ask without it, or in plain words: it may be something encoded.",),
        "provenance",
    ),
    "provenance.script": RuleWords(
        "Text in a script that no search query is written in, or a long row of pictures.",
        ("Ask in plain words: such text may be something encoded.",),
        "provenance",
    ),
    "shape.empty": RuleWords("The query was empty.", ("Ask a question with words in it.",)),
    "shape.length": RuleWords(
        "The query was longer than the policy allows.", ("Ask for one figure at a time.",), "query.max_chars"
    ),
    "shape.size": RuleWords("The request was larger than the policy allows.", (_WAIT,), "budgets.bytes"),
    "shape.utf8": RuleWords("The query was not text in UTF-8.", (_WAIT,)),
    "shape.control": RuleWords("The query held control characters, which nobody types.", (_WAIT,)),
    "shape.hidden": RuleWords(
        "The query held characters that take no room on a screen: something can be hidden in them.", (_WAIT,)
    ),
    "shape.whitespace": RuleWords(
        "The query held many odd spaces: something can be written with them.", (_WAIT,)
    ),
    "shape.url": RuleWords("The address was not one that every program reads the same way.", (_WAIT,)),
    "shape.json": RuleWords("The body was not JSON that every program reads the same way.", (_WAIT,)),
    "shape.multipart": RuleWords("The body's parts were not closed as they should be.", (_WAIT,)),
    "destination.source": RuleWords(
        "The policy does not let queries go to this search source.", (_OPERATOR,), "sources"
    ),
    "destination.scheme": RuleWords(
        "The policy does not let pages be fetched in this way.", (_OPERATOR,), "destinations.schemes"
    ),
    "destination.address": RuleWords(
        "The address was a number instead of a name: it may point into a private network.", (_WAIT,)
    ),
    "destination.host": RuleWords(
        "The policy does not let anything go to this host.", (_OPERATOR,), "destinations.hosts"
    ),
    "destination.userinfo": RuleWords("The address held a user's name or a password.", (_WAIT,)),
    "url.length": RuleWords("The address was longer than any that is asked.", (_WAIT,)),
    "url.characters": RuleWords("The address held characters that no address may hold.", (_WAIT,)),
    "url.form": RuleWords("The address was none.", (_WAIT,)),
    "url.scheme": RuleWords(
        "The policy does not let pages be fetched in this way, or an encrypted page led on to an open one.",
        (_OPERATOR,),
        "destinations.schemes",
    ),
    "url.userinfo": RuleWords("The address held a user's name or a password.", (_WAIT,)),
    "url.address": RuleWords(
        "The address was a number instead of a name: it may point into a private network.", (_WAIT,)
    ),
    "url.port": RuleWords("The address named a port that pages are not asked at.", (_WAIT,)),
    "url.host_characters": RuleWords("The host's name was not one of letters, digits and hyphens.", (_WAIT,)),
    "url.host_single": RuleWords("The host had a name of a local network.", (_WAIT,)),
    "url.host_reserved": RuleWords("The host had a name of a local network.", (_WAIT,)),
    "url.host_not_listed": RuleWords(
        "The policy does not let anything go to this host.", (_OPERATOR,), "destinations.hosts"
    ),
    "unreadable.encoding": RuleWords(
        "The request was packed or encoded in a way that could not be read.", (_WAIT,)
    ),
    "unreadable.content_type": RuleWords("The body was of a kind that the checks do not read.", (_WAIT,)),
    "unreadable.compressed": RuleWords(
        "The request held compressed data that could not be unpacked.", (_WAIT,)
    ),
    "unreadable.depth": RuleWords(
        "The request was encoded more times over than the checks unpack.", (_WAIT,)
    ),
    "unreadable.budget": RuleWords(
        "Reading the request completely would have cost more than is allowed; what is not read does not leave.",
        ("Ask something shorter, in plain words.",),
    ),
    "budget.attempts": RuleWords(
        "The session has tried as often as it may; refused attempts count too.",
        ("Ask again in a new run.", _OPERATOR),
        "budgets.attempts",
    ),
    "budget.query": RuleWords(
        "The session has used up its searches.", ("Ask again in a new run.", _OPERATOR), "budgets.queries"
    ),
    "budget.url": RuleWords(
        "The session has used up its pages.", ("Ask again in a new run.", _OPERATOR), "budgets.pages"
    ),
    "budget.body": RuleWords(
        "The session has used up its calls of the model.",
        ("Ask again in a new run.", _OPERATOR),
        "budgets.model_calls",
    ),
    "budget.tokens": RuleWords(
        "The session has used up its tokens of the model.",
        ("Ask again in a new run.", _OPERATOR),
        "budgets.tokens",
    ),
    "budget.dollars": RuleWords(
        "What the model could answer may cost more than the session has left.",
        ("Ask again in a new run.", _OPERATOR),
        "budgets.dollars",
    ),
    "budget.price": RuleWords(
        "The policy has no price for the model, so that its cost cannot be bounded.",
        (_OPERATOR,),
        "prices.models",
    ),
    "budget.bytes": RuleWords(
        "The session has sent as much as it may.", ("Ask again in a new run.", _OPERATOR), "budgets.bytes"
    ),
}

UNKNOWN: Final = RuleWords(
    "A rule that this console has no words for: gate and console may be of different versions.", (_OPERATOR,)
)


def kind_words(rule: str) -> str:
    """What sort of value a rule is about: "code name" for "secret.code.base64"."""
    parts = rule.removeprefix("public.").split(".")
    return _KINDS.get(parts[0] if parts[0] == "canary" else parts[1] if len(parts) > 1 else "", "value")


def words_elsewhere(rule: str) -> RuleWords:
    """The words of a rule that found a value of another open case of the same tenant."""
    return RuleWords(
        f"A confirmed {kind_words(rule)} of another open case of your organisation was in the request. Whose, and"
        " where it stands, is not said.",
        ("Ask with other words: what another team keeps secret does not leave under your case either.",),
        "verdicts.canary" if rule.startswith("canary") else "verdicts.secret",
    )


def rule_words(rule: str, family: str = "", *, alone: bool = False) -> RuleWords:
    """The words of a rule, as the gate found it in a family; without one, those of the rule alone.

    alone: no earlier request took part.
    """
    head, _, rest = rule.partition(".")
    kind = kind_words(rule)
    if head == "canary":
        return RuleWords(
            "A canary that was planted in the memo was in the request: something copies the memo.",
            ("Do not send it. Find out what copied it: a canary has no use anywhere else.",),
            "verdicts.canary",
        )
    if head == "secret" and family == "uncertain":
        return RuleWords(
            f"It may be a confirmed {kind} of the case: it is short, ordinary or misspelled, and nothing else in the"
            " session points to it.",
            (_REPHRASE, _TAKE_OUT),
            "verdicts.uncertain",
        )
    if head == "secret":
        return RuleWords(
            f"A confirmed {kind} of the case was in the request.", (_REPHRASE, _TAKE_OUT), "verdicts.secret"
        )
    if head == "split" and alone:
        return RuleWords(
            f"A confirmed {kind} of the case comes together out of pieces of the request.",
            (_REPHRASE, _TAKE_OUT),
            "verdicts.split",
        )
    if head == "split":
        return RuleWords(
            f"A confirmed {kind} of the case comes together out of several requests of the session.",
            (_REPHRASE, "Ask again in a new run, which begins without the earlier requests."),
            "verdicts.split",
        )
    if head == "pattern" and rest in _COMMANDS:
        return RuleWords(
            f"Something of the form of an order to an agent or a shell ({rest}) was in the request.",
            ("Ask a question: a search query gives no orders.",),
            "patterns",
        )
    if head == "pattern":
        # A national number says by its rule's name whose it is.
        form = _PATTERNS.get(rest, f"a personal number or a secret ({rest})")
        return RuleWords(f"Something of the form of {form} was in the request.", (_FORM,), "patterns")
    return _FIXED.get(rule, UNKNOWN)
