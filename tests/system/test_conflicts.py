"""Two pages that differ about one figure, asked through the whole stack: both are shown, and none is the answer."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

_DEMO = Path(__file__).parents[2] / "demo"
_COMMAND = Path(sys.executable).parent / "doublethink"
_SECONDS = 240
_QUESTION = "What was the revenue of Halvorsen Pumps in fiscal 2024?"
_URLS = {
    "halvorsen-results-2024": "https://investors.halvorsen-pumps.example/results/fiscal-2024",
    "halvorsen-elsewhere": "https://mirror.pumps-news.example/halvorsen/fiscal-2024",
}


def test_sources_that_differ_are_both_shown_and_none_is_chosen(tmp_path: Path) -> None:
    """Each with its own amount, quote, link and hash; no number stands for both, and the run has no figure."""
    pages = tmp_path / "pages"
    pages.mkdir()
    first, second = _URLS
    shutil.copy(_DEMO / "pages" / f"{first}.html", pages)
    text = (pages / f"{first}.html").read_text(encoding="utf-8")
    assert text.count("1,284.6") == 1
    (pages / f"{second}.html").write_text(text.replace("1,284.6", "1,279.9"), encoding="utf-8")
    lines = [f"{slug}\t{url}\t\tHalvorsen Pumps: results for fiscal 2024" for slug, url in _URLS.items()]
    (pages / "pages.tsv").write_text("\n".join(["slug\turl\ttitle\tdescription", *lines]) + "\n")
    ask = ("ask", "--case", _DEMO / "case.yaml", "--question", _QUESTION, "--pages", pages)
    options = ("--data", tmp_path / "data", "--planner", "rules", "--reader", "extractive", "--json")
    done = subprocess.run(
        (str(_COMMAND), *map(str, (*ask, *options))),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    run = json.loads(done.stdout)
    assert run["status"] == "not_found"
    assert run["answer"]["figures"] == run["answer"]["derived"] == []
    (conflict,) = run["answer"]["conflicts"]
    shown = {figure["url"]: figure for figure in conflict["figures"]}
    assert {url: figure["value"] for url, figure in shown.items()} == {
        _URLS[first]: "1284600000",
        _URLS[second]: "1279900000",
    }
    for figure in shown.values():
        assert figure["quote"].startswith("Revenue")
        assert figure["period"] == "Fiscal 2024"
        assert figure["fetched_at_us"] > 0
    assert len({figure["page_sha256"] for figure in shown.values()}) == 2
