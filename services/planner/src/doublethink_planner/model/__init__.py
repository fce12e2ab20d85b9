"""Planning with a local model, which only divides the question: whatever it says is made of the question's own words.

    plan_with_model(request, model, seconds) -> ResearchPlan     raises ModelError

The model is told the question alone. It names, for each figure, the words for company, metric and period, and an
operation. Code checks that each word stands in the question and that no word of the question that could matter is
left over; then the grammar of `question` reads each figure as if somebody had asked for it plainly. So a model
that invents, forgets, or was talked into saying a secret, gives no plan at all.
"""

from .errors import AnswerRefused, ModelAway, ModelError, Rubbish, Ungrounded
from .planning import Model, plan_with_model

__all__ = ["AnswerRefused", "Model", "ModelAway", "ModelError", "Rubbish", "Ungrounded", "plan_with_model"]
