"""The page's own style sheets, as far as they can hide text.

Read: rules whose selectors are tags, classes, ids and attributes, also inside of `@media screen` or `all`, `@layer`
and `@supports`. Not read: external sheets (the page is one file), other media queries, pseudo-classes, variables,
scripts. The numbers of rules and of matches are bounded.
"""

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from .characters import without
from .limits import Limits
from .style import Declarations, parse_declarations

_SELECTOR = re.compile(r"""[A-Za-z0-9_.#\-\[\]="'*> ]{1,120}""")
_IDS = re.compile(r"#[\w-]+")
_CLASSES = re.compile(r"\.[\w-]+|\[[^\]]*\]")
_TAGS = re.compile(r"(?:^|[ >])[A-Za-z]")
_MAX_COMPOUNDS = 4
_MAX_NESTED = 4
_APPLIES = re.compile(r"@media (?:only )?(?:all|screen)|@layer(?: [\w.-]{1,80})?|@supports (?!not\b).{1,200}")
_MAX_SHEET_CHARACTERS = 1_000_000


class Sheet:
    """Declarations by element, strongest last."""

    def __init__(self, page: LexborHTMLParser, limits: Limits) -> None:
        self._by_element: dict[int, list[tuple[tuple[int, int, int, int], Declarations]]] = {}
        matches = work = 0
        size = len(page.css("*")) if page.css_first("style") else 0
        for order, (selector, declarations) in enumerate(_rules(page, limits)):
            specificity = (
                len(_IDS.findall(selector)),
                len(_CLASSES.findall(selector)),
                len(_TAGS.findall(selector)),
                order,
            )
            work += size
            if work > limits.style_work:
                return
            try:
                matched = page.css(selector)
            except SelectolaxError:
                continue  # a selector that the parser does not know cannot be applied
            matches += len(matched)
            if matches > limits.style_matches:
                return
            for node in matched:
                self._by_element.setdefault(node.mem_id, []).append((specificity, declarations))

    def __bool__(self) -> bool:
        return bool(self._by_element)

    def of(self, element: int) -> Declarations:
        """The sheet's declarations for the element with this `mem_id`."""
        rules = self._by_element.get(element)
        if not rules:
            return ()
        return tuple(d for _, declarations in sorted(rules, key=lambda rule: rule[0]) for d in declarations)


def _rules(page: LexborHTMLParser, limits: Limits) -> Iterator[tuple[str, Declarations]]:
    count = 0
    for element in page.css("style"):
        css = without((element.text() or "")[:_MAX_SHEET_CHARACTERS], "/*", "*/")
        css = css.replace("<!--", "").replace("-->", "")
        for prelude, body in _plain(css, 0):
            declarations = parse_declarations(body)
            if not declarations:
                continue
            for selector in prelude.split(","):
                selector = " ".join(selector.split())
                if not _SELECTOR.fullmatch(selector) or len(selector.split()) > _MAX_COMPOUNDS:
                    continue
                count += 1
                if count > limits.style_rules:
                    return
                yield selector, declarations


def _plain(css: str, depth: int) -> Iterator[tuple[str, str]]:
    """Rules that hold on a screen: those in at-rules that always apply there count like the others."""
    for prelude, body in _top_level(css):
        if not prelude.startswith("@"):
            yield prelude, body
        elif depth < _MAX_NESTED and _APPLIES.fullmatch(" ".join(prelude.lower().split())):
            yield from _plain(body, depth + 1)


def _top_level(css: str) -> Iterator[tuple[str, str]]:
    """Pairs of what stands before a top-level brace and what stands inside it."""
    depth = start = body = 0
    prelude = ""
    for found in re.finditer(r"[{}]", css):
        if found[0] == "{":
            if depth == 0:
                prelude = css[start : found.start()].rpartition(";")[2].strip()
                body = found.end()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield prelude, css[body : found.start()]
                start = found.end()
