"""What the methods of a manuscript say of the relations study."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath

import polars as pl

from relprobe.core.words import amount, enumeration
from relprobe.paper.run import Run, losses, plain

SOURCES = {
    "wordnet": "WordNet [@miller1995]",
    "wn_lmf": "a wordnet in the form WN-LMF",
    "hyperlex": "HyperLex [@vulic2017]",
    "category_norms": "category norms [@battig1969]",
    "own_tuples": "a list of our own",
    "sampled_wordnet": "WordNet [@miller1995]",
}
"""Source of tuples -> what it is called."""
SPACES = {
    "tokens": "The answers of a model are the likeliest tokens of its whole vocabulary at the slot.",
    "lexicon": "The answers of a model are the likeliest words at the slot that are one token of it.",
    "words": "The answers of a model are the likeliest words of a list at the slot, of any number of tokens.",
    "candidates": "The answers of a model are the likeliest words of a closed list of candidates.",
}
"""What may be an answer (`relations.answers`)."""
CALIBRATED = {
    "prior": "They are ranked by their probability divided by its mean over all probes of the prompt.",
    "premise": "They are ranked by their probability divided by that after the prompt without its target.",
}
"""What ranks the answers of a model in place of their probability (`relations.calibrate`)."""
EQUATIONS = {
    "soundness": "soundness (the share of probes whose first answer is right; Eq. 11 and 12)",
    "completeness": "completeness (the share of the relatum set among as many first answers as it has words; Eq. 13 and 14)",
    "symmetry": "symmetry (Eq. 15 and 16)",
    "asymmetry": "asymmetry (Eq. 17 and 18)",
    "prototypicality": "prototypicality (Eq. 20 to 23)",
    "distinguishability": "distinguishability of two relations (Eq. 26)",
    "audc": "AuDC, the sum of the distances between relations (Eq. 28)",
}
"""Metric -> what it is, with its equations in the paper."""
TIES = {
    "expected": "Words of equal weight count by their expected value over all orders.",
    "favourable": "Among words of equal weight, right ones stand first.",
    "unfavourable": "Among words of equal weight, right ones stand last.",
    "listed": "Words of equal weight keep the order of the response.",
}


def sentences(run: Run) -> Iterator[str]:
    """Yield what was asked, what was left out, what counts as right, and which metrics by which equations."""
    data = run.tables["data"]
    yield (
        "The study of semantic relations follows [@cao2024]: agents complete cloze probes, and their ranked answers are "
        "compared with the relatum set of the target."
    )
    sources = [SOURCES.get(name, name) for name in run.section["tuples"]]
    yield f"The tuples are from {enumeration(dict.fromkeys(sources))}, each with its reverse."
    yield f"The words are in {language_name(run.section['language'])}."
    if run.section["expansion"] != "none":
        yield f"Relatum sets were expanded with {SOURCES.get(run.section['expansion'], run.section['expansion'])}."
    if "wordnet_sample" in run.section and "wordnet" in run.section["tuples"]:
        yield f"The tuples of WordNet are a random sample (seed {run.section['wordnet_sample']['seed']})."
    relation_counts = [
        f"{plain(name)} ({amount(targets, 'target')} under {amount(prompts, 'prompt')})"
        for name, targets, prompts in data.select("name", "targets", "prompts").iter_rows()
    ]
    probes, tricks = int(data["probes"].sum()), int(data["trick_probes"].sum())
    subject = "The relations are" if len(relation_counts) > 1 else "The relation is"
    yield f"{subject} {enumeration(relation_counts)}: {amount(probes, 'probe')}."
    if tricks:
        yield f"Beside them stand {amount(tricks, 'trick probe')}, the prompts of a relation with targets of its reverse."
    is_scoring = pl.col("step") == "scores"
    for begin, rows in (
        ("Left out were", ~is_scoring),
        ("Left out for single agents, and counted for each, were", is_scoring),
    ):
        if lost := losses(run.tables["attrition_counts"].filter(rows), "kind", "reason", "lost"):
            yield f"{begin} {lost}."
    yield from _answer_sentence(run)


def _answer_sentence(run: Run) -> Iterator[str]:
    yield "An answer is right if the relatum set of the prompted relation holds it."
    yield SPACES[run.section["answers"]]
    if ranked := CALIBRATED.get(run.section.get("calibrate", "none")):
        yield ranked
    if run.has["people"]:
        lists = run.trials.filter(pl.col("agent") == "annotator").height
        yield f"The answers of {_participants(run)} are {amount(lists, 'list')} to probes that the averages count."
    present = [text for name, text in EQUATIONS.items() if name in run.metrics]
    yield f"The metrics are, by the equations of [@cao2024], {enumeration(present)}."
    if cutoffs := run.averages.drop_nulls("k")["k"].unique().sort().to_list():
        yield cutoff_sentence(run.metrics, cutoffs)
    yield TIES[run.section["choices"]["ties"]]
    if "audc" in run.metrics:
        least = run.section["choices"]["minimum_targets"]
        yield f"AuDC counts the pairs of relations with at least {amount(least, 'target')}."


def language_name(file: str) -> str:
    """Return the name of a language by that of its file.

    >>> language_name("resources/languages/german.yaml"), language_name("swiss_german.yaml")
    ('German', 'Swiss German')
    """
    return PurePath(file).stem.replace("_", " ").replace("-", " ").title()


def _participants(run: Run) -> str:
    """Return in words how many people have answered; the authors' file does not say that."""
    reading = run.tables.get("people_reading")
    source = run.resources.get("human_responses", {})
    names = [str(source[key]).lower() for key in ("path", "url", "member") if key in source]
    if reading is None or any(name.endswith(".json") for name in names):
        return "people"
    return amount(int(reading["participants"].item()), "person", "people")


def cutoff_sentence(metrics: Collection[str], cutoffs: Iterable[int]) -> str:
    """Return the sentence on the number of answers of symmetry and asymmetry, as far as a run has them.

    >>> cutoff_sentence(["asymmetry", "soundness"], [1, 5])
    'Asymmetry looks at the first 1 and 5 answers.'
    >>> cutoff_sentence(["asymmetry", "symmetry"], [1])
    'Symmetry and asymmetry look at the first 1 answers.'
    """
    names = [name for name in ("symmetry", "asymmetry") if name in metrics]
    verb = "look" if len(names) > 1 else "looks"
    return f"{enumeration(names).capitalize()} {verb} at the first {enumeration(map(str, cutoffs))} answers."
