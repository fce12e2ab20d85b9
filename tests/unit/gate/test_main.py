"""The gate's command line: exit codes, and one clear line for what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from doublethink_gate.__main__ import main


def test_a_configuration_that_cannot_be_used_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, one line that names the key, no traceback."""
    file = tmp_path / "gate.toml"
    file.write_text("[listen]\nrpc = 'unix:/x'\nhealth = 'unix:/y'\nmetric = 'unix:/z'\n")
    assert main(["serve", "--config", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_missing_configuration_is_wrong_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is named."""
    assert main(["serve", "--config", str(tmp_path / "none.toml")]) == 2
    assert "none.toml" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["serve"], ["fly"]])
def test_wrong_use_ends_with_two(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the parser does not know is exit status 2, with the usage on stderr."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err
