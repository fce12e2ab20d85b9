"""The admission policy's expressions, evaluated over pods: label, account and host network go together."""

from __future__ import annotations

from functools import cache
from typing import Any

import celpy
import pytest
from celpy import celtypes
from celpy.adapter import json_to_cel
from chart.rendering import Document, of_kind, pod_specs, render


@cache
def _policy() -> Document:
    return of_kind(render("trial", ("admission.enabled=true",)), "ValidatingAdmissionPolicy")[0]


def _verdicts(pod: Document) -> list[bool]:
    """What each validation says of a pod, its variables worked out first, as the API server does."""
    spec = _policy()["spec"]
    environment = celpy.Environment()
    variables = celtypes.MapType()
    activation: dict[str, Any] = {"object": json_to_cel(pod), "variables": variables}

    def value(expression: str) -> Any:
        return environment.program(environment.compile(expression)).evaluate(activation)

    for variable in spec["variables"]:
        variables[celtypes.StringType(variable["name"])] = value(variable["expression"])
    return [bool(value(validation["expression"])) for validation in spec["validations"]]


def _pod(
    component: str | None, account: str | None, *, release: str = "t", host: bool | None = None
) -> Document:
    labels = {"app.kubernetes.io/instance": release, "app.kubernetes.io/component": component}
    return {
        "metadata": {} if component is None else {"labels": labels},
        "spec": {
            **({} if account is None else {"serviceAccountName": account}),
            **({} if host is None else {"hostNetwork": host}),
        },
    }


@pytest.mark.parametrize(
    ("pod", "verdicts"),
    [
        pytest.param(
            _pod("gate", "t-doublethink-gate", host=False), [True, True, True], id="the gate itself"
        ),
        pytest.param(_pod(None, "default"), [True, True, True], id="somebody else's pod"),
        pytest.param(_pod("gate", "x", release="u"), [True, True, True], id="another release's"),
        pytest.param(_pod("gate", "default"), [False, True, True], id="label theft"),
        pytest.param(_pod("gate", None), [False, True, True], id="label theft without an account"),
        pytest.param(
            _pod("gate", "t-doublethink-reader"), [False, False, True], id="a reader with the gate's label"
        ),
        pytest.param(_pod(None, "t-doublethink-gate"), [True, False, True], id="account theft"),
        pytest.param(
            _pod("gate", "t-doublethink-gate", release="u"), [True, False, True], id="both for another"
        ),
        pytest.param(
            _pod("planner", "t-doublethink-planner", host=True), [True, True, False], id="the host's network"
        ),
    ],
)
def test_a_pod_is_let_in_with_label_and_account_or_neither(pod: Document, verdicts: list[bool]) -> None:
    """One false verdict refuses the pod."""
    assert _verdicts(pod) == verdicts


def test_every_pod_of_the_chart_is_let_in() -> None:
    """The policy refuses nothing that the chart itself makes."""
    for name, pod in pod_specs(render("trial")).items():
        assert _verdicts(pod) == [True, True, True], name
