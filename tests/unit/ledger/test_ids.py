"""Ids have one form; the text and the UUID are the same 16 bytes."""

from __future__ import annotations

import base64

import pytest
from doublethink_gate.ids import IdError, IdType, from_bytes, mint, to_bytes, to_uuid
from hypothesis import given, settings
from hypothesis import strategies as st


@given(type_=st.sampled_from(IdType), value=st.binary(min_size=16, max_size=16))
@settings(max_examples=100, deadline=None)
def test_bytes_and_text_are_one(type_: IdType, value: bytes) -> None:
    """Every 16 bytes have one text of 30 characters, and it gives them back."""
    text = from_bytes(type_, value)
    assert len(text) == 30
    assert to_bytes(type_, text) == value
    assert to_uuid(type_, text).bytes == value
    assert text[4:] == base64.b32encode(value).decode().lower().rstrip("=")


def test_minted_ids_differ() -> None:
    """A thousand minted ids are a thousand different ones."""
    assert len({mint(IdType.SESSION) for _ in range(1000)}) == 1000


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ses_",
        "ses_" + "a" * 25,
        "ses_" + "a" * 27,
        "qry_" + "a" * 26,
        "ses-" + "a" * 26,
        "SES_" + "a" * 26,
        "ses_" + "A" * 26,
        "ses_" + "a" * 25 + "b",
        "ses_" + "1" * 26,
        "ses_" + "a" * 26 + "\n",
        "ses_" + "ä" * 26,
        "a" * 26,
    ],
)
def test_any_other_text_is_refused(text: str) -> None:
    """Another prefix, length, case or spelling of the same bytes is no id, and is not repeated."""
    with pytest.raises(IdError) as caught:
        to_bytes(IdType.SESSION, text)
    assert len(text) < 5 or text not in str(caught.value)


@pytest.mark.parametrize("length", [0, 15, 17])
def test_an_id_has_16_bytes(length: int) -> None:
    """Bytes of another length are refused."""
    with pytest.raises(IdError):
        from_bytes(IdType.QUERY, bytes(length))
