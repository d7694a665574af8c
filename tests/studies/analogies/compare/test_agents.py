"""The steps of one agent: what becomes of its scores, its vectors, or the choices of a model that takes people's task."""

import polars as pl
import pyarrow.parquet as pq
from relprobe.lm.chat_models.replies import ANSWER, REPLIES
from relprobe.lm.score_files.reader import ScoreFile
from relprobe.studies.analogies.agents import control_metrics, model_metrics, task_metrics
from relprobe.studies.analogies.chat import LINE, sheets
from relprobe.studies.analogies.method import sentence_requests
from relprobe.studies.analogies.pair_vectors import PairVector, pairs, vector_table
from relprobe.studies.analogies.probes import probes
from relprobe.studies.analogies.schemas import DECISIONS

from tests.studies.analogies.ask.test_replies import CHOICES, LINES, TEST, TUPLE_ROWS, letter


def test_replies_are_read_decided_and_measured():
    found = task_metrics(
        pl.DataFrame(
            [
                {"question_id": one.id, "sample": 1, "outcome": ANSWER, "text": letter(one, one.right)}
                for one in sheets(CHOICES, TEST, 2)
            ],
            schema=REPLIES,
        ),
        CHOICES,
        TUPLE_ROWS,
        partitions=TEST,
        line=LINES[LINE],
        orders=2,
    )
    assert found.reply_choices["right"].all()
    assert found.unsupervised["value"].to_list() == [1.0] * 5
    assert set(found.metrics.filter(condition="E01")["value"]) == {1.0}
    assert found.by_agent["unjudged"].rows() == [("unsupervised", 4, 0)]


TEMPLATE = "{h1} is to {t1} as {h2} is to {t2}"
JUDGED = pl.DataFrame(
    [("supervised", "E01", "reverse", 1, "oslo : norway", "rome : italy", "rome", "italy", True, 0.25, None)],
    schema=DECISIONS,
    orient="row",
)


def accuracies(found):
    rows = found.metrics.filter(condition="E01").select("metric", "unit", "value").rows()
    return {(metric, unit): value for metric, unit, value in rows if "query" not in metric}


def test_a_model_chooses_the_likelier_sentence_of_its_partitions_and_its_classifiers_stand_beside():
    """Sentences that end in italy are the likeliest by all tokens, and the others by each of their tokens."""
    texts = sorted({request.text for request in sentence_requests(probes(CHOICES, template=TEMPLATE))})
    scores = pl.DataFrame(
        {
            "text": texts,
            "logprob": [-2.0 if text.endswith("italy") else -3.0 for text in texts],
            "tokens": [1 if text.endswith("italy") else 9 for text in texts],
        }
    )
    rome, oslo = "E01 rome : italy", "E01 oslo : norway"
    asked = {"template": TEMPLATE, "partitions": TEST}
    found = model_metrics(scores, CHOICES, TUPLE_ROWS, JUDGED, **asked, perplexity="sentence")
    expected = {("unsupervised reverse", rome): 1.0, ("unsupervised type", oslo): 0.5}
    assert found.unsupervised.height == 5  # those of the test
    assert accuracies(found) == {**expected, ("supervised reverse", rome): 0.25}
    assert found.by_agent["unjudged"].rows() == [("supervised", 1, 0), ("unsupervised", 4, 0)]
    by_token = model_metrics(scores, CHOICES, TUPLE_ROWS, **asked, perplexity="token")
    assert accuracies(by_token) == {("unsupervised reverse", rome): 0.0, ("unsupervised type", oslo): 0.5}


def test_every_pair_of_words_has_one_vector_however_many_choices_have_it():
    assert [f"{pair.relation} {pair.head} {pair.tail}" for pair in pairs(CHOICES)] == [
        *("E01 france paris", "E01 hot cold", "E01 norway oslo", "E01 oslo norway"),
        *("E01 oslo rome", "E01 paris france", "E01 rome italy", "E01 rome oslo"),
    ]


def test_a_control_chooses_the_pair_whose_vector_is_nearer_to_that_of_the_query(tmp_path):
    """All pairs of a city and its land have one vector, and those in the other order another one."""
    lands = ("italy", "norway", "france", "cold")
    vectors = [PairVector(pair, [1.0, 0.0] if pair.tail in lands else [0.0, 1.0]) for pair in pairs(CHOICES)]
    pq.write_table(vector_table(vectors), tmp_path / "v.parquet")
    found = control_metrics(ScoreFile.read(tmp_path / "v.parquet"), CHOICES, TUPLE_ROWS, JUDGED, partitions=TEST)
    assert found.unsupervised["value"].to_list() == [1.0] * 5
    assert accuracies(found)["supervised reverse", "E01 rome : italy"] == 0.25
    train = control_metrics(ScoreFile.read(tmp_path / "v.parquet"), CHOICES, TUPLE_ROWS, partitions=["train"])
    assert train.unsupervised.height == 1
