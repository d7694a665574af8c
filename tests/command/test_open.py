"""`relprobe open`: where the pages lie."""

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
    assert pages.main(["zzz"]) == 1
    assert f"known are {', '.join(STUDIES)}, published, report." in capsys.readouterr().err
