"""The reader's completions: the request is assembled here, from a published template and stored pages."""

from doublethink_gate.completion.answer import read_answer
from doublethink_gate.completion.assembly import Assembled, assemble
from doublethink_gate.completion.claude import ClaudeModel, Model
from doublethink_gate.completion.errors import ModelError
from doublethink_gate.completion.replayed import ReplayModel
from doublethink_gate.completion.template import Template, load_template
from doublethink_gate.completion.usage import Usage

__all__ = [
    "Assembled",
    "ClaudeModel",
    "Model",
    "ModelError",
    "ReplayModel",
    "Template",
    "Usage",
    "assemble",
    "load_template",
    "read_answer",
]
