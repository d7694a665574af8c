"""`relprobe open`: where the pages lie."""

import os
import webbrowser

import pytest
from relprobe.command import pages
from relprobe.studies import STUDIES


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(webbrowser, "open", lambda address: pytest.fail("no browser is to be opened"))
    (tmp_path / "results").mkdir()
    (tmp_path / "results/report.html").touch()
    return tmp_path


def test_the_page_is_printed(study, capsys):
    assert pages.main(["--print"]) == 0
    assert capsys.readouterr().out == f"{study}/results/report.html\n"


def test_the_results_lie_where_the_configuration_says(study, capsys):
    (study / "config.yaml").write_text("pathvars: {results: elsewhere}\n")
    assert pages.main(["--print"]) == 1
    assert capsys.readouterr().err == f"There is no {study}/elsewhere/report.html: `relprobe run` makes it.\n"


def test_without_a_screen_the_folder_to_copy_is_named(study, monkeypatch, capsys):
    monkeypatch.setattr("sys.platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert pages.main([]) == 0
    assert f"copy the folder {study}/results" in capsys.readouterr().err


def test_a_browser_gets_the_address(study, monkeypatch):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda address: opened.append(address) or True)
    monkeypatch.setenv("DISPLAY", ":0")
    assert pages.main([]) == 0
    assert opened == [f"file://{study}/results/report.html"]


def test_a_configuration_that_is_no_yaml_is_named(study, capsys):
    (study / "config.yaml").write_text("models: [\n")
    assert pages.main(["--print"]) == 1
    assert "config.yaml is no valid YAML" in capsys.readouterr().err


def test_a_study_is_opened_by_its_name(study, capsys):
    (study / "results/relations").mkdir()
    for name in ("report", "answers"):
        (study / f"results/relations/{name}.html").touch()
    for words, page in (
        (["relations"], "relations/report"),
        (["relations/answers"], "relations/answers"),
        (["results/relations/answers.html"], "relations/answers"),
        ([], "report"),
    ):
        assert pages.main([*words, "--print"]) == 0
        assert capsys.readouterr().out == f"{study}/results/{page}.html\n"


def test_the_first_page_of_a_study_is_opened_until_there_is_the_whole_one(study, capsys):
    (study / "results/relations").mkdir()
    for page in ("first", "report"):
        (study / f"results/relations/{page}.html").touch()
        assert pages.main(["relations", "--print"]) == 0
        assert capsys.readouterr().out == f"{study}/results/relations/{page}.html\n"


@pytest.mark.parametrize("name", STUDIES)
def test_a_study_without_a_page_says_how_it_is_made(study, capsys, name):
    assert pages.main([name]) == 1
    assert (
        capsys.readouterr().err == f"There is no {study}/results/{name}/report.html: `relprobe run {name}` makes it.\n"
    )


def test_while_the_first_run_goes_on_the_pages_that_are_there_are_named(study, capsys):
    """The page that leads to all is the last one of a run."""
    (study / "results/report.html").unlink()
    for name in ("definitions", "relations"):
        (study / "results" / name).mkdir()
        (study / "results" / name / "report.html").touch()
    assert pages.main([]) == 1
    sentence = "`relprobe run` makes it. Already there: `relprobe open relations`, `relprobe open definitions`."
    assert capsys.readouterr().err == f"There is no {study}/results/report.html: {sentence}\n"


def test_a_page_that_nobody_knows_gets_the_nearest_or_all_names(study, capsys):
    (study / "results/published.html").touch()
    for word, hint in (("relatons", "did you mean 'relations'?"), ("publishd", "did you mean 'published'?")):
        assert pages.main([word]) == 1
        assert capsys.readouterr().err == f"There is no page {word!r}: {hint}\n"
    for name in ("running", "b", "a", "first"):
        (study / f"results/{name}.html").touch()
    assert pages.main(["zzz"]) == 1
    known = [*STUDIES, "a", "b", "first", "published", "report", "running"]
    assert capsys.readouterr().err == f"There is no page 'zzz': known are {', '.join(known)}.\n"


def test_a_page_that_the_end_of_a_run_has_left_leads_nowhere_and_a_study_has_none_of_a_run(study, capsys):
    """The page of a run stands for the front page alone, while it tells more than that."""
    (study / "results/running.html").write_text(pages.REDIRECT)
    (study / "results/report.html").unlink()
    assert pages.main(["--print"]) == 1
    assert "There is no " in capsys.readouterr().err
    (study / "results/running.html").write_text("it goes on")
    assert pages.main(["--print"]) == 0
    assert capsys.readouterr().out == f"{study}/results/running.html\n"
    assert pages.main(["relations", "--print"]) == 1
    assert capsys.readouterr().err == (
        f"There is no {study}/results/relations/report.html: `relprobe run relations` makes it.\n"
    )
    (study / "results/report.html").touch()
    os.utime(study / "results/report.html", (9, 9))
    os.utime(study / "results/running.html", (9, 9))
    assert pages.page_named("report", study / "results").name == "report.html"


def test_the_page_of_a_study_comes_before_a_page_and_a_file_of_that_name(study, monkeypatch):
    results = study / "results"
    for name in ("relations/report.html", "relations.html", "../relations"):
        (results / name).parent.mkdir(exist_ok=True)
        (results / name).touch()
    for name in ("relations/report.html", "relations.html", "../relations"):
        assert pages.page_named("relations", results).resolve() == (results / name).resolve()
        (results / name).unlink()


@pytest.mark.parametrize(
    ("platform", "display", "opens"),
    [("linux", "DISPLAY", True), ("linux", "WAYLAND_DISPLAY", True), ("linux", "X", False), ("darwin", "X", True)],
)
def test_where_there_is_a_screen_a_browser_is_asked_and_one_that_is_missing_is_said(
    study, monkeypatch, capsys, platform, display, opens
):
    monkeypatch.setattr("sys.platform", platform)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(display, ":0")
    asked = []
    monkeypatch.setattr(webbrowser, "open", asked.append)
    assert pages.main([]) == 0
    page = f"file://{study}/results/report.html"
    assert asked == ([page] if opens else [])
    printed = capsys.readouterr()
    assert printed.out == f"{study}/results/report.html\n"
    said = (
        "No browser was found."
        if opens
        else f"There is no screen here: copy the folder {study}/results to a machine with one."
    )
    assert printed.err == f"{said}\n"


@pytest.mark.parametrize(
    "text", ["- a\n", "pathvars: [a]\n", "pathvars: {}\n", "title: x\n", "pathvars: {results: , resources: 3}\n"]
)
def test_a_configuration_that_names_no_folders_has_the_usual_ones(study, text):
    (study / "config.yaml").write_text(text)
    assert pages.run_folder() == study / "results"
    assert pages.run_folder("resources") == study / "resources"
    (study / "config.yaml").write_text("pathvars: {resources: ../shared}\n")
    assert pages.run_folder("resources") == study / "../shared"
    assert pages.run_folder() == study / "results"
