"""Understanding a question without a model: which figures it asks for, and what to compute from them.

    understand(question, words) -> Understood      raises NotUnderstood or Unaskable

Arithmetic prefers silence: an operation whose structure is not recognised with certainty is not understood,
since a wrong figure is worse than none. A single figure may be understood loosely, since the validator has to
find every word of its query.
"""

from .errors import NotUnderstood, Unaskable
from .memo_words import MemoWords
from .understanding import understand
from .understood import Sought, Understood

__all__ = ["MemoWords", "NotUnderstood", "Sought", "Unaskable", "Understood", "understand"]
