"""The probes of the study: every prompt with its targets, main and trick probes (sections 4.2 and 5.2 of Cao et al.)."""

from typing import NamedTuple

import polars as pl

from relprobe.core.relation import Relations
from relprobe.sources.language import Articles, LanguageFile
from relprobe.sources.relations import RelationsFile
from relprobe.studies.relations.ask.premise_requests import Premises
from relprobe.studies.relations.ask.premises import premises
from relprobe.studies.relations.ask.prompts import Prompt, Prompts
from relprobe.studies.relations.ask.verbalise import verbalise
from relprobe.studies.relations.schemas import PROBES, Probes, Tuples


class ProbeTables(NamedTuple):
    """The probes (`out`), and the prompts without their targets."""

    out: Probes
    premises: Premises


def probe_tables(tuples: Tuples, prompts: Prompts, relations: RelationsFile, language: LanguageFile) -> ProbeTables:
    """Put the targets of the tuples into the prompts: main and trick probes (sections 4.2 and 5.2)."""
    articles = language.articles
    return ProbeTables(probes(tuples, prompts, articles, relations), premises(prompts, articles))


def probes(gold: pl.DataFrame, prompts: list[Prompt], articles: Articles, relations: Relations) -> pl.DataFrame:
    """Verbalise every prompt with its targets: main probes, and trick probes for the asymmetric relations (section 5.2).

    The rows of one target stand together, so that its probes share what they begin with.
    """
    targets = {
        relation: set(gold.filter(relation=relation)["target"]) for relation in {prompt.relation for prompt in prompts}
    }
    rows = []
    for prompt in prompts:
        main = targets[prompt.relation]
        trick = set(gold.filter(relation=relations.inverse[prompt.relation])["target"]) - main
        for target in main | trick:
            text, variants = verbalise(prompt, target, articles)
            kind = "main" if target in main else "trick"
            rows.append((f"{prompt.id}:{target}", prompt.relation, target, prompt.id, kind, text, variants))
    return pl.DataFrame(rows, schema=PROBES, orient="row").sort("target", "probe_id")
