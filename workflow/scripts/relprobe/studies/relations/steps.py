"""The relations study (Cao et al.), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

from relprobe.lm.settings import ModelSettings

WORD_PART = 256
"""The probes of a part whose answers are words of any length; each takes some fifty times as long as one of tokens."""


def tuples(
    sources: list[Path], out: Path, *, exemplar_frequency: int, wordnet_sample: dict[str, Any] | None = None
) -> None:
    """Unite the tuples of the sources and add the reverse of each (section 4.1).

    `sources` are manifests with the names of the resources. `exemplar_frequency`: how many people must have named an
    exemplar of a category norm. `wordnet_sample`: nouns, seed, and tuples per relation.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.relations import build
    from relprobe.studies.relations.schemas import TUPLES
    from relprobe.studies.relations.tuple_sources import read

    tables = [read(manifest, exemplar_frequency, wordnet_sample) for manifest in sources]
    write_table(build.tuples(tables), TUPLES, out)


def probes(tuples: Path, prompts: Path, out: Path) -> None:
    """Put the targets of the tuples into the prompts: main and trick probes (sections 4.2 and 5.2)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.relations import build
    from relprobe.studies.relations.prompts import read
    from relprobe.studies.relations.schemas import PROBES, TUPLES
    from relprobe.studies.relations.verbalise import article_weights

    write_table(build.probes(read_table(tuples, TUPLES), read(prompts), article_weights()), PROBES, out)


def relata(tuples: Path, shared_lexicon: Path, wordnet: Path, out: Path) -> None:
    """Build the relatum sets: the tuples, expanded with WordNet, in the shared lexicon (section 4.3)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.core.relation import in_lexicon
    from relprobe.lm.words.lexicon import WORDS
    from relprobe.sources.wordnet import load, noun_relations
    from relprobe.studies.relations import build
    from relprobe.studies.relations.schemas import RELATA, TUPLES

    lexicon = read_table(shared_lexicon, WORDS)
    inside = in_lexicon(read_table(tuples, TUPLES), lexicon)
    expansion = noun_relations(load(fetched_folder(wordnet)), inside["target"])
    write_table(build.relata(inside, expansion, lexicon), RELATA, out)


def scores(
    model: ModelSettings, probes: Path, lexicon: Path, out: Path, *, top_k: int, special_tokens: Literal["keep", "drop"]
) -> None:
    """Score the probes whose target is one token of a model: the model's `top_k` best tokens at every slot."""
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.primitives.slots import slot_top_k
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.lm.score_files.slots import slot_table
    from relprobe.lm.words.lexicon import LEXICON
    from relprobe.studies.relations.requests import PROBES, answerable, requests

    words = read_table(lexicon, LEXICON)
    table = answerable(read_table(probes, PROBES), words)
    network = model.load()
    excluded = network.encoder.tokenizer.all_special_ids if special_tokens == "drop" else ()
    code = digest(f"{__name__}.scores")
    write_in_parts(
        track(requests(table), table.height, "probes"),
        lambda part: slot_top_k(network, part, top_k, excluded),
        slot_table,
        provenance(network, model.model, [probes], code, k=top_k, special=special_tokens),
        out,
        part_size(network.net),
    )
    network.log_work()


def word_list(out: Path, wordnet: Path, *, frequent: int, lemmas: bool) -> None:
    """List the words that may be answers of any length: the most frequent ones, and with `lemmas` those of WordNet."""
    from relprobe.core.files import write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.lm.words.lexicon import WORDS
    from relprobe.sources.wordnet import load
    from relprobe.studies.relations.word_list import word_list as listed

    names = sorted(load(fetched_folder(wordnet)).all_lemma_names()) if lemmas else []
    write_table(listed(names, frequent), WORDS, out)


def words(model: ModelSettings, probes: Path, word_list: Path, out: Path, *, top_words: int) -> None:
    """Score the probes: the model's `top_words` likeliest words of the list, of any length, at every slot."""
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.primitives.top_words import slot_top_words
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.lm.score_files.words import word_table
    from relprobe.lm.words.lexicon import WORDS
    from relprobe.studies.relations.requests import PROBES, requests
    from relprobe.studies.relations.word_list import weighted

    table, listed = read_table(probes, PROBES), weighted(read_table(word_list, WORDS))
    network = model.load()
    write_in_parts(
        track(requests(table), table.height, "probes"),
        lambda part: slot_top_words(network, part, listed, top_words),
        word_table,
        provenance(network, model.model, [probes, word_list], digest(f"{__name__}.words"), k=top_words),
        out,
        part_size(network.net, WORD_PART),
    )
    network.log_work()


def responses(answers: Path, probes: Path, prompts: Path, lists: Path, out: Path) -> None:
    """Turn the annotators' answers into lists, and all lists of a probe into one response: ranked words (section 5)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import only_file
    from relprobe.sources.human_responses import read
    from relprobe.studies.relations.prompts import read as read_prompts
    from relprobe.studies.relations.responses import LISTS, annotator_lists, of_annotators
    from relprobe.studies.relations.schemas import PROBES, RESPONSES

    people = annotator_lists(read(only_file(answers)), read_table(probes, PROBES), read_prompts(prompts))
    write_table(people, LISTS, lists)
    write_table(of_annotators(people), RESPONSES, out)


def metrics(
    probes: Path,
    relata: Path,
    tuples: Path,
    shared_lexicon: Path,
    metrics: Path,
    sensitivity: Path,
    top_words: Path,
    chance: Path,
    scores: Path | None = None,
    lexicon: Path | None = None,
    responses: Path | None = None,
    lists: Path | None = None,
    words: Path | None = None,
    *,
    choices: dict[str, Any],
    answers: Literal["tokens", "lexicon", "words"] = "tokens",
) -> None:
    """Compute the metrics of one agent per probe or tuple (section 5), their sensitivity to choices, and its best words.

    `chance`: its distances between relations beside those of chance.

    The agent is a model, with `scores` and its own `lexicon`, or the humans, with `responses`. Without these it is one of
    the annotators, whose `lists` are also what prototypicality compares with. `choices` are the fields of Choices.
    `words`: the model's scores of words of any length. `answers`: what counts as an answer of a model (answer_space.py).
    """
    import polars as pl

    from relprobe.core.files import read_table, write_table
    from relprobe.lm.words.lexicon import LEXICON, WORDS
    from relprobe.studies.relations import schemas
    from relprobe.studies.relations.answer_space import log_short, rankings
    from relprobe.studies.relations.metrics import Choices
    from relprobe.studies.relations.people import measured
    from relprobe.studies.relations.responses import LISTS, read
    from relprobe.studies.relations.sensitivity import sensitivity as sensitivity_of
    from relprobe.studies.relations.top_words import top_words as top_words_of

    probe_table, sets = read_table(probes, schemas.PROBES), read_table(relata, schemas.RELATA)
    people = None if lists is None else read_table(lists, LISTS)
    one = people is not None and responses is None and scores is None
    gold = probe_table, sets, read_table(tuples, schemas.TUPLES), read_table(shared_lexicon, WORDS)
    settings, spaces = Choices(**choices), {}
    if scores is not None and lexicon is not None:
        spaces = rankings(scores, read_table(lexicon, LEXICON), gold[-1], words)
    chosen = spaces.pop(answers, None)
    ranked = chosen.responses if chosen else None if one else read(responses)
    if ranked is not None and answers == "words":
        log_short(ranked, probe_table, sets)
    agent = measured(ranked, people, *gold, people=responses is not None, left_out=chosen.left_out if chosen else None)
    others: dict[str, pl.DataFrame] = {
        space: measured(other.responses, people, *gold, people=False, left_out=other.left_out).metrics(settings)
        for space, other in spaces.items()
    }
    values = agent.metrics(settings)
    write_table(values, schemas.METRICS, metrics)
    table = sensitivity_of(agent.metrics, values, settings, agent.tied, others)
    write_table(table, schemas.SENSITIVITY, sensitivity)
    write_table(agent.chance(settings), schemas.CHANCE, chance)
    best = pl.DataFrame(schema=schemas.TOP_WORDS) if ranked is None else top_words_of(ranked, probe_table, sets)
    write_table(best, schemas.TOP_WORDS, top_words)


def ceiling(lists: Path, probes: Path, relata: Path, tuples: Path, shared_lexicon: Path, tables: list[Path]) -> None:
    """Measure how far the annotators of a probe agree: the noise ceiling of soundness and prototypicality."""
    from relprobe.core.files import read_table, write_tables
    from relprobe.lm.words.lexicon import WORDS
    from relprobe.studies.relations import schemas
    from relprobe.studies.relations.human_ceiling import ceiling as ceiling_of
    from relprobe.studies.relations.responses import LISTS

    table = ceiling_of(
        read_table(lists, LISTS),
        read_table(probes, schemas.PROBES),
        read_table(relata, schemas.RELATA),
        read_table(tuples, schemas.TUPLES),
        read_table(shared_lexicon, WORDS),
    )
    write_tables({"ceiling": table}, tables)


def averages(
    metrics: list[Path], out: Path, *, targets: Literal["common", "own"] = "common", crossed_prompts: bool = False
) -> None:
    """Average the metrics of all agents per relation, and make distances between relations of them (section 5.3).

    `targets`: "common" averages the agents over the targets that all have answered. `crossed_prompts`: intervals resample
    prompts as well as targets.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.relations import analyses
    from relprobe.studies.relations.schemas import AVERAGES, METRICS

    values = _of_agents(metrics, METRICS)
    write_table(analyses.averages(values, targets, crossed_prompts=crossed_prompts), AVERAGES, out)


def tests(metrics: list[Path], out: Path, *, kinds: dict[str, Any], crossed_prompts: bool = False) -> None:
    """Test the differences between all pairs of agents, metric by metric and relation by relation (section 7.3).

    `kinds`: agent -> model, person or control. `crossed_prompts` as in `averages`.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.relations import analyses
    from relprobe.studies.relations.schemas import METRICS, TESTS

    write_table(analyses.tests(_of_agents(metrics, METRICS), kinds, crossed_prompts=crossed_prompts), TESTS, out)


def contrasts(metrics: list[Path], out: Path, *, kinds: dict[str, Any]) -> None:
    """Test the differences between all pairs of relations within each agent. `kinds` as in `tests`."""
    from relprobe.core.files import write_table
    from relprobe.studies.relations import analyses
    from relprobe.studies.relations.schemas import CONTRASTS, METRICS

    write_table(analyses.contrasts(_of_agents(metrics, METRICS), kinds), CONTRASTS, out)


def entropy(answers: Path, prompts: Path, tables: list[Path]) -> None:
    """Analyse the entropy of all human answers to the prompts: Table 3, and tests between relations (section 6.2)."""
    from relprobe.core.files import write_tables
    from relprobe.core.manifest import only_file
    from relprobe.sources.human_responses import read
    from relprobe.studies.relations.entropy import entropy_tables
    from relprobe.studies.relations.prompts import read as read_prompts
    from relprobe.studies.relations.responses import answered

    write_tables(entropy_tables(answered(read(only_file(answers)), read_prompts(prompts))), tables)


def comparisons(
    metrics: list[Path],
    averages: Path,
    tests: Path,
    relata: Path,
    tables: list[Path],
    *,
    models: dict[str, Any],
    k: int,
    inference: Literal["clusters", "paper"] = "clusters",
    frequency: Literal["raw", "zipf"] = "raw",
) -> None:
    """Compare sizes and types of models, prompts, first related words, and correlations with word frequency (section 8).

    `models`: model -> type, family and size, as in the config. `k` is the cut-off of symmetry and asymmetry. `inference`:
    whose tests decide what is significant. `frequency`: the scale of word frequencies.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.relations.comparison_tables import comparison_tables
    from relprobe.studies.relations.schemas import AVERAGES, METRICS, RELATA, TESTS

    values = _of_agents(metrics, METRICS)
    entries = {agent: models[agent] for agent in values if agent in models}
    results = read_table(averages, AVERAGES), read_table(tests, TESTS)
    gold = read_table(relata, RELATA)
    write_tables(comparison_tables(values, *results, gold, entries, k, inference, frequency), tables)


def claims(tests: Path, comparisons: list[Path], tables: list[Path]) -> None:
    """Count, for each figure and table of the paper, how many of its significant differences remain significant.

    `comparisons`: the tables best_by_type and prompt_variance, and entropy_differences where there are people.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.relations.claims import claims as claims_of
    from relprobe.studies.relations.claims import read
    from relprobe.studies.relations.schemas import TESTS

    by_name = {path.stem: read(path) for path in comparisons}
    write_tables({"claims": claims_of(read_table(tests, TESTS), by_name)}, tables)


def tables(
    averages: Path,
    tests: Path,
    contrasts: Path,
    chance: list[Path],
    sensitivity: list[Path],
    top_words: list[Path],
    tuples: Path,
    probes: Path,
    relata: Path,
    shared_lexicon: Path,
    lexicons: list[Path],
    tables: list[Path],
    *,
    shown: list[str] | None = None,
) -> None:
    """Write the size of the study, the averages and tests of all agents, their sensitivity, coverage and best words.

    `contrasts`: the tests between relations. `chance`: the agents' distances beside those of chance.

    `shown`: PROMPT:TARGET of the probes whose best words are shown; if none is named, one per relation.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.core.relation import in_lexicon
    from relprobe.lm.words.lexicon import LEXICON, WORDS
    from relprobe.studies.relations import schemas
    from relprobe.studies.relations.data_tables import data_table, lexicon_coverage
    from relprobe.studies.relations.shown_probes import default_probes
    from relprobe.studies.relations.shown_probes import shown as shown_words
    from relprobe.studies.relations.tables import of_all, overview, sensitivity_tables

    candidates, sets = read_table(tuples, schemas.TUPLES), read_table(relata, schemas.RELATA)
    probe_table, lexicon = read_table(probes, schemas.PROBES), read_table(shared_lexicon, WORDS)
    inside, means = in_lexicon(candidates, lexicon), read_table(averages, schemas.AVERAGES)
    words = _of_agents(top_words, schemas.TOP_WORDS)
    results = {
        "data": data_table(probe_table, inside, sets),
        "coverage": lexicon_coverage(_of_agents(lexicons, LEXICON), lexicon, candidates, inside, sets),
        "overview": overview(means),
        "averages": means,
        "tests": read_table(tests, schemas.TESTS),
        "contrasts": read_table(contrasts, schemas.CONTRASTS),
        "chance": of_all(_of_agents(chance, schemas.CHANCE)),
        "top_words": shown_words(words, probe_table, shown or default_probes(words, probe_table)),
    }
    write_tables(results | sensitivity_tables(_of_agents(sensitivity, schemas.SENSITIVITY)), tables)


def figures(
    averages: Path,
    tests: Path,
    first_related: Path,
    frequency: Path,
    figures: list[Path],
    response_entropies: Path | None = None,
    *,
    agents: list[str],
    models: dict[str, Any],
    k: int,
    inference: Literal["clusters", "paper"] = "clusters",
) -> None:
    """Draw the metrics, the distances between relations, and what they depend on: model size and word frequency.

    `agents` are in the order of the figures; `models`: model -> type, family and size; the humans have no entry.
    `inference`: whose tests draw the dotted lines.
    """
    import polars as pl

    from relprobe.core.files import read_table
    from relprobe.report.figures import save_all
    from relprobe.studies.relations.figures import Results, draw
    from relprobe.studies.relations.frequency import CORRELATIONS
    from relprobe.studies.relations.schemas import AVERAGES, TESTS

    results = Results(
        read_table(averages, AVERAGES),
        read_table(tests, TESTS),
        pl.read_csv(first_related),
        pl.read_csv(frequency, schema=CORRELATIONS),
        None if response_entropies is None else pl.read_csv(response_entropies),
        {agent: models[agent]["type"] if agent in models else "humans" for agent in agents},
        {agent: models[agent] for agent in agents if agent in models},
        k,
        inference,
    )
    save_all(((path.stem, draw(path.stem, results)) for path in figures), figures)


def published(
    published: Path,
    averages: Path,
    metrics: list[Path],
    tables: list[Path],
    out: Path,
    *,
    models: list[str],
    panel: list[str],
) -> None:
    """Put the figures that the paper prints beside ours.

    `models` are those of the run; `panel` are the models whose common words are the shared lexicon.
    """
    import polars as pl

    from relprobe.core.files import read_table, write_csv
    from relprobe.report.published import beside, read
    from relprobe.studies.relations.published import ours, reasoned
    from relprobe.studies.relations.schemas import AVERAGES, METRICS

    by_name = {path.stem: pl.read_csv(path, infer_schema_length=None) for path in tables}
    results = ours(read_table(averages, AVERAGES), _of_agents(metrics, METRICS), by_name, models)
    write_csv(beside(reasoned(read(published), panel), results), out)


def _of_agents(paths: list[Path], schema: Any) -> dict[str, Any]:
    """Read the tables of all agents; each file has the name of its agent."""
    from relprobe.core.files import read_table

    return {path.stem: read_table(path, schema) for path in paths}
