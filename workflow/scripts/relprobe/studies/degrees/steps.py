"""The degrees study (SemEval-2012 Task 2), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

from relprobe.lm.settings import ModelSettings


def gold(package: Path, gold: Path, questions: Path, prompts: Path | None = None) -> None:
    """Count the answers of people: gold ratings, and MaxDiff questions with the choices of the majority (section 3.1).

    `package` is the manifest of the task's package or of own ratings, whose relations `prompts` describes. The gold ratings
    of these are their means, and there are no questions.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.degrees.data import build
    from relprobe.studies.degrees.data.subcategories import read
    from relprobe.studies.degrees.schemas import GOLD, QUESTIONS

    subcategories = read(package, prompts)
    write_table(build.gold(subcategories), GOLD, gold)
    write_table(build.questions(subcategories), QUESTIONS, questions)


def ceiling(package: Path, out: Path, prompts: Path | None = None, *, seed: int) -> None:
    """Measure how well people agree on every subcategory: the noise ceiling of the agents. `seed` is of the halves."""
    from relprobe.core.files import write_table
    from relprobe.studies.degrees.compare.ceiling import ceilings
    from relprobe.studies.degrees.data.subcategories import read
    from relprobe.studies.degrees.schemas import CEILING

    write_table(ceilings(read(package, prompts), seed), CEILING, out)


def probes(package: Path, prompts: Path, out: Path, *, paradigms: Literal["mended", "printed"] = "mended") -> None:
    """Put the pairs and paradigms into the sentences of their subcategories, and the pairs into analogies.

    `paradigms`: whether the package's typing error in a paradigm of 2b is mended, or kept as it is printed.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.degrees.ask.requests import PROBES
    from relprobe.studies.degrees.data.descriptions import read as read_prompts
    from relprobe.studies.degrees.data.subcategories import read

    subcategories = read(package, prompts, mended=paradigms == "mended")
    templates = read_prompts(prompts, [one.id for one in subcategories])
    from relprobe.studies.degrees.ask.probes import probes as probes_of

    write_table(probes_of(subcategories, templates), PROBES, out)


def scores(
    model: ModelSettings,
    probes: Path,
    out: Path,
    *,
    kind: Literal["schema", "analogy", "pmi", "hidden"],
    layer: int = 0,
    shots: int = 0,
) -> None:
    """Score the probes with a model, for one kind of rater; hidden states are those of `layer`, and -1 is the last.

    `shots`: how many sentences about paradigms stand before a probe.
    """
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.studies.degrees.ask.requests import PROBES
    from relprobe.studies.degrees.ask.scoring import PART, questions_of

    network = model.load()
    questions = questions_of(kind, network, read_table(probes, PROBES), layer, shots)
    requests = track(questions.requests, len(questions.requests), "requests")
    code = digest(f"{__name__}.scores")
    about = provenance(network, model.model, [probes], code, kind=kind, layer=layer, shots=shots)
    write_in_parts(requests, questions.answer, questions.table, about, out, part_size(network.net, PART))
    network.log_work()


def ratings(scores: list[Path], probes: Path, out: Path, *, model: str, raters: list[str]) -> None:
    """Turn the scores of a model into the ratings of its raters; there is a score file per rater, in their order."""
    import polars as pl

    from relprobe.core.files import read_table, write_table
    from relprobe.studies.degrees.ask.requests import PROBES, SCORES
    from relprobe.studies.degrees.measure.raters import rate
    from relprobe.studies.degrees.schemas import RATINGS

    table = read_table(probes, PROBES)
    tables = [rate(model, rater, table, read_table(path, SCORES)) for rater, path in zip(raters, scores, strict=True)]
    write_table(pl.concat(tables), RATINGS, out)


def baseline(
    package: Path,
    out: Path,
    vectors: Path | None = None,
    prompts: Path | None = None,
    *,
    agent: Literal["random", "pmi", "static"],
    seed: int,
    paradigms: Literal["mended", "printed"] = "mended",
) -> None:
    """Rate the pairs without a language model: at random, by the authors' PMI ratings, or by static vectors.

    `paradigms`: as in `probes`; static vectors compare the pairs with the paradigms.
    """
    from relprobe.core.files import write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.static_vectors import read as read_vectors
    from relprobe.studies.degrees.data.subcategories import read
    from relprobe.studies.degrees.measure.baselines import random, static_offsets, supplied_pmi, table
    from relprobe.studies.degrees.schemas import RATINGS

    folder = fetched_folder(package)
    subcategories = read(package, prompts, mended=paradigms == "mended")
    if vectors is not None:
        ratings = static_offsets(subcategories, read_vectors(fetched_folder(vectors)))
    else:
        ratings = supplied_pmi(subcategories, folder) if agent == "pmi" else random(subcategories, seed)
    write_table(table(agent, ratings), RATINGS, out)


def metrics(
    ratings: Path,
    gold: Path,
    questions: Path,
    metrics: Path,
    sensitivity: Path,
    printed: Path | None = None,
    *,
    seed: int,
) -> None:
    """Compare the ratings of a model's raters, or of a baseline, with people's, and under other choices than this study's.

    `printed`: the ratings by static vectors with the paradigms as the package writes them. `seed` decides how ties are
    broken.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.degrees.compare.sensitivity import sensitivity as sensitivity_of
    from relprobe.studies.degrees.measure.metrics import of_raters
    from relprobe.studies.degrees.schemas import GOLD, METRICS, QUESTIONS, RATINGS, SENSITIVITY

    of_agents, people = read_table(ratings, RATINGS), (read_table(gold, GOLD), read_table(questions, QUESTIONS))
    compared = of_raters(of_agents, *people, seed)
    as_printed = None if printed is None else read_table(printed, RATINGS)
    write_table(compared, METRICS, metrics)
    write_table(sensitivity_of(compared, of_agents, *people, seed, as_printed), SENSITIVITY, sensitivity)


def averages(metrics: list[Path], out: Path, *, targets: Literal["common", "own"]) -> None:
    """Average the metrics of all agents, and count the subcategories where rho is significant.

    `targets`: the subcategories of the study (common), or those that each agent has (own). All agents are asked all of them,
    so that the two differ in no average; `own_units` marks an agent that lacks some.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.degrees.compare.analyses import summary, values_of
    from relprobe.studies.degrees.schemas import SUMMARY

    write_table(summary(values_of(metrics), targets), SUMMARY, out)


def tests(metrics: list[Path], out: Path, *, members: list[str] | None = None) -> None:
    """Test the differences between raters, models and baselines over the test subcategories.

    `members`: the checkpoints that are not the last of their series, which are not compared with other models.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.degrees.compare.analyses import compare, values_of
    from relprobe.studies.degrees.schemas import TESTS

    write_table(compare(values_of(metrics), members or []), TESTS, out)


def tables(
    metrics: list[Path],
    averages: Path,
    tests: Path,
    published: Path,
    gold: Path,
    questions: Path,
    ceiling: Path,
    sensitivity: list[Path],
    tables: list[Path],
    *,
    paper: bool = True,
) -> None:
    """Write Tables 3 to 6 beside the paper's systems, the choice of a rater, all subcategories, and the size of the data.

    `paper`: whether the data are the paper's, so that its figures stand beside ours.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.report.published import read
    from relprobe.studies.degrees.compare.analyses import choices, differences, values_of
    from relprobe.studies.degrees.compare.sensitivity import united
    from relprobe.studies.degrees.schemas import CEILING, GOLD, QUESTIONS, SENSITIVITY, SUMMARY, TESTS
    from relprobe.studies.degrees.show.tables import all_tables

    values = values_of(metrics)
    people = read_table(gold, GOLD), read_table(questions, QUESTIONS), read_table(ceiling, CEILING)
    within = differences(values)
    others = {"tests": read_table(tests, TESTS), "choice": choices(values), "differences": within}
    others["sensitivity"] = united(read_table(path, SENSITIVITY) for path in sensitivity)
    theirs = read(published)
    results = read_table(averages, SUMMARY), theirs if paper else theirs.head(0)
    write_tables(dict(all_tables(values, *results, *people, within)) | others, tables)


def figures(
    averages: Path,
    gold: Path,
    ceiling: Path,
    figures: list[Path],
    *,
    kinds: dict[str, Any],
    families: dict[str, Any] | None = None,
) -> None:
    """Draw agreement per rater and per relation class.

    `kinds`: model -> masked or causal; `families`: model -> family for all models of the config.
    """
    from relprobe.core.files import read_table
    from relprobe.report.figures import save_all
    from relprobe.studies.degrees.schemas import CEILING, GOLD, SUMMARY
    from relprobe.studies.degrees.show.figures import draw
    from relprobe.studies.degrees.show.tables import class_order

    classes = class_order(read_table(gold, GOLD))
    save_all(draw(read_table(averages, SUMMARY), kinds, classes, read_table(ceiling, CEILING), families), figures)


def published(
    published: Path,
    averages: Path,
    data: Path,
    out: Path,
    *,
    inference: Literal["linked", "clusters", "paper"],
    paper: bool = True,
) -> None:
    """Put the figures that the paper prints beside ours. `inference`: by which test subcategories are significant.

    `paper`: whether the data are the paper's; on own data nothing is put beside.
    """
    import polars as pl

    from relprobe.core.files import read_table, write_csv
    from relprobe.report.published import beside, read
    from relprobe.studies.degrees.compare.published import ours
    from relprobe.studies.degrees.schemas import SUMMARY

    sizes = pl.read_csv(data, infer_schema_length=None)
    theirs = read(published)
    write_csv(beside(theirs if paper else theirs.head(0), ours(read_table(averages, SUMMARY), sizes, inference)), out)


def template(ratings: Path, relations: Path) -> None:
    """Write a template of own data: a CSV file of ratings, and a YAML file of the relations that they are about."""
    from relprobe.core.files import whole_file
    from relprobe.studies.degrees.data.subcategories import RATINGS_TEMPLATE, RELATIONS_TEMPLATE

    for path, text in ((ratings, RATINGS_TEMPLATE), (relations, RELATIONS_TEMPLATE)):
        with whole_file(path) as partial:
            partial.write_text(text, encoding="utf-8")


def evaluate(package: Path, ratings: Path, out: Path | None = None, *, seed: int = 1) -> None:
    """Score a file of ratings or of MaxDiff answers, or a folder of either, without a model.

    The formats are those of SemEval-2012 Task 2, a subcategory to a file. A file may leave out pairs or questions; each
    result says how many it rests on. `package` is the folder with SemEval-2012-Complete-Data-Package; the scores are
    printed, and those of every file are written to `out`. `seed` decides how tied ratings are ordered.
    """
    import polars as pl

    from relprobe.core.files import write_csv
    from relprobe.studies.degrees.show.evaluate import evaluate

    scores, averages = evaluate(package, ratings, seed)
    with pl.Config(tbl_formatting="ASCII_MARKDOWN", tbl_hide_column_data_types=True, float_precision=3) as shown:
        shown.set_tbl_rows(-1).set_tbl_cols(-1).set_tbl_width_chars(400).set_tbl_hide_dataframe_shape()
        shown.set_fmt_str_lengths(40)
        print(scores, averages, sep="\n\n")
    if out is not None:
        write_csv(scores, out)
