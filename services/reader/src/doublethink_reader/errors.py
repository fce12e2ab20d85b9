"""Everything the reader raises for itself.

ReaderError
├── RequestRefused     the stream of requests does not have the promised order or size
└── AnswerRefused      the model's answer does not have the promised form
"""


class ReaderError(Exception):
    """Base of this service's errors."""


class RequestRefused(ReaderError):
    """The first message is not the query, a later one is not a page, or there are too many."""


class AnswerRefused(ReaderError):
    """The model's answer is not the JSON that the template promises. No claim is taken from it."""
