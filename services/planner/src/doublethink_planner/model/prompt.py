"""What a model is told. It is short, since a small model reads some tens of tokens a second."""

from __future__ import annotations

from typing import Final

import msgspec

Message = dict[str, str]

_TASK: Final = (
    "You divide a question about companies into the figures that must be looked up. For each figure copy, word by word "
    "from the question: the company; the metric with every word that narrows it; the period. Never use a word that is "
    "not in the question. Leave period empty if the question names none. operation: what must be computed from the "
    "figures, or none."
)
_EXAMPLES: Final[tuple[tuple[str, list[tuple[str, str, str]], str], ...]] = (
    (
        "For its Pumps segment, what level of operating income did Halvorsen Group disclose in fiscal 2021?",
        [("Halvorsen Group", "Pumps segment operating income", "fiscal 2021")],
        "none",
    ),
    (
        "By how many dollars did net sales at Orvik Foods move between 2019 and 2020?",
        [("Orvik Foods", "net sales", "2019"), ("Orvik Foods", "net sales", "2020")],
        "change",
    ),
    (
        "Taken together, what were the total assets of Lind Bank and Moss Bank as of December 31, 2022?",
        [
            ("Lind Bank", "total assets", "as of December 31, 2022"),
            ("Moss Bank", "total assets", "as of December 31, 2022"),
        ],
        "sum",
    ),
    (
        "Excluding special items, where did Tarn Energy's diluted earnings per share land for Q2 2023?",
        [("Tarn Energy", "diluted earnings per share excluding special items", "Q2 2023")],
        "none",
    ),
)


def messages(question: str) -> list[Message]:
    """The conversation that ends with the question."""
    told: list[Message] = [{"role": "system", "content": _TASK}]
    for example, figures, operation in _EXAMPLES:
        answer = {
            "figures": [
                {"company": company, "metric": metric, "period": period}
                for company, metric, period in figures
            ],
            "operation": operation,
        }
        told.append({"role": "user", "content": example})
        told.append({"role": "assistant", "content": msgspec.json.encode(answer).decode()})
    return [*told, {"role": "user", "content": question}]
