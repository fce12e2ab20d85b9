"""Understanding a question without a model: which figures it asks for, and what to compute from them.

    understand(question, words) -> Understood      raises NotUnderstood or Unaskable

Everything here prefers silence: a question whose structure is not recognised with certainty is not
understood, since a wrong figure is worse than none.
"""

from .errors import NotUnderstood, Unaskable
from .memo_words import MemoWords
from .understanding import understand
from .understood import Sought, Understood

__all__ = ["MemoWords", "NotUnderstood", "Sought", "Unaskable", "Understood", "understand"]
