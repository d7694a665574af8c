from types import SimpleNamespace

import polars as pl
from relprobe.core.relation import in_lexicon
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.lm.words.lexicon import LEXICON
from relprobe.sources.lexical.resource import LINKED
from relprobe.studies.relations import method, relata
from relprobe.studies.relations.lists import LISTS, UNMATCHED
from relprobe.studies.relations.method import GoldStandard
from relprobe.studies.relations.method import probes as probes_of
from relprobe.studies.relations.prompts import Prompt
from relprobe.studies.relations.results import Settings
from relprobe.studies.relations.show import tables
from relprobe.studies.relations.tables import study_counts

from tests.studies.relations.about import results
from tests.studies.relations.data.test_build import gold, words
from tests.studies.relations.six import ONE, SIX


def lexicon(text):
    return pl.DataFrame([(n, w, w) for n, w in enumerate(text.split())], schema=LEXICON, orient="row")


PANEL = {"bert": lexicon("robin bird animal night day pet dark"), "opt": lexicon("robin animal night day pet bee dark")}
SHARED = words("robin animal night day pet dark")
GIVEN = gold("robin HYP bird", "robin HYP animal", "night ANT day", "day ANT day", "red~wine HYP animal", "bee HYP bug")
TUPLES = method.united_tuples([GIVEN.with_columns(pl.col("target").str.replace("~", " "))], SIX)
LINKED_WORDS = pl.DataFrame(
    [
        ("robin", "HYP", "chordate", 2),
        ("robin", "HPO", "red robin", 1),
        ("robin", "HYP", "pet", 1),
        ("robin", "SYN", "pet", 0),
        ("night", "ANT", "day", 0),
        ("night", "SYN", "day", 0),
        ("night", "SYN", "dark", 0),
    ],
    schema=LINKED,
    orient="row",
)
SEVERAL = "targets asked for several relations"
INSIDE = in_lexicon(TUPLES, SHARED)
SETS = method.relata(INSIDE, LINKED_WORDS, SHARED, SIX)


def rows(table):
    return [tuple(value for value in row if value is not None) for row in table.sort(pl.all()).rows()]


def test_every_tuple_and_target_that_is_lost_before_the_sets_has_a_reason():
    assert rows(relata.tuple_losses(GIVEN, TUPLES, SHARED, PANEL)) == [
        ("lexicon", "target", "HPO", "bird", "none of its tuples is in the shared lexicon"),
        ("lexicon", "target", "HPO", "bug", "none of its tuples is in the shared lexicon"),
        ("lexicon", "target", "HYP", "bee", "none of its tuples is in the shared lexicon"),
        ("lexicon", "target", "HYP", "red wine", "none of its tuples is in the shared lexicon"),
        ("lexicon", "tuple", "HPO", "animal", "red wine", "several words", "red wine: bert, opt"),
        ("lexicon", "tuple", "HPO", "bird", "robin", "not one token of every model of the panel", "bird: opt"),
        (
            "lexicon",
            "tuple",
            "HPO",
            "bug",
            "bee",
            "not one token of every model of the panel",
            "bug: bert, opt; bee: bert",
        ),
        (
            "lexicon",
            "tuple",
            "HYP",
            "bee",
            "bug",
            "not one token of every model of the panel",
            "bee: bert; bug: bert, opt",
        ),
        ("lexicon", "tuple", "HYP", "red wine", "animal", "several words", "red wine: bert, opt"),
        ("lexicon", "tuple", "HYP", "robin", "bird", "not one token of every model of the panel", "bird: opt"),
        ("tuples", "tuple", "ANT", "day", "day", "target and relatum are the same word"),
    ]


def test_every_word_that_is_lost_from_the_sets_has_a_reason():
    lost = relata.relatum_losses(INSIDE, LINKED_WORDS, SETS, SHARED, PANEL, SIX)
    assert rows(lost) == [
        ("lexicon", "relatum", "HPO", "robin", "red robin", "several words", "red robin: bert, opt"),
        (
            "lexicon",
            "relatum",
            "HYP",
            "robin",
            "chordate",
            "not one token of every model of the panel",
            "chordate: bert, opt",
        ),
        ("relata", "relatum", "ANT", "night", "day", "stands in two relations that exclude each other", "ANT, SYN"),
        ("relata", "relatum", "HYP", "robin", "pet", "stands in two relations that exclude each other", "HYP, SYN"),
        ("relata", "relatum", "SYN", "night", "day", "stands in two relations that exclude each other", "ANT, SYN"),
        ("relata", "relatum", "SYN", "robin", "pet", "stands in two relations that exclude each other", "HYP, SYN"),
        ("relata", "target", "ANT", "night", "no relata are left"),
    ]


def test_what_is_lost_and_what_is_left_is_everything():
    """No tuple is both or neither."""
    lost = relata.tuple_losses(GIVEN, TUPLES, SHARED, PANEL).filter(step="lexicon", kind="tuple")
    assert lost.height + INSIDE.height == TUPLES.height


def test_prompts_that_causal_models_are_not_asked():
    prompts = [Prompt("end", "HYP", "[W] is [V]", ""), Prompt("inside", "SYN", "[V] means [W]", "")]
    assert rows(tables.prompt_losses(prompts)) == [
        ("scores", "prompt", "SYN", "inside", "its slot is not last, so that causal models are not asked")
    ]
    assert tables.prompt_losses(prompts[:1]).is_empty()


def test_the_probes_that_a_model_was_not_asked_are_lost_for_this_model(tmp_path):
    prompts = [Prompt("end", "HYP", "[W] is [V]", ""), Prompt("inside", "HYP", "[V] holds [W]", "")]
    probes = probes_of(TUPLES, prompts, ONE, SIX)
    targets = probes.filter(kind="main", prompt_id="end")["target"].to_list()
    assert {"robin", "bee"} <= set(targets)
    answered = {"bert": targets, "gpt2": [target for target in targets if target != "bee"], "opt": []}
    files = []
    for agent, words_ in answered.items():
        ids = [f"{prompt.id}:{word}" for prompt in prompts if agent == "bert" or prompt.id == "end" for word in words_]
        path = tmp_path / f"{agent}.parquet"
        kind = "word_ids" if agent == "opt" else "token_ids"
        table = pl.DataFrame({"probe_id": ids}, schema={"probe_id": pl.String})
        table.with_columns(pl.lit(None).alias(kind)).write_parquet(path)
        files.append(ScoreFile.read(path))
    lost = tables.model_losses(files, probes, ["gpt2", "opt"])
    reason = "its tokenizer has no single token for the target, or cannot write a word"
    assert rows(lost.filter(detail="gpt2")) == [("scores", "probe", "HYP", "bee", "end", reason, "gpt2")]
    assert sorted(lost.filter(detail="opt")["target"]) == sorted(targets)
    # Where words of any length are the answers, a target need not be one token.
    assert lost.filter(detail="opt")["reason"].unique().to_list() == ["its tokenizer cannot write a word"]
    assert lost.filter(detail="bert").is_empty()
    assert tables.model_losses([], probes, []).is_empty()


def test_answers_and_silent_probes():
    prompts = [Prompt("is", "HYP", "[W] is [V]", "")]
    probes = probes_of(TUPLES, prompts, ONE, SIX)
    lists = pl.DataFrame([("is:robin", 1, ["bird"])], schema=LISTS, orient="row")
    unmatched = pl.DataFrame(
        [("wall", "HYP", "is", "anna", "thing", "wall is no target")], schema=UNMATCHED, orient="row"
    )
    assert rows(tables.answer_losses(unmatched, probes, lists)) == [
        ("answers", "answer", "HYP", "wall", "thing", "no probe of the study is meant", "wall is no target"),
        ("answers", "probe", "HYP", "bee", "is", "nobody answered"),
        ("answers", "probe", "HYP", "red wine", "is", "nobody answered"),
    ]


def test_steps_have_the_order_of_their_first_losses():
    places = [("tuples", "HYP"), ("lexicon", "ANT"), ("tuples", "HPO"), ("lexicon", "ANT")]
    losses = [(step, "tuple", relation, "robin", "bird", "", "") for step, relation in places]
    table = tables.counts(pl.DataFrame(losses, schema=relata.ATTRITION, orient="row"), SIX)
    assert table.select("step", "relation", "lost").rows() == [
        ("tuples", "HYP", 1), ("tuples", "HPO", 1), ("lexicon", "ANT", 2)
    ]  # fmt: skip


def test_losses_are_counted_in_the_order_of_steps_and_relations():
    lost = relata.tuple_losses(GIVEN, TUPLES, SHARED, PANEL)
    table = tables.counts(lost, SIX)
    assert table.filter(kind="tuple").drop("kind").rows() == [
        ("tuples", "ANT", "target and relatum are the same word", 1),
        ("lexicon", "HYP", "not one token of every model of the panel", 2),
        ("lexicon", "HYP", "several words", 1),
        ("lexicon", "HPO", "not one token of every model of the panel", 2),
        ("lexicon", "HPO", "several words", 1),
    ]
    assert table["lost"].sum() == lost.height


def test_the_counts_of_the_study():
    asked = probes_of(TUPLES, [Prompt("p", "HYP", "[W] [V]", ""), Prompt("q", "ANT", "[W] [V]", "")], ONE, SIX)
    table = study_counts(GIVEN, TUPLES, SETS, SHARED, asked)
    values = dict(table.iter_rows())
    assert values["tuples before augmentation"] == 2  # robin HYP animal, night ANT day
    assert values["tuples after augmentation"] == INSIDE.height == 4
    assert values["different targets"] == 4  # robin, animal, night, day
    assert values["relations per target before expansion"] == 1
    # robin HYP; animal HPO; night SYN (dark), its antonym is ambiguous; day ANT
    assert values["relations per target after expansion"] == 1
    assert values[SEVERAL] == values[f"{SEVERAL}, without trick probes"] == 0


def test_targets_that_are_asked_for_several_relations_are_those_with_relata_of_them():
    sets = gold("wall HOL building", "wall MER room", "night ANT day", "robin HYP bird", "robin SYN x")
    asked = [("wall", "HOL", "main"), ("wall", "MER", "trick"), ("night", "ANT", "main"), ("night", "SYN", "main")]
    asked += [("robin", "HYP", "main"), ("robin", "SYN", "main"), ("robin", "HYP", "main")]
    probes = pl.DataFrame(asked, schema=["target", "relation", "kind"], orient="row")
    values = dict(study_counts(GIVEN, TUPLES, sets, SHARED, probes).iter_rows())
    assert (values[SEVERAL], values[f"{SEVERAL}, without trick probes"]) == (2, 1)


def test_what_is_lost_is_that_of_each_step_which_the_run_has(tmp_path):
    """Without causal models every prompt is asked, and a file of answers alone says which probes nobody answered."""
    prompts = [Prompt("end", "HYP", "[W] is [V]", ""), Prompt("inside", "HYP", "[V] holds [W]", "")]
    probes = probes_of(TUPLES, prompts, ONE, SIX)
    losses = relata.tuple_losses(GIVEN, TUPLES, SHARED, PANEL)
    unmatched = pl.DataFrame([("wall", "HYP", "is", "anna", "thing", "no target")], schema=UNMATCHED, orient="row")
    path = tmp_path / "gpt2.parquet"
    asked = probes.filter(pl.col("target") != "bee").select("probe_id")
    asked.with_columns(token_ids=pl.lit(1)).write_parquet(path)

    def lost(**files):
        causal = Settings(causal=["gpt2"]) if "prompts" in files else Settings()
        run = results(losses=losses, gold=GoldStandard(probes, SETS, TUPLES, SHARED, SIX), settings=causal, **files)
        found = tables.attrition(run)
        assert found.head(losses.height).equals(losses)
        return [(row["kind"], row["reason"][:12]) for row in found.tail(-losses.height).iter_rows(named=True)]

    prompt, answer = ("prompt", "its slot is "), ("answer", "no probe of ")
    assert lost() == []
    assert lost(prompts=prompts) == [prompt]
    assert lost(counted=[ScoreFile.read(path)]) == [("probe", "its tokenize")] * 2
    assert lost(unmatched=unmatched) == []
    everybody = pl.DataFrame(
        [(probe, 1, ["bird"]) for probe in probes.filter(kind="main")["probe_id"]], schema=LISTS, orient="row"
    )
    assert lost(lists=everybody) == []
    assert lost(unmatched=unmatched, lists=everybody) == [answer]


def test_what_was_sent_to_an_agent_that_only_chats_is_that_of_its_replies(tmp_path):
    def score_file(name, **sent):
        return SimpleNamespace(agent=name, metadata={"sent": sent})

    scores = [score_file("m", p="a [MASK]", q="b")]
    lists = [score_file("chat", p="a list"), score_file("here", p="another list")]
    run = results(scores=scores, writing=lists, replies=[score_file("chat", p="a message")])
    sent = tables.TABLES["sent"](run)
    assert sent.rows() == [
        *[("m", "p", "a [MASK]"), ("m", "q", "b")],
        *[("chat", "p", "a message"), ("here", "p", "another list")],
    ]
    assert tables.TABLES["sent"](results()).is_empty()
