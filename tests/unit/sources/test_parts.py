"""Key files, and the class of a source."""

from pathlib import Path

import pytest
from doublethink_gate.sources import SourceClass, classify
from doublethink_gate.sources.key import read_key
from doublethink_settings import SettingsError


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://www.sec.gov/Archives/x", SourceClass.REGULATOR),
        ("https://SEC.GOV./x", SourceClass.REGULATOR),
        ("https://find-and-update.company-information.service.gov.uk/", SourceClass.REGULATOR),
        ("https://notsec.gov.example/", SourceClass.OTHER),
        ("https://evilreuters.com/", SourceClass.OTHER),
        ("https://en.wikipedia.org/wiki/Pump", SourceClass.ENCYCLOPEDIA),
        ("https://www.reuters.com/markets", SourceClass.NEWS),
        ("https://investors.halvorsen-pumps.example/", SourceClass.COMPANY),
        ("https://www.globenewswire.com/", SourceClass.COMPANY),
        ("https://ir.example", SourceClass.OTHER),
        ("https://reuters.com@other.example/", SourceClass.OTHER),
        ("https://[bad/", SourceClass.OTHER),
        ("", SourceClass.OTHER),
    ],
)
def test_classes(url: str, found: SourceClass) -> None:
    """The host decides, by whole labels from the right."""
    assert classify(url) is found


def test_a_key_is_read_and_does_not_show(tmp_path: Path) -> None:
    """White space at the end is no part of it, and its repr hides it."""
    file = tmp_path / "key"
    file.write_bytes(b"tvly-abc\r\n")
    file.chmod(0o600)
    key = read_key(file)
    assert key.authorization() == "Bearer tvly-abc"
    assert "tvly" not in repr(key)


@pytest.mark.parametrize("content", [b"", b"\n", b"a\nb\n", b"a b\n", "schlüssel".encode(), b"x" * 5000])
def test_unusable_key_files_are_refused_without_their_content(tmp_path: Path, content: bytes) -> None:
    """Empty, of several lines, with characters that a header cannot carry, or too large."""
    file = tmp_path / "key"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(SettingsError) as raised:
        read_key(file)
    assert "schl" not in str(raised.value)
    assert "xxx" not in str(raised.value)


def test_a_missing_key_file_is_named(tmp_path: Path) -> None:
    """The error says which file."""
    with pytest.raises(SettingsError, match="nowhere"):
        read_key(tmp_path / "nowhere")
