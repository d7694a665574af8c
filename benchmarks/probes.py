"""The probes of the benchmarks: those of the default study, or its prompts with frequent words."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import wordfreq
from relprobe.lm.requests import SLOT, SlotProbe, Variant
from relprobe.sources.language import read as read_language
from relprobe.studies.relations.method import requests
from relprobe.studies.relations.prompts import read, verbalise

ROOT = Path(__file__).parents[1]
STUDY = ROOT / "results" / "relations" / "probes.parquet"
EXAMPLES = STUDY.with_name("examples.parquet")
CAUSAL = ROOT / "resources" / "fetched" / "models" / "smollm2-135m.json"
MASKED = ROOT / "resources" / "fetched" / "models" / "splade-tiny.json"


def study_probes(count: int) -> list[SlotProbe]:
    """Return the first `count` probes of the default study, or of `frequent_word_probes` before the study has run."""
    probes = requests(pl.read_parquet(STUDY)) if STUDY.is_file() else frequent_word_probes(count)
    return list(itertools.islice(probes, count))


def frequent_word_probes(count: int) -> Iterator[SlotProbe]:
    """Yield the study's prompts with the most frequent words of English in them, all prompts of a word together."""
    templates = read(ROOT / "resources" / "prompts" / "relations.yaml")
    articles = read_language(ROOT / "resources/languages/english.yaml").articles
    words = [word for word in wordfreq.top_n_list("en", 10_000) if word.isalpha()]
    for word, prompt in itertools.islice(itertools.product(words, templates), count):
        _, variants = verbalise(prompt, word, articles)
        wordings = tuple(Variant(variant["text"], variant["weight"]) for variant in variants)
        yield SlotProbe(f"{prompt.id}:{word}", wordings)


def texts(probes: list[SlotProbe]) -> list[str]:
    """Return all wordings of the probes, up to the slot."""
    return [variant.text.removesuffix(SLOT).rstrip() for probe in probes for variant in probe.variants]
