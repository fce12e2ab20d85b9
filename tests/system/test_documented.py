"""What README and demo/README promise is what comes, run as it stands there."""

import json
import os
import re
import subprocess
from pathlib import Path

from doublethink_casefile import Case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.stack import Stack

_ROOT = Path(__file__).parents[2]
_SECONDS = 300
# Words of the page's answer, and what the product's answer holds.
_SAID = {
    "1,107.4 million euros": "1,107,400,000",
    "40.876 million euros": "40,876,000",
    "4.39 per cent": "4.39",
    "11.8 per cent": "11.8",
    "Not found": "not_found",
}


def test_each_question_of_the_demos_page_gets_the_answer_that_the_page_gives(
    stack: Stack, demo_case: Case
) -> None:
    """Every bullet: its question is asked, and what it promises stands in the answer."""
    page = (_ROOT / "demo" / "README.md").read_text(encoding="utf-8")
    bullets = re.findall(r"^\* (.+?\?)\s+(.+?)(?=\n\*|\n\n)", page, re.MULTILINE | re.DOTALL)
    assert len(bullets) >= 5
    with stack.client() as client:
        stored = client.add_case(self_contained(demo_case))
        for question, promised in bullets:
            question, promised = " ".join(question.split()), " ".join(promised.split())
            (expected,) = [held for said, held in _SAID.items() if said in promised]
            run = ask(client, Question(stored, question, "rules"), lambda _line: None)
            assert expected in json.dumps([run["status"], run["answer"]["text"]]), (question, run["answer"])


def test_the_readmes_commands_run_as_written(tmp_path: Path) -> None:
    """From a folder with what a clone has, one after the other, but for the set-up."""
    readme = (_ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"    make setup\n((?:    .*\n)+)", readme)
    assert block is not None
    commands = [line.strip() for line in block[1].replace("\\\n", " ").splitlines()]
    assert len(commands) >= 3
    for name in ("demo", ".venv"):
        (tmp_path / name).symlink_to(_ROOT / name)
    environment = {**os.environ, "DOUBLETHINK_DATA": str(tmp_path / "data")}
    for command in commands:
        done = subprocess.run(
            ("/bin/bash", "-c", command),
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)
    assert "Project Nordwind" in done.stdout
