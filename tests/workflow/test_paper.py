"""`relprobe paper`: what a manuscript takes from the toy of all studies."""

import hashlib
import json
import re
import shutil
import subprocess
from html import unescape

import polars as pl
import pytest
import torch
from relprobe.paper.trials import KEY

from tests.package.pages_of_docs import blocks
from tests.paths import ROOT
from tests.report.figures.test_printed import page_width, touched_edges
from tests.report.test_page import unpacked
from tests.workflow.running.test_own_files import REASON, reasons, replace
from tests.workflow.toy import STUDIES

VALUES = {
    "relations": ("soundness", "relation", "target"),
    "definitions": (None, "condition", "item"),
    "systematicity": (None, "condition", "item"),
    "analogies": (None, "relation", "target"),
    "degrees": (None, "condition", "relation"),
    "pairs": ("choice", "condition", "target"),
}
"""Study -> the metric of its trials, or None if the task says it; what divides its averages; the unit of these."""


DRAWN = "definitions"
"""The study whose figures are drawn at each run of the tests: it has the fewest."""
WIDTHS = {"8.4cm": 8.4, "16cm": 16.0}
"""Folder of figures -> their width in centimetres."""


@pytest.fixture(scope="session")
def with_paper(finished, once):
    """The finished toy with results/paper, but of the figures only those of DRAWN."""

    def make(folder):
        study = finished.copy(folder / "study")
        study.configure(paper={"png": True, "all": True})
        tables = [f"results/paper/tables/{name}" for name in STUDIES]
        figures = [f"results/paper/figures/{DRAWN}/{width}" for width in WIDTHS]
        study.finish("results/paper/trials.csv", "results/paper/methods.md", *tables, *figures)

    return type(finished)(once("paper", make) / "study", finished.environment)


@pytest.fixture(scope="session")
def with_figures(with_paper, once):
    """The finished toy with all that `relprobe paper` writes."""
    place = once("figures of a paper", lambda folder: with_paper.copy(folder / "study").finish("paper"))
    return type(with_paper)(place / "study", with_paper.environment)


def metric_of(study):
    """The name of the metric that a trial counts for."""
    names = {
        "definitions": pl.format("{} P@1", pl.col("task").str.to_uppercase()),
        "analogies": pl.format("{} {}", "task", "condition"),
        "systematicity": pl.col("task").replace({"open": "open@1"}),
        "degrees": pl.col("task"),
        "relations": pl.lit("soundness"),
        "pairs": pl.lit("choice"),
    }
    return names[study].alias("metric")


@pytest.mark.parametrize("study", STUDIES)
def test_the_trials_average_to_the_values_of_the_page(with_paper, study):
    """The mean over the trials of a unit, and then over the units, is each average of the study."""
    trials = with_paper.table("paper/trials.parquet").filter(study=study)
    counted = trials.filter(counted=1).with_columns(metric_of(study))
    _, group, unit = VALUES[study]
    key = ["agent", "metric", group]
    unit_means = counted.group_by(*key, unit if unit != group else "cluster").agg(pl.col("right").mean())
    own = unit_means.group_by(key).agg(own=pl.col("right").mean() * (100 if study == "degrees" else 1))
    averages = with_paper.table(f"{study}/averages.parquet").rename(
        {"condition": group} if group == "relation" and study != "relations" else {}
    )
    both = own.join(averages.select(*key, "value"), on=key)
    assert both.height > 5
    assert both.filter((pl.col("own") - pl.col("value")).abs() > 1e-9).rows() == []
    assert set(both["agent"]) >= {name for name in averages.drop_nulls("value")["agent"] if "tiny-list" not in name}


def test_a_trial_has_one_row(with_paper):
    trials = with_paper.table("paper/trials.parquet")
    assert set(trials["study"]) == set(STUDIES)
    assert trials.filter(trials.select(KEY).is_duplicated()).rows() == []
    assert trials.filter(pl.col("probability") > 1 + 1e-6).rows() == []
    assert pl.read_csv(with_paper.results / "paper/trials.csv", infer_schema=False).height == trials.height


@pytest.mark.parametrize("study", STUDIES)
def test_the_tables_have_the_cells_of_the_page(with_paper, study):
    """Of the page of the study, or of the page of published figures."""
    page = (with_paper.results / study / "report.html").read_text()
    published = (with_paper.results / "published.html").read_text()
    page, published = (html + "".join(unpacked(html)) for html in (page, published))
    files = sorted((with_paper.results / "paper/tables" / study).glob("*.html"))
    assert {file.stem for file in files} >= {"overview", "controls"}
    for file in files:
        assert file.with_suffix(".tex").read_text().count(r"\begin{tabular}") > 0
        cells = set(map(unescape, re.findall(r"<td[^>]*>([^<]+)</td>", file.read_text())))
        there = set(map(unescape, re.findall(r">\s*([^<>]+?)\s*<", published if file.stem == "published" else page)))
        assert len(cells) > 5
        assert cells - there == set()


CONSTANT = (
    r"Eq\. \d+(?:(?: and| to) \d+)?|[Ss]ection \d+(?:\.\d+)?|P@1|precision at 1|open@\d|95 %|0\.05|W2D|D2W|"
    r"all patterns of up to 15 that differ, else 10,000 random ones|2,000 resamples|\(L − 1\)|[Tt]he seed is 1"
)
"""Numbers of the papers, of names and of the statistics, which no run changes."""


def phrases(study, table):
    """What the paragraph of a study says in numbers, counted from its files. `table`: reads a file of the results."""
    trials = table("paper/trials.parquet").filter(study=study, counted=1)
    models = trials.filter(
        pl.col("agent").str.split(" ").list.first().str.contains(r"^tiny-(?:masked|causal|few|list)$")
    )
    yield f"{models.height:,} answers of these agents to {models['item'].n_unique():,} questions"
    yield f"about {models['target'].n_unique()} targets"
    if prompts := models["prompt"].drop_nulls().n_unique():
        yield f"under {prompts} prompts"
    for family, tests in table(f"{study}/tests.parquet").drop_nulls("p")["family"].value_counts().iter_rows():
        yield f"{family} ({tests} tests)"
    yield from {
        "relations": relations_rows,
        "definitions": definitions_rows,
        "systematicity": systematicity_rows,
        "analogies": analogies_rows,
        "degrees": degrees_rows,
        "pairs": pairs_rows,
    }[study](table)


def relations_rows(table):
    main = table("relations/probes.parquet").filter(kind="main")
    relata = table("relations/relata.parquet").select("relation", "target").unique()
    for (relation,), rows in main.group_by("relation"):
        targets = rows.join(relata, on=["relation", "target"], how="semi")["target"].n_unique()
        yield f"({targets} targets under {rows['prompt_id'].n_unique()} prompt)"
        assert relation
    yield f": {main.height} probes."
    yield f"{table('relations/probes.parquet').filter(kind='trick').height} trick probes"
    lost = table("relations/tables/attrition.parquet").group_by("kind", "reason").len()
    yield from (
        f"{n} {'relata' if kind == 'relatum' else f'{kind}s'} ({reason})" for kind, reason, n in lost.iter_rows()
    )
    yield f"{table('paper/trials.parquet').filter(agent='annotator', counted=1).height} lists"
    yield from ("the first 1, 5 and 10 answers", "at least 1 target.", "(2 examples)", "2 samples)")


def counted(table, study, agent):
    """The number of answers of an agent that count."""
    return table("paper/trials.parquet").filter(study=study, agent=agent, counted=1).height


def definitions_rows(table):
    about = table("definitions/benchmark.parquet")
    for of, rows in (("at least 5 synsets", about), ("those with enough", about.filter("kept"))):
        for pos, number in rows["pos"].value_counts().iter_rows():
            yield f"{number} {pos} group{'s' * (number > 1)} in {rows.filter(pos=pos)['family'].n_unique()} family"
        assert of
    yield "at least 5 synsets"
    yield f"Of people, they count {counted(table, 'definitions', 'humans')} answers"


def systematicity_rows(table):
    items = table("systematicity/items.parquet")
    for name in ("diagnostic", "extended"):
        set_items = items.filter(set=name)
        contexts = set_items["sentence"].is_not_null().sum()
        categories = set_items["category"].n_unique()
        kinds = f"{set_items.height} singular, {set_items.height} plural and {contexts} contextual probes"
        yield f"{kinds} about {categories} categories"
    yield from ("up to 2 wordings", "3 folds and 2 seeds", "from 1 on", "drawn with seed 1")


def analogies_rows(table):
    tuples = table("analogies/tuples.parquet").filter(draw=1)
    sizes = sorted(tuples["relation"].value_counts()["count"])
    yield f"{len(sizes)} relations. A relation has {sizes[0]} to {sizes[-1]} pairs"
    yield from (
        "2 splits divide (seed 1)",
        "At most 9 instances",
        "(seed 1)",
        r"\{h1\}",
        r"\{t1\}",
        r"\{h2\}",
        r"\{t2\}",
    )
    agents = [*table("paper/trials.parquet").filter(study="analogies")["agent"].unique(), "tiny-encoder"]
    made = [table(f"analogies/{part}/{one}.parquet") for part in ("supervised", "unsupervised") for one in set(agents)]
    yield f"{sum(one.filter(pl.col('instead_of').is_null())['value'].null_count() for one in made)} decisions"
    yield f"({counted(table, 'analogies', 'tiny-encoder')} answers)"


def degrees_rows(table):
    gold, questions = table("degrees/gold.parquet"), table("degrees/questions.parquet")
    training = gold.filter("training")["subcategory"].n_unique()
    yield f"{gold.height} pairs in {gold['subcategory'].n_unique()} subcategories ({training} for training)"
    yield f"{gold['reverses'].count()} reverse"
    yield from (f"{questions.height} MaxDiff questions", "seed 1.")


def pairs_rows(table):
    data = table("pairs/tables/data.parquet")
    yield f"It has {data['pairs'].sum()} pairs, of which {data.filter(kind='right')['pairs'].sum()} are related."
    yield f"Of people, they count {counted(table, 'pairs', 'humans')} answers"
    yield f"({counted(table, 'pairs', 'inclusion invcl')} answers)"


@pytest.mark.parametrize("study", STUDIES)
def test_every_number_of_the_methods_is_that_of_the_run(with_paper, study):
    text = json.loads((with_paper.results / study / "methods.json").read_text())["text"]
    rest = re.sub(r"`[^`]+`|\[@[^\]]+\]", "", text)
    for phrase in phrases(study, with_paper.table):
        assert phrase in text
        rest = rest.replace(phrase, "")
    assert re.findall(r"[^.]*\d[^.]*", re.sub(CONSTANT, "", rest)) == []


def test_the_models_are_those_of_the_run(with_paper):
    text = (with_paper.results / "paper/methods.md").read_text()
    for name in ("masked", "causal"):
        weights = hashlib.sha256((with_paper.folder / f"data/{name}/model.safetensors").read_bytes()).hexdigest()
        assert f"`tiny-{name}` [@model-tiny-{name}] is a {name} model: files of our own" in text
        assert f"SHA-256 of model.safetensors {weights[:12]}…, computed in float32." in text
    assert f"torch {torch.__version__}" in text


def test_what_is_cited_is_in_the_bibliography_and_nothing_else(with_paper):
    folder = with_paper.results / "paper"
    keys = re.findall(r"^@\w+\{(.+),$", (folder / "references.bib").read_text(), re.MULTILINE)
    in_markdown = set(re.findall(r"@([\w.-]+\w)[;\]]", (folder / "methods.md").read_text()))
    in_latex = {
        key for keys in re.findall(r"\\cite\{(.+?)\}", (folder / "methods.tex").read_text()) for key in keys.split(",")
    }
    assert set(keys) == in_markdown == in_latex
    assert len(keys) == len(set(keys)) > 10


@pytest.mark.parametrize("width", WIDTHS)
def test_every_figure_of_a_study_has_its_width_its_fonts_and_a_white_edge(with_paper, width):
    check_figures(with_paper, DRAWN, width)


@pytest.mark.slow("it draws the figures of all studies twice, at 300 dots per inch")
@pytest.mark.parametrize("study", STUDIES)
@pytest.mark.parametrize("width", WIDTHS)
def test_every_figure_has_its_width_its_fonts_and_a_white_edge(with_figures, study, width):
    check_figures(with_figures, study, width)


def check_figures(run, study, width):
    files = sorted((run.results / "paper/figures" / study / width).glob("*.pdf"))
    assert {file.stem for file in files} >= {file.stem for file in (run.results / study / "figures").glob("*.svg")}
    for file in files:
        # A figure that has no room in a column takes two.
        assert min(abs(page_width(file) - wide) for wide in (WIDTHS[width], 2 * WIDTHS[width])) < 0.01, file.name
        assert b"/Type3" not in file.read_bytes(), file.name
        assert not touched_edges(file.with_suffix(".png")), file.name
    log = run.results / "logs/paper/figures" / study / f"{width}.log"
    assert "overlap" not in log.read_text()


def test_the_code_of_the_page_gives_the_values_of_the_study(with_paper, monkeypatch, capsys):
    monkeypatch.chdir(with_paper.folder)
    (block,) = blocks(ROOT / "docs/how-to/write-a-paper.md", "python")
    everything = {}
    exec(compile(block.text, block.place, "exec"), everything)
    assert "relation_name" in capsys.readouterr().out
    assert set(everything["target_means"]["agent"]) >= {"tiny-causal", "humans"}


ARTICLE = r"""
\documentclass[twocolumn,a4paper]{article}
\usepackage[textwidth=17.4cm,columnsep=0.6cm,textheight=24cm]{geometry} % columns of 8.4 cm
PACKAGES
\input{tables/relations/captions}
\input{tables/definitions/captions}
\begin{document}
\section{Methods}
\input{methods}
\section{Results}
Tables~\ref{tab:relations-overview} and~\ref{tab:definitions-overview}.
\begin{figure}\includegraphics{figures/definitions/8.4cm/rank_score}\caption{\DefinitionsRankScore}\end{figure}
\begin{figure*}\includegraphics{figures/relations/16cm/soundness}\caption{\RelationsSoundness}\end{figure*}
\input{tables/relations/overview}
\input{tables/definitions/overview}
\bibliographystyle{plain}
\bibliography{references}
\end{document}
"""
"""An article in two columns with a figure of each width, two tables, the methods and the bibliography, as they are."""


@pytest.mark.slow("it typesets an article four times")
def test_a_two_column_article_takes_figures_tables_methods_and_references_as_they_are(with_figures, tmp_path):
    if not all(map(shutil.which, ("pdflatex", "bibtex", "pdffonts"))):
        pytest.skip("there is no LaTeX with BibTeX, or no pdffonts (texlive-latex-recommended, poppler-utils)")
    folder = shutil.copytree(with_figures.results / "paper", tmp_path / "paper")
    packages = next(
        line for line in (ROOT / "docs/how-to/write-a-paper.md").read_text().splitlines() if "usepackage" in line
    )
    (folder / "article.tex").write_text(ARTICLE.replace("PACKAGES", packages))
    latex = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "article"]
    for command in (latex, ["bibtex", "article"], latex, latex):
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]
    log = (folder / "article.log").read_text(errors="replace")
    assert "undefined" not in log
    assert [float(points) for points in re.findall(r"Overfull .hbox .([\d.]+)pt", log) if float(points) > 5] == []
    fonts = subprocess.run(["pdffonts", folder / "article.pdf"], capture_output=True, text=True, check=True).stdout
    assert "TrueType" in fonts
    assert "Type 3" not in fonts


def test_an_own_file_that_is_replaced_by_an_older_one_is_noticed(with_paper, tmp_path):
    """As `relprobe paper` runs these rules alone, none before them says that a file of relations is another one."""
    study = with_paper.copy(tmp_path / "study")
    replace(study.folder / "resources/relations/english-nouns.yaml")
    planned = reasons(study, "results/paper/trials.csv", "--allowed-rules", "trials", "paper_trials")
    assert set(planned) == {"trials relations", "paper_trials"}
    assert REASON.search(planned["trials relations"])


def test_nothing_of_the_paper_is_made_by_a_run_without_it(finished, with_paper):
    assert not (finished.results / "paper").exists()
    others = len(STUDIES) - 1
    assert with_paper.scheduled("paper") == {"paper": 1, "paper_figures": others * len(WIDTHS)}


@pytest.mark.slow("it draws the figures of all studies twice, at 300 dots per inch")
def test_all_of_the_paper_is_made_by_one_command(with_figures):
    assert with_figures.scheduled("paper") == {}


def test_a_study_without_a_file_that_is_needed_ends_in_a_sentence(with_paper, tmp_path):
    """As one that another version has made: the command makes nothing that the studies are made of."""
    study = with_paper.copy(tmp_path / "study")
    (study.results / "degrees/averages.parquet").unlink()
    shutil.rmtree(study.results / "paper")
    (study.results / "degrees/methods.json").unlink()
    environment = {**study.environment, "PYTHONPATH": str(study.folder / "workflow/scripts")}
    ended = type(study)(study.folder, environment).python("relprobe", "paper", "degrees", "--cores", "1")
    assert ended.returncode == 1
    assert ended.stderr.rstrip().endswith(
        "results/degrees/averages.parquet is not there, as in results of another version: `relprobe run paper` computes "
        "what is missing."
    )
