"""Says in words what a setting may be, from its annotation alone."""

from __future__ import annotations

from pathlib import Path

from msgspec import inspect


def allowed(kind: inspect.Type) -> str:
    """Return what may follow "must be". A `description` in the annotation's Meta comes first.

    Raises TypeError for a kind that has no place in a settings file.
    """
    match kind:
        case inspect.Metadata(extra_json_schema={"description": str(description)}):
            return description
        case inspect.Metadata():
            return allowed(kind.type)
        case inspect.UnionType(types=members):
            return " or ".join(allowed(one) for one in members if not isinstance(one, inspect.NoneType))
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType():
            return "a whole number" + _bounds(kind)
        case inspect.FloatType():
            return "a number" + _bounds(kind)
        case inspect.EnumType(cls=choices):
            return f"one of: {', '.join(str(choice.value) for choice in choices)}"
        case inspect.CustomType(cls=cls) if cls is Path:
            return "a path"
        case inspect.VarTupleType(item_type=item):
            return f"a list, each item {allowed(item)}"
        case inspect.StrType():
            return "text"
    raise TypeError(f"{kind} has no place in a settings file")


def _bounds(kind: inspect.IntType | inspect.FloatType) -> str:
    bounds = (("from", kind.ge), ("above", kind.gt), ("to", kind.le), ("below", kind.lt))
    return "".join(f" {word} {bound:g}" for word, bound in bounds if bound is not None)
