"""Case files as the commands use them."""

from pathlib import Path

from doublethink_casefile import Case, CaseError, Proposals, load_case, render_case

from doublethink_sdk.exits import Exit, fail


def load(path: Path, *, plant: bool = True) -> Case:
    """The case at `path`, with a canary of its own or, without `plant`, as a person wrote it.

    Ends the command with one line that names the file, and key and line in it.
    """
    try:
        return load_case(path, plant=plant)
    except CaseError as error:
        raise fail(f"{path}: {error}", Exit.WRONG_USE) from error


def self_contained(case: Case) -> str:
    """The case as the text of one file: the console cannot read a `memo_file` beside it."""
    return render_case(case.title, case.memo, Proposals(case.secrets, case.public_terms), case.canaries)
