"""Every way in which a token can be wrong, and the few in which it is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from doublethink_console.errors import Refused
from doublethink_console.identity.keys import KeyFile
from doublethink_console.identity.membership import person_of
from doublethink_console.identity.people import person_id
from doublethink_console.identity.settings import Algorithm, OidcConfig, TeamOf
from doublethink_console.identity.tokens import MAX_BYTES, Reason, TokenRefused, Tokens
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from joserfc import jws
from sim.identity import AUDIENCE, ISSUER, Provider, encoded, made, part, pem, public_jwk, signature, signed

NOW = 1_800_000_000.0
KEYS = {
    "rsa": ("RS256", made("RSA-2048")),
    "pss": ("PS256", made("RSA-2048")),
    "ec": ("ES256", made("P-256")),
    "ed": ("EdDSA", made("Ed25519")),
    "ed-new-name": ("Ed25519", made("Ed25519")),
}


class Unwatched:
    """Is told, and forgets."""

    def keys_read(self, usable: int, *, stale: bool) -> None:
        """Nothing."""


def config(**changed: Any) -> OidcConfig:
    """Two teams, and thirty seconds of leeway."""
    fields: dict[str, Any] = {
        "issuer": ISSUER, "audience": AUDIENCE, "keys_file": Path("jwks.json"),
        "teams": (TeamOf("deals-a", "a"), TeamOf("deals-b", "b"), TeamOf("also-a", "a")), **changed,
    }  # fmt: skip
    return OidcConfig(**fields)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> KeyFile:
    """A file with a key for every algorithm."""
    file = tmp_path_factory.mktemp("keys") / "jwks.json"
    Provider(NOW, KEYS).write(file)
    return KeyFile(file, Unwatched())


def provider() -> Provider:
    """The provider whose keys those are."""
    return Provider(NOW, KEYS)


def judge(keys: KeyFile, now: float = NOW, **changed: Any) -> Tokens:
    """Who judges tokens, at a time."""
    return Tokens(config(**changed), keys, lambda: now)


def reason(tokens: Tokens, token: str) -> Reason:
    """Why a token is not taken."""
    with pytest.raises(TokenRefused) as refused:
        tokens.verify(token)
    return refused.value.reason


@pytest.mark.parametrize("kid", KEYS)
def test_each_algorithm_is_taken_with_a_key_of_its_own(keys: KeyFile, kid: str) -> None:
    """What the token says comes back: subject, name, groups, and its end with the leeway."""
    verified = judge(keys).verify(provider().token("deals-a", "other", kid=kid))
    assert (verified.subject, verified.name) == ("person-1", "A. Person")
    assert verified.groups == {"deals-a", "other"}
    assert verified.ends_at == NOW + 330


@pytest.mark.parametrize(
    "alg", ["none", "None", "NONE", "HS256", "HS384", "HS512", "", "RS512", "ES256K", None, 1]
)
def test_an_algorithm_without_a_public_key_is_impossible(keys: KeyFile, alg: object) -> None:
    """Also with the public key, or nothing, as the shared secret, and whatever the configuration names."""
    for kid, (_, key) in KEYS.items():
        for secret in (b"", pem(key), json.dumps(public_jwk(key, kid)).encode()):
            token = signed({"alg": alg, "kid": kid, "typ": "JWT"}, provider().claims("deals-a"), secret)
            assert reason(judge(keys), token) is Reason.ALGORITHM
            assert reason(judge(keys), f"{token.rpartition('.')[0]}.") is Reason.ALGORITHM
    assert {each.value for each in Algorithm} == {"RS256", "PS256", "ES256", "EdDSA", "Ed25519"}


@pytest.mark.parametrize("kid", KEYS)
@pytest.mark.parametrize("alg", ["RS256", "PS256", "ES256", "EdDSA"])
def test_an_algorithm_must_fit_the_key(keys: KeyFile, kid: str, alg: str) -> None:
    """A key of another type never verifies: the algorithm is refused before the signature is looked at."""
    own, key = KEYS[kid]
    token = signed({"alg": alg, "kid": kid, "typ": "JWT"}, provider().claims("deals-a"), key)
    if alg == own or {alg, own} <= {"RS256", "PS256"} or {alg, own} <= {"EdDSA", "Ed25519"}:
        assert judge(keys).verify(token).kid == kid
    else:
        assert reason(judge(keys), token) is Reason.ALGORITHM


def test_an_algorithm_that_is_not_configured_is_refused(keys: KeyFile) -> None:
    """The list is the operator's."""
    narrow = judge(keys, algorithms=(Algorithm.ES256,))
    assert narrow.verify(provider().token("deals-a", kid="ec")).kid == "ec"
    assert reason(narrow, provider().token("deals-a", kid="rsa")) is Reason.ALGORITHM


def test_a_key_that_names_its_algorithm_is_for_no_other(tmp_path: Path) -> None:
    """`alg` in the file binds the key."""
    key = made("RSA-2048")
    file = tmp_path / "jwks.json"
    Provider().write(file, {"keys": [public_jwk(key, "one", alg="PS256")]})
    tokens = judge(KeyFile(file, Unwatched()))
    own = Provider(NOW, {"one": ("PS256", key)})
    assert tokens.verify(own.token("deals-a", kid="one")).kid == "one"
    own.keys = {"one": ("RS256", key)}
    assert reason(tokens, own.token("deals-a", kid="one")) is Reason.ALGORITHM


def test_a_key_of_another_is_not_the_providers(keys: KeyFile) -> None:
    """An unknown kid, no kid, a kid that is no text, and a known kid over another key's signature."""
    stranger = Provider(NOW, {"ec": ("ES256", made("P-256/stranger")), "new": ("ES256", made("P-256"))})
    assert reason(judge(keys), stranger.token("deals-a", kid="new")) is Reason.KEY
    assert reason(judge(keys), stranger.token("deals-a", kid="ec")) is Reason.SIGNATURE
    for kid in (None, 1, ["ec"], {"ec": 1}):
        token = signed(
            {"alg": "ES256", "kid": kid, "typ": "JWT"}, provider().claims("deals-a"), made("P-256")
        )
        assert reason(judge(keys), token) is Reason.KEY


def test_a_key_in_the_token_is_not_looked_at(keys: KeyFile) -> None:
    """`jwk`, `jku`, `x5u` and `x5c` are the sender's own."""
    key = made("P-256/stranger")
    header = {
        "alg": "ES256", "kid": "ec", "typ": "JWT", "jwk": public_jwk(key, "ec"),
        "jku": "https://evil.example/jwks.json", "x5u": "https://evil.example/x", "x5c": [],
    }  # fmt: skip
    assert reason(judge(keys), signed(header, provider().claims("deals-a"), key)) is Reason.SIGNATURE


@pytest.mark.parametrize(
    "extension",
    [
        {"crit": ["exp"], "exp": 1}, {"crit": ["b64"], "b64": True}, {"crit": []}, {"crit": "b64"}, {"crit": None},
        {"b64": False}, {"b64": True}, {"crit": ["kid"]},
    ],
)  # fmt: skip
def test_an_extension_that_must_be_understood_is_refused(keys: KeyFile, extension: dict[str, Any]) -> None:
    """`crit`, whatever it names, and a payload that is not encoded."""
    header = {"alg": "ES256", "kid": "ec", "typ": "JWT", **extension}
    assert reason(judge(keys), signed(header, provider().claims("deals-a"), made("P-256"))) is Reason.CRITICAL


@pytest.mark.parametrize("kind", ["logout+jwt", "dpop+jwt", "secevent+jwt", "", "JOSE", 1, ["JWT"]])
def test_another_kind_of_token_is_refused(keys: KeyFile, kind: object) -> None:
    """What the same provider signs with the same key for other ends."""
    header = {"alg": "ES256", "kid": "ec", "typ": kind}
    assert reason(judge(keys), signed(header, provider().claims("deals-a"), made("P-256"))) is Reason.TYPE


@pytest.mark.parametrize("kind", ["JWT", "jwt", "at+jwt", "application/at+jwt", "application/JWT"])
def test_id_and_access_tokens_are_taken(keys: KeyFile, kind: str) -> None:
    """RFC 7519, section 5.1, and RFC 9068, in whatever case."""
    header = {"alg": "ES256", "kid": "ec", "typ": kind}
    assert judge(keys).verify(signed(header, provider().claims("deals-a"), made("P-256"))).kid == "ec"


def test_a_token_without_a_kind_only_where_that_is_configured(keys: KeyFile) -> None:
    """Some providers write none; a logout token without one is still refused."""
    header = {"alg": "ES256", "kid": "ec"}
    token = signed(header, provider().claims("deals-a"), made("P-256"))
    assert reason(judge(keys), token) is Reason.TYPE
    assert judge(keys, untyped=True).verify(token).kid == "ec"
    events: dict[str, Any] = {"http://schemas.openid.net/event/backchannel-logout": {}}
    logout = signed(header, provider().claims("deals-a", events=events), made("P-256"))
    assert reason(judge(keys, untyped=True), logout) is Reason.TYPE


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"iss": None}, Reason.ISSUER), ({"iss": ISSUER + "/"}, Reason.ISSUER), ({"iss": [ISSUER]}, Reason.ISSUER),
        ({"iss": ISSUER.upper()}, Reason.ISSUER), ({"iss": "https://login.example.com/realms/other"}, Reason.ISSUER),
        ({"aud": None}, Reason.AUDIENCE), ({"aud": "other"}, Reason.AUDIENCE), ({"aud": []}, Reason.AUDIENCE),
        ({"aud": "doublethink2"}, Reason.AUDIENCE), ({"aud": {"doublethink": 1}}, Reason.AUDIENCE),
        ({"aud": ["doublethink", "other"]}, Reason.PARTY), ({"aud": [["doublethink"]]}, Reason.AUDIENCE),
        ({"aud": ["doublethink", "other"], "azp": "other"}, Reason.PARTY), ({"azp": "other"}, Reason.PARTY),
        ({"azp": ["doublethink"]}, Reason.PARTY), ({"azp": ""}, Reason.PARTY),
        ({"exp": None}, Reason.TIMES), ({"exp": "1900000000"}, Reason.TIMES), ({"exp": True}, Reason.TIMES),
        ({"exp": NOW - 30}, Reason.EXPIRED), ({"exp": 0}, Reason.EXPIRED), ({"exp": -1e300}, Reason.EXPIRED),
        ({"exp": 10**400}, Reason.TIMES), ({"exp": NOW + 86_401}, Reason.TIMES), ({"exp": 1e300}, Reason.TIMES),
        ({"iat": None}, Reason.TIMES), ({"iat": NOW + 31}, Reason.TIMES), ({"iat": "x"}, Reason.TIMES),
        ({"iat": NOW - 90_000}, Reason.TIMES), ({"nbf": NOW + 31}, Reason.TIMES), ({"nbf": "x"}, Reason.TIMES),
        ({"sub": None}, Reason.SUBJECT), ({"sub": ""}, Reason.SUBJECT), ({"sub": 7}, Reason.SUBJECT),
        ({"sub": "x" * 256}, Reason.SUBJECT), ({"sub": "a\nb"}, Reason.SUBJECT), ({"sub": "a\ud800"}, Reason.SUBJECT),
        ({"groups": {"deals-a": 1}}, Reason.GROUPS), ({"groups": [1]}, Reason.GROUPS),
        ({"groups": ["deals-a", ["x"]]}, Reason.GROUPS), ({"groups": 5}, Reason.GROUPS),
    ],
)  # fmt: skip
def test_a_claim_that_is_not_as_configured_is_refused(
    keys: KeyFile, changed: dict[str, Any], expected: Reason
) -> None:
    """Each by its own reason, though the signature is right."""
    claims = provider().claims("deals-a") | changed
    token = signed(
        {"alg": "ES256", "kid": "ec", "typ": "JWT"},
        {name: value for name, value in claims.items() if value is not None},
        made("P-256"),
    )
    assert reason(judge(keys), token) is expected


@pytest.mark.parametrize(
    "changed",
    [
        {"exp": NOW - 29.5}, {"iat": NOW + 30}, {"nbf": NOW + 29}, {"nbf": NOW - 9999}, {"aud": ["doublethink"]},
        {"azp": "doublethink"}, {"aud": ["other", "doublethink"], "azp": "doublethink"}, {"exp": NOW + 86_400},
        {"name": 5}, {"name": None}, {"groups": "deals-a"},
    ],
)  # fmt: skip
def test_what_is_within_the_bounds_is_taken(keys: KeyFile, changed: dict[str, Any]) -> None:
    """Clocks may differ by the leeway; several audiences need the authorised party."""
    assert judge(keys).verify(provider().token("deals-a", kid="ec", **changed)).kid == "ec"


def test_other_parties_can_be_named(keys: KeyFile) -> None:
    """An access token is for the console and was given to the proxy."""
    token = provider().token("deals-a", kid="ec", azp="proxy")
    assert judge(keys, authorized_parties=("proxy",)).verify(token).kid == "ec"
    assert reason(judge(keys, authorized_parties=("other",)), token) is Reason.PARTY


def test_groups_lie_where_they_are_configured_to_lie(keys: KeyFile) -> None:
    """A name may have a dot in it; what is not there is no group."""
    nested = judge(keys, groups_claim=("realm_access", "roles"))
    token = provider().token(kid="ec", realm_access={"roles": ["deals-b"]})
    assert nested.verify(token).groups == {"deals-b"}
    assert nested.verify(provider().token("deals-a", kid="ec", realm_access=[])).groups == frozenset()
    named = judge(keys, groups_claim=("https://example.com/groups",))
    claims = {"https://example.com/groups": ["deals-a"]}
    assert named.verify(provider().token(kid="ec", **claims)).groups == {"deals-a"}


@pytest.mark.parametrize(
    "token",
    [
        "", ".", "..", "...", "a.b", "a.b.c.d.e", "é.é.é", "e30.e30.", "bnVsbA.e30.", "W10.e30.e30", "IiI.e30.",
        f"{encoded(b'{')}.e30.", f"{encoded(b'[' * 5000)}.e30.", f"{encoded(b'{}')}=.e30.", "x" * (MAX_BYTES + 1),
        encoded(b'{"alg":"ES256","alg":"none"}') + ".e30.", encoded(b'{"alg":NaN}') + ".e30.",
    ],
)  # fmt: skip
def test_what_is_no_token_is_refused(keys: KeyFile, token: str) -> None:
    """One reason, and no fault."""
    assert reason(judge(keys), token) in (Reason.FORM, Reason.TYPE)


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"{", b'{"iss":1,"iss":2}', b'{"exp":NaN}', b"\xff", b"[" * 4000]
)
def test_a_signed_payload_that_is_no_object_is_refused(keys: KeyFile, payload: bytes) -> None:
    """Every name once, numbers that are numbers."""
    text = f"{part({'alg': 'ES256', 'kid': 'ec', 'typ': 'JWT'})}.{encoded(payload)}"
    token = f"{text}.{encoded(signature(made('P-256'), 'ES256', text.encode()))}"
    assert reason(judge(keys), token) is Reason.FORM


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.integers(min_value=0), sign=st.characters(min_codepoint=33, max_codepoint=126))
def test_a_token_with_one_sign_changed_is_another(keys: KeyFile, place: int, sign: str) -> None:
    """Wherever it is changed and into whatever: it is refused, and by nothing but a refusal."""
    token = provider().token("deals-a", kid="ed")
    at = place % len(token)
    changed = token[:at] + sign + token[at + 1 :]
    if changed == token:
        assert judge(keys).verify(changed).kid == "ed"
    else:
        reason(judge(keys), changed)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_NAMES = st.sampled_from(["iss", "aud", "azp", "exp", "iat", "nbf", "sub", "name", "groups", "events"])


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changed=st.dictionaries(_NAMES, _JSON, max_size=4))
def test_whatever_is_signed_is_taken_or_refused(keys: KeyFile, changed: dict[str, Any]) -> None:
    """No claim of any shape is a fault; what is taken is for this console and not over."""
    claims = provider().claims("deals-a") | changed
    token = signed({"alg": "EdDSA", "kid": "ed", "typ": "JWT"}, claims, made("Ed25519"))
    tokens = judge(keys)
    try:
        verified = tokens.verify(token)
    except TokenRefused:
        return
    assert claims["iss"] == ISSUER
    assert AUDIENCE in claims["aud"]
    assert verified.ends_at > NOW
    assert tokens.good(verified)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    changed=st.dictionaries(st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jwk", "cty", "x"]), _JSON)
)
def test_whatever_a_header_says_is_taken_or_refused(keys: KeyFile, changed: dict[str, Any]) -> None:
    """No header of any shape is a fault, and none but the right one is taken."""
    header = {"alg": "EdDSA", "kid": "ed", "typ": "JWT"} | changed
    token = signed(header, provider().claims("deals-a"), made("Ed25519"))
    try:
        judge(keys).verify(token)
    except TokenRefused:
        return
    assert (header["alg"], header["kid"]) == ("EdDSA", "ed")
    assert "crit" not in header


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("extra", ["=", " ", "\t", "+", "/", "~", "%3D", ",", "\x00"])
def test_a_part_has_one_spelling(keys: KeyFile, place: int, extra: str) -> None:
    """A decoder that passes over what is no base64url would take many texts for one token."""
    parts = provider().token("deals-a", kid="ed").split(".")
    parts[place] += extra
    assert reason(judge(keys), ".".join(parts)) is Reason.FORM


def test_nothing_large_is_taken_apart_before_the_signature(
    keys: KeyFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long or deep header is refused by its length; no signature is computed for a key that is not there, and no
    claim is read before the signature is right.
    """
    taken: list[str] = []
    look = jws.validate_compact

    def looked(*some: Any, **more: Any) -> bool:
        taken.append("key")
        return look(*some, **more)

    monkeypatch.setattr("doublethink_console.identity.tokens.validate_compact", looked)
    monkeypatch.setattr(Tokens, "_claims", lambda *_: taken.append("claims"))
    deep = encoded(b'{"x":' + b"[" * 1500 + b"]" * 1500 + b"}")
    wide = part({"alg": "ES256", "kid": "ec", "typ": "JWT", "x": "x" * 2048})
    for header in (deep, wide):
        assert reason(judge(keys), f"{header}.e30.e30") is Reason.FORM
    for kid in ("../../etc/passwd", "ec\x00", "EC", "file:///dev/zero", "' OR 1=1 --", "k" * 1000):
        stranger = signed({"alg": "ES256", "kid": kid, "typ": "JWT"}, {}, made("P-256"))
        assert reason(judge(keys), stranger) is Reason.KEY
    assert taken == []
    other = signed({"alg": "ES256", "kid": "ec", "typ": "JWT"}, {}, made("P-256/stranger"))
    assert reason(judge(keys), other) is Reason.SIGNATURE
    assert taken == ["key"]


def test_a_long_list_of_audiences_is_no_way_in(keys: KeyFile) -> None:
    """It is as long as a token may be, and needs the authorised party still."""
    many = [f"other-{number}" for number in range(500)] + [AUDIENCE]
    assert reason(judge(keys), provider().token("deals-a", kid="ed", aud=many)) is Reason.PARTY
    assert judge(keys).verify(provider().token("deals-a", kid="ed", aud=many, azp=AUDIENCE)).kid == "ed"
    assert reason(judge(keys), provider().token("deals-a", kid="ed", aud=many * 2)) is Reason.FORM


@pytest.mark.parametrize(
    "left_out",
    [{"_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {"endpoint": "https://e.example/g"}}},
     {"hasgroups": True}],
)  # fmt: skip
def test_groups_that_are_elsewhere_are_a_reason_of_their_own(keys: KeyFile, left_out: dict[str, Any]) -> None:
    """They are not fetched, and the person is told what to have changed."""
    token = provider().token(kid="ed", groups=None, **left_out)
    assert reason(judge(keys), token) is Reason.OVERAGE
    # A list that is there counts, whatever else is said.
    assert judge(keys).verify(provider().token("deals-a", kid="ed", **left_out)).groups == {"deals-a"}


@pytest.mark.parametrize(
    "group",
    ["Deals-a", "DEALS-A", "deals-a ", " deals-a", "deals\u2010a", "de\u0430ls-a", "deals-\uff41", "deals-a\u200b",
     "deals-a,deals-b", "deals-a deals-b", "/deals-a", "deals-a\x00"],
)  # fmt: skip
def test_a_group_that_looks_alike_gives_no_team(keys: KeyFile, group: str) -> None:
    """Names are compared as they are: nothing is folded, trimmed or split, in a list or alone."""
    for groups in ([group], group):
        with pytest.raises(Refused) as refused:
            person_of(config(), judge(keys).verify(provider().token(kid="ed", groups=groups)))
        assert refused.value.status == 403


@pytest.mark.parametrize("name", ["\ud800", "a\x00b", "\u202eevil", "<b>", "x" * 5000])
def test_a_name_can_be_shown_whatever_it_is(keys: KeyFile, name: str) -> None:
    """The person alone sees it, and no page fails over it."""
    person = person_of(config(), judge(keys).verify(provider().token("deals-a", kid="ed", name=name)))
    assert 0 < len(person.name.encode()) <= 1000


def test_a_person_is_what_the_groups_say(keys: KeyFile) -> None:
    """Teams once each and in the configuration's order, roles by their groups, a pseudonym in place of the subject."""
    own = config(approvers=("yes",), log_readers=("audit",), sign_out_url="/oauth2/sign_out")
    verified = judge(keys).verify(provider().token("also-a", "deals-b", "deals-a", "yes", kid="ec"))
    person = person_of(own, verified)
    assert person.teams == person.sees.teams == ("a", "b")
    assert (person.decides, person.reads_log, person.verified) == (True, False, True)
    assert person.id == person.for_log == person_id(ISSUER, "person-1")
    assert "person-1" not in repr(person)
    assert "person-1" not in repr(verified)
    assert person.name == "A. Person"


@pytest.mark.parametrize("groups", [(), ("unknown",), ("Deals-A",), ("deals-a ",), ("yes", "audit")])
def test_nobody_without_a_team_comes_in(keys: KeyFile, groups: tuple[str, ...]) -> None:
    """Also an approver or a reader of the log: one line says so, with 403."""
    verified = judge(keys).verify(provider().token(*groups, kid="ec"))
    with pytest.raises(Refused, match="None of your groups") as refused:
        person_of(config(approvers=("yes",), log_readers=("audit",)), verified)
    assert refused.value.status == 403


def test_a_name_hides_nothing(keys: KeyFile) -> None:
    """What cannot be seen in it is shown as its number; it is cut, and is the pseudonym where there is none."""
    verified = judge(keys).verify(provider().token("deals-a", kid="ec", name="A\u202eB" + "x" * 500))
    assert person_of(config(), verified).name == "A‹U+202E›B" + "x" * 117
    nameless = judge(keys).verify(provider().token("deals-a", kid="ec", name="  "))
    assert person_of(config(), nameless).name == person_id(ISSUER, "person-1")


def test_the_pseudonym_is_the_same_everywhere() -> None:
    """Whoever knows issuer and subject can compute it; the two are kept apart."""
    assert person_id("https://login.example.com", "1234") == "per_sflp6igisnrp7rbxqeydbrnvz4"
    assert person_id("https://login.example.com", "1234") != person_id("https://login.example.co", "m1234")
