"""An object store that speaks S3 and has object lock: what was put stays for its time, whoever holds the keys.

    BUCKET/PREFIX/log-ORIGIN/REST-SIZE.note     REST = 2^63-1 - SIZE; both of 19 digits
    BUCKET/PREFIX/log-ORIGIN/recovery.note

A store lists names in ascending order and in no other: with REST in front the newest note is the first.

A note is put with If-None-Match, so that of two writers one wins, and with a retention time. The bucket and its
lock are made by whoever owns the store; the sealer's keys need PutObject, PutObjectRetention, GetObject and
ListBucket, and no right to delete. Source: Amazon S3 API Reference, PutObject, ListObjectsV2.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeVar

import boto3
import botocore.session
from botocore.config import Config as BotoConfig
from botocore.exceptions import BotoCoreError, ClientError
from doublethink_settings import SettingsError, read_secret

from doublethink_sealer.config import StoreConfig
from doublethink_sealer.errors import PlaceAway, PlaceConflict
from doublethink_sealer.places.place import MAX_NOTE_BYTES, SIZE_DIGITS, STATEMENT, folder_name

T = TypeVar("T")

_MOST: Final = 2**63 - 1
_NAME: Final = re.compile(rf"[0-9]{{{SIZE_DIGITS}}}-[0-9]{{{SIZE_DIGITS}}}\.note", re.ASCII)
# (key in a profile, variables of the environment, default, conversion): what a profile of whoever starts the process
# says of endpoints, authorities and keys is not read.
_UNREAD: Final = {
    "profile": (None, None, None, None),
    "config_file": (None, None, "/dev/null", None),
    "credentials_file": (None, None, "/dev/null", None),
}
_CONNECT_SECONDS: Final = 5
_READ_SECONDS: Final = 15
# Names of one listing that are looked at for a note's; nobody else should put anything there.
_PAGE: Final = 1000
# The name is taken, or another request puts it at the same moment.
_TAKEN: Final = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})


class ObjectStorePlace:
    """One bucket. Nothing of the environment counts: no proxy, no profile, no metadata service."""

    def __init__(self, name: str, config: StoreConfig) -> None:
        """Raises SettingsError for keys that cannot be read."""
        self.name = name
        self.where = f"{config.endpoint} {config.bucket}/{config.prefix}"
        self.egress: str | None = config.egress
        self._config = config
        self._client = _client(config)

    async def newest(self, origin: str) -> bytes | None:
        """See Place."""
        found = await self.notes(origin, 1)
        return found[0] if found else None

    async def notes(self, origin: str, limit: int) -> Sequence[bytes]:
        """See Place."""
        return await self._done(lambda: self._notes(origin, limit))

    async def put(self, origin: str, size: int, note: bytes) -> None:
        """See Place."""
        name = f"{_MOST - size:0{SIZE_DIGITS}d}-{size:0{SIZE_DIGITS}d}.note"
        await self._done(lambda: self._put(origin, name, note))

    async def put_statement(self, origin: str, note: bytes) -> None:
        """See Place."""
        await self._done(lambda: self._put(origin, STATEMENT, note))

    async def close(self) -> None:
        """See Place."""
        await asyncio.to_thread(self._client.close)

    async def _done(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except ClientError as error:
            # The code is one of the store's own words; its message may quote anything.
            code = str(error.response.get("Error", {}).get("Code", ""))
            shown = code if re.fullmatch(r"[A-Za-z0-9]{1,64}", code) else "an unknown code"
            raise PlaceAway(f"{self.name} ({self.where}) answered {shown}") from None
        except BotoCoreError as error:
            raise PlaceAway(f"{self.name} ({self.where}): {type(error).__name__}") from None

    def _prefix(self, origin: str) -> str:
        return f"{self._config.prefix}/{folder_name(origin)}/"

    def _notes(self, origin: str, limit: int) -> list[bytes]:
        prefix = self._prefix(origin)
        keys: list[str] = []
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._config.bucket,
            Prefix=prefix,
            PaginationConfig={"PageSize": min(_PAGE, limit + 1)},
        )
        for page in pages:
            names = (str(entry["Key"]) for entry in page.get("Contents", ()))
            keys += [name for name in names if _NAME.fullmatch(name.removeprefix(prefix))]
            if len(keys) >= limit:
                break
        return [self._read(key) for key in keys[:limit]]

    def _put(self, origin: str, name: str, note: bytes) -> None:
        key = self._prefix(origin) + name
        until = datetime.now(UTC) + timedelta(days=self._config.retain_days)
        try:
            self._client.put_object(
                Bucket=self._config.bucket,
                Key=key,
                Body=note,
                ContentType="text/plain; charset=utf-8",
                IfNoneMatch="*",
                ObjectLockMode=self._config.lock.name,
                ObjectLockRetainUntilDate=until,
            )
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") not in _TAKEN:
                raise
            existing = self._read(key)
            if existing != note:
                raise PlaceConflict(existing) from None

    def _read(self, key: str) -> bytes:
        body = self._client.get_object(Bucket=self._config.bucket, Key=key)["Body"]
        try:
            content: bytes = body.read(MAX_NOTE_BYTES + 1)
        finally:
            body.close()
        return content


def _client(config: StoreConfig) -> Any:
    session = botocore.session.Session(session_vars=_UNREAD)
    try:
        return boto3.session.Session(botocore_session=session).client(
            "s3",
            endpoint_url=config.endpoint,
            region_name=config.region,
            aws_access_key_id=read_secret(config.access_key_file, "access_key_file"),
            aws_secret_access_key=read_secret(config.secret_key_file, "secret_key_file"),
            verify=str(config.ca_file) if config.ca_file is not None else True,
            config=BotoConfig(
                connect_timeout=_CONNECT_SECONDS,
                read_timeout=_READ_SECONDS,
                # The publisher tries again, with the newest note.
                retries={"total_max_attempts": 1},
                max_pool_connections=2,
                proxies={},
                ignore_configured_endpoint_urls=True,
                s3={"addressing_style": "path"},
            ),
        )
    except ValueError as error:
        # botocore's word for an endpoint or a region that it cannot read.
        raise SettingsError(f"the object store's settings cannot be used ({type(error).__name__})") from None
