"""The figures of studies in full, from small averages (tests/drawn.py); those of definitions are beside its other tests."""

import polars as pl
from relprobe.report.agent_styles import agent_styles
from relprobe.studies.analogies.analyses.relations import drawn_by_relation
from relprobe.studies.analogies.figures import by_group
from relprobe.studies.analogies.relations import Relation
from relprobe.studies.degrees.analyses.classes import by_class
from relprobe.studies.degrees.figures import by_rater
from relprobe.studies.frame.show import figures as frame_figures
from relprobe.studies.pairs.figures import by_foils
from relprobe.studies.systematicity.analyses.categories import LOGPROBS, category_cells
from relprobe.studies.systematicity.figures import accuracies, detection_dots

from tests.drawn import lines_of

KINDS = {"m": "masked", "n": "causal", "c": "control"}
STYLES = agent_styles(KINDS, {"m": "M", "n": "N"})
AVERAGES = {
    **dict.fromkeys(("agent", "metric", "condition", "foils"), pl.String()),
    **dict.fromkeys(("value", "low", "high"), pl.Float64()),
    **{"units": pl.UInt32(), "own_units": pl.Boolean()},
}


def averages(*rows):
    """Return averages: agent, metric, condition, value, low, high, units, own units or not, and kind of foils."""
    table = [(*row[:3], row[8] if len(row) > 8 else None, *row[3:7], row[7] if len(row) > 7 else False) for row in rows]
    return pl.DataFrame(table, schema=AVERAGES, orient="row")


PAIRS_AVERAGES = averages(
    ("m pmi", "ap", "HYP", 0.5, 0.4, 0.6, 8, False, "all"),
    ("m pmi", "ap", "wordnet", 0.5, 0.4, 0.6, 8, False, "all"),
    ("c", "ap", "wordnet", 0.25, None, None, 8, False, "all"),
    ("n pmi", "ap", "wordnet", 0.75, 0.7, 0.8, 8, False, "random"),
    ("m pmi+target", "ap", "wordnet", 0.1, None, None, 8, False, "all"),
    ("m pmi", "rr", "wordnet", 0.9, None, None, 8, False, "all"),
)
DEGREES_AVERAGES = averages(
    ("n schema", "rho", "test", 0.25, 0.2, 0.3, 10),
    ("c", "rho", "test", 0.125, None, None, 10),
    ("m hidden", "rho", "test", 0.5, 0.4, 0.6, 9, True),
    ("m schema", "rho", "test", 0.75, 0.7, 0.8, 10),
    ("m schema", "rho_without_reversals", "test", 0.8, None, None, 10),
    ("c", "rho_without_reversals", "test", 0.1, None, None, 10),
    ("m schema", "rho", "part-whole", 0.9, None, None, 1),
)
ANALOGIES_AVERAGES = averages(
    ("m", "unsupervised reverse", "all", 0.5, 0.4, 0.6, 1200),
    ("c", "unsupervised reverse", "all", 0.25, None, None, 1200),
    ("n", "unsupervised type", "E", 0.75, 0.7, 0.8, 30, True),
    ("m", "supervised reverse", "all", 0.9, None, None, 8, True),
)
SYSTEMATICITY_AVERAGES = averages(
    ("m", "singular", "wordnet", 0.5, 0.4, 0.6, 1200),
    ("m+control", "singular", "wordnet", 0.125, 0.1, 0.2, 1200),
    ("majority", "singular", "wordnet", 0.25, None, None, 1200),
    ("n", "plural", "wordnet", 0.75, 0.7, 0.8, 30, True),
)
WITH_CONTROLS = agent_styles({**KINDS, "majority": "control", "m+control": "control"}, {"m": "M", "n": "N"})
DETECTED = pl.DataFrame(
    [
        ("m", "full", "seen", 0.5, 0.4, 0.6, 0.05, 60),
        ("m", "full", "unseen", 0.6, 0.5, 0.7, None, 50),
        ("m", "partial", "seen", 0.3, None, None, 0.1, 60),
        ("m", "partial", "unseen", 0.2, 0.1, 0.3, 0.1, 50),
    ],
    schema=["agent", "input", "setting", "accuracy", "low", "high", "sd", "pairs"],
    orient="row",
)
FRAME_AVERAGES = averages(
    ("m", "right", "noun", 0.5, 0.4, 0.6, 9),
    ("n", "right", "noun", 0.75, 0.7, 0.8, 9),
    ("m", "right", "verb", 0.25, None, None, 9),
    ("c", "right", "verb", 0.125, 0.1, 0.2, 9),
)


def test_the_average_precision_of_pairs():
    """A control of one model has no row, and a condition within a set no panel."""
    assert (
        lines_of(by_foils(PAIRS_AVERAGES, STYLES))
        == """\
figure 6.4 x 1.73
says Average precision (mean over targets)
key M: #0072b2 o 5 pt
key N: #d55e00 o 5 pt
key control: #808080 o 5 pt
panel 'wordnet: all foils'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2: m pmi, n pmi, c
  line #0072b2 - 1.2 pt at 0.4 0.6; 0 0 of m
  line #0072b2 o 5 pt at 0.5; 0 of m
  line #808080 o 5 pt at 0.25; 2 of c
  text '0.50' at 1 0, 7.5 pt #000000 of m
  text 'missing' at 1 1, 7.5 pt #000000 of n
  text '0.25' at 1 2, 7.5 pt #000000 of c
panel 'wordnet: random'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2
  line #d55e00 - 1.2 pt at 0.7 0.8; 1 1 of n
  line #d55e00 o 5 pt at 0.75; 1 of n
  text 'missing' at 1 0, 7.5 pt #000000 of m
  text '0.75' at 1 1, 7.5 pt #000000 of n
  text 'missing' at 1 2, 7.5 pt #000000 of c
""".splitlines()
    )


def test_a_rater_that_a_model_lacks_leaves_the_labels_of_other_panels_as_they_are():
    """Agent n is not read by its hidden states; m is over subcategories of its own there."""
    assert (
        lines_of(by_rater(DEGREES_AVERAGES, "rho", STYLES, 0.9))
        == """\
figure 6.4 x 1.73
says Spearman's ρ (mean over the test subcategories)
says ◇: without reversed pairs
says dashed line: people's noise ceiling, 0.9
key M: #0072b2 o 5 pt
key N: #d55e00 o 5 pt
key control: #808080 o 5 pt
panel 'hidden'
  x from 0.06 to 0.94
  y from 1.6 to -0.6: 0 1: m °, c
  line #0072b2 - 1.2 pt at 0.4 0.6; 0 0 of m
  line #0072b2 o 5 pt at 0.5; 0 of m
  line #808080 o 5 pt at 0.125; 1 of c
  line #000000 -- 0.8 pt at 0.9 0.9; 0 1
  points #ffffff in #000000 at 0.1 1
  text '0.50' at 1 0, 7.5 pt #000000 of m
  text '0.12' at 1 1, 7.5 pt #000000 of c
panel 'schema'
  x from 0.06 to 0.94
  y from 2.6 to -0.6: 0 1 2: m, n, c
  line #0072b2 - 1.2 pt at 0.7 0.8; 0 0 of m
  line #0072b2 o 5 pt at 0.75; 0 of m
  line #d55e00 - 1.2 pt at 0.2 0.3; 1 1 of n
  line #d55e00 o 5 pt at 0.25; 1 of n
  line #808080 o 5 pt at 0.125; 2 of c
  line #000000 -- 0.8 pt at 0.9 0.9; 0 1
  points #ffffff in #000000 at 0.8 0; 0.1 2
  text '0.75' at 1 0, 7.5 pt #000000 of m
  text '0.25' at 1 1, 7.5 pt #000000 of n
  text '0.12' at 1 2, 7.5 pt #000000 of c
""".splitlines()
    )


def test_the_accuracies_of_a_group_of_analogies():
    assert (
        lines_of(by_group(ANALOGIES_AVERAGES, "unsupervised", ["E", "I"], STYLES))
        == """\
figure 9.6 x 3.16
says accuracy, unsupervised (dotted: chance; n: tuples)
key M: #0072b2 o 5 pt
key N: #d55e00 o 5 pt
key control: #808080 o 5 pt
panel 'all relations: random'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2: m, n °, c
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> a=m&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of n -> a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of c -> a=c&k=1
panel 'all relations: reverse'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> group=reverse&a=m&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of n -> group=reverse&a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of c -> group=reverse&a=c&k=1
panel 'all relations: type'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> group=type&a=m&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of n -> group=type&a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of c -> group=type&a=c&k=1
panel 'E: random'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2: m, n °, c
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> a=m&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of n -> a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of c -> a=c&k=1
panel 'E: reverse'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> group=reverse&a=m&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of n -> group=reverse&a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of c -> group=reverse&a=c&k=1
panel 'E: type'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2
  line #d55e00 - 1.2 pt at 0.7 0.8; 1 1 of n -> group=type&a=n&k=1
  line #d55e00 o 5 pt at 0.75; 1 of n -> group=type&a=n&k=1
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> group=type&a=m&k=1
  text '0.75' at 1 1, 7.5 pt #000000 of n -> group=type&a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of c -> group=type&a=c&k=1
""".splitlines()
    )


def test_a_set_of_hyponyms():
    """The outline is the control of m."""
    assert (
        lines_of(accuracies(SYSTEMATICITY_AVERAGES, WITH_CONTROLS, "wordnet"))
        == """\
figure 6.4 x 1.73
says share of hyponyms answered rightly (n: hyponyms)
key M: #0072b2 o 5 pt
key N: #d55e00 o 5 pt
key control: #808080 o 5 pt
key same model, hyponym alone: #808080 o 5 pt filled #ffffff
panel 'singular (n = 1,200)'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2: m, n, majority
  line #0072b2 - 1.2 pt at 0.4 0.6; 0 0 of m -> group=singular&prompt=wordnet+%28singular%29&a=m&k=1
  line #0072b2 o 5 pt at 0.5; 0 of m -> group=singular&prompt=wordnet+%28singular%29&a=m&k=1
  line #808080 ^ 5 pt at 0.25; 2 of majority
  line #808080 o 5 pt filled #ffffff at 0.125; 0 of m
  text '0.50' at 1 0, 7.5 pt #000000 of m -> group=singular&prompt=wordnet+%28singular%29&a=m&k=1
  text 'missing' at 1 1, 7.5 pt #000000 of n -> group=singular&prompt=wordnet+%28singular%29&a=n&k=1
  text '0.25' at 1 2, 7.5 pt #000000 of majority
panel 'plural'
  x from 0 to 1.02
  y from 2.6 to -0.6: 0 1 2
  line #d55e00 - 1.2 pt at 0.7 0.8; 1 1 of n -> group=plural&prompt=wordnet+%28plural%29&a=n&k=1
  line #d55e00 o 5 pt at 0.75; 1 of n -> group=plural&prompt=wordnet+%28plural%29&a=n&k=1
  text 'missing' at 1 0, 7.5 pt #000000 of m -> group=plural&prompt=wordnet+%28plural%29&a=m&k=1
  text '0.75' at 1 1, 7.5 pt #000000 of n -> group=plural&prompt=wordnet+%28plural%29&a=n&k=1
  text 'missing' at 1 2, 7.5 pt #000000 of majority
""".splitlines()
    )


def test_the_classifiers():
    assert (
        lines_of(detection_dots(DETECTED, STYLES, "linked"))
        == """\
figure 9.6 x 1.82
says accuracy (lines: 95 % interval over categories; dotted: chance)
panel 'seen hypernyms (n = 60 pairs)'
  x from 0 to 1.02
  y from 1.6 to -0.6: 0 1: m, m, hypernym alone
  line #0072b2 - 1.2 pt at 0.4 0.6; 0 0 of m
  line #0072b2 o 5 pt at 0.5; 0 of m
  line #0072b2 o 5 pt at 0.3; 1 of m
  line #444444 : 0.8 pt at 0.5 0.5; 0 1
  text '0.50' at 1 0, 7.5 pt #000000 of m
  text '0.30' at 1 1, 7.5 pt #000000 of m
panel 'unseen hypernyms (n = 50 pairs)'
  x from 0 to 1.02
  y from 1.6 to -0.6: 0 1
  line #0072b2 - 1.2 pt at 0.5 0.7; 0 0 of m
  line #0072b2 o 5 pt at 0.6; 0 of m
  line #0072b2 - 1.2 pt at 0.1 0.3; 1 1 of m
  line #0072b2 o 5 pt at 0.2; 1 of m
  line #444444 : 0.8 pt at 0.5 0.5; 0 1
  text '0.60' at 1 0, 7.5 pt #000000 of m
  text '0.20' at 1 1, 7.5 pt #000000 of m
""".splitlines()
    )


def test_the_classifiers_with_the_papers_lines():
    assert (
        lines_of(detection_dots(DETECTED, STYLES, "paper"))
        == """\
figure 9.6 x 1.82
says accuracy (lines: ± one standard deviation over the folds; dotted: chance)
panel 'seen hypernyms (n = 60 pairs)'
  x from 0 to 1.02
  y from 1.6 to -0.6: 0 1: m, m, hypernym alone
  line #0072b2 - 1.2 pt at 0.45 0.55; 0 0 of m
  line #0072b2 o 5 pt at 0.5; 0 of m
  line #0072b2 - 1.2 pt at 0.2 0.4; 1 1 of m
  line #0072b2 o 5 pt at 0.3; 1 of m
  line #444444 : 0.8 pt at 0.5 0.5; 0 1
  text '0.50' at 1 0, 7.5 pt #000000 of m
  text '0.30' at 1 1, 7.5 pt #000000 of m
panel 'unseen hypernyms (n = 50 pairs)'
  x from 0 to 1.02
  y from 1.6 to -0.6: 0 1
  line #0072b2 - 1.2 pt at 0.6 0.6; 0 0 of m
  line #0072b2 o 5 pt at 0.6; 0 of m
  line #0072b2 - 1.2 pt at 0.1 0.3; 1 1 of m
  line #0072b2 o 5 pt at 0.2; 1 of m
  line #444444 : 0.8 pt at 0.5 0.5; 0 1
  text '0.60' at 1 0, 7.5 pt #000000 of m
  text '0.20' at 1 1, 7.5 pt #000000 of m
""".splitlines()
    )


def test_a_study_of_the_frame():
    """Agent n lacks a condition, and c the other one."""
    assert (
        lines_of(
            dict(frame_figures(FRAME_AVERAGES, names=["right"], kinds=KINDS, families={"m": "M", "n": "N"}))["right"]()
        )
        == """\
figure 6.4 x 1.73
key M: #0072b2 o 5 pt
key N: #d55e00 o 5 pt
key control: #808080 o 5 pt
panel 'noun'
  x from 0.065 to 0.835
  y from 2.6 to -0.6: 0 1 2: m, n, c
  line #0072b2 - 1.2 pt at 0.4 0.6; 0 0 of m
  line #0072b2 o 5 pt at 0.5; 0 of m
  line #d55e00 - 1.2 pt at 0.7 0.8; 1 1 of n
  line #d55e00 o 5 pt at 0.75; 1 of n
  text '0.50' at 1 0, 7.5 pt #000000 of m
  text '0.75' at 1 1, 7.5 pt #000000 of n
  text 'missing' at 1 2, 7.5 pt #000000 of c
panel 'verb'
  x from 0.065 to 0.835
  y from 2.6 to -0.6: 0 1 2
  line #0072b2 o 5 pt at 0.25; 0 of m
  line #808080 - 1.2 pt at 0.1 0.2; 2 2 of c
  line #808080 o 5 pt at 0.125; 2 of c
  text '0.25' at 1 0, 7.5 pt #000000 of m
  text 'missing' at 1 1, 7.5 pt #000000 of n
  text '0.12' at 1 2, 7.5 pt #000000 of c
""".splitlines()
    )


LOGPROB_ROWS = pl.DataFrame(
    [
        ("wordnet", "m", "bird", "singular", -0.5, 3),
        ("wordnet", "n", "bird", "singular", -4.0, 5),
        ("wordnet", "m", "fish", "plural", -2.0, 2),
        ("wordnet", "n", "fish", "plural", None, 2),
    ],
    schema=LOGPROBS,
    orient="row",
)
CODES = averages(
    ("m", "unsupervised random", "E1", 0.5, None, None, 9),
    ("m", "unsupervised random", "E2", 0.25, None, None, 9),
    ("n", "unsupervised random", "E2", 0.75, None, None, 9),
    ("c", "unsupervised type", "E1", 1.0, None, None, 9),
    ("m", "supervised random", "E1", 0.125, None, None, 9),
)
CLASS_AVERAGES = averages(
    ("m schema", "rho", "attribute", 0.5, None, None, 2),
    ("c", "rho", "attribute", -0.25, None, None, 3),
    ("m schema", "rho", "part-whole", 0.125, None, None, 1),
    ("n schema", "maxdiff", "attribute", 0.5, None, None, 2),
)
RELATIONS = [Relation("E1", "capital", "E", ""), Relation("E2", "animal", "E", "∗†")]


def test_the_log_probabilities_of_categories():
    """A category without probes in a number is empty; the colours end at the lowest value."""
    assert (
        lines_of(category_cells(LOGPROB_ROWS, ["n", "o", "m"], "wordnet"))
        == """\
figure 9.6 x 2.02
says mean log-probability of the right category (natural log); in brackets the hyponyms
panel 'singular'
  x from -0.5 to 1.5: 0 1: bird (5), fish (0)
  y from 1.6 to -0.6: 0 1: n, m
  area #440154 -0.5 -0.5 to 0.5 0.5 of n -> group=singular&prompt=wordnet+%28singular%29&a=n&k=1
  area #00000000 0.5 -0.5 to 1.5 0.5 of n -> group=singular&prompt=wordnet+%28singular%29&a=n&k=1
  area #addc30 -0.5 0.5 to 0.5 1.5 of m -> group=singular&prompt=wordnet+%28singular%29&a=m&k=1
  area #00000000 0.5 0.5 to 1.5 1.5 of m -> group=singular&prompt=wordnet+%28singular%29&a=m&k=1
  text '−4.0' at 0 0, 7.5 pt #fefefe
  text '' at 1 0, 7.5 pt #000000
  text '−0.5' at 0 1, 7.5 pt #010101
  text '' at 1 1, 7.5 pt #000000
panel 'plural'
  x from -0.5 to 1.5: 0 1: bird (0), fish (2)
  y from 1.6 to -0.6: 0 1
  area #00000000 -0.5 -0.5 to 0.5 0.5 of n -> group=plural&prompt=wordnet+%28plural%29&a=n&k=1
  area #00000000 0.5 -0.5 to 1.5 0.5 of n -> group=plural&prompt=wordnet+%28plural%29&a=n&k=1
  area #00000000 -0.5 0.5 to 0.5 1.5 of m -> group=plural&prompt=wordnet+%28plural%29&a=m&k=1
  area #21918c 0.5 0.5 to 1.5 1.5 of m -> group=plural&prompt=wordnet+%28plural%29&a=m&k=1
  text '' at 0 0, 7.5 pt #000000
  text '' at 1 0, 7.5 pt #000000
  text '' at 0 1, 7.5 pt #000000
  text '−2.0' at 1 1, 7.5 pt #010101
""".splitlines()
    )


def test_the_relations_of_analogies():
    assert (
        lines_of(drawn_by_relation(CODES, "unsupervised", RELATIONS, STYLES))
        == """\
figure 9.6 x 1.6
says accuracy, unsupervised (dotted: chance; ∗ one/many-to-many, † bidirectional)
key m: points #0072b2 in #0072b2
key n: points #d55e00 in #d55e00
panel 'random'
  x from 0 to 1.02
  y from 1.5 to -0.5: 0 1: E1 capital, E2 animal ∗†
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  points #0072b2 in #0072b2 at 0.5 0; 0.25 1 of m -> a=m&k=1, a=m&k=1
  points #d55e00 in #d55e00 at 0.75 1 of n -> a=n&k=1
panel 'reverse'
  x from 0 to 1.02
  y from 1.5 to -0.5: 0 1
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
panel 'type'
  x from 0 to 1.02
  y from 1.5 to -0.5: 0 1
  line #000000 : 0.8 pt at 0.5 0.5; 0 1
  points #808080 in #808080 at 1 0 of c -> group=type&prompt=E1+capital+%28type%29&a=c&k=1
""".splitlines()
    )


def test_the_classes_of_degrees():
    assert (
        lines_of(by_class(CLASS_AVERAGES, ["part-whole", "attribute"], ["m", "n", "c"]))
        == """\
figure 3.3 x 1.62
panel ''
  x from -0.5 to 1.5: 0 1: Part-whole (1), Attribute (3)
  y from 1.6 to -0.6: 0 1: m schema, c
  area #fde5c3 -0.5 -0.5 to 0.5 0.5 of m
  area #d97b12 0.5 -0.5 to 1.5 0.5 of m
  area #00000000 -0.5 0.5 to 0.5 1.5 of c
  area #c3c0dd 0.5 0.5 to 1.5 1.5 of c
  text '.12' at 0 0, 7.5 pt #010101
  text '.50' at 1 0, 7.5 pt #010101
  text '–' at 0 1, 7.5 pt #000000
  text '−.25' at 1 1, 7.5 pt #010101
""".splitlines()
    )


def test_how_the_labels_of_these_figures_stand():
    categories = category_cells(LOGPROB_ROWS, ["m"], "wordnet").axes[0].get_xticklabels()
    assert {(label.get_rotation(), label.get_fontsize()) for label in categories} == {(90, 7.497)}
    classes = by_class(CLASS_AVERAGES, ["attribute"], ["m", "n", "c"]).axes[0].get_xticklabels()
    assert {(label.get_rotation(), label.get_fontsize(), label.get_ha()) for label in classes} == {(30, 7.497, "right")}
    relations = drawn_by_relation(CODES, "unsupervised", RELATIONS, STYLES)
    assert {label.get_fontsize() for label in relations.axes[0].get_yticklabels()} == {7.497}
    assert {(key._ncols, key.get_frame_on()) for key in relations.legends} == {(6, False)}
    assert relations.axes[0].collections[0].get_alpha() == 0.8
