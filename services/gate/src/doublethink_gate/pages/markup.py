"""From the tree of an HTML page to blocks of text, as a person would see them."""

from collections import Counter
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .blocks import Block
from .characters import fold
from .limits import Limits
from .style import Declarations, Inherited, Styled, apply, invisible_text, parse_declarations
from .stylesheet import Sheet
from .superscript import raise_text
from .tables import Budget, SourceCell, table_blocks
from .tags import BLOCK, DROPPED, PREFORMATTED, SPACED

_ROW_GROUPS = frozenset(("thead", "tbody", "tfoot"))
_INLINE_DISPLAY = frozenset(("inline", "contents", "inline-block", "inline-flex", "inline-table"))
_BLOCK_DISPLAY = frozenset(("block", "flex", "grid", "table", "table-row", "list-item", "flow-root"))
_MAX_SPAN = 65_534

# A step of the walk: an element or text to visit, or what to do when an element ends.
_Step = tuple[LexborNode | None, Inherited | str, int]
_FLUSH, _SPACE = "flush", "space"


class Walker:
    """Walks one page once. `cut` and `hidden` say what the text lacks."""

    def __init__(self, page: LexborHTMLParser, limits: Limits, stripped: Counter[str]) -> None:
        self._limits = limits
        self._stripped = stripped
        self._sheet = Sheet(page, limits)
        self._has_sheet = bool(self._sheet)
        # A sheet that is not here may have coloured any element that it can name.
        self._outside_sheet = page.css_first("link[rel~=stylesheet]") is not None
        self._budget = Budget(limits.cells)
        # Generated pages repeat a few styles thousands of times.
        self._parsed: dict[str, Declarations] = {}
        self._applied: dict[tuple[Declarations, Inherited], Styled] = {}
        self._nodes = 0
        self._characters = 0
        self.cut = False

    def blocks(self, body: LexborNode) -> list[Block]:
        """The blocks of the page's body element."""
        inherited = Inherited(background=None) if self._outside_sheet else Inherited()
        own = self._enter(body, inherited)
        return [] if own is None else self._inside(body, own[0], 0, 0)

    def _inside(self, parent: LexborNode, inherited: Inherited, depth: int, table_depth: int) -> list[Block]:
        out: list[Block] = []
        line: list[str] = []
        steps: list[_Step] = []
        self._push_children(steps, parent, inherited, depth)
        while steps and not self.cut:
            node, how, depth = steps.pop()
            if node is None:
                if how == _FLUSH:
                    self._flush(line, out)
                else:
                    line.append(" ")
                continue
            assert isinstance(how, Inherited)  # noqa: S101 - a step with a node always carries what it inherits
            if node.is_text_node:
                self._text(node, how, line, out)
                continue
            tag = node.tag
            if not node.is_element_node or tag is None:
                continue
            if tag == "br":
                self._flush(line, out)
                continue
            entered = self._enter(node, how)
            if entered is None:
                continue
            own, display = entered
            if tag == "table" and table_depth < self._limits.table_depth:
                self._flush(line, out)
                out.extend(self._table(node, own, depth, table_depth + 1))
                continue
            if (tag in BLOCK and display not in _INLINE_DISPLAY) or display in _BLOCK_DISPLAY:
                self._flush(line, out)
                steps.append((None, _FLUSH, depth))
            elif tag in SPACED or display == "inline-block":
                line.append(" ")
                steps.append((None, _SPACE, depth))
            if tag == "details" and "open" not in node.attributes:
                self._push_summary(steps, node, own, depth)
            else:
                self._push_children(steps, node, own, depth)
        self._flush(line, out)
        return out

    def _push_children(self, steps: list[_Step], node: LexborNode, inherited: Inherited, depth: int) -> None:
        children = _children(node)
        self._nodes += len(children)
        if self._nodes > self._limits.nodes or (children and depth >= self._limits.depth):
            self.cut = True
            return
        steps.extend((child, inherited, depth + 1) for child in reversed(children))

    def _push_summary(self, steps: list[_Step], node: LexborNode, inherited: Inherited, depth: int) -> None:
        children = _children(node)
        summary = next((child for child in children if child.tag == "summary"), None)
        if len(children) > (1 if summary else 0):
            self._stripped["hidden_details"] += 1
        if summary is not None:
            steps.append((summary, inherited, depth + 1))

    def _text(self, node: LexborNode, inherited: Inherited, line: list[str], out: list[Block]) -> None:
        text = node.text_content or ""
        reason = invisible_text(inherited)
        if reason:
            if text.strip():
                self._stripped[f"hidden_{reason}"] += 1
            return
        if inherited.raised and any(not c.isspace() for c in text):
            line.append(raise_text(text))
        elif inherited.preformatted and "\n" in text:
            first, *rest = text.split("\n")
            line.append(first)
            for part in rest:
                self._flush(line, out)
                line.append(part)
        else:
            line.append(text)

    def _flush(self, line: list[str], out: list[Block]) -> None:
        if not line:
            return
        text = fold("".join(line), self._stripped)
        line.clear()
        if not text:
            return
        self._characters += len(text)
        if self._characters > self._limits.text_bytes:
            self.cut = True
            return
        out.append(text)

    def _enter(self, node: LexborNode, inherited: Inherited) -> tuple[Inherited, str | None] | None:
        """What the element hands down and its display; None if it and all inside it is not on the page."""
        tag = node.tag or ""
        if tag in DROPPED:
            if tag in ("noscript", "template", "ix:header", "iframe", "object"):
                self._stripped["hidden_element"] += 1
            return None
        attributes = node.attributes
        display = None
        if attributes or self._has_sheet:
            if "hidden" in attributes or (attributes.get("aria-hidden") or "").lower() == "true":
                self._count_hidden(node, "attribute")
                return None
            declarations = _presentation(tag, attributes)
            if self._has_sheet:
                declarations += self._sheet.of(node.mem_id)
            if attributes.get("style"):
                declarations += self._parse(attributes["style"] or "")
            if declarations:
                styled = self._apply(declarations, inherited)
                if styled.hidden:
                    self._count_hidden(node, styled.hidden)
                    return None
                inherited, display = styled.inherited, styled.display
                if inherited.background and self._outside_sheet and not _sets_background(declarations):
                    inherited = _repaint(inherited, attributes)
            elif self._outside_sheet and inherited.background:
                inherited = _repaint(inherited, attributes)
        if tag == "dialog" and "open" not in attributes:
            self._count_hidden(node, "attribute")
            return None
        if tag == "sup" and not inherited.raised:
            inherited = replace(inherited, raised=True)
        elif tag in PREFORMATTED and not inherited.preformatted:
            inherited = replace(inherited, preformatted=True)
        return inherited, display

    def _parse(self, css: str) -> Declarations:
        found = self._parsed.get(css)
        if found is None:
            found = self._parsed[css] = parse_declarations(css)
        return found

    def _apply(self, declarations: Declarations, inherited: Inherited) -> Styled:
        key = (declarations, inherited)
        found = self._applied.get(key)
        if found is None:
            found = self._applied[key] = apply(declarations, inherited)
        return found

    def _count_hidden(self, node: LexborNode, reason: str) -> None:
        if (node.text() or "").strip():
            self._stripped[f"hidden_{reason}"] += 1

    def _table(self, table: LexborNode, inherited: Inherited, depth: int, table_depth: int) -> list[Block]:
        before: list[Block] = []
        head: list[list[SourceCell]] = []
        rows: list[list[SourceCell]] = []
        foot: list[list[SourceCell]] = []
        for child in _children(table):
            entered = self._enter(child, inherited) if child.is_element_node else None
            if entered is None:
                continue
            if child.tag in _ROW_GROUPS:
                group = {"thead": head, "tfoot": foot}.get(child.tag or "", rows)
                for row in _children(child):
                    own = self._enter(row, entered[0]) if row.tag == "tr" else None
                    if own is not None:
                        group.append(self._row(row, own[0], depth, table_depth))
            elif child.tag == "tr":
                rows.append(self._row(child, entered[0], depth, table_depth))
            elif child.tag == "caption":
                before.extend(self._inside(child, entered[0], depth + 1, table_depth))
        blocks = before + table_blocks(head + rows + foot, self._budget)
        self.cut = self.cut or self._budget.left < 0
        return blocks

    def _row(self, row: LexborNode, inherited: Inherited, depth: int, table_depth: int) -> list[SourceCell]:
        cells: list[SourceCell] = []
        for child in _children(row):
            if child.tag not in ("td", "th"):
                continue
            self._nodes += 1
            entered = self._enter(child, inherited)
            if entered is None:
                continue
            attributes = child.attributes
            cells.append(
                SourceCell(
                    blocks=tuple(self._inside(child, entered[0], depth + 3, table_depth)),
                    column_span=_span(attributes.get("colspan")),
                    row_span=_span(attributes.get("rowspan")),
                )
            )
        return cells


def _children(node: LexborNode) -> list[LexborNode]:
    found = []
    child = node.first_child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def _span(value: str | None) -> int:
    digits = (value or "").strip()
    if not digits.isascii() or not digits.isdigit() or len(digits) > 6:
        return 1
    return max(1, min(int(digits), _MAX_SPAN))


def _presentation(tag: str, attributes: dict[str, str | None]) -> tuple[tuple[str, str], ...]:
    """Declarations that old attributes stand for."""
    found = []
    background = attributes.get("bgcolor")
    if background:
        found.append(("background-color", _legacy_color(background)))
    color = attributes.get("color" if tag == "font" else "text") if tag in ("font", "body") else None
    if color:
        found.append(("color", _legacy_color(color)))
    return tuple(found)


def _legacy_color(value: str) -> str:
    value = value.strip().lower()
    return f"#{value}" if len(value) == 6 and all(c in "0123456789abcdef" for c in value) else value


def _sets_background(declarations: tuple[tuple[str, str], ...]) -> bool:
    return any(name.lstrip("!") in ("background", "background-color") for name, _ in declarations)


def _repaint(inherited: Inherited, attributes: dict[str, str | None]) -> Inherited:
    """The background of an element that a sheet elsewhere can name is unknown."""
    if "class" not in attributes and "id" not in attributes:
        return inherited
    return replace(inherited, background=None)
