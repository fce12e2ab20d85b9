"""One release on a real cluster, from its installation to the loss of its policies. The tests build on each other."""

from __future__ import annotations

import base64
import json
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest
from chart.declared import calls
from cluster.cluster import PREFIX, RELEASE, ROOT, SERVING, Cluster, until
from cluster.inside import ASK, MEMORY, PROBE
from doublethink_sdk.cases import load, self_contained

QUESTION: Final = "What was the operating margin of Halvorsen Pumps in fiscal 2024?"
PORTS: Final = (7443, 7444, 7445, 7446, 8443)
METADATA: Final = "169.254.169.254"


def _ask(cluster: Cluster, count: int = 1, at_once: int = 1, seconds: int = 240) -> list[dict[str, Any]]:
    case = self_contained(load(ROOT / "demo" / "case.yaml"))
    wanted = {"case": case, "questions": [QUESTION] * count, "at_once": at_once, "seconds": seconds}
    found: list[dict[str, Any]] = json.loads(
        cluster.python("console", ASK, json.dumps(wanted), seconds=seconds + 60).splitlines()[-1]
    )
    return found


def _answers(runs: Sequence[Mapping[str, Any]]) -> list[Any]:
    return [
        [figure["value"] for figure in run["answer"]["figures"]]
        if run["status"] == "answered"
        else (run["status"], run.get("code"), run.get("reason"), run.get("counts"))
        for run in runs
    ]


def test_the_bootstrap_s_rights_are_gone_with_it(release: Cluster) -> None:
    """What may make secrets lives as long as its job: no account, no role and no way to the API server stays."""
    label = "app.kubernetes.io/component=bootstrap"
    for kind in ("jobs", "pods", "serviceaccounts", "roles", "rolebindings", "networkpolicies"):
        assert release.get(kind, "--selector", label)["items"] == [], kind


def test_everything_becomes_ready(release: Cluster) -> None:
    """Every component serves, the migration ended well, and no container was started twice."""
    for component in SERVING:
        pods = release.pods(component)
        assert len(pods) == (2 if component == "gate" else 1)
        for pod in pods:
            assert all(status["ready"] for status in pod["status"]["containerStatuses"])
            assert [status["restartCount"] for status in pod["status"]["containerStatuses"]] == [0] * len(
                pod["status"]["containerStatuses"]
            )
    jobs = release.get("jobs", "--selector", "app.kubernetes.io/component=migrate")["items"]
    assert [job["status"].get("succeeded") for job in jobs] == [1]


def test_a_question_is_answered(release: Cluster) -> None:
    """The main job, asked from inside the console's pod, through all five services and the database."""
    assert _answers(_ask(release)) == [["11.8"]]


def _address(release: Cluster, component: str) -> str:
    return str(release.pods(component)[0]["status"]["podIP"])


@pytest.mark.parametrize("component", SERVING)
def test_a_pod_reaches_what_is_declared_and_nothing_else(
    release: Cluster, component: str, outside: tuple[str, int] | None
) -> None:
    """Tried with real connections from inside the pod: every port of every other pod, DNS, the API server, metadata."""
    callees = {callee for caller, callee in calls() if caller == component}
    targets: list[tuple[str, int, bool]] = []
    expected: list[bool] = []

    def add(host: str, port: int, may: bool, udp: bool = False) -> None:
        targets.append((host, port, udp))
        expected.append(may)

    for other in SERVING:
        if other == component:
            continue
        service = release.get("service", f"{PREFIX}-{other}")["spec"]["clusterIP"]
        for host in (_address(release, other), service):
            for port in PORTS:
                add(host, port, other in callees and port == 7443)
    add(_address(release, "postgres"), 5432, component in ("console", "gate", "sealer"))
    api = release.get("service", "kubernetes", "--namespace=default")["spec"]["clusterIP"]
    add(api, 443, False)
    add(METADATA, 80, False)
    dns = release.get("service", "kube-dns", "--namespace=kube-system")["spec"]["clusterIP"]
    add(dns, 53, component in ("console", "gate", "sealer"), udp=True)
    node = release.get("nodes")["items"][0]["status"]["addresses"][0]["address"]
    for port in (22, 6443, 10250):
        add(node, port, False)
    if outside is not None:
        add(outside[0], outside[1], component == "gate")
        add(outside[0], outside[1] + 1, False)
    reached = json.loads(release.python(component, PROBE, json.dumps(targets)))
    assert dict(zip(targets, reached, strict=True)) == dict(zip(targets, expected, strict=True))
    # The positive control: without it a network that is simply gone would pass.
    assert any(reached)


def test_helm_test_is_the_isolation_s_report(release: Cluster) -> None:
    """Six reports, a line for each target, no failure among them."""
    said = release.helm("test", RELEASE, "--logs", "--timeout", "300s")
    for component in SERVING:
        assert f"isolation of {component}" in said
    assert "FAIL" not in said
    assert "ok   must not reach API server: no answer" in said


def test_an_upgrade_changes_what_it_should_and_a_roll_back_undoes_it(release: Cluster) -> None:
    """A second reader comes, answers go on; after the roll-back there is one again, and answers go on.

    The sealer starts anew without the leave to find no checkpoints: they have to be there still.
    """
    release.install("reader.replicas=2", "sealer.firstStart=false")
    assert len(release.pods("reader")) == 2
    assert _answers(_ask(release)) == [["11.8"]]
    release.helm("rollback", RELEASE, "--wait", "--timeout", "300s")
    release.wait_ready()
    until("one reader", lambda: len(release.pods("reader")) == 1, 120)
    assert _answers(_ask(release)) == [["11.8"]]


def _while_asking(
    release: Cluster, count: int, at_once: int, disturb: Any
) -> tuple[list[dict[str, Any]], list[BaseException]]:
    """Ask many questions, and do something in the middle of it."""
    found: list[dict[str, Any]] = []
    wrong: list[BaseException] = []

    def asking() -> None:
        try:
            found.extend(_ask(release, count, at_once, seconds=400))
        except BaseException as error:  # noqa: BLE001 - raised again by the test, in its own thread
            wrong.append(error)

    thread = threading.Thread(target=asking)
    thread.start()
    time.sleep(4)
    disturb()
    thread.join()
    return found, wrong


def test_a_gate_killed_in_mid_run_loses_no_row(release: Cluster) -> None:
    """Runs that were on it end by themselves, answered or failed with a reason; the next one is answered."""
    victim = release.pods("gate")[0]["metadata"]["name"]

    def kill() -> None:
        release.kubectl("delete", "pod", victim, "--grace-period=0", "--force")

    runs, wrong = _while_asking(release, 8, 4, kill)
    assert wrong == []
    assert {run["status"] for run in runs} <= {"answered", "failed"}
    assert sum(run["status"] == "answered" for run in runs) >= 1
    release.wait_ready()
    assert _answers(_ask(release)) == [["11.8"]]


def test_a_rolling_update_of_the_gate_under_load_loses_nothing(release: Cluster) -> None:
    """Every question that is asked while both gates are replaced is answered."""
    before = {pod["metadata"]["name"] for pod in release.pods("gate")}

    def restart() -> None:
        release.kubectl("rollout", "restart", f"deployment/{PREFIX}-gate")
        release.kubectl("rollout", "status", f"deployment/{PREFIX}-gate", "--timeout=300s", seconds=310)

    runs, wrong = _while_asking(release, 16, 3, restart)
    assert wrong == []
    assert not before & {pod["metadata"]["name"] for pod in release.pods("gate")}
    assert _answers(runs) == [["11.8"]] * 16


def test_a_component_needs_less_memory_than_its_bound(release: Cluster) -> None:
    """After the load of the tests before: what each process held at the most, printed for the sizing table."""
    print()
    for component in SERVING:
        processes = json.loads(release.python(component, MEMORY))
        now, most = (sum(one[at] for one in processes.values()) / 1024 for at in (0, 1))
        print(
            f"memory of {component}: {now:.0f} MiB now, {most:.0f} MiB at the most, {len(processes)} processes"
        )
        assert most < 512


def test_a_new_key_encrypts_from_the_next_start_on(release: Cluster) -> None:
    """A second key-encryption key is added to the Secret and named active; the gates start again and answer."""
    encoded = base64.b64encode(secrets.token_hex(32).encode()).decode()
    patch = {"data": {"v2.key": encoded, "active": base64.b64encode(b"v2").decode()}}
    release.kubectl("patch", "secret", f"{PREFIX}-keys-gate", "--patch", json.dumps(patch))
    release.kubectl("rollout", "restart", f"deployment/{PREFIX}-gate")
    release.wait_ready()
    assert _answers(_ask(release)) == [["11.8"]]


def test_new_certificates_are_taken_up_without_a_restart(release: Cluster) -> None:
    """One is missing: the next upgrade makes all anew, under a new authority, and the running processes follow."""
    before = _restarts(release)
    old = release.get("secret", f"{PREFIX}-tls-gate")["data"]["tls.crt"]
    release.kubectl("delete", "secret", f"{PREFIX}-tls-reader")
    release.install("sealer.firstStart=false")
    assert release.get("secret", f"{PREFIX}-tls-gate")["data"]["tls.crt"] != old
    # The kubelet brings new files within two minutes, at another time in each pod.
    until("an answer under the new authority", lambda: _answers(_ask(release)) == [["11.8"]], 300)
    assert _restarts(release) == before


def _restarts(release: Cluster) -> dict[str, int]:
    """How often each container was started, of the pods that this upgrade does not replace."""
    return {
        f"{pod['metadata']['name']}/{status['name']}": status["restartCount"]
        for component in ("planner", "validator", "reader", "console")
        for pod in release.pods(component)
        for status in pod["status"]["containerStatuses"]
    }


def test_the_databases_can_be_dumped_while_everything_runs(release: Cluster) -> None:
    """pg_dump in the database's pod gives a snapshot with the ledger's rows in it."""
    pod = release.pods("postgres")[0]["metadata"]["name"]
    command = (
        "exec",
        pod,
        "--",
        "pg_dump",
        "--username=postgres",
        "--dbname=doublethink_gate",
        "--data-only",
    )
    said = release.kubectl(*command, "--table=ledger.entry")
    assert said.count("\n") > 20


def _ready(release: Cluster, component: str) -> bool:
    conditions = release.pods(component)[0]["status"]["conditions"]
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def test_without_the_policies_the_alarm_goes_and_the_minds_are_ended(release: Cluster) -> None:
    """Each mind's pod is out of service within seconds, its process is ended, and an upgrade brings everything back."""
    minds = ("planner", "reader", "validator", "console")
    release.kubectl("delete", "networkpolicies", "--all")
    took = until("all minds out of service", lambda: not any(_ready(release, mind) for mind in minds), 120)
    print(f"\nout of service {took:.0f} s after the policies were deleted")
    for mind in minds:
        name = release.pods(mind)[0]["metadata"]["name"]
        said = release.kubectl("logs", name, "--container", "isolation-watch")
        events = [json.loads(line) for line in said.splitlines()]
        assert any(
            event["event"] == "isolation_broken" and "API server" in event["reached"] for event in events
        )

    def ended() -> bool:
        statuses = [
            status
            for mind in minds
            for pod in release.pods(mind)
            for status in pod["status"]["containerStatuses"]
            if status["name"] == mind
        ]
        return all(status["restartCount"] >= 1 for status in statuses)

    until("all minds ended", ended, 180)
    release.install("sealer.firstStart=false")
    until("all minds back", lambda: all(_ready(release, mind) for mind in minds), 300)
    assert _answers(_ask(release)) == [["11.8"]]


def test_uninstalling_leaves_the_secrets_and_nothing_that_runs(release: Cluster) -> None:
    """Pods, policies and Services go; what the bootstrap job made stays until somebody deletes it."""
    release.helm("uninstall", RELEASE, "--wait", "--timeout", "300s")
    label = "app.kubernetes.io/instance=dt"
    serving = f"{label},doublethink.dev/serves=true"
    until("no pod left", lambda: not release.get("pods", "--selector", serving)["items"], 180)
    for kind in ("services", "networkpolicies", "serviceaccounts", "roles", "rolebindings", "configmaps"):
        assert release.get(kind, "--selector", label)["items"] == [], kind
    made = release.get("secrets", "--selector", "doublethink.dev/made-by=bootstrap")["items"]
    assert len(made) == 15
