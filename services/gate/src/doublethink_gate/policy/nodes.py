"""Typed access to the nodes of a policy file, with the line of everything that is wrong."""

from __future__ import annotations

import re

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from doublethink_gate.policy.errors import PolicyError

_MAX_ITEMS = 500
_MAX_NUMBER = 10**12
_MAX_TEXT = 300
_BOOLS = {"true": True, "false": False}


def compose(text: str) -> Node:
    """Return the root node of a YAML text; raises `PolicyError`."""
    try:
        root = YAML(typ="safe", pure=True).compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise PolicyError("policy", mark.line + 1 if mark else 1, "not valid YAML") from None
    except YAMLError:
        raise PolicyError("policy", 1, "not valid YAML, or it holds control characters") from None
    except RecursionError:
        raise PolicyError("policy", 1, "nested more deeply than a policy can be") from None
    if not isinstance(root, Node):
        raise PolicyError("policy", 1, "the file is empty")
    return root


class Section:
    """One mapping of the file. Every access takes a key; what is left at the end is unknown."""

    def __init__(self, node: Node, name: str) -> None:
        self._name = name
        self._line = int(node.start_mark.line) + 1
        self._fields: dict[str, tuple[int, Node]] = {}
        self._taken: set[str] = set()
        if not isinstance(node, MappingNode):
            raise PolicyError(name, self._line, "must hold keys and values")
        for key_node, value_node in node.value:
            line = int(key_node.start_mark.line) + 1
            key = str(key_node.value) if isinstance(key_node, ScalarNode) else "?"
            if not key.isprintable():
                # Errors name the key, in a terminal.
                raise PolicyError(name, line, "a key holds control characters")
            if key in self._fields:
                raise PolicyError(f"{name}.{key}", line, "this key is there twice")
            self._fields[key] = (line, value_node)

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self._line

    def nothing_else(self) -> None:
        """Raise for the first key that nobody asked for."""
        for key, (line, _) in self._fields.items():
            if key not in self._taken:
                raise PolicyError(
                    f"{self._name}.{key}", line, f"unknown key; known are {', '.join(sorted(self._taken))}"
                )

    def has(self, key: str) -> bool:
        """Whether an optional key is there; asking for it makes it known."""
        self._taken.add(key)
        return key in self._fields

    def section(self, key: str) -> Section:
        """Return the mapping under `key`."""
        return Section(self._take(key)[1], f"{self._name}.{key}")

    def number(self, key: str) -> int:
        """Return a whole number of at least 0."""
        line, node = self._take(key)
        if not isinstance(node, ScalarNode) or not str(node.value).isdecimal():
            raise PolicyError(f"{self._name}.{key}", line, "must be a whole number")
        value = int(node.value)
        if value > _MAX_NUMBER:
            raise PolicyError(f"{self._name}.{key}", line, "larger than allowed")
        return value

    def text(self, key: str, form: re.Pattern[str], description: str) -> str:
        """Return a text of a form."""
        line, node = self._take(key)
        value = str(node.value) if isinstance(node, ScalarNode) else ""
        if not form.fullmatch(value):
            raise PolicyError(f"{self._name}.{key}", line, f"must be {description}")
        return value

    def keys(self) -> tuple[str, ...]:
        """Return all keys, where they are names that the file chooses."""
        return tuple(self._fields)

    def flag(self, key: str) -> bool:
        """Return true or false."""
        line, node = self._take(key)
        value = _BOOLS.get(str(node.value)) if isinstance(node, ScalarNode) else None
        if value is None:
            raise PolicyError(f"{self._name}.{key}", line, "must be true or false")
        return value

    def choice(self, key: str, allowed: tuple[str, ...]) -> str:
        """Return one of the allowed words."""
        line, node = self._take(key)
        value = str(node.value) if isinstance(node, ScalarNode) else ""
        if value not in allowed:
            raise PolicyError(f"{self._name}.{key}", line, f"must be one of {', '.join(allowed)}")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        line, node = self._take(key)
        if not isinstance(node, SequenceNode) or len(node.value) > _MAX_ITEMS:
            raise PolicyError(f"{self._name}.{key}", line, f"must be a list of at most {_MAX_ITEMS} entries")
        values = []
        for item in node.value:
            if not isinstance(item, ScalarNode) or not 0 < len(item.value) <= _MAX_TEXT:
                raise PolicyError(f"{self._name}.{key}", int(item.start_mark.line) + 1, "must be text")
            values.append(str(item.value))
        return tuple(values)

    def names(self, key: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
        """Return a list of allowed words, each at most once."""
        values = self.texts(key)
        line = self._fields[key][0]
        if len(set(values)) != len(values) or not set(values) <= set(allowed):
            raise PolicyError(f"{self._name}.{key}", line, f"each once, out of {', '.join(allowed)}")
        return values

    def _take(self, key: str) -> tuple[int, Node]:
        if key not in self._fields:
            raise PolicyError(f"{self._name}.{key}", self._line, "this key is missing")
        self._taken.add(key)
        return self._fields[key]
