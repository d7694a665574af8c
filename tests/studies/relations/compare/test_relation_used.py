"""The sentences on the use of a relation: who is said to use it, and who is not."""

import polars as pl
import pytest
from relprobe.studies.relations.analyses.use import (
    ONE_PROMPT,
    PLAIN,
    THIS_TARGET,
    headline,
    relation_used,
    relation_used_in_short,
    use,
    use_table,
)
from relprobe.studies.relations.claims import DEPENDS
from relprobe.studies.relations.method import Choices
from relprobe.studies.relations.schemas import RELATION_USE

from tests.studies.relations.compare.blind import agent, listed, shuffled, study
from tests.studies.relations.six import SIX


def use_rows(*rows, nearest=False):
    """Return RELATION_USE of agents: contrast for this target, p_holm, control, its contrast, and p_holm beyond it.

    The plain contrast is higher by 0.2. `nearest`: this control has rows, too.
    """
    found = []
    for name, contrast, p, control, control_contrast, beyond_p in rows:
        for measure, more in ((THIS_TARGET, 0.0), (PLAIN, 0.2)):
            value = contrast + more
            row = {"agent": name, "measure": measure, "targets": 40, "effective_n": 8.0, "contrast": value, "p_holm": p}
            row |= {"low": value - 0.1, "high": value + 0.1, "control": control, "control_contrast": control_contrast}
            beyond = None if control is None else contrast - control_contrast
            if control is not None:
                row |= {
                    "beyond": beyond,
                    "beyond_low": beyond - 0.05,
                    "beyond_high": beyond + 0.05,
                    "beyond_p_holm": beyond_p,
                }
            found.append(row)
    pair_row = {**found[0], "relation": "HYP", "versus": "MER", "p_holm": 1.0}
    control_contrast = [{"agent": "nearest", "measure": THIS_TARGET}] if nearest else []
    return pl.DataFrame([*found, pair_row, *control_contrast], schema=RELATION_USE)


ROWS = (
    ("reads", 0.5, 0.001, "typical", 0.1, 0.001),
    ("also", 0.4, 0.001, "typical", 0.1, 0.004),
    ("near", 0.12, 0.001, "typical", 0.13, 1.0),
    ("open", 0.3, 0.05, "typical", 0.1, 0.001),
    ("below", -0.3, 0.001, "typical", 0.1, 0.001),
    ("untested", 0.3, None, "typical", 0.1, 0.001),
)


def test_models_that_use_the_relation_for_the_target_are_told_from_the_others():
    said = relation_used(use_rows(*ROWS, nearest=True), [row[0] for row in ROWS])
    assert said.startswith("reads uses the relation that it is asked for: ")
    assert (
        "over its best control, typical; p < 0.05, adjusted for the 5 models; intervals are not adjusted). So does "
        in said
    )
    assert "So does also. For near (0.12; typical: 0.13) the contrast" in said
    assert (
        "is above 0, but the data do not show that it is above that of its best control: near words of the kind" in said
    )
    assert "The data do not show that open and below use the relation for the target. The plain contrast" in said
    assert said.endswith("is 0.70, 95 % interval 0.60 to 0.80, for reads and 0.10 for its best control, typical.")
    assert "untested" not in said


def in_short(*names, nearest=True, **columns):
    rows = [*ROWS, ("third", 0.35, 0.001, None, None, None)]
    return relation_used_in_short(use_rows(*rows, nearest=nearest).with_columns(**columns), names)


def test_the_best_model_and_the_others_that_use_the_relation_are_one_sentence():
    assert in_short("reads").startswith("reads uses the relation that it is asked for (contrast for this target 0.50")
    assert in_short("reads").endswith(").")
    assert in_short("also", "reads", "open", "near", "below", "untested").endswith("); so does also.")
    assert in_short("third", "also", "reads").endswith("); so do also and third.")
    noted = in_short("also", "reads", note=pl.lit(ONE_PROMPT))
    assert noted.endswith(f"); so does also; but {ONE_PROMPT}.")
    missing = in_short("also", "reads", nearest=False)
    assert missing.startswith(f"reads {DEPENDS.verb} (")
    assert "); so does also; the control " in missing and "nearest" in missing
    none = in_short("open", "near")
    assert none.startswith(
        "For no model do the data show that it uses the relation that it is asked for, for its target"
    )
    assert in_short("untested").startswith("Too few targets are asked for several relations")
    assert in_short("nobody") == ""


def test_no_model_and_few_targets():
    table = use_rows(*ROWS, nearest=True)
    assert relation_used(table, ["open"]).startswith(
        "The data do not show that open uses the relation for the target. The plain contrast"
    )
    assert relation_used_in_short(table, ["open"]).startswith(
        "The data do not show that open uses the relation that it"
    )
    assert relation_used(table, ["open", "below"]).startswith(
        "For no model (open and below) do the data show that it uses the relation for its target. The plain contrast"
    )
    assert relation_used(table, ["untested"]).startswith("Too few targets are asked for several relations")
    assert relation_used(table, ["nobody"]) == ""


def test_without_the_control_nearest_nobody_is_said_to_use_the_relation():
    said = relation_used(use_rows(("m", 0.5, 0.01, "majority", -0.1, 0.01), ("n", 0.2, 0.01, None, None, None)), ["m"])
    assert said.startswith(f"m {DEPENDS.verb}: ")
    assert "The control nearest is missing: near words" in said
    assert "uses" not in said
    typical = relation_used(use_rows(("m", 0.5, 0.01, "typical", -0.1, 0.01)), ["m"])
    assert "uses" not in typical  # near words of the right kind are no look-up of similar words
    alone = relation_used(use_rows(("n", 0.2, 0.01, None, None, None)), ["n"])
    assert "this run has no control to compare it with; p < 0.05" in alone
    assert "for its best control" not in alone


GOLD = study(targets=60, words=400, seed=5)
RIGHT: dict[tuple[str, str], list[str]] = {}
for relation_, target_, word_ in GOLD.relata.select("relation", "target", "relatum").iter_rows():
    RIGHT.setdefault((relation_, target_), []).append(word_)
KINDS = {
    relation: [word for (own, _), words in RIGHT.items() if own == relation for word in words]
    for relation in ("HYP", "SYN", "MER")
}


def relata_of_others(relation, target):
    """Return the relata of the other targets, the commonest first."""
    words = [word for (own, other), right in RIGHT.items() if own == relation and other != target for word in right]
    return sorted(dict.fromkeys(words), key=lambda word: (-words.count(word), word))


def near(target):
    """Return the words of the study from near to far: the target's own relata are among the nearest."""
    own = {word for (_, other), right in RIGHT.items() if other == target for word in right}
    return sorted(shuffled(GOLD, target), key=lambda word: word not in own)


def typical(relation, target, _prompt):
    kind = set(relata_of_others(relation, target))
    return listed([word for word in near(target) if word in kind][:40])


AGENTS = {
    "majority": lambda relation, target, _: listed(relata_of_others(relation, target)[:40]),
    "stereotypes": lambda relation, _target, _prompt: listed(
        sorted(set(KINDS[relation]), key=lambda word: (-KINDS[relation].count(word), word))[:40]
    ),
    "typical": typical,
    "nearest, whatever is asked": lambda _relation, target, _: listed(near(target)[:40]),
    "reads": lambda relation, target, prompt: listed(
        [*RIGHT[relation, target], *shuffled(GOLD, relation, target, prompt)][:40]
    ),
}


@pytest.fixture(scope="module")
def table():
    uses = {name: use([agent(GOLD, say)], Choices()) for name, say in AGENTS.items()}
    controls = {"majority (control)": uses["majority"], "nearest": uses["typical"]}
    models = {"typical words" if name == "typical" else name: one for name, one in uses.items()}
    kinds = dict.fromkeys(models, "model") | dict.fromkeys(controls, "control")
    return use_table(models | controls, kinds, SIX, GOLD.relata)


@pytest.mark.parametrize("blind", ["majority", "stereotypes", "typical words", "nearest, whatever is asked"])
def test_no_sentence_praises_an_agent_that_is_blind_to_the_target_the_relation_or_the_pair(table, blind):
    said = relation_used(table, [blind])
    assert "uses the relation that it is asked for" not in said
    assert said.startswith((f"The data do not show that {blind} uses", f"For {blind}"))
    together = relation_used(table, [*AGENTS, "typical words"])
    assert together.startswith("reads uses the relation that it is asked for")
    assert "So do" not in together.partition("For ")[0].partition("The data")[0]


def test_what_the_data_leave_open_is_said_with_its_size():
    table = use_rows(("near", 0.12, 0.01, "typical", 0.13, 1.0), ("open", 0.3, 0.4, "typical", 0.1, 0.3), nearest=True)
    said = relation_used(table.with_columns(detectable=0.42, beyond_detectable=0.31), ["near", "open"])
    assert "without the pair; a test of this size finds a difference of 0.31 in 80 of 100 studies." in said
    assert "for the target; a test of this size finds a difference of 0.42 in 80 of 100 studies." in said


def test_a_study_of_one_prompt_says_that_another_one_may_change_what_it_found():
    table = use_rows(ROWS[0], nearest=True)
    said = relation_used(table.with_columns(note=pl.lit(ONE_PROMPT)), ["reads"])
    assert "But a relation has one prompt: how much another prompt would change is not known. The plain" in said
    assert "one prompt" not in relation_used(table, ["reads"])


def test_the_page_says_it_in_one_sentence_and_in_several():
    table, models = use_rows(*ROWS, nearest=True), [row[0] for row in ROWS]
    tables = {"relation_use": table}
    assert headline(tables, models) == (relation_used_in_short(table, models), relation_used(table, models))


@pytest.mark.parametrize(("models", "adjusted"), [(1, False), (2, True), (3, True)])
def test_p_is_said_to_be_adjusted_where_there_are_several_models(models, adjusted):
    names = ["reads", "also", "third"][:models]
    said = relation_used(use_rows(*[(name, 0.5, 0.001, "typical", 0.1, 0.001) for name in names], nearest=True), names)
    assert (f"adjusted for the {models} models; intervals are not adjusted" in said) == adjusted
