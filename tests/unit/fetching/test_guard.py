"""The URL guard: cases, and what holds of every text."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import os
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from doublethink_gate.check_url_command import Case, TableError, judge, main, read_cases
from doublethink_gate.fetching import FetchRules, UrlRefused, judge_url
from doublethink_gate.fetching.addresses import judge_address
from doublethink_gate.fetching.rules import Bounds
from hypothesis import given
from hypothesis import strategies as st

HERE = Path(__file__).parent
RULES = FetchRules(("press.example", "*.wide.example", ".deep.example"), bounds=Bounds(resolve_s=0.01))
OWN = read_cases(HERE / "urls.tsv")
GIVEN = Path(os.environ.get("DOUBLETHINK_CASES", HERE.parents[3] / "shared" / "cases")) / "ssrf-urls.tsv"


@pytest.mark.parametrize("case", OWN, ids=[f"{case.url[:40]!r}-{case.why[:30]}" for case in OWN])
def test_each_case_has_its_verdict(case: Case) -> None:
    """Names, ports, spellings of addresses, what a name stands for, redirects."""
    assert asyncio.run(judge(case, RULES))[0] == case.expected, case.why


def test_the_given_cases_have_their_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    """Those that others wrote, where they are on this machine."""
    if not GIVEN.exists():
        pytest.skip("NOT RUN: there is no ssrf-urls.tsv; set DOUBLETHINK_CASES to the folder of test data")
    hosts = ("allowed.example", "*.allowed.example", "*.wild.example", "xn--mnchen-3ya.example")
    allowed = [word for host in hosts for word in ("--allow", host)]
    assert main([*allowed, "--cases", str(GIVEN)]) == 0, capsys.readouterr().out


def test_what_a_nat64_address_carries_decides_where_that_is_set() -> None:
    """Off, it is refused by the setting's name; on, by what is in it."""
    public, inner = ipaddress.ip_address("64:ff9b::5db8:d70e"), ipaddress.ip_address("64:ff9b::a9fe:a9fe")
    with pytest.raises(UrlRefused) as refused:
        judge_address(public)
    assert refused.value.setting == "destinations.nat64"
    judge_address(public, nat64=True)
    with pytest.raises(UrlRefused, match=r"address\.link_local"):
        judge_address(inner, nat64=True)


@given(st.one_of(st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address), st.ip_addresses(v=6)))
def test_no_address_passes_that_the_standard_library_calls_local(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    """Whatever is private, loopback, link-local, multicast or reserved there is refused here too."""
    try:
        judge_address(address)
    except UrlRefused:
        return
    assert address.is_global
    local = address.is_private, address.is_multicast, address.is_reserved, address.is_loopback
    assert not any(local)


_PIECES = st.sampled_from(
    [
        *(
            "https://",
            "http://",
            "//",
            "/",
            "\\",
            "@",
            ":",
            "#",
            "?",
            "%2e",
            "%00",
            "\t",
            "\r\n",
            " ",
            "[",
            "]",
            ".",
        ),
        *(
            "press.example",
            "a.wide.example",
            "10.0.0.1",
            "[::1]",
            "localhost",
            "evil.example",
            "443",
            "0x7f",
            "。",
        ),
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=10).map("".join)))
def test_what_passes_is_read_alike_by_others(text: str) -> None:
    """Two other parsers find the host in it that was judged."""
    try:
        target = judge_url(text, RULES)
    except UrlRefused:
        return
    assert RULES.lists(target.host)
    for url in (text, target.url):
        assert urlsplit(url).hostname == target.host
        assert httpx.URL(url).host == target.host
    assert target.port == 443
    assert target.url.isascii()
    assert judge_url(target.url, RULES) == target


@pytest.mark.parametrize(
    "case", [case for case in OWN if case.expected == "deny"], ids=lambda case: case.url[:40]
)
def test_a_refusal_says_what_governs_it_and_never_the_url(case: Case) -> None:
    """A URL may hold what must not stand in a log."""
    with contextlib.suppress(UrlRefused):
        judge_url(case.url, RULES)
        return
    with pytest.raises(UrlRefused) as refused:
        judge_url(case.url, RULES)
    assert refused.value.setting in str(refused.value)
    assert case.url not in str(refused.value)


def test_who_sent_a_reader_is_not_passed_on() -> None:
    """Tracking parameters go, the others stay as they were written, and a path is escaped as UTF-8."""
    url = "https://press.example/ä?utm_source=x&id=7&gclid=1&q=%C3%A4+b"
    assert judge_url(url, RULES).url == "https://press.example/%C3%A4?id=7&q=%C3%A4+b"
    assert judge_url("https://press.example/?utm_medium=x", RULES).url == "https://press.example/"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "first line"),
        ("url\texpected\twhy\nx\tmaybe\ty\n", "line 2"),
        ("url\texpected\twhy\nx\n", "line 2"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_by_line(
    tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what it should be, and exit code 2."""
    table = tmp_path / "cases.tsv"
    table.write_text(text)
    with pytest.raises(TableError, match=words):
        read_cases(table)
    assert main(["--allow", "press.example", "--cases", str(table)]) == 2
    assert words in capsys.readouterr().err


def test_a_wrong_verdict_is_told_and_ends_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command can fail."""
    table = tmp_path / "cases.tsv"
    table.write_text("url\texpected\twhy\nhttps://evil.example/\tallow\tnot listed\n")
    assert main(["--allow", "press.example", "--cases", str(table)]) == 1
    assert capsys.readouterr().out == "https://evil.example/\tdeny\turl.host_not_listed\texpected allow\n"


@pytest.mark.parametrize("url", ["https://press.example/\ud800", "https://press.example/?utm_\udfff=1&a=b"])
def test_half_a_character_is_refused_like_any_other(url: str) -> None:
    """What has no encoding is no URL: the refusal has a rule, and is no fault of the guard's."""
    with pytest.raises(UrlRefused, match=r"url\.characters"):
        judge_url(url, RULES)
