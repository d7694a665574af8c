"""From tuples to the sensitivity of an agent, step by step, with a WordNet of a few synsets."""

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.core.files import write_table
from relprobe.core.manifest import write_manifest
from relprobe.lm.words.lexicon import LEXICON, WORDS
from relprobe.report.figures import save_all
from relprobe.sources.lexical import wordnet
from relprobe.sources.lexical.wordnet import prepare
from relprobe.studies.relations import schemas
from relprobe.studies.relations.analyses import chance
from relprobe.studies.relations.analyses.significance import claims
from relprobe.studies.relations.analyses.use import make_exhibits as relation_use
from relprobe.studies.relations.compare import averages as average_metrics
from relprobe.studies.relations.compare import between_agents
from relprobe.studies.relations.figures import Drawing, figures
from relprobe.studies.relations.lists import LISTS, each_annotators_responses
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.prompts import read as read_prompts
from relprobe.studies.relations.responses import plain_answers
from relprobe.studies.relations.results import Settings
from relprobe.studies.relations.tables import TABLES

from tests.patched import Patch
from tests.paths import ROOT
from tests.sources.lexical import tiny_wordnet
from tests.steps import run_step
from tests.studies.relations.about import compared, results
from tests.studies.relations.six import FILE, SIX

LANGUAGE = ROOT / "resources/languages/english.yaml"
HELD = ["robin", "bird", "animal", "beast", "night", "day", "redbreast"]


def gold_of(home):
    """The options of the gold standard."""
    files = {name: home / f"{name}.parquet" for name in ("probes", "relata", "tuples")}
    return {**files, "shared_lexicon": home / "shared.parquet", "relations": FILE}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the steps read and write, up to the relatum sets."""
    home = tmp_path_factory.mktemp("steps")
    prepare(tiny_wordnet.write(home / "original"), home / "nltk_wordnet")
    write_manifest(home / "nltk_wordnet")
    (home / "own_tuples").mkdir()
    rows = "target,relation,relatum\nrobin,HYP,bird\nnight,ANT,day\ngoose,HYP,bird\nday,ANT,day\n"
    (home / "own_tuples/own.csv").write_text(rows)
    write_manifest(home / "own_tuples")
    prompts = "HYP:\n- {id: is, text: '[DET] [W] is [DET] [V]'}\n- {id: inside, text: '[V] such as [DET] [W].'}\n"
    (home / "prompts.yaml").write_text(prompts)
    write_table(pl.DataFrame({"word": HELD}), WORDS, home / "shared.parquet")
    lexicon = pl.DataFrame([(n, word, word) for n, word in enumerate(HELD)], schema=LEXICON, orient="row")
    write_table(lexicon, LEXICON, home / "model.parquet")
    given, tuples, probes = (home / f"{name}.parquet" for name in ("given", "tuples", "probes"))
    about = {"relations": FILE, "language": LANGUAGE}
    about |= {"prompts": home / "prompts.yaml"}
    sources = [home / "own_tuples.json"]
    files = {"raw_tuples": given, "tuples": tuples, "out": probes, "premises": home / "premises.parquet"}
    run_step("relations", "probes", sources=sources, **about, **files, exemplar_frequency=1)
    about |= {"wordnet": home / "nltk_wordnet.json", "panel": [home / "model.parquet"]}
    sets = {name: home / f"{name}.parquet" for name in ("losses", "alternatives", "pairs")}
    sets["out"] = home / "relata.parquet"
    sets["tables"] = [home / f"tables/relation_pairs.{ending}" for ending in ("csv", "parquet")]
    inputs = {"raw_tuples": given, "tuples": tuples, "probes": probes, "shared_lexicon": home / "shared.parquet"}
    (home / "tables").mkdir()
    with tiny_wordnet.reader_of(home / "nltk_wordnet") as reader, Patch.context() as patched:
        patched.setattr(wordnet, "load", lambda _: reader)  # nltk leaves it to others to close its files
        run_step("relations", "gold", **inputs, **about, **sets, minimum_targets=1)
    return home


def test_the_sets_are_kept_with_and_without_the_expansion(folder):
    def words(table):
        return set(table.filter(target="robin", relation="HYP")["relatum"])

    sets, others = (pl.read_parquet(folder / f"{name}.parquet") for name in ("relata", "alternatives"))
    assert words(sets) == {"bird", "animal", "beast"}
    assert words(others.filter(choice="expansion: none")) == {"bird"}
    assert words(others.filter(choice="depth: 1")) == {"bird"}
    assert words(others.filter(choice="senses: first")) == {"bird", "animal", "beast"}


def test_what_was_lost_is_named_and_counted(folder):
    names = ("losses", "given", "tuples", "relata", "shared", "probes")
    inputs = [pl.read_parquet(folder / f"{name}.parquet") for name in names]
    losses, given, tuples, relata, lexicon, probes = inputs
    files = {"losses": losses, "raw_tuples": given, "prompts": read_prompts(folder / "prompts.yaml")}
    gold = GoldStandard(probes, relata, tuples, lexicon, SIX)
    run_results = results(**files, gold=gold, settings=Settings(causal=["m"]))
    lost = set(TABLES["attrition"](run_results).select("kind", "relation", "target", "word").rows())
    assert {
        ("tuple", "ANT", "day", "day"),
        ("tuple", "HYP", "goose", "bird"),
        ("target", "HYP", "goose", None),
        ("prompt", "HYP", None, "inside"),
    } <= lost
    counts = dict(TABLES["counts"](run_results).iter_rows())
    assert counts["tuples before augmentation"] == 2
    assert counts["tuples after augmentation"] == 4


def test_the_sensitivity_of_an_agent_has_the_other_sets(folder):
    responses = pl.DataFrame([("is:robin", ["animal", "bird"], [0.5, 0.25])], schema=schemas.RESPONSES, orient="row")
    write_table(plain_answers("ranking", responses), schemas.ANSWERS, folder / "responses.parquet")
    own = measured(folder, "one", responses=folder / "responses.parquet")
    table = own["sensitivity"].filter(metric="soundness", relation="HYP")
    values = dict(table.select("choice", "value").iter_rows())
    assert values["as configured"] == 1
    assert values["expansion: none"] == values["depth: 1"] == 0
    assert values["senses: first"] == 1


def measured(folder, name, step="people_metrics", **answers):
    """Write the tables of an agent in folders of their own, with the agent's name."""
    inputs = {one: folder / f"{one}.parquet" for one in ("alternatives", "pairs")}
    out = {one: folder / one / f"{name}.parquet" for one in ("metrics", "top_words")}
    by_agent = [folder / analysis / f"{name}.parquet" for analysis in ("sensitivity", "chance", "use")]
    run_step("relations", step, **gold_of(folder), **inputs, **out, **answers, by_agent=by_agent)
    return {path.parent.name: pl.read_parquet(path) for path in [*out.values(), *by_agent]}


@pytest.mark.parametrize(("empty", "has_values"), [(1, True), (2, False)])
def test_lists_that_cannot_be_read_are_no_wrong_answers(folder, empty, has_values):
    """One of five lists may be empty. Without values of an agent, the tables that compare agents are made all the same."""
    rows = [("is:robin", n, "…", ["bird"] if n > empty else [], 1) for n in range(1, 6)]
    writing = folder / "writing/list.parquet"
    write_table(pl.DataFrame(rows, schema=schemas.WRITING, orient="row"), schemas.WRITING, writing)
    responses = pl.DataFrame([("is:robin", ["x", "bird"], [0.5, 0.25])], schema=schemas.RESPONSES, orient="row")
    write_table(plain_answers("ranking", responses), schemas.ANSWERS, folder / "other.parquet")
    lists = folder / "lists.parquet"
    own = measured(folder, "list", "metrics", scores=writing, kind="writing", responses=lists)
    measured(folder, "other", responses=folder / "other.parquet")
    assert bool(own["metrics"].height) == bool(own["sensitivity"].height) == has_values
    assert "bird" in own["top_words"]["word"].to_list()

    kinds = dict.fromkeys(("list", "other"), "model")
    agent_tables = {
        one: {name: pl.read_parquet(folder / f"{one}/{name}.parquet").drop("agent") for name in kinds}
        for one in ("metrics", "use")
    }
    probes, relata, tuples, shared, pairs = (
        pl.read_parquet(folder / f"{name}.parquet") for name in ("probes", "relata", "tuples", "shared", "pairs")
    )
    lists = {"list": pl.read_parquet(writing)}
    averages = average_metrics(agent_tables["metrics"], GoldStandard(probes, relata, tuples, shared, SIX), pairs, lists)
    tests = between_agents(agent_tables["metrics"], relata, SIX, pairs)
    used = relation_use(agent_tables["use"], SIX, relata, kinds=kinds)
    assert set(used) == {"relation_use"}
    by_agent = [folder / f"chance/{name}.parquet" for name in kinds]
    table = chance.TABLES["chance"](results(by_agent=by_agent, settings=Settings(kinds=kinds)))
    assert bool(table.filter(agent="list").height) <= has_values
    row = averages.filter(agent="list", metric="soundness", relation="HYP").row(0, named=True)
    assert (row["value"] is not None, (row["note"] or "").startswith("no value, as 40 %")) == (
        has_values,
        not has_values,
    )

    models = {"list": {"type": "causal", "way": "task list"}, "other": {"type": "masked", "way": "task list"}}
    tables = compared(agent_tables["metrics"], averages, tests, relata, models)
    assert bool(tables["best_by_type"].filter(metric="soundness").height) == has_values
    entropies = pl.DataFrame([{"relation": "HYP", "versus": "ANT", "p": 0.01, "p_holm": 0.02, "paper_p": 0.01}])
    paper_claims = claims(tests, {**tables, "entropy_differences": entropies}, models)
    assert {"Figure 2", "Table F4"} <= set(paper_claims["where"])
    shown = ["overview", "soundness", "distinguishability_curves"]
    drawn = figures(Drawing(averages, tests, SIX, names=shown, agents=list(kinds), models=models, k=5))
    files = [folder / f"figures/{name}.svg" for name in shown]
    save_all(drawn, files)
    assert (">list<" in files[1].read_text()) == has_values


def test_an_agent_that_answered_nothing_has_no_values(folder):
    """As norms about other words have, or a model's own control, if no prompt without a target could be asked."""
    write_table(
        plain_answers("lists", pl.DataFrame(schema=schemas.RESPONSES)), schemas.ANSWERS, folder / "empty.parquet"
    )
    assert {table.height for table in measured(folder, "nobody", responses=folder / "empty.parquet").values()} == {0}


def test_each_annotator_is_measured_from_its_responses_and_compared_with_the_lists(folder):
    lists = pl.DataFrame([("is:robin", 1, ["bird"]), ("is:robin", 2, ["x", "bird"])], schema=LISTS, orient="row")
    write_table(lists, LISTS, folder / "people.parquet")
    answers = plain_answers("annotator", each_annotators_responses(lists))
    assert answers.select("kind", "annotator").rows() == [("annotator", 1), ("annotator", 2)]
    write_table(answers, schemas.ANSWERS, folder / "annotator.parquet")
    files = {"responses": folder / "annotator.parquet"}
    own = measured(folder, "annotator", **files, lists=folder / "people.parquet")
    assert own["metrics"].filter(metric="soundness")["value"].to_list() == [0.5]
    assert (own["chance"].height, own["top_words"].height) == (0, 0)
    with pytest.raises(
        DataError, match="the responses of annotators are compared with the lists of all: name their file"
    ):
        measured(folder, "annotator", **files)


def test_tokens_without_a_lexicon_are_refused(folder):
    with pytest.raises(DataError, match="name the model's lexicon"):
        measured(folder, "y", "metrics", scores=folder / "probes.parquet", kind="scores", responses=folder / "y")
