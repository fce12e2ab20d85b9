"""The rule set's version."""

RULE_SET_VERSION = "5"
"""Changes whenever the same payload may be judged differently; part of the policy digest in every ledger
row."""
