"""Templates to HTML. Everything that is put into a page is escaped; a name that a template does not get is a fault."""

from __future__ import annotations

from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.responses import HTMLResponse

from doublethink_console.identity.people import Person

_VERDICTS: Final = {
    "allow": "let go",
    "rewrite": "rewritten",
    "ask": "held",
    "block": "stopped",
    "approve": "approved",
    "reject": "rejected",
}
_STATES: Final = {
    "queued": "waits",
    "running": "goes on",
    "answered": "answered",
    "not_found": "not found",
    "refused": "refused",
    "failed": "failed",
}


def _percent(part: int, whole: int) -> str:
    """A share for a drawing; a whole of nothing is drawn empty."""
    return f"{100 * part / whole:.3f}" if whole else "0"


def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("doublethink_console.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["verdict"] = lambda word: _VERDICTS.get(word, word)
    made.filters["state"] = lambda word: _STATES.get(word, word)
    made.filters["moment"] = lambda text: text.replace("T", " ").replace("Z", " UTC") if text else ""
    made.filters["count_of"] = lambda number, one, more: f"{number} {one if number == 1 else more}"
    made.globals["percent"] = _percent
    return made


_ENVIRONMENT: Final = _environment()


def rendered(template: str, **values: Any) -> str:
    """The text of a template."""
    return _ENVIRONMENT.get_template(template).render(**values)


def page(template: str, *, status: int = 200, person: Person | None = None, **values: Any) -> HTMLResponse:
    """The page of a template, for a person or for nobody yet."""
    return HTMLResponse(rendered(template, person=person, **values), status_code=status)
