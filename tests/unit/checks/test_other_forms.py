"""Forms of a confirmed value as programs of other authors write them: each is stopped, wherever it stands."""

from __future__ import annotations

import base64
import codecs
import gzip
import hashlib
import json
import lzma
from dataclasses import dataclass
from urllib.parse import quote

import pytest
from doublethink_fingerprint import Pack, build_pack
from doublethink_gate.checks import Request, RequestKind, SessionState, Verdict, evaluate
from doublethink_gate.policy import default_policy


@dataclass(frozen=True)
class Confirmed:
    """A value as `build_pack` takes it."""

    secret_class: str
    value: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """The value alone."""
        return (self.value,)


@pytest.fixture(scope="module")
def pack() -> Pack:
    """A deal with umlauts, a code name of two ordinary words, and another of six letters."""
    return build_pack(
        [
            Confirmed("code", "Copper Meadow"),
            Confirmed("code", "Trelvo"),
            Confirmed("name", "Bjørn Håvardsøn"),
            Confirmed("name", "Quistorpen"),
            Confirmed("number", "3.65bn CHF"),
            Confirmed("id", "QX48KLMN90157733"),
            Confirmed("date", "1974-11-06"),
        ]
    )


def _verdict(pack: Pack, *requests: Request) -> Verdict:
    state, policy = SessionState(), default_policy()
    for request in requests:
        decision = evaluate(request, (pack,), state, policy)
        if decision.verdict is not Verdict.ALLOW:
            return decision.verdict
        state = state.attempted().fold(request, pack)
    return Verdict.ALLOW


def _query(text: str) -> Request:
    return Request(RequestKind.QUERY, text.encode())


def _b64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


QUERIES = {
    "two words shifted": codecs.encode("Copper Meadow", "rot13"),
    "two words backwards": "wodaeM reppoC",
    "two words by first letters": "cold oil prices put every region more energy and debt over water",
    "two words in a language game": "copoppeper mepeapadopow",
    "marks kept while shifting": codecs.encode("Bjørn Håvardsøn", "rot13"),
    "marks kept while reversing": "Bjørn Håvardsøn"[::-1],
    "groups of five": "CANUE X",
    "Greek capitals": "QUΙSΤΟRΡΕΝ",
    "Cherokee capitals": "ᎪᏟ QUISTOᎡPᎬN",
    "turned capitals": "NƎԀᴚO⊥SI∩Q",
    "mirrored": "nɘqɿoƚꙅiup",
    "terminal colours as text": "Quist<b></b>orpen",
    "U without a plus": " ".join(f"U{ord(c):04X}" for c in "Quistorpen"),
    "UCS notation": " ".join(f"U-{ord(c):08X}" for c in "Quistorpen"),
    "rows and columns": "4,1 4,5 2,4 4,3 4,4 3,4 4,2 3,5 1,5 3,3",
    "rows as letters": "D1 D5 B4 D3 D4 C4 D2 C5 A5 C3",
    "two digits a letter": "17210919201518160514",
    "said signs": "dah dah dit dah  dit dit dah  dit dit  dit dit dit  dah  dah dah dah  dit dah dit  "
    "dit dah dah dit  dit  dah dit",
    "noughts and ones": "1101 001 00 000 1 111 010 0110 0 10",
    "a letter and its word": "Q - Quito, U - Ulm, I - Ivalo, S - Sion, T - Tokyo, O - Oran, R - Riga, P - Pau, "
    "E - Evry, N - Nice",
    "hexadecimal beside a number": "ticket 7731: 5175 6973 746f 7270 656e is open",
    "base 64 shifted": codecs.encode(_b64("note: Quistorpen"), "rot13"),
    "base 32 of marks": base64.b32encode("Håvardsøn".encode()).decode(),
    "ascii85 in brackets": f"list ({base64.a85encode(b'to Quistorpen').decode()}) of them",
    "uuencode in quotation marks": '"*475I<W1O<G!E;@  "',
    "UTF-32 with its mark": base64.b64encode("Quistorpen".encode("utf-32")).decode(),
    "the older LZMA": base64.b64encode(lzma.compress(b"from Quistorpen", lzma.FORMAT_ALONE)).decode(),
    "a figure backwards": "FHC nb56.3",
    "a figure by ROT18": "8.10oa PUS",
    "a figure in base 36": "at 1OD460W in all",
    "a figure in base 16": "#D98E9480",
    "a figure in Dutch": "drie miljard zeshonderdvijftig miljoen frank",
    "a figure in Portuguese": "três mil milhões e seiscentos e cinquenta milhões",
    "a figure in Swedish": "tre miljarder sexhundrafemtio miljoner",
    "a figure in Danish": "tre komma seks fem milliarder",
    "a figure in Polish": "trzy miliardy sześćset pięćdziesiąt milionów",
    "a figure in Turkish": "üç milyar altı yüz elli milyon",
    "a figure in German capitals": "DREI KOMMA SECHS FÜNF MILLIARDEN",
    "a figure in Korean myriads": "36억5000만",
    "digits in French": "trois six cinq zéro zéro zéro zéro zéro zéro zéro",
    "a figure in Italian": "tre miliardi e seicentocinquanta milioni",
    "a figure half in words": "3 billion six hundred and fifty million CHF",
    "a day said in English": "November the sixth, nineteen seventy-four",
    "a day said with a number for it": "November six nineteen seventy-four",
    "a day said in German": "sechster November neunzehnhundertvierundsiebzig",
    "a month in Roman numerals": "6.XI.1974",
    "letters of two words shifted one by one": "x-l-k-k-v-i-n-v-z-w-l-d",
    "a mark for a turned letter": "uǝdɹoʇs!nb",
    "doubled marks around code points": "chr " + "".join(f"`u{{{ord(c):x}}}" for c in "Quistorpen"),
    "base 32 of UTF-16": base64.b32encode("Håvardsøn".encode("utf-16-le")).decode().rstrip("="),
    "an element that is not shown inside": 'Quisto<span style="display:none">qqq</span>rpen',
    "an identifier by ROT5": "QX93KLMN45602288",
}


@pytest.mark.parametrize("how", QUERIES)
def test_a_query_with_a_value_in_another_form_is_stopped(pack: Pack, how: str) -> None:
    """Of each form, beside other words and alone."""
    assert _verdict(pack, _query(QUERIES[how])) is not Verdict.ALLOW
    if len(QUERIES[how]) < 300:
        assert _verdict(pack, _query(f"who makes {QUERIES[how]} please")) is not Verdict.ALLOW


@pytest.mark.parametrize("name", ["md5", "sha1", "sha256", "sha512", "sha3_256", "blake2b"])
@pytest.mark.parametrize("kind", ["address", "body", "query"])
def test_the_hash_of_a_value_is_stopped_everywhere(pack: Pack, name: str, kind: str) -> None:
    """In hexadecimal and in base 64; of the value, in small letters and with a line feed."""
    for data in (b"Quistorpen", b"copper meadow", b"Trelvo\n"):
        hashed = hashlib.new(name, data)
        for text in (hashed.hexdigest(), base64.urlsafe_b64encode(hashed.digest()).decode().rstrip("=")):
            request = {
                "address": Request(RequestKind.URL, f"https://files.example.org/a/{text}/b".encode()),
                "body": Request(
                    RequestKind.BODY, json.dumps({"etag": text}).encode(), content_type="application/json"
                ),
                "query": _query(text),
            }[kind]
            assert _verdict(pack, request) is not Verdict.ALLOW


def test_the_hash_of_something_else_goes_in_a_body(pack: Pack) -> None:
    """Hashes are ordinary in what programs send; only those of the case's values are stopped there."""
    text = json.dumps({"etag": hashlib.sha256(b"quarterly report").hexdigest()})
    assert (
        _verdict(pack, Request(RequestKind.BODY, text.encode(), content_type="application/json"))
        is Verdict.ALLOW
    )


@pytest.mark.parametrize("encoded", ["a85", "z85", "uu"])
def test_a_field_of_a_form_is_read_by_itself(pack: Pack, encoded: str) -> None:
    """Not run together with the fields beside it."""
    text = {
        "a85": base64.a85encode(b"Quistorpen").decode(),
        "z85": base64.b85encode(b"Quistorpen").decode(),
        "uu": "*475I<W1O<G!E;@  ",
    }[encoded]
    form = f"lang=en&text={quote(text, safe='')}&page=1".encode()
    assert (
        _verdict(pack, Request(RequestKind.BODY, form, content_type="application/x-www-form-urlencoded"))
        is not Verdict.ALLOW
    )
    address = f"https://api.example.org/v1/look?lang=en&text={quote(text, safe='')}&page=1".encode()
    assert _verdict(pack, Request(RequestKind.URL, address)) is not Verdict.ALLOW


def test_first_letters_of_the_items_of_a_list_are_read(pack: Pack) -> None:
    """Each item of a JSON list begins a line."""
    words = ["queue", "union", "income", "steel", "trade", "order", "risk", "plant", "equity", "notes"]
    text = json.dumps({"items": [f"{word} of the year" for word in words]})
    request = Request(RequestKind.BODY, text.encode(), content_type="application/json")
    assert _verdict(pack, request) is not Verdict.ALLOW


def test_first_letters_of_what_json_calls_carry_are_put_together(pack: Pack) -> None:
    """The names of fields are the same in every call, and begin none of it."""
    words = ["queue", "union", "income", "steel", "trade", "order", "risk", "plant", "equity", "notes"]
    calls = [
        Request(
            RequestKind.BODY, json.dumps({"text": f"{word} today"}).encode(), content_type="application/json"
        )
        for word in words
    ]
    assert _verdict(pack, *calls) is not Verdict.ALLOW
    assert _verdict(pack, *calls[:4]) is Verdict.ALLOW


def test_a_day_in_the_fields_of_a_record_is_stopped(pack: Pack) -> None:
    """Its year, month and day are three numbers."""
    text = json.dumps({"year": 1974, "month": 11, "day": 6})
    request = Request(RequestKind.BODY, text.encode(), content_type="application/json")
    assert _verdict(pack, request) is not Verdict.ALLOW


def test_parts_of_an_encoding_are_joined_over_addresses(pack: Pack) -> None:
    """The name of a parameter is no part of what it carries."""
    whole = _b64("Quistorpen").rstrip("=")
    first, second = whole[:7], whole[7:]
    calls = [
        Request(RequestKind.URL, f"https://api.example.org/a?t={part}".encode()) for part in (first, second)
    ]
    assert _verdict(pack, *calls) is not Verdict.ALLOW


def test_labels_before_a_domain_are_one_encoding(pack: Pack) -> None:
    """Base 32 in small letters, cut into labels before a name of two parts and of three."""
    encoded = base64.b32encode(b"Quistorpen").decode().rstrip("=").lower()
    for domain in ("example.org", "dns.example.org"):
        address = f"https://{encoded[:9]}.{encoded[9:]}.{domain}/"
        assert _verdict(pack, Request(RequestKind.URL, address.encode())) is not Verdict.ALLOW


def test_digits_of_a_hash_are_no_day_and_no_figure(pack: Pack) -> None:
    """Neither by themselves nor run together with the field behind them."""
    text = json.dumps({"commit": "33bebf7450fc591f5c1d4364268c5191e6944862", "at": "2024-05-11"})
    dated = build_pack([Confirmed("date", "1970-03-22")])
    assert (
        _verdict(dated, Request(RequestKind.BODY, text.encode(), content_type="application/json"))
        is Verdict.ALLOW
    )


def test_a_phrase_with_other_digits_is_another_phrase() -> None:
    """62 by ROT5 is 17; with its words in clear it is an ordinary price, and shifted with them it is not."""
    offer = build_pack([Confirmed("phrase", "62 dollars per share")])
    assert _verdict(offer, _query("dividend of 17 dollars per share")) is Verdict.ALLOW
    assert _verdict(offer, _query("dividend of 17 qbyynef cre funer")) is not Verdict.ALLOW


def test_a_value_of_six_letters_in_two_halves_is_put_together(pack: Pack) -> None:
    """Neither half is a word, and both are all of it."""
    assert _verdict(pack, _query("part one is tre"), _query("part two is lvo")) is not Verdict.ALLOW


@pytest.mark.parametrize("marks", ["\u200b\u200c", "\u200c\u200d", "\u2062\u2064"])
def test_hidden_bits_with_another_mark_between_letters_are_read(pack: Pack, marks: str) -> None:
    """As many bits as a letter needs, and something else without width behind each."""
    zero, one = marks[0], marks[1]
    hidden = "\ufeff".join(f"{ord(char):b}".replace("0", zero).replace("1", one) for char in "Quistorpen")
    request = Request(RequestKind.BODY, f"see{hidden} here".encode(), content_type="text/plain")
    assert _verdict(pack, request) is not Verdict.ALLOW


def test_hidden_half_bytes_are_read(pack: Pack) -> None:
    """Sixteen variation selectors are half a byte each."""
    hidden = "".join(chr(0xFE00 + (b >> 4)) + chr(0xFE00 + (b & 15)) for b in b"Quistorpen")
    request = Request(RequestKind.BODY, f"see ❤{hidden} here".encode(), content_type="text/plain")
    assert _verdict(pack, request) is not Verdict.ALLOW


def test_a_compressed_name_among_other_bytes_is_read(pack: Pack) -> None:
    """Base 64 of a record of a program: a name between bytes that are no text."""
    data = b"\x00\x91\xfe\x07" + "Håvardsøn".encode() + b"\x88\x03\xff\x99\x10\xe2"
    assert _verdict(pack, _query("load " + base64.b64encode(data).decode())) is not Verdict.ALLOW
    packed = gzip.compress(b"Quistorpen")
    assert _verdict(pack, _query(base64.b64encode(packed).decode())) is not Verdict.ALLOW
