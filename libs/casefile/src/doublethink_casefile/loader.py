"""Read a case file. Works on the YAML node tree, so that every error can name its line.

Scalars are taken as they are written: ``1968-02-14`` stays text and is not turned into a date object.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from doublethink_casefile import limits
from doublethink_casefile.case import Case, Secret, SecretClass, planted
from doublethink_casefile.errors import CaseFileError, CaseSyntaxError, MemoFileError

_CASE_KEYS = ("title", "memo", "memo_file", "secrets", "public_terms", "canaries")
_SECRET_KEYS = ("class", "value", "aliases")
_TEXT_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "timestamp"))

# Not the white space of a text that was typed: tab, line breaks, form feed.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x84\x86-\x9f]")
_NO_CHARACTER = re.compile("[\x00\ud800-\udfff]")

MemoReader = Callable[[str], str]


def load_case(path: Path, *, plant: bool = True) -> Case:
    """Read the case at `path`; a relative ``memo_file`` is looked for beside it.

    Without `plant` it is the case as a person wrote it: the same file gives the same case each time.

    Raises:
        CaseFileError: the file cannot be read or is beyond a bound.
        CaseSyntaxError: its content is not a case; names key and line.
        MemoFileError: the memo it points to cannot be used.
    """
    data = _read_regular_file(path, limits.CASE_BYTES, CaseFileError, "case file")
    folder = path.resolve().parent

    def read_memo(name: str) -> str:
        return _read_memo_file(folder, name)

    return parse_case(data, read_memo=read_memo, plant=plant)


def parse_case(text: str, *, read_memo: MemoReader | None = None, plant: bool = True) -> Case:
    """Turn the text of a case file into a `Case`.

    Args:
        text: YAML, at most 1 MiB.
        read_memo: gives the text for a ``memo_file``; without it such a case is refused.
        plant: put its canaries, or a random one, into the memo.

    Raises:
        CaseSyntaxError: names key and line.
        MemoFileError: from `read_memo`, or because there is none.
    """
    if len(text.encode("utf-8", "surrogatepass")) > limits.CASE_BYTES:
        raise CaseFileError(f"the case is larger than {limits.CASE_BYTES} bytes: shorten it or use memo_file")
    fields = _mapping(_compose(text), "case", _CASE_KEYS)
    case = Case(
        title=_text(_required(fields, "title", "case"), "title", limits.TITLE_CHARS),
        memo=_memo(fields, read_memo),
        secrets=tuple(_secrets(_required(fields, "secrets", "case"))),
        public_terms=_texts(fields, "public_terms", "public_terms", limits.PUBLIC_TERMS),
        canaries=_canaries(fields),
    )
    return planted(case) if plant else case


class _BoundedComposer(Composer):
    """Stops at the first node too many or too deep: a small file can hold very many of either."""

    _nodes = 0
    _depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose one node and what is in it. Raises CaseSyntaxError."""
        self._nodes += 1
        if self._nodes > limits.NODES or self._depth >= limits.DEPTH:
            line = self.parser.peek_event().start_mark.line + 1
            raise CaseSyntaxError("case", line, "more, or more deeply nested, than a case can be")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


def _compose(text: str) -> Node:
    yaml = YAML(typ="safe", pure=True)
    yaml.Composer = _BoundedComposer
    try:
        root = yaml.compose(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise CaseSyntaxError("case", line, "not valid YAML: check indentation, quotes and colons") from None
    except YAMLError:
        raise CaseSyntaxError("case", 1, "not valid YAML, or it holds control characters") from None
    if not isinstance(root, Node):
        raise CaseSyntaxError("case", 1, "the file is empty: it needs title, memo and secrets")
    return root


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1


def _mapping(node: Node, where: str, allowed: tuple[str, ...]) -> dict[str, Node]:
    if not isinstance(node, MappingNode):
        raise CaseSyntaxError(where, _line(node), f"must hold the keys {', '.join(allowed)}")
    found: dict[str, Node] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, ScalarNode) or key_node.value not in allowed:
            # An unknown key is the writer's own word and may be a misplaced value: name it only if it looks
            # like a key.
            shown = key_node.value if isinstance(key_node, ScalarNode) and _looks_like_key(key_node) else "?"
            raise CaseSyntaxError(
                f"{where}.{shown}", _line(key_node), f"unknown key; allowed are {', '.join(allowed)}"
            )
        if key_node.value in found:
            raise CaseSyntaxError(f"{where}.{key_node.value}", _line(key_node), "this key is there twice")
        found[key_node.value] = value_node
    found["__node__"] = node
    return found


def _looks_like_key(node: ScalarNode) -> bool:
    return len(node.value) <= 24 and node.value.replace("_", "").isascii() and node.value.islower()


def _required(fields: dict[str, Node], key: str, where: str) -> Node:
    if key not in fields:
        raise CaseSyntaxError(f"{where}.{key}", _line(fields["__node__"]), "this key is missing")
    return fields[key]


def _text(node: Node, where: str, max_chars: int) -> str:
    if not isinstance(node, ScalarNode) or node.tag not in _TEXT_TAGS:
        if isinstance(node, ScalarNode) and str(node.tag).endswith(":null"):
            raise CaseSyntaxError(where, _line(node), "the value is missing")
        raise CaseSyntaxError(where, _line(node), "must be text; put it in quotes")
    value = str(node.value)
    if not value.strip():
        raise CaseSyntaxError(where, _line(node), "the value is missing")
    if len(value) > max_chars:
        raise CaseSyntaxError(where, _line(node), f"longer than {max_chars} characters")
    if (_NO_CHARACTER if where == "memo" else _CONTROL).search(value) or _NO_CHARACTER.search(value):
        raise CaseSyntaxError(
            where, _line(node), "holds control characters or half of a character: remove them"
        )
    return value


def _texts(fields: dict[str, Node], key: str, where: str, max_items: int) -> tuple[str, ...]:
    if key not in fields:
        return ()
    items = list(_items(fields[key], where, max_items))
    return tuple(_text(node, f"{where}[{at}]", limits.VALUE_CHARS) for at, node in enumerate(items))


def _items(node: Node, where: str, max_items: int) -> Iterator[Node]:
    if not isinstance(node, SequenceNode):
        raise CaseSyntaxError(where, _line(node), "must be a list")
    if len(node.value) > max_items:
        raise CaseSyntaxError(where, _line(node), f"more than {max_items} entries")
    yield from node.value


def _secrets(node: Node) -> Iterator[Secret]:
    items = list(_items(node, "secrets", limits.SECRETS))
    for at, item in enumerate(items):
        where = f"secrets[{at}]"
        fields = _mapping(item, where, _SECRET_KEYS)
        class_node = _required(fields, "class", where)
        class_text = _text(class_node, f"{where}.class", 20)
        if class_text not in set(SecretClass):
            raise CaseSyntaxError(
                f"{where}.class", _line(class_node), f"must be one of {', '.join(SecretClass)}"
            )
        value = _text(_required(fields, "value", where), f"{where}.value", limits.VALUE_CHARS)
        yield Secret(
            secret_class=SecretClass(class_text),
            value=value,
            aliases=_texts(fields, "aliases", f"{where}.aliases", limits.ALIASES),
        )


def _canaries(fields: dict[str, Node]) -> tuple[str, ...]:
    given = _texts(fields, "canaries", "canaries", limits.CANARIES)
    for at, canary in enumerate(given):
        if not (
            limits.CANARY_MIN_SYMBOLS <= len(canary) <= limits.CANARY_MAX_SYMBOLS
            and canary.isascii()
            and canary.isalnum()
        ):
            raise CaseSyntaxError(
                f"canaries[{at}]",
                _line(fields["canaries"]),
                f"must be {limits.CANARY_MIN_SYMBOLS} to {limits.CANARY_MAX_SYMBOLS} letters and digits; "
                "leave the list empty to have one planted at random",
            )
    return given


def _memo(fields: dict[str, Node], read_memo: MemoReader | None) -> str:
    if ("memo" in fields) == ("memo_file" in fields):
        raise CaseSyntaxError("case.memo", _line(fields["__node__"]), "give either memo or memo_file")
    if "memo" in fields:
        return _text(fields["memo"], "memo", limits.MEMO_BYTES)
    name = _text(fields["memo_file"], "memo_file", limits.VALUE_CHARS)
    if read_memo is None:
        raise MemoFileError("memo_file is not possible here: put the text under memo")
    memo = read_memo(name)
    if not memo.strip():
        raise MemoFileError("the file named by memo_file is empty")
    if _NO_CHARACTER.search(memo):
        raise MemoFileError("the file named by memo_file holds zero bytes: save it as plain text")
    return memo


def _read_memo_file(folder: Path, name: str) -> str:
    relative = Path(name)
    if relative.is_absolute():
        raise MemoFileError("memo_file must be a path relative to the case file")
    target = folder / relative
    # Folders may be links as long as they stay below the case; the file itself may not be one.
    if not target.parent.resolve().is_relative_to(folder):
        raise MemoFileError("memo_file must stay in the case file's folder")
    return _read_regular_file(target, limits.MEMO_BYTES, MemoFileError, "file named by memo_file")


def _read_regular_file(
    path: Path, max_bytes: int, error: type[CaseFileError] | type[MemoFileError], what: str
) -> str:
    # O_NONBLOCK: a named pipe must not make the reader wait for a writer.
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    if error is MemoFileError:
        flags |= os.O_NOFOLLOW
    try:
        descriptor = os.open(path, flags)
    except OSError as failure:
        raise error(f"the {what} cannot be opened ({os.strerror(failure.errno or 0)})") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise error(f"the {what} is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(max_bytes + 1)
    finally:
        os.close(descriptor)
    if len(data) > max_bytes:
        raise error(f"the {what} is larger than {max_bytes} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise error(f"the {what} is not UTF-8") from None
