"""The compose files say what docs/deployment.md and the contracts say. No engine is needed."""

from __future__ import annotations

import importlib
import ipaddress
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from doublethink.options.v1 import options_pb2
from doublethink_console.config import load_config as load_console
from doublethink_forwarder.config import load_config as load_forwarder
from doublethink_gate.config import load_config as load_gate
from doublethink_planner.config import load_config as load_planner
from doublethink_reader.config import load_config as load_reader
from doublethink_sdk.containers import places
from doublethink_sdk.containers.setup import ORIGIN
from doublethink_sealer.config import load_config as load_sealer
from doublethink_validator.config import load_config as load_validator
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[3]
CONFIG = ROOT / "deploy" / "compose" / "config"
LOADERS: dict[str, Any] = {
    "console": load_console,
    "console.model": load_console,
    "forwarder": load_forwarder,
    "gate": load_gate,
    "planner": load_planner,
    "planner.model": load_planner,
    "reader": load_reader,
    "sealer": load_sealer,
    "validator": load_validator,
}


def _compose(*names: str) -> dict[str, Any]:
    """The files, laid over each other as far as these tests look."""
    merged: dict[str, Any] = {"services": {}, "networks": {}, "volumes": {}}
    for name in names:
        document = YAML(typ="safe").load((ROOT / name).read_text(encoding="utf-8"))
        for section, entries in merged.items():
            for key, value in document.get(section, {}).items():
                entries[key] = {**entries.get(key, {}), **value}
    return merged


BASE = _compose("docker-compose.yml")
ALL = _compose("docker-compose.yml", "docker-compose.model.yml", "docker-compose.gpu.yml")
SERVICES: dict[str, dict[str, Any]] = ALL["services"]


def _verify() -> ModuleType:
    place = ROOT / "deploy" / "compose"
    sys.path.insert(0, str(place))
    try:
        return importlib.import_module("verify")
    finally:
        sys.path.remove(str(place))


def _callers() -> set[tuple[str, str]]:
    """Every pair of caller and callee that any contract names."""
    pairs = set()
    source = ROOT / "proto" / "src"
    for path in sorted(source.glob("doublethink/*/v*/*_pb2.py")):
        descriptor = importlib.import_module(
            ".".join(path.relative_to(source).with_suffix("").parts)
        ).DESCRIPTOR
        for service in descriptor.services_by_name.values():
            for caller in service.GetOptions().Extensions[options_pb2.callers]:
                pairs.add(
                    (
                        options_pb2.Role.Name(caller).removeprefix("ROLE_").lower(),
                        service.full_name.split(".")[1],
                    )
                )
    return pairs


def _on(network: str) -> set[str]:
    """The services that are attached to a network."""
    return {name for name, service in SERVICES.items() if network in (service.get("networks") or {})}


def test_the_callers_of_the_contracts_are_the_networks() -> None:
    """One network for each pair, with exactly these two on it; and no network joins two services of ours beside."""
    pairs = _callers()
    assert len(pairs) >= 8
    assert pairs == places.CALLS == set(_verify().CALLS)
    for caller, callee in pairs:
        assert _on(f"{caller}-to-{callee}") == {caller, callee}
    joined = {name for name in ALL["networks"] if len(_on(name) - {"postgres", "database", "migrate"}) > 1}
    assert joined == {f"{caller}-to-{callee}" for caller, callee in pairs} | {"forwarder-to-model"}


def test_the_database_is_on_networks_of_its_clients_alone() -> None:
    """One network a client, so that the clients do not see each other over the database."""
    assert _verify().DATABASE_CLIENTS == places.DATABASE_CLIENTS
    for client in places.DATABASE_CLIENTS:
        assert _on(f"{client}-to-postgres") == {client, "postgres"}
    assert _on("jobs-to-postgres") == {"database", "migrate", "postgres"}


def test_only_the_gate_is_on_the_outer_network() -> None:
    """Every other network is internal, but the door's, which does not masquerade, and the pull job's."""
    assert _on("outer") == {"gate"}
    assert _on("front") == {"door"}
    assert _on("pull") == {"model-pull"}
    assert {name for name, network in ALL["networks"].items() if not network.get("internal")} == {
        *("outer", "front", "pull"),
    }
    masquerade = ALL["networks"]["front"]["driver_opts"]["com.docker.network.bridge.enable_ip_masquerade"]
    assert masquerade == "false"


def test_the_networks_do_not_overlap_and_their_bridges_fit() -> None:
    """Sixteen small subnets of one /24; a bridge's name has at most 15 bytes; the guard finds it by its start."""
    subnets, bridges = [], []
    for network in ALL["networks"].values():
        subnet = network["ipam"]["config"][0]["subnet"].replace("${DOUBLETHINK_NET:-10.213.77}", "10.213.77")
        subnets.append(ipaddress.IPv4Network(subnet))
        bridge = network["driver_opts"]["com.docker.network.bridge.name"]
        bridges.append(bridge.replace("${DOUBLETHINK_BRIDGE:-dt}", "dt"))
    whole = ipaddress.IPv4Network("10.213.77.0/24")
    assert all(subnet.prefixlen == 28 and subnet.subnet_of(whole) for subnet in subnets)
    assert len(set(subnets)) == len(subnets) == len(set(bridges))
    assert all(bridge.startswith("dt-") and len(bridge) <= 15 for bridge in bridges)


@pytest.mark.parametrize("name", sorted(SERVICES))
def test_every_service_is_hardened(name: str) -> None:
    """Read-only root, no capability but those named here, no new privileges, bounded, an init, logs that end."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["init"] is True
    assert 0 < service["pids_limit"] <= 256
    assert service["mem_limit"]
    assert service["logging"]["options"]["max-size"]
    assert not service.keys() & {"privileged", "pid", "ipc", "devices", "userns_mode"}
    given = {
        "postgres": {"CHOWN", "DAC_OVERRIDE", "FOWNER", "SETGID", "SETUID"},
        "setup": {"CHOWN", "DAC_OVERRIDE", "FOWNER"},
    }
    assert set(service.get("cap_add", ())) == given.get(name, set())
    assert all(
        not str(volume).startswith("/") and "docker.sock" not in str(volume)
        for volume in service.get("volumes", ())
    )
    if not name.startswith("verify-") and service.get("restart") == "unless-stopped" and name != "model":
        assert service["healthcheck"]["test"]


@pytest.mark.parametrize("name", sorted(set(SERVICES) - {"gate", "model-pull"}))
def test_nobody_but_the_gate_asks_name_servers_outside(name: str) -> None:
    """The engine's resolver goes on to the container's own loopback, where nobody answers."""
    service = SERVICES[name]
    if "network_mode" in service:
        assert (
            service["network_mode"] == "none"
            or name == f"verify-{service['network_mode'].removeprefix('service:')}"
        )
        assert service["dns"] == []
    else:
        assert service["dns"] == ["127.0.0.1"]


def test_only_the_door_is_published_and_only_on_loopback() -> None:
    """A port of this machine's loopback; the console accepts that Host and listens on no network at all."""
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}
    assert published == {"door": ["127.0.0.1:8443:8443"]}
    config = load_console(CONFIG / "console.toml")
    assert config.listen.http.startswith("unix:")
    assert set(config.access.hosts) == {"127.0.0.1:8443", "localhost:8443"}


@pytest.mark.parametrize("name", sorted(LOADERS))
def test_a_configuration_loads(name: str) -> None:
    """Each file is one that its service takes, and they are all there are."""
    assert LOADERS[name](CONFIG / f"{name}.toml")
    assert {path.stem for path in CONFIG.glob("*.toml")} == set(LOADERS)


@pytest.mark.parametrize("name", ["gate", "planner", "reader", "validator"])
def test_a_service_listens_on_its_callers_networks_alone(name: str) -> None:
    """Each address is its own name on the network of one caller; health and metrics are on no network."""
    listen = LOADERS[name](CONFIG / f"{name}.toml").listen
    addresses = {listen.rpc} if isinstance(listen.rpc, str) else set(listen.rpc)
    callers = {caller for caller, callee in places.CALLS if callee == name}
    assert addresses == {f"{name}-for-{caller}:{places.RPC_PORT}" for caller in callers}
    for caller in callers:
        assert SERVICES[name]["networks"][f"{caller}-to-{name}"]["aliases"] == [f"{name}-for-{caller}"]
    assert listen.health.startswith("unix:")
    assert listen.metrics.startswith("unix:")


@pytest.mark.parametrize(
    "name", ["planner", "reader", "validator", "console", "planner.model", "console.model"]
)
def test_a_service_calls_its_peers_by_their_names_for_it(name: str) -> None:
    """The peers of a configuration are the callees of the contracts."""
    peers, role = LOADERS[name](CONFIG / f"{name}.toml").peers, name.split(".")[0]
    found = {callee: getattr(peers, callee) for callee in peers.__struct_fields__}
    wanted = {
        callee: f"{callee}-for-{role}:{places.RPC_PORT}" for caller, callee in places.CALLS if caller == role
    }
    assert found == wanted


@pytest.mark.parametrize("name", ["planner", "console"])
def test_the_variant_with_a_model_differs_by_the_model_alone(name: str) -> None:
    """The file for a local model is the other one with sections at its end."""
    plain = (CONFIG / f"{name}.toml").read_text(encoding="utf-8")
    assert (CONFIG / f"{name}.model.toml").read_text(encoding="utf-8").startswith(plain)


def test_one_model_is_named_everywhere() -> None:
    """Forwarder, planner, console and pull job name the same model, at the address that the model server has."""
    forwarder = load_forwarder(CONFIG / "forwarder.toml")
    planner, console = (
        load_planner(CONFIG / "planner.model.toml").model,
        load_console(CONFIG / "console.model.toml"),
    )
    assert planner is not None
    assert console.planner_model is not None
    assert {
        *(forwarder.model.name, planner.name, console.planner_model.name),
        SERVICES["model-pull"]["environment"]["OLLAMA_MODEL"],
    } == {forwarder.model.name}
    address = SERVICES["model"]["networks"]["forwarder-to-model"]["ipv4_address"]
    assert (
        forwarder.model.address
        == f"http://{address.replace('${DOUBLETHINK_NET:-10.213.77}', '10.213.77')}:11434"
    )


def test_the_log_has_one_name() -> None:
    """The set-up makes the key under the name that the sealer's configuration has."""
    assert load_sealer(CONFIG / "sealer.toml").log.origin == ORIGIN


def test_the_gate_s_container_lives_as_long_as_its_last_request() -> None:
    """The engine kills it after the gate has stopped waiting, and ten seconds later than that."""
    stop_s = load_gate(CONFIG / "gate.toml").limits.stop_s
    assert int(SERVICES["gate"]["stop_grace_period"].removesuffix("s")) >= stop_s + 10


def test_users_are_those_of_the_images() -> None:
    """The table of users, the Dockerfile and docs/deployment.md agree; services that share a socket share its group."""
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    stages = re.findall(r"^FROM scratch AS (\w+)\n(?:.*\n)*?USER (\d+):(\d+)$", dockerfile, re.MULTILINE)
    assert {name: int(user) for name, user, _ in stages} == places.USERS
    assert all(user == group for _, user, group in stages)
    page = (ROOT / "docs" / "deployment.md").read_text(encoding="utf-8")
    assert dict(re.findall(r"^\| `(\w+)` \| (6\d{4}) \|", page, re.MULTILINE)) == {
        name: str(user) for name, user in places.USERS.items()
    }
    users = places.USERS
    assert SERVICES["corpus"]["user"] == f"{users['corpus']}:{users['gate']}"
    assert SERVICES["forwarder"]["user"] == f"{users['forwarder']}:{users['planner']}"
    for name in ("gate", "planner", "reader", "validator", "console", "sealer"):
        runtime = next(one for one in SERVICES[name]["tmpfs"] if one.startswith("/run/doublethink:"))
        assert f"uid={users[name]},gid={users[name]}," in runtime


def test_a_private_volume_is_read_by_its_service_alone() -> None:
    """Beside the set-up, which writes them all, each is mounted once, read-only."""
    for volume in (name for name in BASE["volumes"] if name.endswith("-private")):
        mounts = {
            name: mount
            for name, service in SERVICES.items()
            for mount in service.get("volumes", ())
            if str(mount).startswith(f"{volume}:") and name != "setup"
        }
        owner = volume.removesuffix("-private")
        assert set(mounts) <= {owner}
        assert all(mount.endswith(":ro") for mount in mounts.values())
        assert f"{volume}:/out/{owner}" in SERVICES["setup"]["volumes"]


def test_a_foreign_network_is_found_without_a_packet() -> None:
    """Each place belongs on the networks that the file gives it, and on no other."""
    verify = _verify()
    for place in (*verify.PLACES, *verify.MODEL_PLACES):
        assert verify.networks_of(place) == set(SERVICES[place].get("networks") or {}), place
    found = verify.membership("reader", {"reader": {"reader-to-gate": "10.0.0.1", "outer": "10.0.0.2"}})
    assert [(one["target"], one["verdict"]) for one in found] == [
        ("outer", "open"),
        ("reader-to-gate", "works"),
    ]


def test_what_is_forbidden_is_everything_else() -> None:
    """For each place, each port of each other service is allowed or forbidden, and the allowed are the contracts'."""
    verify = _verify()
    addresses = {
        "gate": {"outer": "10.0.0.1", "planner-to-gate": "10.0.0.2", "gate-to-postgres": "10.0.0.3"},
        "planner": {"planner-to-gate": "10.0.0.4"},
        "postgres": {"gate-to-postgres": "10.0.0.5", "console-to-postgres": "10.0.0.6"},
    }
    everything = {
        place: {
            (address, port)
            for service, networks in addresses.items()
            if service != place
            for address in networks.values()
            for port in verify.PORTS
        }
        for place in addresses
    }
    planner = set(verify.forbidden_of("planner", addresses))
    assert everything["planner"] - planner == {("10.0.0.2", 7443)}
    assert everything["gate"] - set(verify.forbidden_of("gate", addresses)) == {("10.0.0.5", 5432)}
    assert everything["postgres"] == set(verify.forbidden_of("postgres", addresses))
    assert verify.allowed_of("reader") == [("gate-for-reader", 7443)]
    assert {*verify.PLACES, *verify.MODEL_PLACES} == {
        name.removeprefix("verify-") for name in SERVICES if name.startswith("verify-")
    }
    model = {"forwarder": {"forwarder-to-model": "10.0.0.8"}, "model": {"forwarder-to-model": "10.0.0.9"}}
    assert verify.allowed_of("forwarder") == [("model", 11434)]
    assert ("10.0.0.9", 11434) not in verify.forbidden_of("forwarder", model)
    assert ("10.0.0.9", 11434) in verify.forbidden_of("planner", model)
    assert ("10.0.0.8", 11434) in verify.forbidden_of("model", model)
    assert verify.plan_of("gate", addresses, [])["world"] is True
    assert not any(
        verify.plan_of(place, addresses, [])["world"] for place in verify.PLACES if place != "gate"
    )


def test_the_guard_and_the_chart_except_the_same_addresses() -> None:
    """What is no internet is one list for compose and Kubernetes, in each family."""
    guard = (ROOT / "deploy" / "compose" / "guard").read_text(encoding="utf-8")
    values = YAML(typ="safe").load((ROOT / "deploy/helm/doublethink/values.yaml").read_text(encoding="utf-8"))
    internet = values["networkPolicy"]["internet"]
    for name, excepted in (("private_4", internet["exceptIpv4"]), ("private_6", internet["exceptIpv6"])):
        stated = re.search(rf'^{name}="([^"]+)"', guard, re.MULTILINE)
        assert stated is not None
        assert sorted(stated[1].split()) == sorted(excepted)
    assert internet["ports"] == [443]
    assert "-p tcp --dport 443 -j RETURN" in guard


def test_the_routers_of_the_machine_are_attacked() -> None:
    """A gateway of a private network is a target that is sure to be there; a public one is the internet's."""
    head = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
    private = "eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
    public = "eth1\t00000000\t01010101\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
    attached = "eth0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n"
    assert _verify().routers(head + private + public + attached) == [
        ("192.168.1.1", 80),
        ("192.168.1.1", 443),
    ]
    assert _verify().routers(head) == []
