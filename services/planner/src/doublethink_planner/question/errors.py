"""Why a question gives no plan.

QuestionError
├── NotUnderstood   it asks for no figure, or its structure is not certain
└── Unaskable       it cannot be asked without words that only the memo has

Messages are fixed: they never repeat a word of the question.
"""


class QuestionError(Exception):
    """A question that gives no plan."""


class NotUnderstood(QuestionError):
    """The question asks for no figure, or in a way that leaves two plans possible."""


class Unaskable(QuestionError):
    """Without the words that only the memo has, nothing remains that says what is asked."""
