"""Every rendered document against the published schemas, and the rules of security over every pod."""

from __future__ import annotations

import ipaddress
import json
from typing import Any, Final

import kubernetes_validate
import pytest
from chart.declared import MINDS, SERVING
from chart.rendering import VALUES, Document, of_kind, pod_specs, render

VERSIONS: Final = tuple(f"1.{minor}" for minor in range(29, 38))
# Custom resources have no schema among Kubernetes' own.
CUSTOM: Final = ("cert-manager.io/", "monitoring.coreos.com/")
ADMISSION: Final = ("admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",)


def _all_documents(kube: str) -> list[Document]:
    """Each document once, however many sets of values give it."""
    apis = ADMISSION if int(kube.split(".")[1]) >= 30 else ()
    found: dict[str, Document] = {}
    for values in VALUES:
        settings = () if apis else ("admission.enabled=false",)
        for document in render(values, settings, kube=f"{kube}.0", apis=apis):
            if not document["apiVersion"].startswith(CUSTOM):
                found[json.dumps(document, sort_keys=True)] = document
    return list(found.values())


@pytest.mark.parametrize("version", VERSIONS)
def test_documents_are_valid_strictly(version: str) -> None:
    """No unknown field and no wrong type, in any version that is supported."""
    documents = _all_documents(version)
    assert len(documents) > 80
    for document in documents:
        kubernetes_validate.validate(document, version, strict=True)


@pytest.mark.parametrize("values", VALUES)
def test_a_block_is_one_that_the_api_server_takes(values: str) -> None:
    """What no schema says: written as it is kept, excepts inside of it and smaller, and no mapped IPv4 address."""
    blocks = [
        peer["ipBlock"]
        for policy in of_kind(render(values), "NetworkPolicy")
        for side, key in (("ingress", "from"), ("egress", "to"))
        for rule in policy["spec"].get(side, [])
        for peer in rule[key]
        if "ipBlock" in peer
    ]
    for block in blocks:
        outer = ipaddress.ip_network(block["cidr"])
        for excepted in block.get("except", []):
            inner = ipaddress.ip_network(excepted)
            assert inner.version == outer.version
            assert inner.prefixlen > outer.prefixlen
            assert inner.network_address in outer
            assert getattr(inner.network_address, "ipv4_mapped", None) is None


def test_the_schemas_can_refuse() -> None:
    """A field that no version knows is found."""
    deployment = of_kind(render("trial"), "Deployment")[0]
    wrong = {**deployment, "spec": {**deployment["spec"], "replicass": 2}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.37", strict=True)


def _every_pod() -> list[Any]:
    return [
        pytest.param(pod, id=f"{values}: {name}")
        for values in VALUES
        for name, pod in pod_specs(render(values)).items()
    ]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each pod is a case of its own."""
    if "pod" in metafunc.fixturenames:
        try:
            cases = _every_pod()
        except Exception as error:
            if type(error).__name__ != "ProgramsAbsent":
                raise
            cases = []
        metafunc.parametrize("pod", cases)


def _containers(pod: Document) -> list[Document]:
    return [*pod["spec"]["containers"], *pod["spec"].get("initContainers", [])]


def test_a_pod_is_restricted(pod: Document) -> None:
    """Pod security "restricted", and more: a numeric user, a read-only root, no token, nothing of the host."""
    spec = pod["spec"]
    component = pod["metadata"]["labels"]["app.kubernetes.io/component"]
    assert (spec["hostNetwork"], spec["hostPID"], spec["hostIPC"]) == (False, False, False)
    assert spec["automountServiceAccountToken"] is (component == "bootstrap")
    assert spec["serviceAccountName"] == f"t-doublethink-{component}"
    assert spec["securityContext"]["runAsNonRoot"] is True
    assert int(spec["securityContext"]["runAsUser"]) > 0
    assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for container in _containers(pod):
        security = container["securityContext"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["readOnlyRootFilesystem"] is True
        assert security["runAsNonRoot"] is True
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert not security.get("privileged")
    allowed = {"configMap", "emptyDir", "projected", "secret", "persistentVolumeClaim"}
    assert {key for volume in spec.get("volumes", []) for key in volume} - {"name"} <= allowed


def test_a_container_is_bounded(pod: Document) -> None:
    """Every container asks for memory and processor time, and has a bound of memory."""
    for container in _containers(pod):
        resources = container["resources"]
        assert {"cpu", "memory"} <= resources["requests"].keys()
        assert "memory" in resources["limits"]


def test_no_secret_stands_in_an_environment(pod: Document) -> None:
    """Secrets are files: an environment is inherited, dumped and shown."""
    for container in _containers(pod):
        assert not container.get("envFrom")
        for variable in container.get("env", []):
            assert "secretKeyRef" not in variable.get("valueFrom", {})


def test_a_mind_asks_no_dns_and_is_watched(pod: Document) -> None:
    """DNS is a way out: the three have no resolver. What serves proves its isolation first, and is proven again."""
    component = pod["metadata"]["labels"]["app.kubernetes.io/component"]
    spec = pod["spec"]
    if component in MINDS:
        assert spec["dnsPolicy"] == "None"
        assert spec["dnsConfig"] == {"nameservers": ["127.0.0.1"]}
    if pod["metadata"]["labels"].get("doublethink.dev/serves") and component in SERVING:
        assert spec["initContainers"][0]["name"] == "isolation"
        watched = [one for one in spec["containers"] if one["name"] == "isolation-watch"]
        assert len(watched) == (component in (*MINDS, "console"))
        if watched:
            main = next(one for one in spec["containers"] if one["name"] == component)
            assert main["livenessProbe"]["httpGet"] == {"path": "/live", "port": 7446}


@pytest.mark.parametrize("values", VALUES)
def test_api_keys_are_mounted_in_the_gate_alone(values: str) -> None:
    """I9 as the chart has it: no other pod mounts the secret of a provider."""
    for name, pod in pod_specs(render(values)).items():
        mounted = {
            source["secret"]["name"]
            for volume in pod["spec"].get("volumes", [])
            for source in volume.get("projected", {}).get("sources", [])
            if "secret" in source
        }
        assert bool(mounted & {"tavily", "claude"}) <= (name == "Deployment/t-doublethink-gate")


@pytest.mark.parametrize("values", VALUES)
def test_a_role_sees_its_own_secrets_alone(values: str) -> None:
    """No two components mount the same Secret, nor the same file of an identity provider's keys."""
    seen: dict[str, str] = {}
    for name, pod in pod_specs(render(values)).items():
        component = pod["metadata"]["labels"]["app.kubernetes.io/component"]
        for volume in pod["spec"].get("volumes", []):
            for source in volume.get("projected", {}).get("sources", []):
                ((kind, mounted),) = source.items()
                secret = f"{kind} {mounted['name']}"
                assert seen.setdefault(secret, component) == component, f"{secret} in {name}"


def test_a_selector_and_its_labels_go_together() -> None:
    """Services and budgets choose serving pods alone; test pods carry a component's label and serve nobody."""
    documents = render("trial")
    serving = {"doublethink.dev/serves": "true"}
    for document in of_kind(documents, "Service"):
        assert serving.items() <= document["spec"]["selector"].items()
    for document in of_kind(documents, "PodDisruptionBudget"):
        assert serving.items() <= document["spec"]["selector"]["matchLabels"].items()
    pods = of_kind(documents, "Pod")
    assert {pod["metadata"]["labels"]["app.kubernetes.io/component"] for pod in pods} == set(SERVING)
    assert not any("doublethink.dev/serves" in pod["metadata"]["labels"] for pod in pods)


def test_the_bootstrap_job_may_touch_its_own_secrets_alone() -> None:
    """It creates, and reads or replaces nothing that it did not make."""
    role = of_kind(render("trial"), "Role")[0]
    create, rest = role["rules"]
    assert create == {"apiGroups": [""], "resources": ["secrets"], "verbs": ["create"]}
    assert rest["verbs"] == ["get", "update"]
    assert len(rest["resourceNames"]) == 15
    assert all(name.startswith("t-doublethink-") for name in rest["resourceNames"])
