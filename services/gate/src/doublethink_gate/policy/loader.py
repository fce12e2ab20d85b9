"""Read a policy file. An unknown key, a missing key or a wrong type stops the start and names its line."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path

from doublethink_gate.policy.errors import PolicyError
from doublethink_gate.policy.nodes import Section, compose
from doublethink_gate.policy.policy import (
    FAMILIES,
    PATTERN_PACKS,
    ApprovalRules,
    Budgets,
    Destinations,
    Grants,
    ModelPrice,
    Policy,
    Prices,
    ProvenanceRules,
    QueryRules,
    Retention,
    StandIns,
)
from doublethink_gate.policy.stand_ins import read_stand_ins
from doublethink_gate.policy.version import RULE_SET_VERSION

_MAX_BYTES = 64 * 1024
_SOURCES = ("corpus", "tavily", "duckduckgo", "replay")
_PROVIDERS = ("api.anthropic.com", "api.tavily.com")
"""Of a policy that names none."""
_TOKENS = 3_000_000
"""Of a policy that has no such budget."""
_COST_MICROS = 10_000_000
"""Of a policy that has no such budget: ten US dollars."""
_DAY = re.compile(r"20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])", re.ASCII)
_DOLLARS = re.compile(r"\d{1,5}(?:\.\d{1,6})?", re.ASCII)


def default_policy() -> Policy:
    """Return the shipped policy, which is strict."""
    return parse_policy(
        resources.files("doublethink_gate.policy").joinpath("default.yaml").read_text("utf-8")
    )


def load_policy(path: Path | None) -> Policy:
    """Return the policy at `path`, or the shipped one.

    Raises:
        PolicyError: names key and line.
        OSError: the file cannot be read.
    """
    if path is None:
        return default_policy()
    if path.exists() and not path.is_file():
        # A named pipe would hold the start up.
        raise PolicyError("policy", 1, "not a regular file")
    with path.open("rb") as stream:
        data = stream.read(_MAX_BYTES + 1)
    if len(data) > _MAX_BYTES:
        raise PolicyError("policy", 1, f"larger than {_MAX_BYTES} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise PolicyError("policy", 1, "not UTF-8") from None
    return parse_policy(text)


def parse_policy(text: str) -> Policy:
    """Turn the text of a policy file into a `Policy`; raises `PolicyError`."""
    root = Section(compose(text), "policy")
    destinations = root.section("destinations")
    budgets = root.section("budgets")
    query = root.section("query")
    verdicts = root.section("verdicts")
    provenance = root.section("provenance")
    retention = root.section("retention")
    policy = Policy(
        sources=root.names("sources", _SOURCES),
        providers=_lower(root.texts("providers")) if root.has("providers") else _PROVIDERS,
        destinations=Destinations(
            hosts=_lower(destinations.texts("hosts")),
            schemes=destinations.names("schemes", ("https", "http")),
            nat64=destinations.flag("nat64") if destinations.has("nat64") else False,
        ),
        budgets=Budgets(
            queries=budgets.number("queries"),
            pages=budgets.number("pages"),
            model_calls=budgets.number("model_calls"),
            bytes=budgets.number("bytes"),
            tokens=budgets.number("tokens") if budgets.has("tokens") else _TOKENS,
            cost_micros=_micros(budgets, "dollars", "US dollars, such as 10 or 0.25")
            if budgets.has("dollars")
            else _COST_MICROS,
            attempts=budgets.number("attempts"),
            seconds=budgets.number("seconds"),
        ),
        query=QueryRules(max_chars=query.number("max_chars")),
        verdicts=_verdicts(verdicts),
        patterns=root.names("patterns", PATTERN_PACKS),
        provenance=ProvenanceRules(
            enabled=provenance.flag("enabled"), trusted_hosts=_lower(provenance.texts("trusted_hosts"))
        ),
        approval=_approval(root),
        retention=Retention(
            pages_days=retention.number("pages_days"),
            pack_minutes=retention.number("pack_minutes"),
            payloads_days=retention.number("payloads_days") if retention.has("payloads_days") else None,
        ),
        grants=_grants(root),
        prices=_prices(root),
        stand_ins=StandIns(*read_stand_ins(root)),
        digest=b"",
    )
    for section in (root, destinations, budgets, query, verdicts, provenance, retention):
        section.nothing_else()
    return _with_digest(policy)


def _verdicts(section: Section) -> tuple[tuple[str, str], ...]:
    """Every family's verdict, and those of the packs of patterns that have one of their own."""
    families = [(family, section.choice(family, allowed)) for family, allowed in FAMILIES.items()]
    packs = [(pack, section.choice(pack, FAMILIES["pattern"])) for pack in PATTERN_PACKS if section.has(pack)]
    return (*families, *packs)


def _approval(root: Section) -> ApprovalRules:
    """How long a held search waits; in a policy from before there were approvals it does not."""
    if not root.has("approval"):
        return ApprovalRules(0)
    section = root.section("approval")
    rules = ApprovalRules(section.number("seconds"))
    section.nothing_else()
    return rules


def _grants(root: Section) -> Grants:
    """What a policy grants; one from before there were grants reads the log and opens nothing."""
    if not root.has("grants"):
        return Grants(read_log=True, open_payloads=False)
    section = root.section("grants")
    grants = Grants(read_log=section.flag("read_log"), open_payloads=section.flag("open_payloads"))
    section.nothing_else()
    return grants


def _prices(root: Section) -> Prices:
    """The table of prices; without one no model is used, since nobody could keep the budget of dollars."""
    if not root.has("prices"):
        return Prices("", ())
    section = root.section("prices")
    as_of = section.text("as_of", _DAY, "a day as YYYY-MM-DD")
    models = section.section("models")
    table = tuple(_price(name, models.section(name)) for name in models.keys())  # noqa: SIM118 - no mapping
    section.nothing_else()
    return Prices(as_of, table)


def _price(model: str, section: Section) -> ModelPrice:
    def micros(key: str) -> int:
        return _micros(section, key, "US dollars for a million tokens, such as 0.25")

    price = ModelPrice(model, micros("input"), micros("output"), micros("cache_write"), micros("cache_read"))
    section.nothing_else()
    return price


def _micros(section: Section, key: str, form: str) -> int:
    """An amount of dollars in millionths."""
    whole, _, part = section.text(key, _DOLLARS, form).partition(".")
    return int(whole + part.ljust(6, "0"))


def _with_digest(policy: Policy) -> Policy:
    content = {name: value for name, value in asdict(policy).items() if name != "digest"}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()
    digest = hashlib.sha256(canonical + b"\nrules " + RULE_SET_VERSION.encode()).digest()
    return replace(policy, digest=digest)


def _lower(hosts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(host.lower().rstrip(".") for host in hosts)
