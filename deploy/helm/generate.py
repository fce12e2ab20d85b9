"""Writes the chart's README.md and values.schema.json out of values.yaml. `--check` compares only, and ends with 1.

A comment above a key is its description. The schema is strict: a key that values.yaml does not have is refused, except
in the maps that are given to Kubernetes as they are.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

CHART: Final = Path(__file__).parent / "doublethink"

OPEN: Final = frozenset(
    {
        "commonLabels",
        "nodeSelector",
        "affinity",
        "podAnnotations",
        "podLabels",
        "annotations",
        "labels",
        "namespaceLabels",
        "existingSecrets",
        "issuerRef",
        "requests",
        "limits",
    }
)
"""Maps with keys of somebody else's choice."""

COMPONENTS: Final = ("gate", "planner", "validator", "reader", "console", "sealer")
"""Their sections may hold every key of `defaults`."""

CHOICES: Final[Mapping[str, tuple[Any, ...]]] = {
    "image.pullPolicy": ("Always", "IfNotPresent", "Never"),
    "certificates.mode": ("existing", "certManager", "generated"),
    "gate.source.kind": ("tavily", "duckduckgo", "corpus", "replay"),
    "gate.model.kind": ("none", "claude"),
    "planner.model.kind": ("none", "ollama", "openai"),
    "reader.backEnd": ("extractive", "claude"),
    "admission.enabled": ("auto", True, False),
    "model.persistence.accessMode": ("ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany"),
}

_CIDR = r"^([0-9]{1,3}(\.[0-9]{1,3}){3}/[0-9]{1,2}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/[0-9]{1,3})$"
_GROUP = r"^[^\x00-\x1f\x7f]{1,256}$"
PATTERNS: Final[Mapping[str, str]] = {
    "digest": r"^(sha256:[0-9a-f]{64})?$",
    "planner.model.digest": r"^([0-9a-f]{64})?$",
    "planner.model.address": r"^(https?://([0-9]{1,3}(\.[0-9]{1,3}){3}|\[[0-9A-Fa-f:]+\]):[0-9]{1,5}/?)?$",
    "sealer.origin": r"^([A-Za-z0-9]([A-Za-z0-9._/-]{0,118}[A-Za-z0-9])?)?$",
    # One host: the sealer's leg is no range.
    "sealer.objectStore.cidr": r"^(|[0-9]{1,3}(\.[0-9]{1,3}){3}/32|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*/128)$",
    "fullnameOverride": r"^[a-z0-9-]{0,40}$",
    "console.oidc.issuer": r"^(https://[\x21-\x7e]{1,500})?$",
    "console.oidc.keys.key": r"^[A-Za-z0-9._-]{1,253}$",
    "console.oidc.header": r"^[a-z][a-z0-9-]{0,63}$",
    "console.oidc.signOutUrl": (r"^(/|(/[A-Za-z0-9?:@._~%=&+-]|https://)[A-Za-z0-9/?:@._~%=&+-]{0,1000})?$"),
}
"""By path, or by name alone."""

LEAST: Final[Mapping[str, int]] = {
    # Thirty seconds to be left by callers, five for running calls and ten for what comes after them.
    "terminationGracePeriodSeconds": 45,
}
"""Whole numbers that need more than 0, by name."""

ITEMS: Final[Mapping[str, dict[str, Any]]] = {
    "ports": {"type": "integer", "minimum": 1, "maximum": 65535},
    "cidrs": {"type": "string", "pattern": _CIDR},
    "clusterCidrs": {"type": "string", "pattern": _CIDR},
    "nodeCidrs": {"type": "string", "pattern": _CIDR},
    "exceptIpv4": {"type": "string", "pattern": _CIDR},
    "exceptIpv6": {"type": "string", "pattern": _CIDR},
    "forbidden": {
        "type": "string",
        "pattern": r"^(\[[0-9A-Fa-f:]+\]|[0-9]{1,3}(\.[0-9]{1,3}){3}):[0-9]{1,5}$",
    },
    "dnsServers": {"type": "string"},
    "hosts": {"type": "string", "pattern": r"^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?(:[0-9]{1,5})?$"},
    "algorithms": {"enum": ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"]},
    "authorizedParties": {"type": "string", "minLength": 1, "maxLength": 200},
    "groupsClaim": {"type": "string", "minLength": 1, "maxLength": 200},
    "approvers": {"type": "string", "pattern": _GROUP},
    "logReaders": {"type": "string", "pattern": _GROUP},
    "teams": {
        "type": "object",
        "additionalProperties": False,
        "required": ["group", "team"],
        "properties": {
            "group": {"type": "string", "pattern": _GROUP},
            "team": {"type": "string", "pattern": r"^[a-z0-9][a-z0-9-]{0,39}$"},
        },
    },
    "imagePullSecrets": {
        "type": "object",
        "additionalProperties": False,
        "required": ["name"],
        "properties": {"name": {"type": "string"}},
    },
}
"""What a list may hold; objects of Kubernetes where nothing stands here."""


def schema(values: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON schema of the values."""
    document = _object("", values)
    defaults = document["properties"]["defaults"]["properties"]
    for component in COMPONENTS:
        document["properties"][component]["properties"] |= {
            key: kind
            for key, kind in defaults.items()
            if key not in document["properties"][component]["properties"]
        }
    # A chart that has this one as a dependency may say so, and share its globals.
    document["properties"]["enabled"] = {"type": "boolean"}
    document["properties"]["global"]["additionalProperties"] = True
    return {"$schema": "http://json-schema.org/draft-07/schema#", "title": "doublethink", **document}


def _object(path: str, values: Mapping[str, Any]) -> dict[str, Any]:
    properties = {key: _kind(f"{path}.{key}".lstrip("."), key, value) for key, value in values.items()}
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _kind(path: str, key: str, value: Any) -> dict[str, Any]:
    if path in CHOICES:
        return {"enum": list(CHOICES[path])}
    if isinstance(value, dict):
        if key in OPEN:
            return {"type": "object"}
        return _object(path, value)
    if isinstance(value, list):
        return {"type": "array", "items": ITEMS.get(key, {"type": "object"})}
    if isinstance(value, bool):
        return {"type": "boolean"}
    if isinstance(value, int):
        port = key == "port"
        least = LEAST.get(key, int(port))
        return {"type": "integer", "minimum": least, **({"maximum": 65535} if port else {})}
    pattern = PATTERNS.get(path) or PATTERNS.get(key)
    return {"type": "string", **({"pattern": pattern} if pattern else {})}


def readme(text: str, introduction: str) -> str:
    """The README: the introduction, and one row for each value."""
    rows = [f"| `{path}` | `{default}` | {words} |" for path, default, words in _rows(text)]
    table = ["| value | default | meaning |", "|---|---|---|", *rows]
    return introduction.rstrip() + "\n\n## Values\n\n" + "\n".join(table) + "\n"


def _rows(text: str) -> Iterator[tuple[str, str, str]]:
    """Path, default and description of each key, in the file's order. A section's row has its comment alone."""
    comment: list[str] = []
    where: list[tuple[int, str]] = []
    lines = text.splitlines()[1:]
    for number, line in enumerate(lines):
        said = re.fullmatch(r"\s*# (.*)", line)
        found = re.fullmatch(r"( *)([A-Za-z0-9]+):(?: (.*))?", line)
        if said:
            comment.append(said[1])
            continue
        if found:
            depth = len(found[1])
            where = [(d, k) for d, k in where if d < depth] + [(depth, found[2])]
            path = ".".join(key for _, key in where)
            default = found[3] or ""
            following = lines[number + 1] if number + 1 < len(lines) else ""
            is_list = following.strip().startswith("- ")
            if default or is_list:
                yield path, default or "see values.yaml", " ".join(comment)
            elif comment:
                yield path, "", " ".join(comment)
        comment = []


def main() -> int:
    """Write, or compare. Return the exit code."""
    text = (CHART / "values.yaml").read_text(encoding="utf-8")
    wanted = {
        CHART / "values.schema.json": json.dumps(schema(yaml.safe_load(text)), indent=2) + "\n",
        CHART / "README.md": readme(text, (CHART / "README.md.in").read_text(encoding="utf-8")),
    }
    stale = [
        file
        for file, content in wanted.items()
        if not file.exists() or file.read_text(encoding="utf-8") != content
    ]
    if "--check" in sys.argv[1:]:
        for file in stale:
            sys.stderr.write(f"{file.name} is not what values.yaml gives: run deploy/helm/generate.py\n")
        return 1 if stale else 0
    for file in stale:
        file.write_text(wanted[file], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
