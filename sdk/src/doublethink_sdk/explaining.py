"""Why an attempt was stopped, as lines for a terminal: every word comes from the console and is made visible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from doublethink_sdk.terminal import visible

_VERDICTS = {"block": "stopped", "ask": "held for a person", "rewrite": "rewritten", "allow": "let go"}
_COLOURS = {"block": "red", "ask": "yellow", "rewrite": "yellow"}


def explanation(told: Mapping[str, Any]) -> Iterator[str]:
    """One attempt's explanation as lines."""
    verdict = str(told["verdict"])
    head = f"row {told['n']} of {told['session']}: {told['method']}, {_VERDICTS.get(verdict, verdict)}"
    yield click.style(visible(head), bold=True)
    if told["note"]:
        yield visible(f"  {told['note']}")
    for reason in told["reasons"]:
        yield from _reason(reason, told["checked_bytes"])


def _reason(reason: Mapping[str, Any], size: int | None) -> Iterator[str]:
    rules = ", ".join(way["rule"] for way in reason["ways"])
    head = f"  {_VERDICTS.get(reason['verdict'], reason['verdict'])}: {rules}"
    yield click.style(visible(head), fg=_COLOURS.get(reason["verdict"]))
    yield visible(f"    {reason['means']}")
    for way in reason["ways"]:
        if way["steps"]:
            yield visible(f"    found by: {' → '.join(way['steps'])}")
    if reason["span"] and size:
        yield visible(f"    place:    bytes {reason['span'][0]} to {reason['span'][1]} of {size}")
    if reason["over"] == "session":
        rows = ", ".join(f"row {earlier['n']}" for earlier in reason["earlier"])
        yield visible(f"    together with {rows}")
    elif reason["over"] == "payload":
        yield "    in this request alone"
    if reason["size_words"]:
        yield visible(f"    size:     {reason['size']} ({reason['size_words']})")
    for what in reason["do"]:
        yield visible(f"    - {what}")
    if reason["setting"]:
        yield visible(f"    policy:   {reason['setting']}")
