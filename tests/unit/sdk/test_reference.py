"""What is written about the command line is what the command line says."""

import re
from pathlib import Path

from doublethink_sdk.cli import main
from doublethink_sdk.reference import reference

_ROOT = Path(__file__).parents[3]


def test_the_written_help_is_the_programs_own() -> None:
    """docs/cli.md is up to date; `make docs` writes it."""
    assert (_ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == reference()


def test_every_command_that_the_readme_shows_exists() -> None:
    """No command line in the README names a command or target that is not there."""
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"\.venv/bin/doublethink ([a-z]+)", readme))
    assert commands
    assert commands <= set(main.commands)
    makefile = (_ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"(?:^    |`)make ([a-z-]+)", readme, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


def test_every_page_that_the_readme_links_to_exists() -> None:
    """A reader who follows a link finds a file."""
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (_ROOT / link).exists(), link
