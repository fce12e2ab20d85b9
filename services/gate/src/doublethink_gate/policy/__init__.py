"""The policy file: sources, destinations, budgets, verdicts. The shipped default is strict."""

from doublethink_gate.policy.errors import PolicyError
from doublethink_gate.policy.loader import default_policy, load_policy, parse_policy
from doublethink_gate.policy.policy import FAMILIES, Budgets, ModelPrice, Policy, Prices

__all__ = [
    "FAMILIES",
    "Budgets",
    "ModelPrice",
    "Policy",
    "PolicyError",
    "Prices",
    "default_policy",
    "load_policy",
    "parse_policy",
]
