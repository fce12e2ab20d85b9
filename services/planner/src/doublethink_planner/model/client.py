"""The public clients of Ollama and of OpenAI-compatible servers, over the forwarder's unix socket and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import httpx
import ollama
import openai
from openai.types.chat import ChatCompletionMessageParam

from .errors import ModelAway
from .prompt import Message

_NOWHERE: Final = "http://model.invalid"
"""What stands in the requests' Host header: the socket decides where they go."""
_TOKENS: Final = 1024
_CONTEXT: Final = 4096
_RETRY_TEMPERATURE: Final = 0.4


def _http(socket: Path, seconds: float) -> dict[str, Any]:
    # No proxy, certificate or key is taken from the environment.
    return {
        "transport": httpx.AsyncHTTPTransport(uds=str(socket), retries=0),
        "trust_env": False,
        "follow_redirects": False,
        "timeout": httpx.Timeout(seconds, connect=5.0),
    }


class OllamaModel:
    """A model behind Ollama's interface. `close` when done."""

    def __init__(self, socket: Path, name: str, seconds: float) -> None:
        self._name = name
        # An empty authorization is sent in the place of a key that the client would take from the environment.
        self._client = ollama.AsyncClient(
            _NOWHERE, headers={"authorization": "none"}, **_http(socket, seconds)
        )

    async def answer(self, told: list[Message], schema: dict[str, object], seed: int) -> str:
        """The answer's text. Raises ModelAway."""
        try:
            response = await self._client.chat(
                self._name,
                messages=told,
                format=schema,
                think=False,
                options={
                    "temperature": _RETRY_TEMPERATURE if seed else 0.0,
                    "seed": seed,
                    "num_predict": _TOKENS,
                    "num_ctx": _CONTEXT,
                },
            )
        except (ollama.ResponseError, httpx.HTTPError, ConnectionError, ValueError):
            raise ModelAway("the model server does not answer, or refuses") from None
        return response.message.content or ""

    async def close(self) -> None:
        """Close the connection."""
        await self._client.close()  # type: ignore[no-untyped-call]


class OpenAiModel:
    """A model behind OpenAI's interface, as vLLM and llama.cpp serve it. `close` when done."""

    def __init__(self, socket: Path, name: str, seconds: float) -> None:
        self._name = name
        self._client = openai.AsyncOpenAI(
            base_url=f"{_NOWHERE}/v1",
            api_key="none",
            max_retries=0,
            http_client=httpx.AsyncClient(**_http(socket, seconds)),
        )

    async def answer(self, told: list[Message], schema: dict[str, object], seed: int) -> str:
        """The answer's text. Raises ModelAway."""
        spoken: list[ChatCompletionMessageParam] = [_param(message) for message in told]
        try:
            response = await self._client.chat.completions.create(
                model=self._name,
                messages=spoken,
                temperature=_RETRY_TEMPERATURE if seed else 0.0,
                seed=seed,
                max_tokens=_TOKENS,
                response_format={
                    "type": "json_schema",
                    "json_schema": {"name": "plan", "strict": True, "schema": schema},
                },
            )
        except (openai.OpenAIError, httpx.HTTPError, ValueError):
            raise ModelAway("the model server does not answer, or refuses") from None
        return (response.choices[0].message.content or "") if response.choices else ""

    async def close(self) -> None:
        """Close the connection."""
        await self._client.close()


def _param(message: Message) -> ChatCompletionMessageParam:
    content = message["content"]
    if message["role"] == "system":
        return {"role": "system", "content": content}
    if message["role"] == "assistant":
        return {"role": "assistant", "content": content}
    return {"role": "user", "content": content}
