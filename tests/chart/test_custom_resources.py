"""Custom resources, whose schemas are not among Kubernetes' own, against models made of their makers' definitions.

Valid means: the model takes the document, and gives it back unchanged. A field that the definition does not have would
be missing then. Of CloudNativePG there are no such models: its example is held against the product's own roles alone.
"""

from __future__ import annotations

from typing import Any, Final

import pytest
import yaml
from chart import makers
from chart.rendering import CHART, VALUES, Document, render
from doublethink_sdk.postgres.layout import ROLES

ALL_OF_THEM: Final = (
    "certificates.mode=certManager",
    "metrics.serviceMonitor.enabled=true",
    "metrics.prometheusRule.enabled=true",
)
# An authority that is there already: then the chart makes none.
WITH_ISSUER: Final = (
    "certificates.certManager.issuerRef.name=vault",
    "certificates.certManager.issuerRef.kind=ClusterIssuer",
    "metrics.serviceMonitor.labels.release=prometheus",
)


@pytest.fixture(scope="module")
def models() -> dict[str, Any]:
    """The modules by API version. Loading them takes seconds."""
    return makers.models()


def _back(models: dict[str, Any], document: Document) -> Any:
    """A document through its model and out again. Raises ValueError where the model does not take it."""
    model = getattr(models[document["apiVersion"]], document["kind"])
    return model.model_validate(document).model_dump(mode="json", by_alias=True, exclude_unset=True)


@pytest.mark.parametrize("more", [(), WITH_ISSUER], ids=["own authority", "an issuer"])
@pytest.mark.parametrize("values", VALUES)
def test_a_custom_resource_is_what_its_makers_take(
    models: dict[str, Any], values: str, more: tuple[str, ...]
) -> None:
    """Certificates, issuers, the ServiceMonitor and the rules, of every set of values."""
    documents = render(values, (*ALL_OF_THEM, *more))
    custom = [one for one in documents if one["apiVersion"] in models]
    issuers = {"Issuer"} if not more else set()
    assert {one["kind"] for one in custom} == {"Certificate", "PrometheusRule", "ServiceMonitor", *issuers}
    for document in custom:
        assert _back(models, document) == document


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("Certificate", "dnsName", ["gate.doublethink.internal"]),
        ("Certificate", "usages", ["signing everything"]),
        ("ServiceMonitor", "endpoint", []),
        ("PrometheusRule", "groups", "none"),
    ],
)
def test_the_models_can_refuse(models: dict[str, Any], kind: str, field: str, value: object) -> None:
    """An unknown field does not come back, and a wrong value is not taken."""
    document = next(one for one in render("production", ALL_OF_THEM) if one["kind"] == kind)
    wrong = {**document, "spec": {**document["spec"], field: value}}
    try:
        back = _back(models, wrong)
    except ValueError:
        return
    assert back != wrong


def test_the_ServiceMonitor_finds_ports_that_the_services_have() -> None:  # noqa: N802 - the kind's name
    """Its selector chooses the chart's Services, and each endpoint's port is one of theirs by name."""
    documents = render("production", ALL_OF_THEM)
    monitor = next(one for one in documents if one["kind"] == "ServiceMonitor")
    wanted = monitor["spec"]["selector"]["matchLabels"]
    chosen = [
        one
        for one in documents
        if one["kind"] == "Service" and wanted.items() <= one["metadata"]["labels"].items()
    ]
    assert len(chosen) >= 6
    ports = {port["name"] for one in chosen for port in one["spec"]["ports"]}
    assert {endpoint["port"] for endpoint in monitor["spec"]["endpoints"]} <= ports


def test_the_autoscalers_point_at_what_is_there() -> None:
    """Each scales a Deployment of the chart that has a request for processor time, and sets no number beside it."""
    documents = render("production")
    scalers = [one for one in documents if one["kind"] == "HorizontalPodAutoscaler"]
    deployments = {one["metadata"]["name"]: one["spec"] for one in documents if one["kind"] == "Deployment"}
    assert len(scalers) == 2
    for scaler in scalers:
        spec = deployments[scaler["spec"]["scaleTargetRef"]["name"]]
        assert "replicas" not in spec
        for container in spec["template"]["spec"]["containers"]:
            assert container["resources"]["requests"]["cpu"]
        assert scaler["spec"]["minReplicas"] <= scaler["spec"]["maxReplicas"]


def test_the_example_for_cloudnative_pg_makes_the_roles_that_log_in() -> None:
    """By the same names and bounds as the product's own, and enough connections for all of them."""
    example = yaml.safe_load((CHART / "examples" / "cloudnative-pg.yaml").read_text(encoding="utf-8"))
    assert (example["apiVersion"], example["kind"]) == ("postgresql.cnpg.io/v1", "Cluster")
    made = {one["name"]: one for one in example["spec"]["managed"]["roles"]}
    assert set(made) == {role.name for role in ROLES if role.login}
    for role in ROLES:
        if role.login:
            assert made[role.name].get("connectionLimit") == role.connections
            assert made[role.name]["login"] is True
    assert int(example["spec"]["postgresql"]["parameters"]["max_connections"]) >= 43 + 6 * 2
