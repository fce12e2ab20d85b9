"""An object store as a publication place, over TLS against a real server: put if absent, kept by a lock."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from botocore.exceptions import ClientError
from doublethink_sealer.config import load_store_config
from doublethink_sealer.errors import PlaceAway, PlaceConflict
from doublethink_sealer.places.object_store import ObjectStorePlace
from doublethink_settings import SettingsError
from sim.object_store import BUCKET, ObjectStore, object_store
from sim.sealed import ORIGIN, OTHER_ORIGIN


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ObjectStore]:
    """A store with an empty bucket."""
    with object_store(tmp_path) as running:
        yield running


def place_on(store: ObjectStore, folder: Path, **changes: object) -> ObjectStorePlace:
    """The place as the sealer makes it from its file."""
    return ObjectStorePlace("store-1", load_store_config(store.write_settings(folder, **changes)))


async def test_the_newest_is_the_first_that_the_store_lists(store: ObjectStore, tmp_path: Path) -> None:
    """Sizes of any number of digits, in any order; another log and a stranger's object do not count."""
    place = place_on(store, tmp_path)
    assert await place.newest(ORIGIN) is None
    for size in (9, 100, 2**62, 10):
        await place.put(ORIGIN, size, b"note %d" % size)
    await place.put(OTHER_ORIGIN, 2**63 - 1, b"of another log")
    prefix = store.client().list_objects_v2(Bucket=BUCKET)["Contents"][0]["Key"].rpartition("/")[0]
    store.client().put_object(Bucket=BUCKET, Key=f"{prefix}/000.txt", Body=b"a stranger's")
    await place.put_statement(ORIGIN, b"said")
    assert await place.newest(ORIGIN) == b"note %d" % 2**62
    assert await place.notes(ORIGIN, 3) == [b"note %d" % size for size in (2**62, 100, 10)]
    assert len(await place.notes(ORIGIN, 1000)) == 4
    await place.close()


async def test_a_note_is_put_once(store: ObjectStore, tmp_path: Path) -> None:
    """The same bytes again are no change and no new version; others are refused, and what lies there stays."""
    place = place_on(store, tmp_path)
    await place.put(ORIGIN, 5, b"first")
    await place.put(ORIGIN, 5, b"first")
    with pytest.raises(PlaceConflict) as conflict:
        await place.put(ORIGIN, 5, b"second")
    assert conflict.value.existing == b"first"
    assert await place.newest(ORIGIN) == b"first"
    assert len(store.client().list_object_versions(Bucket=BUCKET)["Versions"]) == 1
    await place.close()


async def test_a_note_is_locked_for_its_time(store: ObjectStore, tmp_path: Path) -> None:
    """The version cannot be deleted, not even past governance, and the time is the configured one."""
    place = place_on(store, tmp_path, retain_days=30)
    await place.put(ORIGIN, 5, b"first")
    client = store.client()
    (version,) = client.list_object_versions(Bucket=BUCKET)["Versions"]
    named = {"Bucket": BUCKET, "Key": version["Key"], "VersionId": version["VersionId"]}
    kept = client.head_object(**named)
    assert kept["ObjectLockMode"] == "COMPLIANCE"
    left = kept["ObjectLockRetainUntilDate"] - datetime.now(UTC)
    assert timedelta(days=29) < left <= timedelta(days=30)
    with pytest.raises(ClientError, match="AccessDenied"):
        client.delete_object(**named)
    assert await place.newest(ORIGIN) == b"first"
    await place.close()


async def test_a_store_that_is_away_is_said_so(store: ObjectStore, tmp_path: Path) -> None:
    """No listener, no bucket, an authority that is not the given one: PlaceAway, with no secret in its words."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (tmp_path / "other").mkdir()
    with object_store(tmp_path / "other") as other:
        for changes in (
            {"endpoint": f"https://127.0.0.1:{port}"},
            {"bucket": "absent"},
            {"ca_file": str(other.ca)},
        ):
            place = place_on(store, tmp_path, **changes)
            for call in (place.newest(ORIGIN), place.put(ORIGIN, 1, b"note")):
                with pytest.raises(PlaceAway, match="store-1") as away:
                    await call
                assert "test-secret" not in str(away.value)
                assert "test-access" not in str(away.value)
            await place.close()


async def test_nothing_of_the_environment_counts(
    store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Proxies, profiles, keys and authorities of whoever starts the process change nothing."""
    profile = tmp_path / "aws"
    profile.write_text("[default]\nendpoint_url = http://127.0.0.1:9\naws_access_key_id = x\n")
    for name, value in {
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "https_proxy": "http://127.0.0.1:9",
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
        "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9",
        "AWS_PROFILE": "nobody",
        "AWS_CONFIG_FILE": str(profile),
        "AWS_CA_BUNDLE": "/nonexistent",
        "REQUESTS_CA_BUNDLE": "/nonexistent",
    }.items():
        monkeypatch.setenv(name, value)
    place = place_on(store, tmp_path)
    await place.put(ORIGIN, 5, b"first")
    assert await place.newest(ORIGIN) == b"first"
    await place.close()


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://objects.example",
        "ftp://objects.example",
        "https://",
        "https://a:b@objects.example",
        "https://objects.example/path",
        "https://objects.example?x=1",
        "https://objects.example:99999",
        "objects",
    ],
)
def test_an_endpoint_is_one_host_and_port_over_tls(endpoint: str, tmp_path: Path) -> None:
    """Anything else stops the start; plain http goes to a loopback address alone."""
    path = ObjectStore(1, tmp_path / "ca").write_settings(tmp_path, endpoint=endpoint)
    with pytest.raises(SettingsError, match="endpoint"):
        load_store_config(path)


def test_the_egress_is_what_is_called(tmp_path: Path) -> None:
    """Host and port, the scheme's own where none is named."""
    for endpoint, egress in {
        "https://objects.example": "objects.example:443",
        "https://objects.example:9000": "objects.example:9000",
        "http://127.0.0.1:9000": "127.0.0.1:9000",
    }.items():
        path = ObjectStore(1, tmp_path / "ca").write_settings(tmp_path, endpoint=endpoint)
        assert load_store_config(path).egress == egress
