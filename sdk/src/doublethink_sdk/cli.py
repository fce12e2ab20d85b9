"""The command `doublethink`."""

import click

from doublethink_sdk.commands.answer import answer
from doublethink_sdk.commands.ask import ask
from doublethink_sdk.commands.cancel import cancel
from doublethink_sdk.commands.case import case
from doublethink_sdk.commands.check import check
from doublethink_sdk.commands.check_url import check_url
from doublethink_sdk.commands.figures import figures
from doublethink_sdk.commands.holds import approve, holds, reject
from doublethink_sdk.commands.ledger import ledger
from doublethink_sdk.commands.models import models
from doublethink_sdk.commands.policy import policy
from doublethink_sdk.commands.proof import export, tamper, verify
from doublethink_sdk.commands.prove import prove
from doublethink_sdk.commands.record import record
from doublethink_sdk.commands.sessions import sessions
from doublethink_sdk.commands.up import up


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="doublethink")
def main() -> None:
    """Research companies on the open web without telling the web what the deal is.

    Exit codes: 0 done, 1 refused or not proven, 2 wrong use, 3 partly, 4 a service is missing; above
    128 a signal ended it. Each command's help says what they mean there.
    """


for command in (
    *(
        up,
        case,
        ask,
        answer,
        sessions,
        cancel,
        holds,
        approve,
        reject,
        policy,
        models,
        check,
        check_url,
        prove,
        figures,
    ),
    *(ledger, export, verify, tamper, record),
):
    main.add_command(command)
