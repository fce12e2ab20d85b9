"""The requests that pass, by the fields they may have: read strictly, written anew.

What is passed on is written from these classes, so that a field nobody here knows cannot ride along. Forms:
Ollama's API (POST /api/chat, POST /api/show) and OpenAI's chat completions. Neither tools, images nor
streaming pass.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta, Struct

from .config import ModelServer
from .errors import RequestRefused

MAX_BODY_BYTES: Final = 1024 * 1024
_TEXT: Final = 512 * 1024

Name = Annotated[str, Meta(max_length=128)]
Schema = dict[str, Any]
Fraction = Annotated[float, Meta(ge=0, le=2)]
Tokens = Annotated[int, Meta(ge=1, le=131072)]


class Message(Struct, forbid_unknown_fields=True):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: Annotated[str, Meta(max_length=_TEXT)]


Messages = Annotated[list[Message], Meta(min_length=1, max_length=64)]


class Options(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """Ollama's sampling options, those that make an answer repeatable and bounded."""

    temperature: Fraction | None = None
    seed: int | None = None
    num_predict: Tokens | None = None
    num_ctx: Tokens | None = None
    top_p: Fraction | None = None


class OllamaChat(Struct, forbid_unknown_fields=True):
    """POST /api/chat. `tools` may be there if it is empty: the public client always sends it."""

    model: Name
    messages: Messages
    stream: Literal[False] = False
    think: Literal[False] | None = None
    format: Schema | Literal["json"] | None = None
    options: Options | None = None
    keep_alive: Annotated[str, Meta(max_length=16)] | Annotated[int, Meta(ge=0, le=86400)] | None = None
    tools: Annotated[list[Any], Meta(max_length=0)] | None = None


class OllamaShow(Struct, forbid_unknown_fields=True):
    """POST /api/show."""

    model: Name


class JsonSchema(Struct, forbid_unknown_fields=True):
    """A named schema that the answer must follow."""

    name: Annotated[str, Meta(max_length=64)]
    schema: Schema
    strict: bool = True


class ResponseFormat(Struct, forbid_unknown_fields=True):
    """How an OpenAI-compatible server is told to follow a schema."""

    type: Literal["json_schema"]
    json_schema: JsonSchema


class OpenAiChat(Struct, forbid_unknown_fields=True):
    """POST /v1/chat/completions."""

    model: Name
    messages: Messages
    stream: Literal[False] = False
    temperature: Fraction | None = None
    top_p: Fraction | None = None
    seed: int | None = None
    max_tokens: Tokens | None = None
    response_format: ResponseFormat | None = None


def rewritten(body: bytes, form: type[OllamaChat | OllamaShow | OpenAiChat], server: ModelServer) -> bytes:
    """The body as it is passed on. Raises RequestRefused for any other form or another model."""
    try:
        request = msgspec.json.decode(body, type=form)
    except (msgspec.DecodeError, RecursionError):
        raise RequestRefused("the request does not have the form that passes") from None
    if request.model != server.name:
        raise RequestRefused("only the model of the configuration passes")
    fields = {name: value for name, value in msgspec.structs.asdict(request).items() if value is not None}
    fields.pop("tools", None)
    return msgspec.json.encode(fields)
