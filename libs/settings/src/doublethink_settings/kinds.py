"""Kinds of values, and the sections, that several services have."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Text = Annotated[str, Meta(min_length=1, description="a text that is not empty")]
Address = Annotated[
    str,
    Meta(
        pattern=r"\A(?:unix:[^\0]+|[0-9A-Za-z.-]+:[0-9]{1,5}|\[[0-9A-Fa-f:.]+\]:[0-9]{1,5})\Z",
        description='"unix:PATH" or "HOST:PORT"',
    ),
]


class Listen(Struct, frozen=True):
    """Where a service listens for its callers, for health probes and, where given, for Prometheus.

    rpc: several addresses let it listen on its callers' networks and on no other. A name takes one of its addresses.
    """

    rpc: (
        Address
        | Annotated[
            tuple[Address, ...], Meta(min_length=1, max_length=16, description="a list of up to 16 of these")
        ]
    )
    health: Address
    metrics: Address | None = None
