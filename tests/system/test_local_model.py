"""A local model plans: through its one door, inside the planner's sandbox, and never more than it is asked."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from doublethink_casefile import Case
from doublethink_sdk.asking import Question, ask
from doublethink_sdk.cases import self_contained
from doublethink_sdk.launcher.errors import LaunchError
from doublethink_sdk.launcher.model_door import LocalModel
from doublethink_sdk.launcher.stack import Stack, StackOptions
from sim.model_server import DIGEST, local
from sim.ollama_server import NAME, OllamaServer, ollama_server
from sim.witness import body_of, read_ledger, read_requests

DEMO = Path(__file__).parents[2] / "demo"
# No rule understands the turn of phrase; the page says 1,284.6 million.
QUESTION = "Halvorsen Pumps, revenue, fiscal 2024: where did it land?"


def said(company: str, metric: str, period: str) -> str:
    """An answer as the prompt asks for it."""
    figure = {"company": company, "metric": metric, "period": period}
    return json.dumps({"figures": [figure], "operation": "none"})


def good(_question: str) -> str:
    """What a fit model says to the question above."""
    return said("Halvorsen Pumps", "revenue", "fiscal 2024")


def canary_answer(question: str) -> str:
    """What a fit model says to the questions of `models check`."""
    for word, company, metric, period in (
        ("total revenue", "Brindle Optics", "total revenue", "fiscal 2021"),
        ("Corvane", "Corvane Chemicals", "fines for the fatal explosion at its plant", "2018"),
        ("goods sold", "Brindle Optics", "cost of goods sold", "fiscal year ended September 30, 2021"),
    ):
        if word in question:
            return said(company, metric, period)
    return said("Brindle Optics", "revenue", "2020")


def models_check(address: str) -> subprocess.CompletedProcess[str]:
    """One run of the command."""
    program = Path(sys.executable).with_name("doublethink")
    argv = [str(program), "models", "check", "--model", NAME, "--model-address", address, "--json"]
    return subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture(scope="module")
def server() -> Iterator[OllamaServer]:
    """A model server that answers well until a test says otherwise."""
    with ollama_server(good) as running:
        yield running


@pytest.fixture(scope="module")
def modelled(server: OllamaServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """Every process, with the model server behind the forwarder."""
    options = StackOptions(
        data=tmp_path_factory.mktemp("data"),
        pages=DEMO / "pages",
        planner="ollama",
        model=LocalModel("ollama", server.address, NAME, seconds=20),
    )
    with Stack(options) as running:
        yield running


def asked(stack: Stack, case: Case, question: str = QUESTION) -> Mapping[str, Any]:
    """One finished run."""
    with stack.client() as client:
        stored = client.add_case(self_contained(case))
        return ask(client, Question(stored, question, "ollama"), lambda _line: None)


def test_a_question_that_no_rule_understands_is_answered(
    modelled: Stack, server: OllamaServer, demo_case: Case
) -> None:
    """The model divides it, the figure is proven, and the session's first row names model and digest."""
    server.speak = good
    run = asked(modelled, demo_case)
    assert run["status"] == "answered"
    (figure,) = run["answer"]["figures"]
    assert figure["value"] == "1284600000"
    rows, _ = read_ledger(modelled.gate_dsn, modelled.gate_keys)
    assert (body_of(rows[0])["planner_model"], body_of(rows[0])["planner_digest"]) == (NAME, DIGEST)


def test_an_openai_compatible_server_plans_as_well(demo_case: Case, tmp_path: Path) -> None:
    """Through the same door and sandbox; its listing has no digest, and the first row says which model it was."""
    with ollama_server(good) as other:
        options = StackOptions(
            data=tmp_path / "data",
            pages=DEMO / "pages",
            planner="openai",
            model=LocalModel("openai", other.address, NAME, seconds=60),
        )
        with Stack(options) as stack, stack.client() as client:
            stored = client.add_case(self_contained(demo_case))
            run = ask(client, Question(stored, QUESTION, "openai"), lambda _line: None)
            rows, _ = read_ledger(stack.gate_dsn, stack.gate_keys)
    assert (run["status"], run["back_ends"]["planner"]) == ("answered", "openai")
    assert run["answer"]["figures"][0]["value"] == "1284600000"
    assert body_of(rows[0])["planner_model"] == NAME
    assert "planner_digest" not in body_of(rows[0])
    assert set(other.paths) == {"/v1/models", "/v1/chat/completions"}


def test_the_model_is_told_nothing_of_the_memo(
    modelled: Stack, server: OllamaServer, demo_case: Case
) -> None:
    """Over the wire go the task, the examples and the question."""
    server.speak = good
    asked(modelled, demo_case)
    told = "".join(server.bodies)
    for secret in demo_case.secrets:
        assert secret.value not in told
    assert set(server.paths) == {"/api/tags", "/api/chat"}


def test_a_model_that_leaks_reaches_nobody(modelled: Stack, server: OllamaServer, demo_case: Case) -> None:
    """It puts each secret of the case into its answer; nothing is searched, and the source sees no secret."""
    secrets = [secret.value for secret in demo_case.secrets][:5]
    server.speak = lambda _question: said("Halvorsen Pumps", f"revenue {' '.join(secrets)}", "fiscal 2024")
    before = len(read_requests(modelled.request_log))
    run = asked(modelled, demo_case)
    assert run["status"] == "not_found"
    assert len(read_requests(modelled.request_log)) == before
    assert not [secret for secret in secrets if secret in modelled.request_log.read_text()]


@pytest.mark.parametrize("answer", ["", "I cannot.", "{", '{"figures": []}', "[" * 5000])
def test_rubbish_for_ever_is_a_clear_failure(
    modelled: Stack, server: OllamaServer, demo_case: Case, answer: str
) -> None:
    """Asked three times, then the run fails with the error of its own; nothing was searched."""
    server.speak = lambda _question: answer
    before = server.paths.count("/api/chat")
    run = asked(modelled, demo_case)
    assert (run["status"], run["counts"]["queries"]) == ("failed", 0)
    assert (run["code"], "models check" in run["reason"]) == ("ERROR_CODE_MODEL_ANSWER_REFUSED", True)
    assert server.paths.count("/api/chat") == before + 3


def test_a_model_that_is_slow_has_its_seconds_and_no_more(
    modelled: Stack, server: OllamaServer, demo_case: Case
) -> None:
    """It never answers: the run ends in the time that was set, says so, and searches nothing. The next one is answered,
    and both stand in the list of what was asked.
    """
    over = threading.Event()

    def never(_question: str) -> str:
        over.wait(120)
        return good(_question)

    server.speak = never
    try:
        run = asked(modelled, demo_case)
    finally:
        over.set()
        server.speak = good
    assert (run["status"], run["code"]) == ("failed", "ERROR_CODE_MODEL_UNAVAILABLE")
    assert (run["counts"]["queries"], "did not answer in its time" in run["reason"]) == (0, True)
    # Of 20 seconds for the model; the rest is the machine's.
    assert run["seconds"] < 20 + 15
    again = asked(modelled, demo_case)
    assert again["status"] == "answered"
    with modelled.client() as client:
        listed = client.sessions(limit=2)["sessions"]
    assert [(each["session"], each["status"]) for each in listed] == [
        (again["session"], "answered"),
        (run["session"], "failed"),
    ]


def test_a_model_server_that_goes_away_fails_one_run_and_loses_nothing(
    demo_case: Case, tmp_path: Path
) -> None:
    """Killed after the start: a question for the model fails at once with what to look at, one that the rules
    understand is answered all the same, and when the server is back the first one is too.
    """
    with ExitStack() as running:
        server = running.enter_context(ollama_server(good))
        model = LocalModel("ollama", server.address, NAME, seconds=60)
        options = StackOptions(data=tmp_path / "data", pages=DEMO / "pages", planner="ollama", model=model)
        with Stack(options) as stack:
            running.close()
            run = asked(stack, demo_case)
            assert (run["status"], run["code"]) == ("failed", "ERROR_CODE_MODEL_UNAVAILABLE")
            assert (run["counts"]["queries"], "check the model's server" in run["reason"]) == (0, True)
            assert run["seconds"] < 60
            plain = asked(stack, demo_case, "What was the revenue of Halvorsen Pumps in fiscal 2024?")
            assert plain["status"] == "answered"
            with ollama_server(good, int(server.address.rpartition(":")[2])):
                assert asked(stack, demo_case)["status"] == "answered"
            with stack.client() as client:
                listed = client.sessions(limit=10)["sessions"]
                assert [each["status"] for each in listed] == ["answered", "answered", "failed"]
                assert all(client.record(each["session"])["closed"] for each in listed)


def test_a_model_that_changed_under_its_name_is_not_asked(
    modelled: Stack, server: OllamaServer, demo_case: Case
) -> None:
    """Another digest under the same name: the run fails, and the model is not told the question."""
    server.speak = good
    server.models = [local(NAME, digest="cd" * 32)]
    before = server.paths.count("/api/chat")
    try:
        run = asked(modelled, demo_case)
        assert (run["status"], run["code"]) == ("failed", "ERROR_CODE_MODEL_UNAVAILABLE")
        assert "not the one that the start found" in run["reason"]
        assert server.paths.count("/api/chat") == before
    finally:
        server.models = [local(NAME)]
    assert asked(modelled, demo_case)["status"] == "answered"


@pytest.mark.parametrize(
    ("models", "words"),
    [
        ([], "pull it"),
        ([local("other:1b")], "pull it"),
        ([local(NAME, remote_host="https://models.example:443")], "not local"),
    ],
)
def test_a_start_without_the_model_says_what_to_do(
    tmp_path: Path, models: list[dict[str, object]], words: str
) -> None:
    """It names the model and the way out, and leaves nothing running."""
    with ollama_server(good) as server:
        server.models = models
        options = StackOptions(
            data=tmp_path / "data",
            pages=DEMO / "pages",
            planner="ollama",
            model=LocalModel("ollama", server.address, NAME),
        )
        with pytest.raises(LaunchError, match=NAME) as caught, Stack(options):
            pass
    assert words in str(caught.value)
    assert "--planner rules" in str(caught.value)


def test_a_model_server_far_away_is_refused(tmp_path: Path) -> None:
    """An address that is neither loopback nor private would take the question out of the house."""
    options = StackOptions(
        data=tmp_path / "data",
        pages=DEMO / "pages",
        planner="ollama",
        model=LocalModel("ollama", "http://192.88.99.1:11434", NAME),
    )
    with pytest.raises(LaunchError, match="the memo would leave"), Stack(options):
        pass


def test_models_check_tells_a_fit_model_from_an_unfit_one() -> None:
    """Through the same door as the planner's: each finding is a line, the exit code says whether all passed."""
    with ollama_server(canary_answer) as server:
        fit = models_check(server.address)
        server.speak = lambda _question: "I cannot."
        unfit = models_check(server.address)
        server.models = []
        absent = models_check(server.address)
    findings = [json.loads(line) for line in fit.stdout.splitlines()]
    assert (fit.returncode, len(findings), all(one["passed"] for one in findings)) == (0, 7, True), fit.stdout
    assert unfit.returncode == 1
    assert not json.loads(unfit.stdout.splitlines()[0])["passed"]
    assert (absent.returncode, "pull it" in absent.stderr) == (4, True)
    assert set(server.paths) == {"/api/tags", "/api/chat"}
