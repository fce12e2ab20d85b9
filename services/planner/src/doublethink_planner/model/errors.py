"""Why a model gave no plan.

    ModelError
    ├── ModelAway        the model server does not answer, refuses, or takes too long
    └── AnswerRefused    an answer that gives no plan
        ├── Rubbish      it is not of the schema
        └── Ungrounded   it is not made of the question's words, or leaves one over that could matter

Messages are fixed: they repeat nothing of the question and nothing of an answer.
"""

from __future__ import annotations


class ModelError(Exception):
    """The model gave no plan."""


class ModelAway(ModelError):
    """The model server does not answer, refuses the request, or takes too long."""


class AnswerRefused(ModelError):
    """An answer that gives no plan."""


class Rubbish(AnswerRefused):
    """An answer that is not of the schema."""


class Ungrounded(AnswerRefused):
    """An answer that says something else than the question, as far as code can tell."""
