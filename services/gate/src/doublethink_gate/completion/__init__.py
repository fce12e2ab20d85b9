"""The reader's completions: the request is assembled here, from a published template and stored pages."""

from doublethink_gate.completion.assembly import Assembled, assemble
from doublethink_gate.completion.claude import ClaudeModel, Model
from doublethink_gate.completion.template import Template, load_template

__all__ = ["Assembled", "ClaudeModel", "Model", "Template", "assemble", "load_template"]
