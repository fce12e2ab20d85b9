"""A pack recognises its secrets, holds none of them, and its bytes are strict."""

from __future__ import annotations

import base64
import weakref
from dataclasses import dataclass

import pytest
from doublethink_fingerprint import (
    BuildError,
    Pack,
    PackFormatError,
    TooShort,
    build_pack,
    decode_pack,
    encode_pack,
    matcher_of,
)
from hypothesis import given, settings
from hypothesis import strategies as st


@dataclass(frozen=True)
class _Secret:
    secret_class: str
    value: str
    aliases: tuple[str, ...] = ()

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.value, *self.aliases)


SECRETS = [
    _Secret("code", "Quillfeather", ("Quill Feather",)),
    _Secret("name", "Radomir Ostrowski"),
    _Secret("number", "7.25bn CHF"),
    _Secret("date", "1984-11-30"),
    _Secret("id", "NL91ABNA0417164300"),
    _Secret("phrase", "sell before the solstice"),
]
MEMO = "The bidder Vandermeulen met Radomir Ostrowski. The figure of 48.213 was named by Przybylski."
CANARY = "zxcvbnm23456789qwrtp"


def _pack() -> Pack:
    return build_pack(SECRETS, canaries=[CANARY], memo=MEMO, public_terms=["Przybylski Works"])


def test_a_pack_survives_its_bytes() -> None:
    """Encoding and decoding give an equal pack, and equal packs give equal bytes."""
    pack = _pack()
    data = encode_pack(pack)
    assert decode_pack(data) == pack
    assert encode_pack(decode_pack(data)) == data


def test_a_pack_goes_when_nobody_holds_it() -> None:
    """What was made for look-ups in a pack does not keep it: it is gone with the last one who held it."""
    pack = _pack()
    matcher = matcher_of(pack)
    assert matcher_of(pack) is matcher
    held, made = weakref.ref(pack), weakref.ref(matcher)
    del pack, matcher
    assert (held(), made()) == (None, None)


def test_equal_packs_are_looked_up_apart() -> None:
    """Two packs of equal bytes each have a matcher, and one of them may go while the other stays."""
    one = _pack()
    other = decode_pack(encode_pack(one))
    kept = matcher_of(other)
    assert matcher_of(one) is not kept
    del one
    assert matcher_of(other) is kept


def test_no_secret_is_in_the_bytes() -> None:
    """Neither a value, nor a word of one or of the memo, is in the bytes in any simple encoding."""
    data = encode_pack(_pack())
    lowered = data.lower()
    words = [
        "quillfeather",
        "feather",
        "ostrowski",
        "radomir",
        "solstice",
        "vandermeulen",
        "przybylski",
        CANARY,
    ]
    words += ["7.25", "7250000000", "19841130", "30111984", "nl91abna0417164300", "0417164300", "48213"]
    for word in words:
        for shape in (word, word[::-1], word.upper()):
            raw = shape.encode()
            for form in (raw, raw.hex().encode(), base64.b64encode(raw)[:-4], shape.encode("utf-16-le")):
                assert form.lower() not in lowered
            assert shape.encode("utf-32-le") not in data


def test_two_packs_of_one_case_share_nothing() -> None:
    """Every session has a key of its own, so that digests of two packs cannot be compared."""
    first, second = _pack(), _pack()
    assert first.key != second.key
    assert not {w.digest for w in first.windows} & {w.digest for w in second.windows}
    assert not first.memo_words & second.memo_words


def test_the_key_stays_out_of_repr() -> None:
    """A printed pack shows neither key nor digests."""
    pack = _pack()
    assert repr(pack.key) not in repr(pack)
    assert "digest" not in repr(pack)


def test_a_public_term_is_no_memo_word() -> None:
    """A name that a person allowed to be searched is not kept as a rare memo word."""
    with_term, without = _pack(), build_pack(SECRETS, memo=MEMO)
    assert len(without.memo_words) == len(with_term.memo_words) + 1


@pytest.mark.parametrize(
    ("secret_class", "value"),
    [("code", "Xy"), ("number", "42"), ("number", "2027"), ("name", "A"), ("id", "12"), ("phrase", "--")],
)
def test_what_says_too_little_is_refused_by_place(secret_class: str, value: str) -> None:
    """A value of two letters or two digits, or a bare year, asks for its phrase and is not repeated."""
    with pytest.raises(TooShort) as caught:
        build_pack([SECRETS[0], _Secret(secret_class, value)])
    assert caught.value.position == 2
    assert value not in str(caught.value)


def test_a_date_that_is_none_is_refused() -> None:
    """A date secret that names no calendar day is an error with its place."""
    with pytest.raises(BuildError, match="secret 1"):
        build_pack([_Secret("date", "soon after Easter")])


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_changed_bytes_are_refused_or_change_the_pack(data: st.DataObject) -> None:
    """No cut and no changed byte is taken for the same pack, and nothing but a format error is raised."""
    pack = _pack()
    raw = bytearray(encode_pack(pack))
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw) - 1))]
    else:
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(1, 255))
    try:
        changed = decode_pack(bytes(raw))
    except PackFormatError:
        return
    assert changed != pack


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_random_bytes_are_no_pack(data: bytes) -> None:
    """Bytes that nobody encoded are refused with a format error."""
    with pytest.raises(PackFormatError):
        decode_pack(data)
    with pytest.raises(PackFormatError):
        decode_pack(b"DTFP\x01" + data)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["code", "name", "phrase", "id"]), st.text(max_size=30)), max_size=4),
    st.text(max_size=100),
)
def test_any_values_build_or_are_refused(items: list[tuple[str, str]], memo: str) -> None:
    """Whatever a person confirms, the result is a pack that survives its bytes, or a build error."""
    try:
        pack = build_pack([_Secret(kind, value) for kind, value in items], memo=memo)
    except BuildError:
        return
    assert decode_pack(encode_pack(pack)) == pack
