"""A volume for the sealer's checkpoints on a cluster without storage: a folder of its one node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from cluster.cluster import Cluster

CLAIM: Final = "checkpoints"
SETTINGS: Final = (
    "sealer.checkpoints.persistence.enabled=true",
    f"sealer.checkpoints.persistence.existingClaim={CLAIM}",
)


def make_volume(cluster: Cluster, folder: Path) -> None:
    """A local volume and the claim on it. `folder` is on the node, which is this machine."""
    path = folder / cluster.namespace
    path.mkdir(parents=True)
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": cluster.namespace},
        "spec": {
            "capacity": {"storage": "1Gi"},
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "by-hand",
            "persistentVolumeReclaimPolicy": "Retain",
            "claimRef": {"namespace": cluster.namespace, "name": CLAIM},
            "local": {"path": str(path)},
            "nodeAffinity": {
                "required": {
                    "nodeSelectorTerms": [
                        {"matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "Exists"}]}
                    ]
                }
            },
        },
    }
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": CLAIM},
        "spec": {
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "by-hand",
            "volumeName": cluster.namespace,
            "resources": {"requests": {"storage": "1Gi"}},
        },
    }
    both = {"apiVersion": "v1", "kind": "List", "items": [volume, claim]}
    cluster.kubectl("create", "--filename", "-", stdin=json.dumps(both))
