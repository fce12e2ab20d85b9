"""The case file is read strictly, and no error repeats what it holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from doublethink_casefile import (
    CaseError,
    CaseFileError,
    CaseSyntaxError,
    MemoFileError,
    load_case,
    parse_case,
)
from hypothesis import given, settings
from hypothesis import strategies as st

GOOD = """\
title: Project Harrowgate
memo: |
  The buyer Ostrava Kilns offers 31 francs per share.
secrets:
  - {class: code, value: Harrowgate, aliases: [Harrow Gate]}
  - {class: date, value: 1999-01-02}
  - {class: number, value: 4200000000}
public_terms: [kiln makers]
canaries: [abcdefgh23456789]
"""


def test_a_good_case_is_read_as_written() -> None:
    """Values stay text: a date is no date object, a number keeps its digits; the canary is in the memo."""
    case = parse_case(GOOD)
    assert [secret.value for secret in case.secrets] == ["Harrowgate", "1999-01-02", "4200000000"]
    assert case.secrets[0].spellings == ("Harrowgate", "Harrow Gate")
    assert case.public_terms == ("kiln makers",)
    assert "abcdefgh23456789" in case.memo


@pytest.mark.parametrize(
    ("change", "key", "line"),
    [
        (("public_terms:", "public_words:"), "public_words", 8),
        (("aliases:", "alias:"), "secrets[0].alias", 5),
        (("canaries: [abcdefgh23456789]", "title: twice"), "title", 9),
        (("class: code", "class: secretive"), "secrets[0].class", 5),
        (("value: Harrowgate, ", ""), "secrets[0].value", 5),
        (("value: 1999-01-02", "value:"), "secrets[1].value", 6),
        (("value: 1999-01-02", "value: true"), "secrets[1].value", 6),
        (("value: 1999-01-02", "value: [a]"), "secrets[1].value", 6),
        (("public_terms: [kiln makers]", "public_terms: kiln"), "public_terms", 8),
        (("[abcdefgh23456789]", "[short]"), "canaries[0]", 9),
        (("title: Project Harrowgate\n", ""), "title", 1),
    ],
)
def test_what_is_wrong_is_named_with_its_line(change: tuple[str, str], key: str, line: int) -> None:
    """Unknown, repeated, missing and mistyped keys are errors that name key and line."""
    with pytest.raises(CaseSyntaxError) as caught:
        parse_case(GOOD.replace(*change))
    assert key in caught.value.key
    assert caught.value.line == line
    assert "Harrowgate" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "[]", "a: b: c", "x", "- a", "\x00", "title: {", "&a [*a]"])
def test_what_is_no_case_is_refused(text: str) -> None:
    """Anything that is not a mapping of the known keys is a syntax error."""
    with pytest.raises(CaseSyntaxError):
        parse_case(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_no_text_makes_the_reader_fail_otherwise(text: str) -> None:
    """Whatever the file holds, the answer is a case or a case error."""
    try:
        parse_case(text)
    except CaseError:
        pass
    else:
        pytest.fail("random text was taken for a case")


def test_bounds_are_errors_not_cuts() -> None:
    """Too many secrets or a value too long stop the reading."""
    many = "\n".join("  - {class: code, value: Harrowgate}" for _ in range(501))
    with pytest.raises(CaseSyntaxError, match="500"):
        parse_case(f"title: x\nmemo: y\nsecrets:\n{many}\n")
    with pytest.raises(CaseSyntaxError, match="300"):
        parse_case(f"title: x\nmemo: y\nsecrets:\n  - {{class: code, value: {'h' * 301}}}\n")


def test_a_canary_is_planted_at_random() -> None:
    """Without canaries two readings of one file hold different ones, each in its memo."""
    text = GOOD.replace("canaries: [abcdefgh23456789]\n", "")
    first, second = parse_case(text), parse_case(text)
    assert first.canaries != second.canaries
    assert first.canaries[0] in first.memo


def test_values_stay_out_of_repr() -> None:
    """A printed case shows no memo, no value and no canary."""
    shown = repr(parse_case(GOOD))
    for text in ("Harrowgate", "Ostrava", "1999-01-02", "abcdefgh23456789"):
        assert text not in shown


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a case that points to memo.md."""
    text = GOOD.replace(
        "memo: |\n  The buyer Ostrava Kilns offers 31 francs per share.\n", "memo_file: memo.md\n"
    )
    (tmp_path / "case.yaml").write_text(text)
    return tmp_path


def test_a_memo_beside_the_case_is_read(folder: Path) -> None:
    """memo_file is relative to the case file."""
    (folder / "memo.md").write_text("The memo of Harrowgate.\n")
    assert load_case(folder / "case.yaml").memo.startswith("The memo of Harrowgate.")


@pytest.mark.parametrize(
    "kind", ["missing", "link", "pipe", "folder", "large", "binary", "outside", "absolute"]
)
def test_a_memo_must_be_a_regular_file_in_the_folder(folder: Path, kind: str) -> None:
    """Links, pipes, folders, files elsewhere, too large or not text are refused."""
    memo = folder / "memo.md"
    if kind == "link":
        (folder / "real.md").write_text("x")
        memo.symlink_to(folder / "real.md")
    elif kind == "pipe":
        os.mkfifo(memo)
    elif kind == "folder":
        memo.mkdir()
    elif kind == "large":
        memo.write_bytes(b"x" * (256 * 1024 + 1))
    elif kind == "binary":
        memo.write_bytes(b"\xff\xfe")
    elif kind in ("outside", "absolute"):
        (folder.parent / "memo.md").write_text("x")
        name = "../memo.md" if kind == "outside" else str(folder.parent / "memo.md")
        case = folder / "case.yaml"
        case.write_text(case.read_text().replace("memo_file: memo.md", f"memo_file: {name}"))
    with pytest.raises(MemoFileError):
        load_case(folder / "case.yaml")


def test_a_missing_case_says_so(tmp_path: Path) -> None:
    """A file that is not there is a case file error."""
    with pytest.raises(CaseFileError, match="cannot be opened"):
        load_case(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "title: " + "{a: " * 50_000,
        "\n".join(" " * depth + "- " for depth in range(1_000)),
        "- " * 100_000,
        GOOD + "public_terms: [" + "a," * 100_000 + "]\n",
        "a0: &a0 x\n"
        + "\n".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
        + "\n"
        + "x: [" * 9,
    ],
    ids=["lists", "maps", "blocks", "dashes", "wide", "aliases"],
)
def test_a_case_of_too_many_or_too_deep_nodes_is_refused_early(text: str) -> None:
    """Neither the depth nor the number of its nodes costs more than the bound: no recursion, no long wait."""
    with pytest.raises(CaseSyntaxError, match="than a case can be"):
        parse_case(text)


def test_a_case_with_every_list_at_its_bound_is_read() -> None:
    """The bound on nodes refuses nothing that the other bounds let through."""
    aliases = ", ".join(f"alias {n}" for n in range(20))
    secrets = "".join(f"  - {{class: phrase, value: phrase {n}, aliases: [{aliases}]}}\n" for n in range(500))
    terms = ", ".join(f"term {n}" for n in range(200))
    case = parse_case(f"title: t\nmemo: m\nsecrets:\n{secrets}public_terms: [{terms}]\n")
    assert (len(case.secrets), len(case.public_terms)) == (500, 200)


@pytest.mark.parametrize("escape", ["\\0", "\\e", "\\x07", "\\x9b", "\\uD800", "\\x7f"])
@pytest.mark.parametrize("key", ["title", "value", "terms", "memo"])
def test_what_is_no_text_is_refused(escape: str, key: str) -> None:
    """Zero bytes and halves of characters nowhere; control characters in no title, value or term."""
    values = {"title": "t", "value": "v", "terms": "p", "memo": "m"}
    values[key] = f"a{escape}b"
    text = (
        f'title: "{values["title"]}"\nmemo: "{values["memo"]}"\n'
        f'secrets: [{{class: phrase, value: "{values["value"]}"}}]\npublic_terms: ["{values["terms"]}"]\n'
    )
    if key == "memo" and escape not in ("\\0", "\\uD800"):
        # A memo may come from a file with marks of its own; nothing prints it or sends it.
        assert parse_case(text).memo.startswith("a")
        return
    with pytest.raises(CaseSyntaxError, match="control characters"):
        parse_case(text)


def test_a_memo_file_with_zero_bytes_is_refused(tmp_path: Path) -> None:
    """It is no plain text."""
    (tmp_path / "memo.md").write_bytes(b"a\0b")
    (tmp_path / "case.yaml").write_text("title: t\nmemo_file: memo.md\nsecrets: []\n")
    with pytest.raises(MemoFileError, match="plain text"):
        load_case(tmp_path / "case.yaml")
