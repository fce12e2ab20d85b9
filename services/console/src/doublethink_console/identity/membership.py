"""What a verified token means here: the person, their teams and roles."""

from __future__ import annotations

from typing import Final

from doublethink_console.errors import Refused
from doublethink_console.memo.plain import seen

from .people import Person, Sight, person_id
from .settings import OidcConfig
from .tokens import Verified

_MAX_NAME: Final = 120


def person_of(config: OidcConfig, verified: Verified) -> Person:
    """The person. Raises Refused with 403 for one whose groups give no team."""
    teams = tuple(dict.fromkeys(each.team for each in config.teams if each.group in verified.groups))
    if not teams:
        raise Refused(403, "None of your groups is a team of this console: ask whoever gives out its groups.")
    key = person_id(config.issuer, verified.subject)
    return Person(
        id=key,
        name=seen(verified.name[:_MAX_NAME]).strip() or key,
        teams=teams,
        sees=Sight(teams),
        decides=not verified.groups.isdisjoint(config.approvers),
        decides_own=config.self_approval,
        reads_log=not verified.groups.isdisjoint(config.log_readers),
        verified=True,
        sign_out_url=config.sign_out_url,
    )
