"""One whole stack for the tests that only look, and a way to start another for those that break it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from doublethink_casefile import Case, load_case
from doublethink_sdk.launcher.stack import Stack, StackOptions

DEMO = Path(__file__).parents[2] / "demo"


@pytest.fixture(scope="session")
def demo_case() -> Case:
    """The demo's case: fictional memo, confirmed secrets, public terms."""
    return load_case(DEMO / "case.yaml")


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Every process, on fresh data, over the demo's pages."""
    options = StackOptions(data=tmp_path_factory.mktemp("data"), pages=DEMO / "pages", allow_careless=True)
    with Stack(options) as running:
        yield running
