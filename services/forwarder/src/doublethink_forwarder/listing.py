"""The model server's own listing: a model is used only if it stands there as a local one.

Ollama's GET /api/tags gives `name`, `size` in bytes and `digest`; a model that runs elsewhere also has
`remote_model` or `remote_host`. OpenAI-compatible servers' GET /v1/models give an `id` and no digest.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from .config import Dialect, ModelServer, is_remote_name
from .errors import ModelRefused, UpstreamFailed

_MOST: Final = 4096
_DIGEST: Final = re.compile(r"(?:sha256:)?([0-9a-f]{64})")


class OllamaModel(Struct):
    """One row of Ollama's listing; what is not named here is ignored."""

    name: Annotated[str, Meta(max_length=512)]
    size: int = 0
    digest: Annotated[str, Meta(max_length=128)] = ""
    remote_model: str | None = None
    remote_host: str | None = None


class _Tags(Struct):
    models: Annotated[list[OllamaModel], Meta(max_length=_MOST)]


class _OpenAiModel(Struct):
    id: Annotated[str, Meta(max_length=512)]


class _Models(Struct):
    data: Annotated[list[_OpenAiModel], Meta(max_length=_MOST)]


def check_listed(wanted: ModelServer, listing: bytes) -> str:
    """The digest under which the wanted model is listed, 64 hexadecimal digits, or "" where there is none.

    Raises ModelRefused, or UpstreamFailed for a listing that cannot be read.
    """
    try:
        if wanted.dialect is Dialect.OPENAI:
            ids = [model.id for model in msgspec.json.decode(listing, type=_Models).data]
            if wanted.name not in ids:
                raise ModelRefused("the model server does not have the model")
            return ""
        models = msgspec.json.decode(listing, type=_Tags).models
    except msgspec.DecodeError:
        raise UpstreamFailed("the model server's listing cannot be read") from None
    return _checked(wanted, models)


def _checked(wanted: ModelServer, models: list[OllamaModel]) -> str:
    names = {wanted.name, f"{wanted.name}:latest"}
    found = [model for model in models if model.name in names]
    if not found:
        raise ModelRefused("the model server does not have the model: pull it, then try again")
    for model in found:
        digest = _DIGEST.fullmatch(model.digest)
        remote = bool(model.remote_model or model.remote_host) or is_remote_name(model.name)
        if remote or model.size <= 0 or digest is None:
            raise ModelRefused("the model server lists the model as one that is not local")
    digests = {model.digest.removeprefix("sha256:") for model in found}
    if len(digests) > 1:
        raise ModelRefused("the model server lists two models under the name")
    return digests.pop()
