"""The trials of the pairs study by hand: choices by score, in words and by people, and people's judgments."""

import json

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.studies.pairs.method import judgment_table, probes
from relprobe.studies.pairs.schemas import REPLY_CHOICES
from relprobe.studies.pairs.trials import trials

from tests.studies.pairs.made import PROMPTS, ROBIN, article, items

ITEMS_TABLE = pl.concat([ROBIN, items(("cod", "cod", "fish", "right"), ("cod", "cod", "bird", "random"))])
ASKED = probes(ITEMS_TABLE, PROMPTS, article)


def by_score(**scores):
    """Return the judgments of an agent m; "robin_bird" stands for a pair."""
    pair_scores = {("HYP", *name.split("_")): score for name, score in scores.items()}
    return judgment_table("m", pair_scores, ASKED)


def chosen(task="pick", **more):
    """Return an answer in words to the question about the robin."""
    row = {"task": task, "condition": "HYP", "relation": "HYP", "first": "robin", "second": "bird", "text": ""}
    return row | {"shown": ["wug", "bird", "fish"], "order": 1, "sample": 1, "choice": "bird"} | more


def first_prompt_rows(table, *columns):
    return table.filter(pl.col("prompt") == "kind").select(columns).rows()


def test_the_word_with_the_highest_score_is_the_answer_and_a_tie_is_none():
    """Words of a reversed pair are not shown, and of several foils of a kind the first one is."""
    scores = {
        "robin_bird": 2.0,
        "robin_fish": 3.0,
        "robin_wug": 1.0,
        "bird_robin": 9.0,
        "cod_fish": 1.0,
        "cod_bird": 1.0,
    }
    found = trials([by_score(**scores)], ITEMS_TABLE, PROMPTS)
    columns = ["agent", "item", "target", "answer", "right", "rank", "candidates", "respondent"]
    assert first_prompt_rows(found, *columns) == [
        ("m", "HYP: robin", "robin", "fish", 0.0, 2, 3, None),
        ("m", "HYP: cod", "cod", None, 0.5, 1, 2, None),
    ]
    about = ["study", "task", "prompt_text", "relation_name", "condition", "cluster", "counted"]
    assert first_prompt_rows(found.head(1), *about) == [
        ("pairs", "pick", "[DET] – is a kind of [V]", "HYP", "HYP", "robin", 1)
    ]
    assert found.height == 4  # in either prompt


def test_a_target_without_a_score_of_each_pair_or_without_a_foil_gives_no_trial():
    scores = {"robin_bird": 2.0, "robin_fish": 3.0, "robin_wug": None, "bird_robin": 9.0, "cod_fish": 1.0}
    alone = ITEMS_TABLE.filter(~((pl.col("target") == "cod") & (pl.col("second") == "bird")))
    assert trials([by_score(**scores)], alone, PROMPTS).is_empty()


def test_choices_in_words_stand_in_place_of_scores_under_the_name_of_their_task():
    """One answer of five cannot be read; of an agent whose answers are less readable there are no trials."""
    replies = [*map(chosen, ["pick"] * 3), chosen(sample=2, choice="fish"), chosen(order=2, choice="")]
    table = pl.DataFrame([*replies, chosen(task="judge", choice="yes")], schema=REPLY_CHOICES)
    agents = {"c": table, "humans": table.slice(2, 2), "silent": table.filter(pl.col("choice") != "bird")}
    found = trials([], ITEMS_TABLE, PROMPTS, agents)
    assert found.select("agent", "respondent", "answer", "right", "rank", "candidates", "prompt").rows() == [
        *[("c pick", "order 1, sample 1", "bird", 1.0, None, 3, "kind")] * 3,
        ("c pick", "order 1, sample 2", "fish", 0.0, None, 3, "kind"),
        ("c pick", "order 2, sample 1", None, 0.0, None, 3, "kind"),
        ("humans", "person 1", "bird", 1.0, None, 3, "kind"),
        ("humans", "person 2", "fish", 0.0, None, 3, "kind"),
    ]
    scores = by_score(robin_bird=1.0, robin_fish=0.0, robin_wug=0.0, bird_robin=0.0)
    two_agents = [scores.with_columns(agent=pl.lit(name)) for name in ("c", "silent")]
    assert trials(two_agents, ROBIN, PROMPTS, agents)["agent"].unique(maintain_order=True).to_list() == [
        "silent",
        "c pick",
        "humans",
    ]


def people(folder, name, *lines):
    """Write a resource of answers and return its manifest."""
    file = folder / name / "table.csv"
    file.parent.mkdir()
    file.write_text("\n".join(lines) + "\n")
    return write_manifest(file.parent)


LAYOUT = {"further": {"ms": "rt"}}


def test_people_who_choose_and_judge_keep_what_further_columns_say(tmp_path):
    """Ann is person 1, though Bob stands first; the pair cod:wug is none of the study."""
    manifest = people(
        tmp_path,
        "pair_answers",
        "relation,target,candidate,choice,label,rater,rt",
        "HYP,robin,bird,yes,,bob,70",
        "HYP,robin,wug,yes,,ann,50",
        "HYP,robin,fish,no,,ann,51",
        "HYP,cod,fish,,yes,ann,60",
        "HYP,cod,bird,,yes,bob,61",
        "HYP,cod,wug,,no,bob,62",
    )
    choices = pl.DataFrame([chosen(choice="wug"), chosen(sample=2)], schema=REPLY_CHOICES)
    found = trials([], ITEMS_TABLE, PROMPTS, {"humans": choices}, manifest, layout=LAYOUT)
    columns = ["agent", "task", "item", "respondent", "answer", "right", "further", "cluster"]
    assert [(*row[:6], json.loads(row[6]), row[7]) for row in found.select(columns).rows()] == [
        ("humans", "pick", "HYP: robin", "person 1", "wug", 0.0, {"ms": "50"}, "robin"),
        ("humans", "pick", "HYP: robin", "person 2", "bird", 1.0, {"ms": "70"}, "robin"),
        ("humans", "judge", "HYP: cod, fish", "person 1", "yes", 1.0, {"ms": "60"}, "cod"),
        ("humans", "judge", "HYP: cod, bird", "person 2", "yes", 0.0, {"ms": "61"}, "cod"),
    ]
    without = trials([], ITEMS_TABLE, PROMPTS, {"humans": choices}, manifest)
    assert without["further"].null_count() == without.height == 2


def test_a_right_word_of_several_is_ranked_by_its_score_and_one_beside_wrong_ones_alone_is_no_trial():
    """Two conditions ask about the robin; bird is the first right word, and the second one is not shown."""
    table = items(
        *[
            ("robin", "robin", "bird", "right"),
            ("robin", "robin", "animal", "right"),
            ("robin", "robin", "wug", "random"),
        ],
        *[("oak", "oak", "bird", "random"), ("oak", "oak", "wug", "other target")],
    )
    mer = items(
        ("robin", "robin", "wing", "right"), ("robin", "robin", "fin", "random"), condition="MER", relation="MER"
    )
    prompts = PROMPTS.__class__(
        **{
            **vars(PROMPTS),
            "relation_prompts": {**PROMPTS.relation_prompts, "MER": PROMPTS.relation_prompts["HYP"][:1]},
        }
    )
    asked = probes(pl.concat([table, mer]), prompts, article)
    numbers = {"bird": 2.0, "animal": 9.0, "wug": 3.0, "wing": 1.0, "fin": 0.0}
    scores = {
        (relation, first, second): numbers[second]
        for relation, first, second in pl.concat([table, mer]).select("relation", "first", "second").rows()
    }
    found = trials([judgment_table("m", scores, asked)], pl.concat([table, mer]), prompts).filter(prompt="kind")
    assert found.select("relation", "condition", "target", "answer", "right", "rank", "candidates").rows() == [
        ("HYP", "HYP", "robin", "wug", 0.0, 2, 2),
        ("MER", "MER", "robin", "wing", 1.0, 1, 2),
    ]


def test_a_layout_without_a_file_of_answers_has_no_further_columns():
    found = trials([by_score(cod_fish=1.0, cod_bird=0.0)], ITEMS_TABLE, PROMPTS, None, None, layout=LAYOUT)
    assert found.select("study", "target", "answer", "further").rows() == [("pairs", "cod", "fish", None)] * 2


def test_further_columns_may_have_letters_of_any_language_and_the_answers_no(tmp_path):
    lines = ["relation,target,candidate,label,rater,rt", "HYP,cod,bird,no,ann,größer", "HYP,cod,fish,no,ann,x"]
    found = trials([], ITEMS_TABLE, PROMPTS, None, people(tmp_path, "own_pairs", *lines), layout=LAYOUT)
    assert found.select("answer", "right", "further", "relation_name").rows() == [
        ("no", 1.0, '{"ms": "größer"}', "HYP"),
        ("no", 0.0, '{"ms": "x"}', "HYP"),
    ]


@pytest.mark.parametrize(
    ("name", "line", "answer", "right"),
    [("own_pairs", "HYP,cod,fish,yes,,ann,1", "yes", 1.0), ("own_pairs", "HYP,cod,fish,,4.5,ann,1", "4.5", None)],
)
def test_those_whose_judgments_say_what_is_right_are_raters(tmp_path, name, line, answer, right):
    manifest = people(tmp_path, name, "relation,target,candidate,label,rating,rater,rt", line)
    found = trials([], ITEMS_TABLE, PROMPTS, None, manifest, layout=LAYOUT)
    assert found.select("agent", "task", "answer", "right", "counted").rows() == [
        ("raters", "judge", answer, right, 1),
    ]
