"""What a study has is found in the modules of its folder, which have fixed names."""

import sys

import polars as pl
import pytest
from relprobe import studies
from relprobe.core.study import MODULES, Roles, StepInput, agent_files, parts_of, readings, reply_files, study_of
from relprobe.studies import STUDIES

from tests.paths import SCRIPTS

STUDY = "from relprobe.core.study import Study\n\nSTUDY = Study(check=print, example=3)\n"
MEASURES = 'from relprobe.core.metric import Metric\n\nMEASURES = (Metric("right"),)\n'


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Write a study whose folder has some modules, and return it."""
    monkeypatch.setattr(studies, "__path__", [*studies.__path__, str(tmp_path)])

    def write(**modules):
        (tmp_path / "toys").mkdir()
        (tmp_path / "toys/__init__.py").touch()
        for name, text in {"study": STUDY, **modules}.items():
            (tmp_path / f"toys/{name}.py").write_text(text)
        return study_of("toys")

    yield write
    for name in [name for name in sys.modules if name.startswith("relprobe.studies.toys")]:
        del sys.modules[name]


def test_a_study_writes_nothing_of_its_metrics_its_page_and_its_methods(written):
    methods = 'def sentences(run):\n    yield f"Of {run}."\n'
    study = written(measures=MEASURES, page='WORDS = "words"\n', methods=methods)
    assert (study.name, study.example) == ("toys", 3)
    assert [metric.name for metric in study.metrics()] == ["right"]
    assert study.words() == "words"
    assert list(study.methods("a run")) == ["Of a run."]
    home = "relprobe.studies.toys"
    assert parts_of("toys") == [
        f"{home}.study.STUDY",
        f"{home}.measures.MEASURES",
        f"{home}.page.WORDS",
        f"{home}.methods.sentences",
    ]


def test_a_study_without_a_module_has_nothing_of_it(written):
    study = written(measures=MEASURES)
    assert study.words() is None
    assert list(study.methods("a run")) == []
    assert len(parts_of("toys")) == 2


def test_a_study_that_says_nothing_of_its_agents_and_its_size_has_no_number_of_them(written):
    study = written()
    assert (study.agent_settings({}, "m"), study.size({}), study.hidden_states({}), dict(study.targets({}))) == (
        None,
        None,
        False,
        {},
    )


def test_the_values_of_a_study_have_the_form_of_all_studies_by_what_it_says_of_their_columns(written):
    """One that says nothing has that form already, in whatever order its columns are."""
    row = {"value": 0.5, "cluster": "c", "unit": "u", "condition": "noun", "metric": "right", "agent": "m"}
    assert written().tidy_values(pl.DataFrame([row])).rows() == [("m", "right", "noun", "u", "c", 0.5)]
    row = {"metric": "symmetry", "relation": "ANT", "versus": None, "k": 5, "target": "hot", "relatum": "cold"}
    row |= {"prompt_id": "a", "cluster": "x", "value": 1.0}
    (found,) = study_of("relations").tidy_values(pl.DataFrame([row])).rows()
    assert (found[:2], found[-2:]) == (("symmetry", "ANT, k = 5"), ("x", 1.0))
    row = {"agent": "m", "metric": "ap", "condition": "HYP", "foils": "random", "prompt": "is", "unit": "robin"}
    (pairs_row,) = study_of("pairs").tidy_values(pl.DataFrame([{**row, "value": 0.5}])).rows()
    assert pairs_row == ("m", "ap", "HYP, foils = random", "robin · is", "robin", 0.5)


def test_a_study_without_metrics_is_an_error(written):
    with pytest.raises(ModuleNotFoundError, match="measures"):
        written().metrics()


@pytest.mark.parametrize("module", ["page", "methods"])
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("import no_such_module\n", ModuleNotFoundError),
        ("from relprobe.core.study import no_such_name\n", ImportError),
        ("OTHER = 1\n", AttributeError),
    ],
)
def test_what_is_wrong_in_a_module_is_not_taken_for_a_module_that_is_not_there(written, module, text, error):
    study = written(measures=MEASURES, **{module: text})
    with pytest.raises(error, match=r"no_such|no attribute"):
        (study.words if module == "page" else lambda: list(study.methods("a run")))()


@pytest.mark.parametrize("study", STUDIES)
def test_all_parts_of_a_study_are_there(study):
    written = [name for name in MODULES if (SCRIPTS / f"relprobe/studies/{study}/{name}.py").is_file()]
    assert [part.split(".")[3] for part in parts_of(study)] == ["study", *written]
    found = study_of(study)
    assert found.metrics()
    assert (found.words() is not None) == ("page" in written)


@pytest.mark.parametrize(
    ("roles", "there"),
    [
        (Roles(["gpt2"], [], [], [], {}, {}), []),
        (Roles([], ["gpt2-task"], [], [], {}, {}), ["task_agents"]),
        (Roles([], [], ["gpt-4o"], [], {}, {}), ["chat_models"]),
        (Roles([], [], [], ["glove"], {}, {}, {"gpt2@3": "causal"}), ["layers"]),
    ],
)
def test_a_run_has_the_agents_that_take_a_part_in_it(roles, there):
    assert roles.facts() == {name: name in there for name in ("task_agents", "chat_models", "layers")}


def test_replies_are_those_of_an_endpoint_or_written_here():
    assert reply_files("degrees", ["gpt-4o", "gpt2-task"], ["gpt-4o", "other"]) == [
        *agent_files("degrees", "replies", ["gpt-4o"]),
        *agent_files("degrees", "writing", ["gpt2-task"]),
    ]


def test_each_file_and_each_setting_has_a_reading_of_its_own():
    assert readings({"tests": "tests.parquet"}) == {"tests": StepInput({"tests": "tests.parquet"}, {})}
    assert readings({"tests": "tests.parquet"}, {"seed": 1, "top": 5}) == {
        "tests": StepInput({"tests": "tests.parquet"}, {}),
        "seed": StepInput({}, {"seed": 1}),
        "top": StepInput({}, {"top": 5}),
    }
