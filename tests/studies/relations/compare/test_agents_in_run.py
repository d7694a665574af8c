"""The answers and values of controls and norms, as the steps of a run make them."""

from types import SimpleNamespace

import polars as pl
import pytest
from relprobe.core.manifest import write_manifest
from relprobe.studies.relations.agents import Reference, control_metrics, norm_metrics
from relprobe.studies.relations.controls import ControlFiles
from relprobe.studies.relations.method import Choices
from relprobe.studies.relations.schemas import ALTERNATIVES, PAIRS

from tests.studies.relations.measure.test_controls import gold
from tests.studies.relations.measure.test_people import GOLD


def test_the_step_of_a_control_has_its_answers_and_their_values():
    """Of the words of the lexicon, animal and bird are the most relata of the others; oak alone has none of these."""
    reference = Reference(pl.DataFrame(schema=ALTERNATIVES), pl.DataFrame(schema=PAIRS))
    english = SimpleNamespace(wordfreq="en")
    made = control_metrics(gold(), english, reference, Choices(), ControlFiles(), agent="majority", top_k=1)
    answers = made.responses.with_columns(pl.col("words").cast(pl.List(pl.String)))
    assert dict(answers.filter(probe_id="hyp:oak").select("kind", "words").iter_rows()) == {"ranking": ["animal"]}
    right = made.metrics.filter(metric="soundness", relation="HYP").select("target", "value").rows()
    assert dict(right) == {"robin": 1.0, "owl": 1.0, "oak": 0.0, "bird": 1.0}
    assert made.top_words.filter(probe_id="hyp:robin")["word"][0] in ("animal", "bird")


@pytest.mark.parametrize(
    ("form", "text", "right"),
    [
        ("associations", "cue,R1,R2,R3\nrobin,bird,wing,NA\n", 1 / 2),
        ("feature_norms", "concept,feature,prod_freq\nrobin,a_bird,9\nrobin,has_wings,5\n", 1.0),
    ],
)
def test_norms_are_an_agent_that_answers_the_probes_that_they_are_about(tmp_path, form, text, right):
    """Free associations are about no relation, so that they answer all probes of the target, the first words tied."""
    (tmp_path / "norms").mkdir()
    (tmp_path / "norms/norms.csv").write_text(text)
    reference = Reference(pl.DataFrame(schema=ALTERNATIVES), pl.DataFrame(schema=PAIRS))
    made = norm_metrics(write_manifest(tmp_path / "norms"), GOLD, reference, Choices(symmetry_k=[1]), form=form)
    assert set(made.responses["kind"]) == {"lists"}
    sound = made.metrics.filter(metric="soundness", target="robin")
    assert set(sound.select("prompt_id", "value").rows()) == {("hyp1", right), ("hyp2", right)}
