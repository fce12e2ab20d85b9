"""Who runs in which container: users, ports and connections, as docs/deployment.md has them.

Who calls whom over gRPC is the contracts' matter: a test holds `CALLS` against them.
"""

from __future__ import annotations

from typing import Final

RPC_PORT: Final = 7443
POSTGRES_PORT: Final = 5432

# Outside the ranges that Debian assigns (policy, section 9.2.2); the first four are the launcher's, too.
USERS: Final = {
    "reader": 64101,
    "validator": 64102,
    "planner": 64103,
    "sealer": 64104,
    "gate": 64105,
    "console": 64106,
    "forwarder": 64107,
    "corpus": 64108,
    "operator": 64109,
}

# Caller and callee of every gRPC connection.
CALLS: Final = frozenset(
    {
        ("console", "gate"),
        ("console", "planner"),
        ("console", "validator"),
        ("planner", "gate"),
        ("planner", "validator"),
        ("validator", "gate"),
        ("validator", "reader"),
        ("reader", "gate"),
    }
)

# Who opens connections to the database.
DATABASE_CLIENTS: Final = ("gate", "console", "sealer")

# Services with a certificate.
CERTIFIED: Final = ("gate", "planner", "reader", "validator", "console")
