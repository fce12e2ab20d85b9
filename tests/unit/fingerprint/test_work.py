"""What a payload may cost is counted, bounded, and the same on every machine."""

from __future__ import annotations

import base64
import random
import string
import zlib

import pytest
from doublethink_fingerprint import (
    Pack,
    View,
    WorkSpent,
    bounded_work,
    build_pack,
    explore,
    matcher_of,
    prepare,
)
from doublethink_fingerprint.decoders import DECODERS
from doublethink_fingerprint.limits import WORK_UNITS
from doublethink_fingerprint.work import spend

SOURCE = random.Random(3)  # noqa: S311  the same texts in every run
SIZE = 240_000


def tokens(alphabet: str, size: int) -> str:
    """Random tokens of one length."""
    return " ".join("".join(SOURCE.choices(alphabet, k=size)) for _ in range(SIZE // (size + 1)))


HOSTILE = {
    "base64-like": tokens(string.ascii_letters + string.digits + "+/", 40),
    "symbols": tokens(string.punctuation, 30),
    "figures": tokens(string.digits, 9),
    "bits": tokens("01", 8),
    "two scripts": tokens("abвгдеж", 7),
    "bombs": " ".join([base64.b64encode(zlib.compress(bytes(900_000))).decode()] * 200)[:SIZE],
}


def test_what_is_spent_is_spent() -> None:
    """The sum counts; the first unit beyond the bound raises."""
    with bounded_work(10):
        spend(4)
        spend(6)
        with pytest.raises(WorkSpent):
            spend(1)


def test_a_bound_is_its_own_and_ends() -> None:
    """An inner bound leaves the outer one as it was, and outside of any nothing is counted."""
    with bounded_work(10):
        with bounded_work(1000):
            spend(1000)
        spend(10)
    spend(10**12)


@pytest.fixture(scope="module")
def pack() -> Pack:
    """A pack of nothing but a memo figure and a memo name."""
    return build_pack([], memo="The figure of 48.213 was named by Przybylski.")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_costs_too_much(name: str, pack: Pack) -> None:
    """What would take seconds to look through ends with WorkSpent, every time at the same place."""
    with pytest.raises(WorkSpent), bounded_work(WORK_UNITS):
        matcher_of(pack).hits(prepare(explore(View(HOSTILE[name]))))


def test_ordinary_text_of_100_kib_costs_less(pack: Pack) -> None:
    """Prose of the size that bodies have is looked through to its end."""
    words = "revenue of pump makers rose again while its margin fell as the board had said before "
    prose = words * 1_200
    assert len(prose) > 90 * 1024
    with bounded_work(WORK_UNITS):
        matcher_of(pack).hits(prepare(explore(View(prose))))


def test_letters_alone_can_be_base_85() -> None:
    """A token that has neither digits nor marks is decoded too, if it is no plain word."""
    encoded = base64.b85encode(b"BEAAOAAA").decode()
    assert encoded.isalpha()
    assert any("BEAAOAAA" in view.text for view in explore(View(f"see {encoded} here")).views)


@pytest.mark.parametrize("start", range(4))
def test_base64_is_found_in_the_middle_of_other_symbols(start: int) -> None:
    """A run is decoded from where its bits are text, at any of the four places of a group, up to its end."""
    (run,) = [decoder for decoder in DECODERS if decoder.name == "base64run"]
    text = "The bidder met Radomir and spoke of the solstice. " * 40
    chunks = run.find("~" * start + "9" * start + base64.b64encode(text.encode()).decode())
    assert any("Radomir and spoke of the solstice. The bidder" in chunk.text for chunk in chunks)
