"""The systematicity study (Ravichander et al. 2020), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

from relprobe.lm.settings import ModelSettings


def probes(
    wordnet: Path,
    prompts: Path,
    item_table: Path,
    probes: Path,
    released: Path | None = None,
    own: Path | None = None,
    *,
    categories: dict[str, Any],
    senses: dict[str, Any],
    plurals: dict[str, Any],
    minimum_zipf: float,
    minimum_hyponyms: int,
    phrases: bool,
    contextual: Literal["mended", "released"],
    wordings: int | None = None,
) -> None:
    """Make the items and their probes: items of the user's or the authors' data or, without them, of WordNet (section 2.1).

    `categories`: superordinate category -> categories; `senses`: category -> synset; `plurals`: word -> irregular plural.
    `minimum_zipf` is the frequency of WordNet's rarest items, but a category has `minimum_hyponyms` of them where WordNet
    has so many; `phrases`: whether they may be phrases. `contextual`: how sentences are read. `wordings`: how many prompts
    of each number are asked; all if None.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder, only_file
    from relprobe.sources.lexical.wordnet import load
    from relprobe.sources.own import hyponyms as own_hyponyms
    from relprobe.sources.systematicity import items as released_items
    from relprobe.studies.systematicity.ask import prompts as prompt_file
    from relprobe.studies.systematicity.ask.probes import Asking, built_items, check_categories, own_items
    from relprobe.studies.systematicity.ask.probes import probes as probes_of
    from relprobe.studies.systematicity.data.hyponyms import Choice, check_hyponyms, hyponyms_of
    from relprobe.studies.systematicity.schemas import ITEMS, PROBES

    if own is not None:
        path = only_file(own)
        items = own_items(own_hyponyms.read(path), categories, path, plurals)
    elif released is not None:
        items = check_categories(released_items(fetched_folder(released)), categories, plurals)
    else:
        choice = Choice(minimum_zipf, phrases, senses, minimum_hyponyms)
        hyponyms = hyponyms_of(load(fetched_folder(wordnet)), categories, choice)
        items = built_items(hyponyms, plurals)
        check_hyponyms(hyponyms, items)
    write_table(items, ITEMS, item_table)
    asking = Asking(prompt_file.read(prompts, wordings), contextual, plurals)
    write_table(probes_of(read_table(item_table, ITEMS), categories, asking), PROBES, probes)


def pairs(
    item_table: Path,
    pairs: Path,
    contexts: Path,
    released: Path | None = None,
    *,
    categories: dict[str, Any],
    carriers: list[str],
    folds: int,
    seed: int,
) -> None:
    """Make the classifier's pairs and the contexts of their words: of the authors' splits or, without them, of the items.

    `carriers` are sentences with one [W] around the words of items; `folds` is the number of folds with seen hypernyms.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.systematicity import grounded_pairs
    from relprobe.studies.systematicity.data.carriers import pairs_in_carriers
    from relprobe.studies.systematicity.data.splits import carrier_splits, released_splits
    from relprobe.studies.systematicity.schemas import CONTEXTS, ITEMS, PAIRS

    if released is not None:
        tables = released_splits(grounded_pairs(fetched_folder(released)), categories, folds, seed)
    else:
        pool = pairs_in_carriers(read_table(item_table, ITEMS), categories, carriers, seed)
        tables = carrier_splits(pool, categories, folds, seed)
    write_table(tables[0], PAIRS, pairs)
    write_table(tables[1], CONTEXTS, contexts)


def occurrences(corpus: Path, item_table: Path, out: Path, *, patterns: list[str]) -> None:
    """Count how often a corpus holds each hyponym and its category in the patterns (section 3.4)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.studies.systematicity.compare.occurrences import lines
    from relprobe.studies.systematicity.compare.occurrences import occurrences as occurrences_of
    from relprobe.studies.systematicity.schemas import ITEMS, OCCURRENCES

    found = occurrences_of(lines(fetched_folder(corpus)), read_table(item_table, ITEMS), patterns)
    write_table(found, OCCURRENCES, out)


def scores(
    model: ModelSettings,
    lexicon: Path,
    probes: Path,
    out: Path,
    *,
    top_k: int,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> None:
    """Score the probes with a model: its `top_k` first tokens at the slot, and the log-probabilities of the categories.

    `shots`: how many `examples` stand before a probe (those of the group "").
    """
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.lm.words.lexicon import LEXICON
    from relprobe.studies.systematicity.ask.requests import PROBES, requests
    from relprobe.studies.systematicity.ask.scores import answer, table, words_by_token

    network = model.load()
    all_probes, vocabulary = read_table(probes, PROBES), words_by_token(read_table(lexicon, LEXICON))
    candidates = dict(all_probes.select("probe_id", "candidates").iter_rows())
    all_requests = list(requests(all_probes, network.encoder.both_sides, shots, (examples or {}).get("", ())))
    settings = {"k": top_k, "shots": shots, "examples": examples}
    write_in_parts(
        track(all_requests, len(all_requests), "requests"),
        lambda part: answer(network, list(part), top_k),
        lambda responses: table(responses, candidates, vocabulary),
        provenance(network, model.model, [probes], digest(f"{__name__}.scores"), **settings),
        out,
        part_size(network.net),
    )
    network.log_work()


def embeddings(model: ModelSettings, contexts: Path, out: Path, *, layer: int) -> None:
    """Embed the words of the classifier's pairs in their contexts with a model. `layer` is whose states; -1 is the last."""
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.primitives.embeddings import embeddings as embed
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.studies.systematicity.ask.requests import CONTEXTS, context_requests, embeddings_table

    network = model.load()
    table = read_table(contexts, CONTEXTS)
    write_in_parts(
        track(context_requests(table), table.height, "contexts"),
        lambda part: embed(network, part, layer),
        embeddings_table,
        provenance(network, model.model, [contexts], digest(f"{__name__}.embeddings"), layer=layer),
        out,
        part_size(network.net),
    )
    network.log_work()


def static(vectors: Path, probes: Path, contexts: Path, scores: Path, embeddings: Path, *, top_k: int) -> None:
    """Score the probes and embed the words with static vectors, the baseline that knows no context (section 3.2)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.static_vectors import read
    from relprobe.studies.systematicity.measure.static import static_embeddings, static_scores
    from relprobe.studies.systematicity.schemas import CONTEXTS, EMBEDDINGS, PROBES, SCORES

    table = read(fetched_folder(vectors))
    write_table(static_scores(table, read_table(probes, PROBES), top_k), SCORES, scores)
    write_table(static_embeddings(table, read_table(contexts, CONTEXTS)), EMBEDDINGS, embeddings)


def detections(pairs: Path, embeddings: Path, out: Path, *, training: dict[str, Any], threads: int = 1) -> None:
    """Train probing classifiers on an agent's embeddings, and let them judge the test pairs (section 2.2.1).

    `training` has the fields of classifier.Training. The number of `threads` changes no decision.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.systematicity.measure.classifier import Training
    from relprobe.studies.systematicity.measure.classifier import detections as detections_of
    from relprobe.studies.systematicity.schemas import DETECTIONS, EMBEDDINGS, PAIRS

    tables = read_table(pairs, PAIRS), read_table(embeddings, EMBEDDINGS)
    write_table(detections_of(*tables, Training(**training), threads), DETECTIONS, out)


def metrics(
    scores: Path,
    probes: Path,
    item_table: Path,
    out: Path,
    detections: Path | None = None,
    *,
    seed: int,
    control: bool = False,
) -> None:
    """Measure an agent: its answers to the diagnostics and its classifier, or its answers to the controls alone.

    `seed` draws between categories of equal scores.
    """
    import polars as pl

    from relprobe.core.files import read_table, write_table
    from relprobe.studies.systematicity.measure.metrics import cloze, detection
    from relprobe.studies.systematicity.schemas import DETECTIONS, ITEMS, METRICS, PROBES, SCORES

    tables = read_table(scores, SCORES), read_table(probes, PROBES), read_table(item_table, ITEMS)
    parts = [cloze(*tables, seed, control=control)]
    if detections is not None:
        parts.append(detection(read_table(detections, DETECTIONS)))
    write_table(pl.concat(parts), METRICS, out)


def majority(item_table: Path, pairs: Path, out: Path, *, seed: int) -> None:
    """Measure the baseline that always gives the most frequent answer (section 3.2); `seed` draws between several."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.systematicity.measure.baselines import majority as majority_of
    from relprobe.studies.systematicity.schemas import ITEMS, METRICS, PAIRS

    write_table(majority_of(read_table(item_table, ITEMS), read_table(pairs, PAIRS), seed), METRICS, out)


def averages(metrics: list[Path], out: Path, *, targets: Literal["common", "own"]) -> None:
    """Average the metrics of all agents over hyponyms or pairs; each file is named after its agent.

    `targets`: the units of the study (common), or those that each agent has (own). All agents are asked all units, so that
    the two differ in no average; `own_units` marks an agent that lacks some.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.stats.averages import averages as averages_of
    from relprobe.studies.systematicity.measure.metrics import MEASURES
    from relprobe.studies.systematicity.schemas import AVERAGES, METRICS

    values = {path.stem: read_table(path, METRICS) for path in metrics}
    write_table(averages_of(values, MEASURES, targets=targets), AVERAGES, out)


def tests(
    metrics: list[Path], agents: Path, contrasts: Path, *, controls: list[str], members: list[str] | None = None
) -> None:
    """Test the differences between agents, and those within each agent, such as between singular and plural.

    A metrics file has the name of its agent. `controls`: the agents that are no language models. `members`: the checkpoints
    that are not the last of their series, which are compared with controls alone.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.stats.controls import kinds_of
    from relprobe.studies.systematicity.compare.analyses import compare
    from relprobe.studies.systematicity.compare.analyses import contrasts as contrasts_of
    from relprobe.studies.systematicity.schemas import METRICS, OWN_CONTRASTS, TESTS

    values = {path.stem: read_table(path, METRICS) for path in metrics}
    kinds = kinds_of(values, controls, members or [])
    write_table(compare(values, kinds), TESTS, agents)
    write_table(contrasts_of(values, kinds), OWN_CONTRASTS, contrasts)


def tables(
    metrics: list[Path],
    detections: list[Path],
    averages: Path,
    agents: Path,
    contrasts: Path,
    item_table: Path,
    pairs: Path,
    tables: list[Path],
    wordnet: Path | None = None,
    occurrences: Path | None = None,
    *,
    categories: dict[str, Any],
    senses: dict[str, Any],
    minimum_zipf: float,
    minimum_hyponyms: int,
    phrases: bool,
    controls: list[str],
    frequency: Literal["raw", "zipf"],
    resources: list[str] | None = None,
) -> None:
    """Write the tables of the agents and of the data (Tables 1, 2, 4, 5 and 6; sections 3.4 and 3.5).

    `wordnet` comes with the authors' data: WordNet's items are then counted beside theirs; the settings up to `phrases` are
    those of `probes`. `occurrences` comes with a corpus. `controls`: the agents that are no language models. `frequency`:
    the scale of the frequencies. `resources` names the configured optional ones.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.systematicity.schemas import AVERAGES, DETECTIONS, ITEMS, METRICS, OWN_CONTRASTS, PAIRS, TESTS
    from relprobe.studies.systematicity.show.sizes import of_data, overlap
    from relprobe.studies.systematicity.show.tables import of_agents

    values = {path.stem: read_table(path, METRICS) for path in metrics}
    decisions = {path.stem: read_table(path, DETECTIONS) for path in detections}
    items = read_table(item_table, ITEMS)
    results = of_agents(values, decisions, read_table(averages, AVERAGES), controls, frequency)
    results |= {"tests": read_table(agents, TESTS), "contrasts": read_table(contrasts, OWN_CONTRASTS)}
    results |= of_data(items, read_table(pairs, PAIRS), resources or [])
    if wordnet is not None:
        from relprobe.core.manifest import fetched_folder
        from relprobe.sources.lexical.wordnet import load
        from relprobe.studies.systematicity.ask.probes import built_items
        from relprobe.studies.systematicity.data.hyponyms import Choice, hyponyms_of

        choice = Choice(minimum_zipf, phrases, senses, minimum_hyponyms)
        built = built_items(hyponyms_of(load(fetched_folder(wordnet)), categories, choice))
        results["overlap"] = overlap(built, items.filter(set="extended"))
    if occurrences is not None:
        from relprobe.studies.systematicity.compare.occurrences import recognised
        from relprobe.studies.systematicity.schemas import OCCURRENCES

        results["patterns"] = recognised(values, read_table(occurrences, OCCURRENCES))
    write_tables(results, tables)


def choices(scores: list[Path], probes: Path, item_table: Path, tables: list[Path], *, seed: int) -> None:
    """Write the tables of the prompts, and of what other choices would change; each file of scores is named after its agent.

    `seed` draws between categories of equal scores.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.systematicity.compare import wordings
    from relprobe.studies.systematicity.compare.sensitivity import sensitivity
    from relprobe.studies.systematicity.schemas import ITEMS, PROBES, SCORES

    of_agent = {path.stem: read_table(path, SCORES) for path in scores}
    about = read_table(probes, PROBES), read_table(item_table, ITEMS)
    of_models = {agent: table for agent, table in of_agent.items() if agent != "static"}
    results = wordings.tables(of_models, *about, seed)
    write_tables(results | {"sensitivity": sensitivity(of_agent, *about, seed)}, tables)


def answer_tables(
    scores: list[Path], probes: Path, item_table: Path, wordnet: Path, tables: list[Path], *, seed: int
) -> None:
    """Write the tables of the models' answers: examples, kinds of errors, the categories' log-probabilities and tokens.

    `seed` draws between categories of equal scores.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.lexical.wordnet import load
    from relprobe.studies.systematicity.schemas import ITEMS, PROBES, SCORES
    from relprobe.studies.systematicity.show.answer_tables import of_models

    of_model = {path.stem: read_table(path, SCORES) for path in scores}
    about = read_table(probes, PROBES), read_table(item_table, ITEMS)
    write_tables(of_models(of_model, *about, load(fetched_folder(wordnet)), seed), tables)


def figures(
    averages: Path,
    category_logprobs: Path,
    detection: Path,
    figures: list[Path],
    *,
    sets: list[str],
    agents: list[str],
    kinds: dict[str, Any],
    inference: Literal["linked", "clusters", "paper"],
    families: dict[str, Any] | None = None,
) -> None:
    """Draw the accuracies (Table 2), the categories' log-probabilities (Figure 2) and the classifier's accuracies (Table 4).

    `sets` are the sets of items, `agents` are in the order of the rows; `kinds`: agent -> masked, causal or control.
    `inference`: the lines of the classifier's figure are intervals over clusters, or the paper's standard deviations.
    `families`: model -> family for all models of the config.
    """
    import polars as pl

    from relprobe.core.files import read_table
    from relprobe.report.figures import save_all
    from relprobe.studies.systematicity.schemas import AVERAGES
    from relprobe.studies.systematicity.show.figures import draw

    logprobs, decisions = (pl.read_csv(path, infer_schema_length=None) for path in (category_logprobs, detection))
    in_order = {agent: kinds[agent] for agent in agents}
    data = read_table(averages, AVERAGES), logprobs, decisions
    save_all(draw(*data, sets, in_order, inference, families), figures)


def published(
    published: Path,
    averages: Path,
    consistency: Path,
    errors: Path,
    detection: Path,
    diagnostics: Path,
    parts: Path,
    out: Path,
    patterns: Path | None = None,
) -> None:
    """Put the figures that the paper prints beside ours; `patterns` comes with a corpus."""
    import polars as pl

    from relprobe.core.files import read_table, write_csv
    from relprobe.report.published import beside, read
    from relprobe.studies.systematicity.compare.published import ours
    from relprobe.studies.systematicity.schemas import AVERAGES

    paths = [consistency, errors, detection, diagnostics, parts, *([patterns] if patterns else [])]
    tables = [pl.read_csv(path, infer_schema_length=None) for path in paths]
    write_csv(beside(read(published), ours(read_table(averages, AVERAGES), *tables)), out)


def template(out: Path) -> None:
    """Write a template of own hyponyms, a CSV file with nine categories."""
    from relprobe.core.files import whole_file
    from relprobe.studies.systematicity.data.own import TEMPLATE

    with whole_file(out) as partial:
        partial.write_text(TEMPLATE, encoding="utf-8")


def answers(scores: list[Path], probes: Path, item_table: Path, template: Path, out: Path) -> None:
    """Write the page of all agents' answers to each sentence. `scores`: a file has the name of its agent."""
    from relprobe.core.files import read_table
    from relprobe.report.answers import publish
    from relprobe.studies.systematicity.schemas import ITEMS, PROBES, SCORES
    from relprobe.studies.systematicity.show import answers_page as page

    items, asked = read_table(item_table, ITEMS), read_table(probes, PROBES)
    agents = page.agents({path.stem: read_table(path, SCORES) for path in scores}, asked, items)
    publish(page.TITLE, page.LEAD, page.probes(asked, items), page.gold(items), agents, template, out, page.LABELS)
