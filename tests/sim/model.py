"""A cloud model that speaks Anthropic's Messages format and says what a test wants it to say."""

from __future__ import annotations

import json
from dataclasses import dataclass

from sim.web import SeenRequest, SimAnswer


@dataclass
class SimModel:
    """Answers every POST /v1/messages with one text."""

    text: str = '{"claims":[]}'
    stop_reason: str = "end_turn"
    status: int = 200

    async def __call__(self, request: SeenRequest) -> SimAnswer:
        """Answer one request."""
        if (request.method, request.target) != ("POST", "/v1/messages"):
            return SimAnswer(404, b"{}")
        asked = json.loads(request.body)
        body = {
            "id": "msg_simulated",
            "type": "message",
            "role": "assistant",
            "model": asked["model"],
            "content": [{"type": "text", "text": self.text}],
            "stop_reason": self.stop_reason,
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        return SimAnswer(self.status, json.dumps(body).encode())
