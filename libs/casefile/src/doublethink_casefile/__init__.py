"""The case file: a memo, the secrets in it that a person confirmed, and the terms that may be searched.

Read one with `load_case`, propose one from a memo with `propose`, write one with `render_case`.
No error and no `repr` of this package repeats a secret's value.
"""

from doublethink_casefile.canary import plant, random_canary
from doublethink_casefile.case import Case, Secret, SecretClass, planted
from doublethink_casefile.errors import CaseError, CaseFileError, CaseSyntaxError, MemoFileError
from doublethink_casefile.loader import load_case, parse_case
from doublethink_casefile.proposals import Proposals, propose
from doublethink_casefile.render import render_case

__all__ = [
    "Case",
    "CaseError",
    "CaseFileError",
    "CaseSyntaxError",
    "MemoFileError",
    "Proposals",
    "Secret",
    "SecretClass",
    "load_case",
    "parse_case",
    "plant",
    "planted",
    "propose",
    "random_canary",
    "render_case",
]
