"""The chart renders with helm 3 and 4, refuses what breaks the promise, and says what it promises."""

from __future__ import annotations

import pytest
import yaml
from chart.rendering import (
    API_SERVER,
    CHART,
    HELMS,
    VALUES,
    RenderRefused,
    helm,
    of_kind,
    pod_specs,
    render,
    text_of,
)


@pytest.mark.parametrize("program", HELMS)
@pytest.mark.parametrize("values", VALUES)
def test_lint_finds_nothing(values: str, program: str) -> None:
    """helm's own linter, strictly."""
    file = str(CHART / "ci" / f"{values}-values.yaml")
    done = helm(program, "lint", "--strict", "--quiet", str(CHART), "--values", file, "--set", API_SERVER)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("values", VALUES)
def test_both_helms_render_the_same(values: str) -> None:
    """The documents are equal, whatever white space lies between them."""
    one, other = (render(values, program=program) for program in HELMS)
    assert one == other
    assert len(one) > 30


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("kube", ["1.20.2", "1.29.0", "1.37.0"])
def test_an_old_and_a_new_server_get_documents(values: str, kube: str) -> None:
    """A server before 1.24 is asked for no gRPC probes, and one before 1.21 for no policy/v1."""
    documents = render(values, kube=kube)
    old = kube.startswith("1.20")
    budgets = {document["apiVersion"] for document in of_kind(documents, "PodDisruptionBudget")}
    assert budgets == {"policy/v1beta1" if old else "policy/v1"}
    probes = [
        container["readinessProbe"]
        for pod in pod_specs(documents).values()
        for container in pod["spec"]["containers"]
        if "readinessProbe" in container
    ]
    assert any("grpc" in probe for probe in probes) != old


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("networkPolicy.enabled=false",), "promiseIsVoid"),
        (("isolation.enabled=false",), "promiseIsVoid"),
        (("planner.model.kind=openai",), "planner.model.address is missing"),
        (("planner.model.address=http://10.0.0.1:8000",), "does nothing"),
        (("model.pull.enabled=true",), "does nothing"),
        (("postgres.enabled=false",), "database.peers is missing"),
        (("secrets.generate=false",), "secrets.generate=true"),
        (("gate.source.existingSecret=",), "tavily.key"),
        (("gate.model.kind=claude",), "claude.key"),
        (("sealer.origin=",), "sealer.origin is missing"),
        (("sealer.objectStore.existingSecret=store",), "sealer.objectStore.cidr is missing"),
        (("sealer.objectStore.cidr=0.0.0.0/0",), "cidr"),
        (("sealer.objectStore.cidr=2001:db8::/64",), "cidr"),
        (("console.ingress.enabled=true",), "console.hosts is missing"),
        (("console.ingress.enabled=true", "console.hosts={a.example}"), "tlsSecret is missing"),
        (("gate.source.recording=/x",), "replay alone"),
        (("retention.enabled=true",), "gate.policy"),
        (
            ("planner.model.kind=openai", "planner.model.address=http://model.example:8000"),
            "planner.model.address",
        ),
        (("gate.image.digest=sha256:abc",), "digest"),
        (("reader.backEnd=gpt",), "backEnd"),
        (("networkPolicy.internet.ports={0}",), "ports"),
        (("networkPolicy.internet.exceptIpv4={10.0.0.0/8}",), "exceptIpv4 lacks 0.0.0.0/8"),
        (("networkPolicy.internet.exceptIpv6={fe80::/10}",), "exceptIpv6 lacks"),
        (("networkPolicy.dns.cidrs={0.0.0.0/0}",), "name each DNS server"),
        (("networkPolicy.dns.cidrs={fd00::/8}",), "name each DNS server"),
        (("database.peers[0].ipBlock.cidr=::/0",), "the whole internet"),
        (("gate.replicass=2",), "replicass"),
        (("gate.terminationGracePeriodSeconds=44",), "terminationGracePeriodSeconds"),
        (("defaults.terminationGracePeriodSeconds=0",), "terminationGracePeriodSeconds"),
        (("anything=1",), "anything"),
    ],
)
def test_what_breaks_the_promise_or_does_nothing_is_refused(settings: tuple[str, ...], words: str) -> None:
    """One line says what is wrong; the schema catches unknown keys and forms, the guard the rest."""
    with pytest.raises(RenderRefused, match=words):
        render("trial", settings)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("console.oidc.issuer=",), "console.oidc.issuer and console.oidc.audience are missing"),
        (("console.oidc.issuer=http://login.example.com",), "issuer"),
        (("console.oidc.audience=",), "console.oidc.issuer and console.oidc.audience are missing"),
        (("console.oidc.keys.existingConfigMap=",), "name one of the two"),
        (("console.oidc.keys.existingSecret=also",), "name one of the two"),
        (("console.oidc.teams=null",), "console.oidc.teams is missing"),
        (("console.oidc.teams[0].team=Upper",), "team"),
        (("console.oidc.algorithms={HS256}",), "algorithms"),
        (("console.oidc.header=Authorization",), "header"),
        (("console.oidc.signOutUrl=//evil.example",), "signOutUrl"),
        (("console.token.existingSecret=token",), "never both"),
        (("console.hosts=null",), "console.hosts is missing"),
        (("networkPolicy.consolePeers=null",), "consolePeers is missing"),
        (("networkPolicy.consolePeers[0].podSelector=null",), "must select the pods of the proxy"),
        (
            ("networkPolicy.consolePeers[0].podSelector.matchLabels=null",),
            "must select the pods of the proxy",
        ),
        (("networkPolicy.consolePeers[1].ipBlock.cidr=10.0.0.0/8",), "must select the pods of the proxy"),
        (("console.oidc.enabled=false",), "console.oidc does nothing"),
    ],
)
def test_an_identity_provider_is_set_up_whole_or_refused(settings: tuple[str, ...], words: str) -> None:
    """One line says what is missing or contradicts itself."""
    with pytest.raises(RenderRefused, match=words):
        render("identity", settings)


def test_behind_an_identity_provider_there_is_no_launch_token() -> None:
    """The console's pod gets the keys' folder, whole so that a change arrives, and no token; the notes say who comes
    in, by way of whom.
    """
    pod = pod_specs(render("identity"))["Deployment/t-doublethink-console"]["spec"]
    volumes = {volume["name"]: volume for volume in pod["volumes"]}
    assert "console-token" not in yaml.safe_dump(volumes)
    assert volumes["identity"]["projected"]["sources"] == [
        {"configMap": {"name": "identity-keys", "items": [{"key": "jwks.json", "path": "jwks.json"}]}}
    ]
    (mount,) = [each for each in pod["containers"][0]["volumeMounts"] if each["name"] == "identity"]
    assert mount == {"name": "identity", "mountPath": "/etc/doublethink/identity", "readOnly": True}
    secret = ("console.oidc.keys.existingConfigMap=", "console.oidc.keys.existingSecret=keys")
    pod = pod_specs(render("identity", secret))["Deployment/t-doublethink-console"]["spec"]
    (volume,) = [each for each in pod["volumes"] if each["name"] == "identity"]
    assert [list(source) for source in volume["projected"]["sources"]] == [["secret"]]
    notes = text_of("identity", notes=True)
    assert "whom https://login.example.com/realms/deals has signed a token for" in notes
    assert "oauth2-proxy" in notes
    assert "get secret t-doublethink-console-token" not in notes
    assert "get secret t-doublethink-console-token" in text_of("trial", notes=True)


def test_without_policies_the_promise_is_void_and_the_notes_say_so() -> None:
    """Two values have to be set, no policy is rendered, and it is the first thing that is said."""
    settings = ("networkPolicy.enabled=false", "networkPolicy.promiseIsVoid=true")
    assert of_kind(render("trial", settings), "NetworkPolicy") == []
    assert "THE PROMISE IS VOID" in text_of("trial", settings, notes=True)


def test_no_way_out_is_guessed_for_the_bootstrap_job() -> None:
    """Where the API server is comes from the cluster or from the values, never from a range."""
    with pytest.raises(RenderRefused, match="cidrs is missing"):
        render("trial", ("networkPolicy.apiServer.cidrs=null",))


def test_the_notes_name_every_way_out() -> None:
    """What leaves, by whom, and which operator's legs are on."""
    trial = text_of("trial", notes=True)
    assert "Only the gate reaches the internet: TCP 443" in trial
    assert "planner, reader and validator have no DNS" in trial
    assert "Further ways out" not in trial
    production = text_of("production", notes=True)
    assert "planner's forwarder -> http://10.30.0.9:8000" in production
    assert "sealer -> 10.40.0.5/32:9000" in production
    assert "here not even the gate does" in text_of("offline", notes=True)
    void = text_of("production", ("planner.model.voidPromise=true",), notes=True)
    assert "THE PROMISE IS VOID" in void


def test_a_digest_beats_a_tag_and_one_registry_holds_all() -> None:
    """`global.imageRegistry` is put before every image; the image with a digest shows no tag."""
    images = {
        container["image"]
        for pod in pod_specs(render("production")).values()
        for container in [*pod["spec"]["containers"], *pod["spec"].get("initContainers", [])]
    }
    assert all(image.startswith("registry.example.com/doublethink/") for image in images)
    digest = f"sha256:{'0' * 63}1"
    assert {image for image in images if "/gate" in image} == {
        f"registry.example.com/doublethink/gate@{digest}"
    }
    assert "registry.example.com/doublethink/reader:0.1.0" in images


def test_the_sealer_is_one_and_never_scaled() -> None:
    """No HorizontalPodAutoscaler and no second replica, whatever the values say."""
    documents = render("production", ("sealer.autoscaling.enabled=true", "sealer.replicas=3"))
    scaled = {document["metadata"]["name"] for document in of_kind(documents, "HorizontalPodAutoscaler")}
    assert scaled == {"t-doublethink-gate", "t-doublethink-reader"}
    sealers = [
        one for one in of_kind(documents, "StatefulSet") if one["metadata"]["name"].endswith("-sealer")
    ]
    assert [one["spec"]["replicas"] for one in sealers] == [1]


def test_graphics_cards_are_the_model_server_s_alone() -> None:
    """The device's name can be changed, and no other container asks for one."""
    for name, pod in pod_specs(render("model")).items():
        for container in pod["spec"]["containers"]:
            devices = [
                key for key in container["resources"].get("limits", {}) if key.startswith("nvidia.com/")
            ]
            assert devices == (
                ["nvidia.com/mig-1g.10gb"] if name == "StatefulSet/t-doublethink-model" else []
            )


def test_the_serving_model_s_weights_cannot_be_changed_by_it() -> None:
    """The server mounts them read-only; the one-off job alone writes them."""
    pods = pod_specs(render("model"))
    mounts = {
        name: [mount for mount in pod["spec"]["containers"][0]["volumeMounts"] if mount["name"] == "weights"]
        for name, pod in pods.items()
        if "model" in name
    }
    assert mounts["StatefulSet/t-doublethink-model"][0]["readOnly"] is True
    assert "readOnly" not in mounts["Job/t-doublethink-model-pull-1"][0]


def test_admission_ties_label_and_account_where_the_server_can() -> None:
    """`auto` goes by what the server offers."""
    assert of_kind(render("trial"), "ValidatingAdmissionPolicy") == []
    apis = ("admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy",)
    documents = render("trial", apis=apis)
    policy = of_kind(documents, "ValidatingAdmissionPolicy")[0]
    binding = of_kind(documents, "ValidatingAdmissionPolicyBinding")[0]
    assert binding["spec"] == {"policyName": policy["metadata"]["name"], "validationActions": ["Deny"]}
    accounts = next(one for one in policy["spec"]["variables"] if one["name"] == "accounts")["expression"]
    made = {document["metadata"]["name"] for document in of_kind(documents, "ServiceAccount")}
    assert set(yaml.safe_load(accounts)) == made


def test_alerts_and_dashboards_are_files_of_the_chart() -> None:
    """The rule holds the groups of the file, with its templates unrendered."""
    rule = of_kind(render("production"), "PrometheusRule")[0]
    file = yaml.safe_load((CHART / "observability" / "alerts.yaml").read_text(encoding="utf-8"))
    assert rule["spec"] == file
    assert any("$labels" in entry["annotations"]["summary"] for entry in file["groups"][0]["rules"])
