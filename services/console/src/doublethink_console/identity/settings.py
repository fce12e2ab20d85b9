"""The section [oidc]: what is asked of a token, and what its claims mean here.

[oidc]
issuer = "https://login.example.com/realms/deals"   # exactly as in the tokens; it is compared, and never asked
audience = "doublethink"
keys_file = "jwks.json"                    # the provider's public keys, a JWK Set; read again when it changes
header = "authorization"                   # optional: where the proxy puts the token; beside it a bare token's name
authorized_parties = ["doublethink"]       # optional: what `azp` may be; the audience if none is named
algorithms = ["RS256", "PS256", "ES256", "EdDSA"]   # optional: the ones that are taken
untyped = false                            # optional: true takes tokens without `typ`
leeway_s = 30                              # optional: how far clocks may be apart
longest_minutes = 1440                     # optional: a token that is good for longer is refused
name_claim = "name"                        # optional: shown to the person
groups_claim = ["groups"]                  # optional: the way to the list of groups, such as ["realm_access", "roles"]
teams = [{ group = "deals-one", team = "one" }]
approvers = ["deal-approvers"]             # optional: groups whose people decide about held searches
self_approval = false                      # optional: true lets an approver decide about what he or she asked
log_readers = ["deal-auditors"]            # optional: groups whose people read the rows of all sessions
sign_out_url = "/oauth2/sign_out"          # optional: a path of the proxy, or an https address
"""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta, Struct

Team = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z0-9][a-z0-9-]{0,39}\Z",
        description="up to 40 lower-case letters, digits and hyphens",
    ),
]
Claim = Annotated[str, Meta(min_length=1, max_length=200)]
Group = Annotated[
    str,
    Meta(pattern=r"\A[^\x00-\x1f\x7f]{1,256}\Z", description="a group's name, up to 256 characters"),
]
_SIGN_OUT: Final = r"\A(?:/(?!/)|https://)[A-Za-z0-9/?:@._~%=&+-]{0,1000}\Z"


class Algorithm(Enum):
    """The algorithms that a token may be signed with (RFC 7518, 8037 and 9864). All have a public key."""

    RS256 = "RS256"
    PS256 = "PS256"
    ES256 = "ES256"
    EDDSA = "EdDSA"
    ED25519 = "Ed25519"


class TeamOf(Struct, frozen=True, forbid_unknown_fields=True):
    """Whoever is in `group` is of `team`."""

    group: Group
    team: Team


class OidcConfig(Struct, frozen=True):
    """What a token must say, and what it then means. See the module's beginning."""

    issuer: Annotated[
        str,
        Meta(
            pattern=r"\Ahttps://[\x21-\x7e]{1,500}\Z", description="an https address, as the tokens have it"
        ),
    ]
    audience: Claim
    keys_file: Path
    teams: Annotated[
        tuple[TeamOf, ...],
        Meta(
            min_length=1, max_length=1000, description="a list of {group = GROUP, team = TEAM}, at least one"
        ),
    ]
    header: Annotated[
        str,
        Meta(pattern=r"\A[a-z][a-z0-9-]{0,63}\Z", description="a header's name in lower case"),
    ] = "authorization"
    authorized_parties: tuple[Claim, ...] = ()
    algorithms: tuple[Algorithm, ...] = tuple(Algorithm)
    untyped: bool = False
    leeway_s: Annotated[int, Meta(ge=0, le=120)] = 30
    longest_minutes: Annotated[int, Meta(ge=1, le=10_080)] = 1440
    name_claim: Claim = "name"
    groups_claim: Annotated[
        tuple[Claim, ...],
        Meta(
            min_length=1, max_length=4, description="a list of one to four names, each inside the one before"
        ),
    ] = ("groups",)
    approvers: tuple[Group, ...] = ()
    self_approval: bool = False
    log_readers: tuple[Group, ...] = ()
    sign_out_url: (
        Annotated[
            str, Meta(pattern=_SIGN_OUT, description="a path that begins with one /, or an https address")
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        if not self.algorithms:
            raise ValueError("algorithms must name one at least")
        groups = [each.group for each in self.teams]
        if len(set(groups)) != len(groups):
            raise ValueError("teams must name each group once")
        if self.header in ("cookie", "host", "origin"):
            raise ValueError("header must be one that a proxy sets to the token")

    @property
    def parties(self) -> frozenset[str]:
        """What `azp` may be."""
        return frozenset(self.authorized_parties or (self.audience,))
