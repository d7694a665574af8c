"""What the pages on adding say, step by step: their patches, files, prompts and tuples go into a study."""

import json
import os
import re
import shutil
import subprocess
import sys

import polars as pl
import pyarrow.parquet as pq
import pytest
import yaml
from relprobe.studies import STUDIES

from tests.paths import DATA, ROOT
from tests.workflow.toy import Study

PAGES = ("adding", "how-to/add-a-source", "how-to/add-a-figure", "how-to/add-a-study")
PAGE = "\n".join((ROOT / f"docs/{name}.md").read_text() for name in PAGES)


def blocks(kind):
    found = re.finditer(rf"^(`{{3,}}){kind}\n(.*?)^\1$", PAGE, re.MULTILINE | re.DOTALL)
    return [block[2] for block in found]


def files():
    """The files that the page shows: path -> text."""
    found = [
        block
        for kind in ("python", "yaml", "markdown")
        for block in blocks(kind)
        if block.startswith(("# workflow/", "# resources/", "<!-- workflow/"))
    ]
    return {block.partition("\n")[0].strip("<!-# >"): block for block in found}


PLURALS = {
    "sentences": {"part": "the word [W] is a part of the word [V]", "more": "a [W] has more than the [V]"},
    "nouns": {"robin": "robins", "wall": "walls", "day": "days", "bird": "wing", "night": "home"},
}
"""Words of the toy's models; the last two plurals are irregular."""
ASSERTIONS = "/a/1\t/r/Synonym\t/c/en/house/n\t/c/en/home\t{}\n/a/2\t/r/Synonym\t/c/fr/glace\t/c/en/ice_cream\t{}\n"
"""Of a file of ConceptNet: a tuple that is there, so that no value changes, and one between two languages."""
ANALYSIS = '''"""What agents have of each noun.

```yaml
may_lack:
  several: several models
```

## Which nouns are there?

```yaml
table: nouns
needs: [several]
columns:
  nouns: the number of nouns
```

The nouns of each agent.
"""

import polars as pl

from relprobe.core.study import Config, Roles
from relprobe.studies.frame.results import Results


def has(_config: Config, roles: Roles) -> dict[str, bool]:
    """Return whether there are several models."""
    return {"several": len(roles.models) > 1}


def _table(results: Results) -> pl.DataFrame:
    rows = [(agent, table["cluster"].n_unique()) for agent, table in results.values().items()]
    return pl.DataFrame(rows, schema=["agent", "nouns"], orient="row")


TABLES = {"nouns": _table}
'''
COUNTS = '''"""How many values all agents have.

## How many averages and values are there?

```yaml
table: heights
columns:
  rows: the number of rows
```

All of them.
"""

import polars as pl

from relprobe.core.files import Parquet, ShownTables


def make_exhibits(values: dict[str, Parquet], averages: Parquet) -> ShownTables:
    """Count the rows."""
    return {"heights": pl.DataFrame({"rows": [averages.height, sum(table.height for table in values.values())]})}
'''
"""Two further analyses of the page's study, which has none."""
AGENTS = {"tiny-masked", "tiny-causal", "tiny-chat", "adds-s"}
"""The agents of the page's study."""


@pytest.fixture(scope="module")
def extended(relations, once):
    """The relations study with the page's relation and metric, and the page's study, finished."""
    place = once("adding", lambda folder: extend(relations.copy(folder / "study")))
    return Study(place / "study", relations.environment)


def extend(study):
    """Add to a study what the page adds, and finish it."""
    apply(study.folder)
    (study.folder / "data/plurals.yaml").write_text(yaml.safe_dump(PLURALS))
    chat = {"model": "tiny-causal", "chat": True, "studies": ["plurals"]}
    study.configure(plurals={"prompts": "data/plurals.yaml"}, models={**study.config["models"], "tiny-chat": chat})
    entry, prompts = (block for block in blocks("yaml") if block.startswith("COO:"))
    six = (study.folder / "resources/relations/english-nouns.yaml").read_text()
    (names,) = (block for block in blocks("yaml") if block.startswith("sources:"))
    assert "sources: {hyperlex: syn}\n" in six
    (study.folder / "data/seven.yaml").write_text(six.replace("sources: {hyperlex: syn}\n", names) + entry)
    (study.folder / "data/assertions.csv").write_text(ASSERTIONS)
    study.configure(resources={**study.config["resources"], "conceptnet": {"path": "data/assertions.csv"}})
    tuples = [*study.config["relations"]["tuples"], "conceptnet"]
    study.set("relations", relations="data/seven.yaml", tuples=tuples)
    with (study.folder / "data/relations.yaml").open("a") as file:
        file.write(prompts)
    (tuples,) = blocks("csv")  # of words that the toy's models do not have, so there is one of theirs as well
    with (study.folder / "data/tuples.csv").open("a") as file:
        file.write(f"{tuples}wall,COO,wing\n")
    analyses = study.folder / "workflow/scripts/relprobe/studies/plurals/analyses"
    analyses.mkdir()
    for name, text in {"__init__": '"""Further analyses."""\n', "nouns": ANALYSIS, "counts": COUNTS}.items():
        (analyses / f"{name}.py").write_text(text)
    study.finish()


def apply(folder):
    """Change a checkout, or the workflow in a study, as the page does."""
    for patch in blocks("diff"):
        if re.search(r"^\+\+\+ b/(tests|docs)/", patch, re.MULTILINE) and not (folder / "tests").is_dir():
            continue  # a study has neither
        subprocess.run(["patch", "-p1"], input=patch, cwd=folder, text=True, check=True, capture_output=True)
    (rooms,) = (block for block in blocks("sh") if "__init__.py" in block)
    subprocess.run(["bash", "-e", "-c", rooms], cwd=folder, check=True)
    for path, text in files().items():
        (folder / path).write_text(text)


def test_the_models_entry_of_the_page_is_a_valid_one():
    (entry,) = (yaml.safe_load(block) for block in blocks("yaml") if "huggingface" in block)
    assert set(entry["gpt2"]) <= {"type", "huggingface", "revision", "family", "size"}


def test_the_modules_of_the_pages_are_such_as_the_project_asks_for(tmp_path):
    """No name in them is gone, which would be found by a run of minutes."""
    for path, text in files().items():
        if path.endswith(".py"):
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(text)
    # Which packages are the project's own, and so the order of imports, ruff sees in its folder alone.
    for words in (["check", "--ignore", "I001"], ["format", "--check"]):
        command = ["ruff", *words, "--config", str(ROOT / "pyproject.toml"), "."]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_the_lists_and_files_that_the_page_names_are_there():
    code = [*ROOT.glob("workflow/rules/*.smk"), *ROOT.glob("workflow/scripts/relprobe/studies/**/*.py")]
    names = set(re.findall(r"^([A-Z]+_[A-Z]+)(?:: .*)? = ", "".join(path.read_text() for path in code), re.MULTILINE))
    lists = set(re.findall(r"`([A-Z]+_[A-Z]+)`", PAGE)) - {"NAME_STEP"}
    assert lists
    assert lists - names == set()
    files = set(re.findall(r"`((?:workflow|tests|docs|resources)/[\w./-]+)`", PAGE))
    assert {file for file in files if not re.search("NAME|STUDY", file) and not (ROOT / file).exists()} == set()


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_the_relation_is_probed_averaged_and_told_apart(extended):
    averages = extended.table("relations/averages.parquet").filter(relation="COO")
    assert {"soundness", "completeness", "symmetry", "distinguishability"} <= set(averages["metric"])
    models = {"tiny-masked", "tiny-causal", "tiny-few"}
    assert {*models, "tiny-list", "majority", "neighbours", "typical", "frequency"} <= set(averages["agent"])
    assert {f"{model}+without-target" for model in models} <= set(averages["agent"])
    assert "co-hyponymy" in (extended.results / "relations/figures/soundness.svg").read_text()
    assert "of 42 pairs" in (extended.results / "relations/figures/distinguishability_curves.svg").read_text()


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_the_source_gives_the_relation_tuples_by_its_own_name(extended):
    given = extended.table("relations/given.parquet").filter(pl.col("sources").list.contains("conceptnet"))
    found = given.with_columns(pl.col("sources").list.sort()).select("target", "relation", "relatum", "sources").rows()
    assert found == [("house", "SYN", "home", ["conceptnet", "own_tuples"])]


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_the_metric_has_averages_tests_a_column_a_figure_and_a_section(extended):
    averages = extended.table("relations/averages.parquet").filter(metric="reciprocal_rank")
    assert averages.filter(pl.col("low").is_not_null()).height
    assert "reciprocal_rank" in extended.table("relations/tables/overview.csv").columns
    tests = extended.table("relations/tables/tests.csv").filter(metric="reciprocal_rank")
    assert set(tests["paper_test"]) == {"Wilcoxon"}
    assert tests["p"].null_count() < tests.height
    assert (extended.results / "relations/figures/reciprocal_rank.svg").is_file()
    assert 'id="reciprocal_rank"' in (extended.results / "relations/report.html").read_text()


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
@pytest.mark.parametrize("study", ["relations", "plurals"])
def test_the_figure_of_all_studies_is_on_their_pages(extended, study):
    """The function is written once, and so is its section; no study knows of it."""
    for form in ("svg", "png"):
        assert (extended.results / f"{study}/figures/beyond.{form}").stat().st_size
    svg = (extended.results / f"{study}/figures/beyond.svg").read_text()
    assert all(
        f">{metric}</text>" in svg for metric in set(extended.table(f"{study}/tables/controls.parquet")["metric"])
    )
    page = (extended.results / f"{study}/report.html").read_text()
    (section,) = re.findall(r'<section id="beyond".*?</section>', page, re.DOTALL)
    assert "How often each agent has more than its best control" in section
    assert "tables/controls.csv" in section
    assert "The figure in words" not in section
    caption = (extended.results / f"captions/{study}/figures/beyond.rst").read_text()
    assert "The share of the conditions of a metric" in caption


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_what_was_there_stays_as_it_was(extended, relations):
    """The new relation and metric change no value of the others."""
    key = ["agent", "metric", "relation", "versus", "k"]
    before, after = (study.table("relations/averages.parquet").select(*key, "value") for study in (relations, extended))
    # Three controls are made of relatum sets, in which a word of two relations is dropped from both.
    made_of_sets = pl.col("agent").is_in(["majority", "typical", "nearest"])
    plain = before.filter(pl.col("metric").is_in(["soundness", "symmetry", "asymmetry"]), ~made_of_sets)
    both = plain.join(after, on=key, nulls_equal=True, suffix="_now", how="left")
    assert both.filter(pl.col("value").ne_missing(pl.col("value_now"))).select(*key, "value", "value_now").rows() == []


def test_the_study_of_the_page_has_what_the_frame_lacks_and_names_no_other_study():
    text = "".join(text for path, text in files().items() if "plurals" in path)
    rooms = {path.split("/")[5] for path in files() if "/studies/plurals/" in path}
    modules = "data method scoring steps schemas study"
    assert {"page.md", *(f"{module}.py" for module in modules.split())} <= rooms
    assert [study for study in STUDIES if re.search(rf"studies[./]{study}\b|results/{study}/|\"{study}\"", text)] == []


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_the_study_has_averages_and_a_page_that_the_index_leads_to(extended):
    averages = extended.table("plurals/averages.parquet")
    assert set(averages["agent"]) == AGENTS
    rule = dict(averages.filter(agent="adds-s").select("condition", "value").iter_rows())
    assert rule == {"regular": 1.0, "irregular": 0.0}
    page = (extended.results / "plurals/report.html").read_text()
    assert "Does a model know plurals?" in page
    assert all(agent in page for agent in AGENTS)
    index = (extended.results / "report.html").read_text()
    assert 'href="plurals/report.html"' in index
    assert "Does a model know plurals?" in index
    assert set(extended.table("plurals/tables/controls.csv")["control"]) == {"adds-s"}


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_a_further_analysis_of_the_study_is_a_file(extended):
    nouns = extended.table("plurals/tables/nouns.csv")
    assert set(nouns["agent"]) == AGENTS
    assert nouns["nouns"].unique().to_list() == [len(PLURALS["nouns"])]
    assert extended.table("plurals/tables/heights.csv")["rows"].min() > 0
    page = (extended.results / "plurals/report.html").read_text()
    assert "Which nouns are there?" in page
    assert "How many averages and values are there?" in page


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_the_study_goes_into_a_manuscript(extended, tmp_path):
    """Its trials and methods are those of the frame: each agent has answered each question once."""
    study = extended.copy(tmp_path / "study")
    study.configure(paper={"studies": ["plurals"], "widths": ["8.4cm"]})
    study.finish("paper")
    assert (study.results / "paper/figures/plurals/8.4cm/plural.pdf").stat().st_size
    assert (study.results / "paper/tables/plurals/overview.tex").stat().st_size
    trials = pl.read_csv(study.results / "paper/trials.csv")
    assert set(trials["study"]) == {"plurals"}
    assert set(trials["agent"]) == AGENTS
    questions = len(PLURALS["nouns"]) * len(PLURALS["sentences"])
    assert trials.group_by("agent").len()["len"].unique().to_list() == [questions]
    rule = dict(trials.filter(agent="adds-s").group_by("condition").agg(pl.col("right").mean()).rows())
    assert rule == {"regular": 1, "irregular": 0}
    methods = (study.results / "paper/methods.md").read_text()
    assert (
        f"The averages count {questions * (len(AGENTS) - 1)} answers of these agents to {questions} questions"
        in methods
    )


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_the_study_has_a_page_of_all_answers(extended):
    page = (extended.results / "plurals/answers.html").read_text()
    assert "Answers: Does a model know plurals?" in page
    assert "answers.html" in (extended.results / "plurals/report.html").read_text()


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_a_chat_agent_is_asked_by_the_default_lines(extended):
    plain, chat = (extended.table(f"plurals/scores/tiny-{name}.parquet") for name in ("causal", "chat"))
    assert plain["probe_id"].equals(chat["probe_id"])
    assert not plain["values"].equals(chat["values"])
    before = {}
    for name in ("causal", "chat"):
        metadata = pq.read_metadata(extended.results / f"plurals/scores/tiny-{name}.parquet").metadata
        before[name] = json.loads(metadata[b"relprobe"])["context"]
    lines = yaml.safe_load((ROOT / "resources/prompts/chat.yaml").read_text())["default"]
    assert before["causal"] == ""
    assert [line for line in lines.values() if line not in before["chat"]] == []


@pytest.mark.slow("it runs a seventh relation and a sixth study to their pages")
def test_two_runs_of_the_study_are_compared(extended, tmp_path):
    study = extended.copy(tmp_path / "study")
    sentences = {**PLURALS["sentences"], "part": "the [W] is the opposite of the [V]"}
    (study.folder / "data/plurals.yaml").write_text(yaml.safe_dump({**PLURALS, "sentences": sentences}))
    study.only("none")  # but the study of the page, which this list does not know
    study.configure(compare={"before": str(extended.results)})
    study.finish("results/compare.html")
    rows = study.table("differences.csv")
    assert set(rows["study"]) == {"plurals"}
    assert set(rows.select("agent", "condition").iter_rows()) == {
        (agent, condition) for agent in AGENTS for condition in ("regular", "irregular")
    }
    assert rows.select("before", "after").null_count().row(0) == (0, 0)
    rule = rows.filter(agent="adds-s")
    assert rule["before"].equals(rule["after"])  # it reads no sentence
    changed = study.table("changed.csv")
    assert set(changed["study"]) == {"plurals"}
    assert set(changed["agent"]) <= AGENTS - {"adds-s"}
    page = (study.results / "compare.html").read_text()
    assert "Two runs side by side" in page
    assert all(agent in page for agent in AGENTS)


COUNTING = (
    *(f"tests/package/test_{name}.py" for name in ("blocks", "layout_page", "names", "one_list", "places_of_tests")),
    *(
        "tests/core/test_outline.py",
        "tests/core/test_csv_schema.py",
        "tests/lm/test_layout.py",
        "tests/report",
        "tests/studies/config",
    ),
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "tests/studies").glob("test_*.py"))),
    "tests/studies/relations/compare/test_models.py",
    "workflow/scripts/relprobe/studies",
)
"""Tests that go through all studies, metrics, relations, modules or pages."""


@pytest.mark.slow("it tests a whole checkout that was changed as the page says")
def test_no_test_counts_what_the_page_adds(tmp_path):
    """A relation, a metric or a study of a user breaks no test of the project."""
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    files = subprocess.run(
        [*git, "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, check=True
    )
    for name in filter(None, files.stdout.decode().split("\0")):
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name, follow_symlinks=False)
    apply(tmp_path)
    for words in (["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "what the page adds"]):
        subprocess.run([*git, *words], cwd=tmp_path, check=True, capture_output=True)
    words = ["-m", "not slow", "--tb", "line", *COUNTING]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *words],
        cwd=tmp_path,
        env={**os.environ, "RELPROBE_DATA": str(DATA), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert int(re.search(r"(\d+) passed", done.stdout)[1]) > 500
