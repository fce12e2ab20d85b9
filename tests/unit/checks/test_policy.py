"""The policy file is strict, its digest stands for its meaning."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

import pytest
from doublethink_gate.checks.patterns import PACKS
from doublethink_gate.policy import PolicyError, default_policy, load_policy, parse_policy
from doublethink_gate.policy.__main__ import main
from doublethink_gate.policy.policy import PATTERN_PACKS
from doublethink_rpc.certificates import make_authority

TEXT = resources.files("doublethink_gate.policy").joinpath("default.yaml").read_text("utf-8")


def test_the_shipped_policy_is_strict() -> None:
    """Every family blocks, but a weak finding is asked about, and personal details are taken out; provenance is on."""
    policy = default_policy()
    assert dict(policy.verdicts) == {
        "canary": "block",
        "secret": "block",
        "uncertain": "ask",
        "split": "block",
        "pattern": "block",
        "provenance": "block",
        "unreadable": "block",
        "payment": "rewrite",
        "contact": "rewrite",
        "identity": "rewrite",
    }
    assert policy.provenance.enabled
    assert policy.destinations.schemes == ("https",)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("sources:", "source:", "policy.sources"),
        ("  max_chars: 400", "  max_chars: 400\n  min_chars: 1", "policy.query.min_chars"),
        ("  max_chars: 400", "  max_chars: many", "policy.query.max_chars"),
        ("  max_chars: 400", "  max_chars: -4", "policy.query.max_chars"),
        ("  canary: block", "  canary: perhaps", "policy.verdicts.canary"),
        ("  canary: block", "  canary: block\n  canary: ask", "policy.verdicts.canary"),
        ("  enabled: true", "  enabled: maybe", "policy.provenance.enabled"),
        (
            "[credentials, payment, contact, identity, addresses, commands]",
            "[credentials, gossip]",
            "policy.patterns",
        ),
        ("schemes: [https]", "schemes: [gopher]", "policy.destinations.schemes"),
        ("  secret: block\n", "", "policy.verdicts.secret"),
    ],
)
def test_a_mistake_is_named_with_its_line(old: str, new: str, key: str) -> None:
    """Unknown, missing, repeated and mistyped keys stop the reading and name key and line."""
    assert old in TEXT
    with pytest.raises(PolicyError) as caught:
        parse_policy(TEXT.replace(old, new))
    assert caught.value.key == key
    assert f"line {caught.value.line}:" in str(caught.value)


@pytest.mark.parametrize("family", ["secret", "pattern", "provenance"])
def test_what_has_a_place_in_the_text_may_be_rewritten(family: str) -> None:
    """Confirmed values, patterns and memo words, where a policy says so."""
    policy = parse_policy(TEXT.replace(f"  {family}: block", f"  {family}: rewrite"))
    assert policy.verdict_for(family) == "rewrite"


@pytest.mark.parametrize("family", ["canary", "split", "unreadable"])
def test_what_has_no_place_or_was_planted_is_never_rewritten(family: str) -> None:
    """A policy that says so is refused, and told what it may say."""
    with pytest.raises(PolicyError, match="must be one of block"):
        parse_policy(TEXT.replace(f"  {family}: block", f"  {family}: rewrite"))


@pytest.mark.parametrize("verdict", ["rewrite", "ask", "allow"])
def test_a_canary_always_blocks(verdict: str) -> None:
    """No policy can say anything else."""
    with pytest.raises(PolicyError, match=r"policy\.verdicts\.canary: must be one of block"):
        parse_policy(TEXT.replace("  canary: block", f"  canary: {verdict}"))


def test_a_pack_without_a_verdict_is_judged_as_patterns_are() -> None:
    """Its own verdict counts where it has one; a policy from before there were any reads as it did."""
    policy = default_policy()
    assert (policy.verdict_for("contact"), policy.verdict_for("credentials")) == ("rewrite", "block")
    older = parse_policy("".join(line for line in TEXT.splitlines(keepends=True) if ": rewrite" not in line))
    assert {older.verdict_for(pack) for pack in PATTERN_PACKS} == {"block"}
    asking = parse_policy(TEXT.replace("  pattern: block", "  pattern: ask"))
    assert (asking.verdict_for("contact"), asking.verdict_for("addresses")) == ("rewrite", "ask")


def test_the_digest_follows_the_meaning_not_the_text() -> None:
    """Comments and order change nothing; a changed budget changes the digest."""
    same = parse_policy(f"# a comment\n{TEXT}")
    other = parse_policy(TEXT.replace("queries: 40", "queries: 41"))
    assert same.digest == default_policy().digest
    assert other.digest != same.digest
    assert len(same.digest) == 32


def test_hosts_are_exact_or_below_a_dot() -> None:
    """A name is itself, a name with a leading dot is all below it, a star is everything."""
    policy = parse_policy(TEXT.replace('hosts: ["*"]', "hosts: [example.org, .example.com]"))
    assert policy.allows_host("EXAMPLE.org.")
    assert policy.allows_host("a.b.example.com")
    assert not policy.allows_host("example.com")
    assert not policy.allows_host("badexample.org")
    assert not policy.allows_host("a.example.org")
    assert policy.named_hosts == {
        "example.org", "api.anthropic.com", "api.tavily.com", "html.duckduckgo.com",
    }  # fmt: skip


def test_files_are_bounded(tmp_path: Path) -> None:
    """A file that is too large or not UTF-8 is refused; a good one is read."""
    path = tmp_path / "policy.yaml"
    path.write_text(TEXT)
    assert load_policy(path) == default_policy()
    path.write_bytes(b"\xff")
    with pytest.raises(PolicyError):
        load_policy(path)
    path.write_text("#" * 70_000)
    with pytest.raises(PolicyError):
        load_policy(path)


def test_every_named_pattern_pack_exists() -> None:
    """The names that a policy may give are the packs there are."""
    assert set(PATTERN_PACKS) == set(PACKS)


@pytest.mark.parametrize("text", ["[" * 60_000, "{a: " * 15_000, "- " * 30_000])
def test_a_policy_nested_without_end_is_refused(text: str) -> None:
    """With words, and not with a fault of the program."""
    with pytest.raises(PolicyError, match="nested"):
        parse_policy(text)


def test_a_key_with_control_characters_is_not_repeated() -> None:
    """An error reaches a terminal."""
    with pytest.raises(PolicyError, match="control characters") as caught:
        parse_policy('"a\\e[31mb": 1\n')
    assert "\x1b" not in str(caught.value)


def test_a_policy_that_is_a_pipe_holds_nothing_up(tmp_path: Path) -> None:
    """It is refused, and nobody waits for a writer."""
    os.mkfifo(tmp_path / "policy.yaml")
    with pytest.raises(PolicyError, match="regular file"):
        load_policy(tmp_path / "policy.yaml")


def test_prices_are_dated_data() -> None:
    """Dollars become exact millionths; a table without a day, or a price that is none, names its line."""
    policy = parse_policy(TEXT)
    price = policy.prices.of("claude-sonnet-4-5")
    assert price is not None
    assert (price.input, price.output, price.cache_write, price.cache_read) == (
        3_000_000, 15_000_000, 3_750_000, 300_000,
    )  # fmt: skip
    assert policy.prices.of("claude-unheard-of") is None
    assert policy.prices.as_of
    for wrong, key in (
        (TEXT.replace("input: 3,", "input: -3,", 1), "policy.prices.models.claude-sonnet-4-6.input"),
        (TEXT.replace("input: 3,", "input: 1e3,", 1), "policy.prices.models.claude-sonnet-4-6.input"),
        (TEXT.replace("input: 3,", "input: 3, batch: 1,", 1), "policy.prices.models.claude-sonnet-4-6.batch"),
        (TEXT.replace("as_of: 2026", "as_of: 26", 1), "policy.prices.as_of"),
        (TEXT.replace("  as_of:", "  until:", 1), "policy.prices.as_of"),
    ):
        with pytest.raises(PolicyError, match=key):
            parse_policy(wrong)


def test_prices_and_providers_are_in_the_digest() -> None:
    """Whoever knows a row's policy digest knows the table by which its cost was worked out."""
    digest = parse_policy(TEXT).digest
    assert parse_policy(TEXT.replace("input: 3,", "input: 4,", 1)).digest != digest
    assert (
        parse_policy(TEXT.replace("[api.anthropic.com, api.tavily.com, ", "[api.tavily.com, ")).digest
        != digest
    )


def test_a_policy_from_before_has_the_strict_defaults() -> None:
    """Without its new keys a policy names the two vendors, bounds tokens and dollars, and has no prices."""
    lines = TEXT[: TEXT.index("\n# What the vendor")].split("\n")
    old = "\n".join(line for line in lines if not line.startswith(("providers:", "  tokens:", "  dollars:")))
    policy = parse_policy(old)
    assert policy.providers == ("api.anthropic.com", "api.tavily.com")
    assert policy.budgets.tokens == 3_000_000
    assert policy.budgets.cost_micros == 10_000_000
    assert policy.prices.models == ()


@pytest.mark.parametrize(("written", "micros"), [("10", 10_000_000), ("0.25", 250_000), ("0", 0)])
def test_a_budget_of_dollars_is_an_amount(written: str, micros: int) -> None:
    """Whole dollars and parts, exactly."""
    policy = parse_policy(TEXT.replace("  dollars: 10", f"  dollars: {written}"))
    assert policy.budgets.cost_micros == micros


@pytest.mark.parametrize("written", ["ten", "-1", "1e3", "0.0000001", "'$5'"])
def test_a_budget_of_dollars_that_is_none_is_refused(written: str) -> None:
    """With its line."""
    with pytest.raises(PolicyError, match="dollars"):
        parse_policy(TEXT.replace("  dollars: 10", f"  dollars: {written}"))


def test_a_price_is_told_and_a_missing_one_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """What a model may cost stands in a line; of a model without a price the line says what to add."""
    assert main(["price", "claude-haiku-4-5"]) == 0
    assert capsys.readouterr().out == (
        "$1 in and $5 out a million tokens as of 2026-12-01, at most $10 a session\n"
    )
    file = tmp_path / "policy.yaml"
    file.write_text(
        TEXT.replace("  dollars: 10", "  dollars: 0.5").replace("claude-opus-5:", "claude-next-9:")
    )
    assert main(["price", "claude-next-9", "--policy", str(file)]) == 0
    assert "at most $0.5 a session" in capsys.readouterr().out
    assert main(["price", "claude-opus-5", "--policy", str(file)]) == 2
    said = capsys.readouterr()
    assert (said.out, "prices.models" in said.err, said.err.count("\n")) == ("", True, 1)


def test_the_most_that_tokens_can_cost_takes_the_dearest_input() -> None:
    """An input may be billed as a write into the cache, which is dearer than plain input; rounded up."""
    price = default_policy().prices.of("claude-sonnet-5-5")
    assert price is not None
    assert price.at_most(1000, 100) == 2500 + 1000
    assert price.at_most(1, 0) == 3


def test_providers_are_named_hosts_or_this_machine() -> None:
    """No star and no domain: a provider is one host by its name, or a loopback address."""
    policy = parse_policy(TEXT)
    for host in ("api.anthropic.com", "API.tavily.com.", "127.0.0.1", "::1"):
        assert policy.allows_provider(host)
    for host in (
        "api.anthropic.com.example.org",
        "anthropic.com",
        "10.0.0.1",
        "localhost",
        "192.168.1.1",
        "",
    ):
        assert not policy.allows_provider(host)


_AUTHORITY = make_authority().certificate.decode()
_PLACED = 'stand_ins:\n  hosts: ["a.example=127.0.0.1:8443", "b.example=[::1]:443"]\n'


def test_placed_hosts_are_part_of_the_policy_and_said() -> None:
    """Whoever knows a row's policy digest knows where its requests went."""
    policy = parse_policy(TEXT + _PLACED)
    assert policy.stand_ins.hosts == (("a.example", "127.0.0.1", 8443), ("b.example", "::1", 443))
    assert policy.digest != parse_policy(TEXT).digest
    assert policy.digest != parse_policy(TEXT + _PLACED.replace("8443", "8444")).digest
    assert policy.stand_ins.words()[0] == "stand-in: a.example is dialled at 127.0.0.1 port 8443"
    indented = "".join(f"    {line}\n" for line in _AUTHORITY.splitlines())
    believing = parse_policy(f"{TEXT}{_PLACED}  authority: |\n{indented}")
    assert believing.digest != policy.digest
    assert "no other" in believing.stand_ins.words()[-1]
    assert parse_policy(TEXT).stand_ins.words() == ()


@pytest.mark.parametrize(
    "entry",
    ["a.example", "a.example=localhost:1", "a.example=127.0.0.1", "a.example=127.0.0.1:0", "a.example=::1:443",
     "a.example=1.2.3:4", "A.example=127.0.0.1:1", "a.example=127.0.0.1:65536"],
)  # fmt: skip
def test_a_placed_host_that_is_none_names_its_key(entry: str) -> None:
    """Name, address and port, and each name once."""
    for text in (
        f'stand_ins:\n  hosts: ["{entry}"]\n',
        _PLACED.replace("b.example=[::1]", "a.example=1.2.3.4"),
    ):
        with pytest.raises(PolicyError, match=r"policy\.stand_ins\.hosts"):
            parse_policy(TEXT + text)
    with pytest.raises(PolicyError, match=r"policy\.stand_ins\.authority"):
        parse_policy(TEXT + _PLACED + "  authority: none\n")


def test_nat64_is_off_unless_it_is_said() -> None:
    """A policy from before has none."""
    assert not parse_policy(TEXT.replace("  nat64: false\n", "")).destinations.nat64
    assert parse_policy(TEXT.replace("nat64: false", "nat64: true")).destinations.nat64
