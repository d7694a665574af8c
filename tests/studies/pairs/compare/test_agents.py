"""The metrics of agents, by hand: of controls, and of a model after each layer."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.errors import DataError
from relprobe.lm.chat_models.replies import REPLIES
from relprobe.studies.pairs.agents import control_metrics, layer_metrics, model_metrics, task_metrics
from relprobe.studies.pairs.chat import TASKS
from relprobe.studies.pairs.method import probes
from relprobe.studies.pairs.schemas import KNOWN
from relprobe.studies.pairs.schemas import SCORES as ANSWERS

from tests.studies.pairs.ask.test_replies import ITEMS, asked
from tests.studies.pairs.made import PROMPTS, ROBIN, VECTORS, article, items

ASKED = probes(ROBIN, PROMPTS, article)
NOTHING = pl.DataFrame(schema=KNOWN)


@pytest.mark.parametrize(
    ("agent", "measures", "names"),
    [
        ("inclusion", ["weeds", "invcl"], ["inclusion weeds", "inclusion invcl"]),
        ("inclusion", None, []),
        ("yes", None, ["yes"]),
        ("static", ["weeds"], ["static"]),
    ],
)
def test_a_control_is_measured_as_one_agent_or_as_one_of_each_measure(agent, measures, names):
    language = SimpleNamespace(wordfreq="en")
    found = control_metrics(ROBIN, ASKED, NOTHING, language, VECTORS, agent=agent, measures=measures)
    assert found.judgments["agent"].unique(maintain_order=True).to_list() == names
    assert found.metrics["agent"].unique(maintain_order=True).to_list() == names


def test_the_scores_of_a_model_are_judged_by_its_judges_and_measured():
    """The right word is the likeliest in both prompts; that a word alone is likely is judged by a control."""
    asked = ASKED.select("probe_id").to_series()
    rows = [(name, [-1.0 if name.endswith("robin:bird") else -2.0]) for name in asked]
    scores = pl.DataFrame(rows, schema=ANSWERS, orient="row")
    found = model_metrics([scores], ASKED, ROBIN, model="m", judges=["statement"])
    agents = ["m statement", "m statement+candidate", "m statement+target"]
    assert sorted(found.judgments["agent"].unique()) == agents
    measured = found.metrics.filter(metric="ap", foils="all")
    assert set(measured.filter(agent="m statement").select("prompt", "value").rows()) == {("kind", 1.0), ("is", 1.0)}
    assert set(measured["agent"]) == set(agents)


def test_the_metrics_after_each_layer_are_those_of_the_cosines_of_its_states():
    """The robin is nearer to the bird in the first layer, and to the fish in the last; it is asked about one more word."""
    pair_items = items(("robin", "robin", "bird", "right"), ("robin", "robin", "fish", "random"))
    asked = probes(pair_items, PROMPTS, article).filter(prompt="is")
    states = {0: {"bird": [1.0, 0.0], "fish": [0.0, 1.0]}, 2: {"bird": [0.0, 1.0], "fish": [1.0, 0.0]}}

    def where(columns, *, layer):
        assert columns == ["probe_id", "values"]
        rows = [(f"is robin:{word}", [1.0, 0.0, *vector]) for word, vector in states[layer].items()]
        return pl.DataFrame(rows, schema=ANSWERS, orient="row")

    table = layer_metrics(SimpleNamespace(layers=lambda: [*states], where=where), asked, pair_items)
    found = table.filter(metric="ap", foils="all").select("layer", "variant", "value")
    assert found.rows() == [(0, "raw", 1.0), (2, "raw", 0.5)]
    assert set(table["metric"]) <= {"ap", "rho"}
    # The agent is the name of the file.
    assert table.columns == ["layer", "variant", "metric", "condition", "foils", "unit", "prompt", "value"]
    with pytest.raises(DataError, match="x holds no states: the study has no pair to judge"):
        layer_metrics(SimpleNamespace(layers=list, path="x"), asked, pair_items)


def test_the_step_measures_judgments_and_picks_for_the_first_prompt_of_a_relation():
    answers = {f"judge HYP robin:{word} 1": said for word, said in (("bird", "yes"), ("fish", "no"), ("wug", "no"))}
    answers |= {"judge HYP bird:robin 1": "no", "rate HYP robin:bird 1": "6", "rate HYP bird:robin 1": "1"}
    pick = next(one for one in asked(["pick"]))
    answers[pick.id] = "ABC"[pick.options.index("bird")]
    rows = [{"question_id": name, "sample": 1, "outcome": "answer", "text": said} for name, said in answers.items()]
    replies = pl.DataFrame(rows, schema_overrides={name: REPLIES[name] for name in rows[0]})
    language = SimpleNamespace(articles=SimpleNamespace(chooser=article))
    found = task_metrics(replies, ITEMS, PROMPTS, language, model="m", scale=[0, 6], tasks=[*TASKS])
    assert found.reply_choices.height == 7
    assert found.judgments["agent"].unique(maintain_order=True).to_list() == ["m judge", "m rate"]
    measured = {
        tuple(key): value
        for *key, value in found.metrics.filter(foils="all").select("agent", "metric", "prompt", "value").rows()
    }
    assert measured["m pick", "choice", "kind"] == measured["m judge", "ap", "kind"] == 1.0
    assert {agent for agent, *_ in measured} == {"m judge", "m rate", "m pick"}
    assert {prompt for *_, prompt in measured} == {"kind"}
    second = pl.DataFrame(
        [{"question_id": "judge HYP robin:bird 2", "sample": 1, "outcome": "answer", "text": "yes"}],
        schema_overrides={name: REPLIES[name] for name in ("question_id", "sample", "outcome", "text")},
    )
    given = {"model": "m", "scale": [0, 6], "tasks": [*TASKS]}
    with pytest.raises(KeyError):  # one order is asked for if nothing else is said
        task_metrics(second, ITEMS, PROMPTS, language, **given)
    assert task_metrics(second, ITEMS, PROMPTS, language, **given, orders=2).reply_choices["choice"].to_list() == [
        "yes"
    ]
