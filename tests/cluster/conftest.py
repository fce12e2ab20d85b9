"""The cluster's suite: skipped, and loudly, without a cluster. One release is installed for all of it, and removed."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from chart.programs import ProgramsAbsent
from cluster.cluster import ROOT, Cluster, CommandFailed
from cluster.volumes import SETTINGS, make_volume

_HERE: Final = Path(__file__).parent


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A namespace of its own, with the pages that the release's source serves.

    KUBECONFIG names the cluster. DOUBLETHINK_CLUSTER_VALUES names files of values for it, with colons between them.
    DOUBLETHINK_CLUSTER_FOLDER is a folder on its one node for checkpoints, where it has no storage and is this machine.
    """
    if not os.environ.get("KUBECONFIG"):
        pytest.skip("NOT RUN: KUBECONFIG names no cluster")
    values = [_HERE / "suite-values.yaml"]
    values += [Path(name) for name in os.environ.get("DOUBLETHINK_CLUSTER_VALUES", "").split(":") if name]
    folder = os.environ.get("DOUBLETHINK_CLUSTER_FOLDER")
    made = Cluster(f"dt-{secrets.token_hex(3)}", tuple(values), SETTINGS if folder else ())
    try:
        made.kubectl("create", "namespace", made.namespace)
    except (ProgramsAbsent, CommandFailed) as absent:
        pytest.skip(f"NOT RUN: the cluster that KUBECONFIG names does not answer: {absent}")
    made.kubectl("create", "configmap", "pages", f"--from-file={ROOT / 'demo' / 'pages'}")
    if folder:
        make_volume(made, Path(folder))
    yield made
    if os.environ.get("DOUBLETHINK_CLUSTER_KEEP") != "1":
        made.kubectl("delete", "namespace", made.namespace, "--wait=false")
        if folder:
            made.kubectl("delete", "persistentvolume", made.namespace, "--wait=false")


@pytest.fixture(scope="session")
def release(cluster: Cluster) -> Cluster:
    """The chart, installed and ready."""
    seconds = cluster.install()
    print(f"\ninstalled and ready after {seconds:.0f} s")
    return cluster


@pytest.fixture(scope="session")
def outside() -> tuple[str, int] | None:
    """An address beyond the cluster where somebody listens on port 443, if DOUBLETHINK_CLUSTER_OUTSIDE names one."""
    named = os.environ.get("DOUBLETHINK_CLUSTER_OUTSIDE")
    if not named:
        return None
    host, _, port = named.rpartition(":")
    return host, int(port)
