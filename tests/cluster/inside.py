"""Programs that are run inside a pod, as text: they use the standard library alone."""

from __future__ import annotations

from typing import Final

ASK: Final = """
import concurrent.futures, http.client, json, sys, time

TOKEN = open("/etc/doublethink/private/secrets/token").read().strip()

def call(method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", 8443, timeout=60)
    headers = {"Authorization": "Bearer " + TOKEN, "Host": "127.0.0.1:8443", "Content-Type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    if answer.status >= 300:
        sys.exit(f"{method} {path}: {answer.status} {text[:300]!r}")
    return json.loads(text or b"{}")

wanted = json.loads(sys.argv[1])
case = call("POST", "/api/cases", {"yaml": wanted["case"]})["id"]

def ask(question):
    run = call("POST", "/api/runs", {"case_id": case, "question": question})["id"]
    print("asked", run, file=sys.stderr, flush=True)
    deadline = time.monotonic() + wanted["seconds"]
    while time.monotonic() < deadline:
        found = call("GET", "/api/runs/" + run)
        if found.get("status") in ("answered", "not_found", "refused", "failed"):
            return found
        time.sleep(0.3)
    return {"status": "timeout", "id": run}

with concurrent.futures.ThreadPoolExecutor(wanted["at_once"]) as pool:
    print(json.dumps(list(pool.map(ask, wanted["questions"]))))
"""
"""Ask the console of this pod; the argument is JSON with `case`, `questions`, `at_once` and `seconds`."""

PROBE: Final = """
import concurrent.futures, json, socket, sys

def attempt(target):
    host, port, udp = target
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET,
                           socket.SOCK_DGRAM if udp else socket.SOCK_STREAM) as tried:
            tried.settimeout(2)
            # Looked up as a number, which is how the device in fe80::1%eth0 is understood.
            tried.connect(socket.getaddrinfo(host, port, tried.family, tried.type)[0][4])
            if udp:
                name = b"\\x07control\\x07invalid\\x00"
                tried.send(bytes.fromhex("444401000001000000000000") + name + b"\\x00\\x01\\x00\\x01")
                tried.recv(512)
    except OSError:
        return False
    return True

with concurrent.futures.ThreadPoolExecutor(128) as pool:
    print(json.dumps(list(pool.map(attempt, json.loads(sys.argv[1])))))
"""
"""Try addresses; the argument is a JSON list of [host, port, whether UDP], the answer one of booleans."""

MEMORY: Final = """
import json, pathlib
found = {}
for status in pathlib.Path("/proc").glob("[0-9]*/status"):
    try:
        lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    except OSError:
        continue
    if "VmHWM" in lines and "-" not in (status.parent / "cmdline").read_text().split("\\0")[-2:-1]:
        found[status.parent.name] = [int(lines["VmRSS"].split()[0]), int(lines["VmHWM"].split()[0])]
print(json.dumps(found))
"""
"""Resident memory of the processes of a container but this one, now and at the most, in KiB."""
