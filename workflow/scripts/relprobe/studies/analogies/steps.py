"""The analogies study (Rezaee and Camacho-Collados), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

from relprobe.lm.settings import ModelSettings


def instances(
    bats: Path,
    tuples: Path,
    instances: Path,
    *,
    train_share: float,
    seed: int,
    draws: int = 1,
    lexical: bool = False,
    sample_tuples: int | None = None,
    sample_instances: int | None = None,
    sample_swapped: int = 0,
    random: Literal["positive", "query"] = "positive",
    reverse: Literal["random", "own"] = "random",
    type: Literal["positive", "printed"] = "positive",
    filter: bool = True,
) -> None:
    """Split the tuples into training and test, and pair every positive with a negative per probe (sections 2.2, 2.3).

    Below them stand controls: `sample_swapped` test instances of each relation, draw and probe, with a query of another
    relation. This is done `draws` times. `lexical`: no word of a test tuple is seen in training. `sample_tuples` of each
    relation are taken, and `sample_instances` of each relation, draw, partition and probe; without them all are taken.
    `seed` is of the splits, the samples and the negatives. `bats` is the manifest of BATS or of own analogies. `random`
    to `filter` say how negatives are made where the paper leaves it open (negatives.Choices).
    """
    import polars as pl

    from relprobe.core.files import write_table
    from relprobe.studies.analogies.data import instances as build
    from relprobe.studies.analogies.data.negatives import Choices
    from relprobe.studies.analogies.data.swapped import swapped_queries
    from relprobe.studies.analogies.data.word_pairs import read
    from relprobe.studies.analogies.schemas import INSTANCES, TUPLES

    pairs = read(bats)
    table = build.tuples(pairs, sample_tuples, build.Split(train_share, seed, draws, lexical))
    write_table(table, TUPLES, tuples)
    choices = Choices(random, reverse, type, filter)
    asked = build.instances(table, pairs, sample_instances, seed, choices)
    write_table(pl.concat([asked, swapped_queries(asked, table, sample_swapped, seed)]), INSTANCES, instances)


def sensitivity(
    bats: Path,
    vectors: Path,
    out: Path,
    *,
    train_share: float,
    seed: int,
    lexical: bool = False,
    random: Literal["positive", "query"] = "positive",
    reverse: Literal["random", "own"] = "random",
    type: Literal["positive", "printed"] = "positive",
    filter: bool = True,
) -> None:
    """Judge all tuples by static vectors, with the negatives of the study and with each other choice about them.

    The settings are those of `instances`; there is one draw.
    """
    from relprobe.core.files import write_csv
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.static_vectors import read as read_vectors
    from relprobe.studies.analogies.compare import sensitivity as other
    from relprobe.studies.analogies.data.instances import Split
    from relprobe.studies.analogies.data.negatives import Choices
    from relprobe.studies.analogies.data.word_pairs import read

    split, choices = Split(train_share, seed, 1, lexical), Choices(random, reverse, type, filter)
    write_csv(other.sensitivity(read(bats), read_vectors(fetched_folder(vectors)), split, choices), out)


def probes(instances: Path, out: Path, *, template: str) -> None:
    """Put the instances into the sentence of the study: the different sentences, each of which is scored once."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.analogies.ask.probes import PROBES, probes
    from relprobe.studies.analogies.ask.template import Template
    from relprobe.studies.analogies.schemas import INSTANCES

    write_table(probes(read_table(instances, INSTANCES), Template.of(template)), PROBES, out)


def scores(
    model: ModelSettings,
    probes: Path,
    out: Path,
    *,
    partitions: list[Literal["train", "test"]],
    template: str | None = None,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> None:
    """Score the sentences of some partitions with a model: the (pseudo-)log-probability of each.

    `shots`: how many `examples` (those of the group "") in the `template` stand before a sentence.
    """
    import polars as pl

    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.primitives.sentences import pseudo_logprob
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.studies.analogies.ask.probes import PROBES
    from relprobe.studies.analogies.ask.requests import PART, score_table, sentence_requests
    from relprobe.studies.analogies.ask.template import Template

    table = read_table(probes, PROBES).filter(pl.col("partition").is_in(partitions))
    network = model.load()
    filled = None if template is None else Template.of(template)
    sentences = sentence_requests(table, filled, shots, (examples or {}).get("", ()))
    requests = track(sentences, table["text"].n_unique(), "sentences")
    settings = {"partitions": partitions, "template": template, "shots": shots, "examples": examples}
    about = provenance(network, model.model, [probes], digest(f"{__name__}.scores"), **settings)
    size = part_size(network.net, PART)
    write_in_parts(requests, lambda part: pseudo_logprob(network, part), score_table, about, out, size)
    network.log_work()


def embeddings(
    model: ModelSettings,
    probes: Path,
    out: Path,
    *,
    template: str,
    layer: int,
    precision: Literal["half", "single"] = "half",
) -> None:
    """Embed the four words of every sentence with a model, in a layer of hidden states; -1 is the last (section 2.4).

    `precision`: whether the vectors are stored in 16 or 32 bits.
    """
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.progress import track
    from relprobe.lm.primitives.embeddings import embeddings
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.studies.analogies.ask.precision import halved
    from relprobe.studies.analogies.ask.probes import PROBES
    from relprobe.studies.analogies.ask.requests import embedding_table, span_requests
    from relprobe.studies.analogies.ask.template import Template

    table = read_table(probes, PROBES)
    network = model.load()
    count = table.select("relation", "text").n_unique()
    requests = track(span_requests(table, Template.of(template)), count, "sentences")
    code = digest(f"{__name__}.embeddings")
    about = provenance(network, model.model, [probes], code, layer=layer, precision=precision)
    size, table_of = part_size(network.net), halved(embedding_table) if precision == "half" else embedding_table
    write_in_parts(requests, lambda part: embeddings(network, part, layer), table_of, about, out, size)
    network.log_work()


def encoder(
    encoder: Path,
    instances: Path,
    out: Path,
    *,
    template: str | None = None,
    pooling: Literal["average_no_mask", "average", "mask", "cls", "last"] | None = None,
    dtype: Literal["float32", "bfloat16", "float16"] = "float32",
    device_map: Literal["none", "auto"] = "none",
    device: str = "auto",
    threads: int = 1,
) -> None:
    """Embed every pair of words with an encoder, as RelBERT does; its own template and pooling are the defaults.

    `dtype`: that of the weights; `device_map` auto spreads them over all GPUs.
    """
    import torch

    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.lm.score_files.parts import made_of, part_size, write_in_parts
    from relprobe.studies.analogies.ask.encoder import load
    from relprobe.studies.analogies.ask.pair_embeddings import pairs, vector_table
    from relprobe.studies.analogies.schemas import INSTANCES

    torch.set_num_threads(threads)
    folder, spread = fetched_folder(encoder), device_map == "auto"
    network = load(folder, template, pooling, device, getattr(torch, dtype), spread=spread)
    settings = {"template": network.template, "pooling": network.pooling, "dtype": dtype}
    about = made_of([encoder, instances], digest(f"{__name__}.encoder"), **settings)
    word_pairs = pairs(read_table(instances, INSTANCES))
    write_in_parts(word_pairs, network.embed, vector_table, about, out, part_size(network.net))


def static(vectors: Path, instances: Path, out: Path) -> None:
    """Embed every pair of words by the difference of its static vectors."""
    from relprobe.core.digest import digest
    from relprobe.core.files import read_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.lm.score_files.parts import made_of, write_in_parts
    from relprobe.sources.static_vectors import read
    from relprobe.studies.analogies.ask.pair_embeddings import differences, pairs, vector_table
    from relprobe.studies.analogies.schemas import INSTANCES

    words, word_pairs = read(fetched_folder(vectors)), pairs(read_table(instances, INSTANCES))
    about = made_of([vectors, instances], digest(f"{__name__}.static"))
    write_in_parts(word_pairs, lambda part: differences(part, words), vector_table, about, out)


def supervised(
    vectors: Path,
    instances: Path,
    out: Path,
    *,
    template: str | None = None,
    hidden: list[int] | None = None,
    epochs: int,
    batch: int,
    learning_rate: float,
    seeds: list[int],
    device: str = "cpu",
    threads: int = 1,
) -> None:
    """Train an agent's classifiers on the training tuples of each relation, and let them judge the test tuples.

    `vectors` holds the embeddings of words in the sentences of `template`, or, without a template, embeddings of pairs.
    `hidden` to `seeds` are the perceptron's form and training; without `hidden` it is linear. They are
    trained on the `device`; auto is a GPU where there is one.
    """
    import polars as pl
    import torch

    from relprobe.core.files import read_table, write_table
    from relprobe.lm.network.devices import claim
    from relprobe.studies.analogies.ask.template import Template
    from relprobe.studies.analogies.measure.classifier import Settings
    from relprobe.studies.analogies.measure.features import features_in
    from relprobe.studies.analogies.measure.supervised import decisions
    from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES

    torch.set_num_threads(threads)
    features = features_in(vectors, Template.of(template) if template else None)
    where, _locks = claim(device)
    settings = Settings(tuple(hidden or ()), epochs, batch, learning_rate, tuple(seeds), where)
    write_table(pl.concat(decisions(read_table(instances, INSTANCES), features, settings)), DECISIONS, out)


def unsupervised(
    scores: Path,
    instances: Path,
    out: Path,
    *,
    template: str,
    partitions: list[Literal["train", "test"]],
    perplexity: Literal["sentence", "token"],
) -> None:
    """Let a model choose between the positive and the negative tuple of each instance, by perplexity (Eq. 1)."""
    import polars as pl

    from relprobe.core.files import read_columns, read_table, write_table
    from relprobe.studies.analogies.ask.requests import SCORES
    from relprobe.studies.analogies.ask.template import Template
    from relprobe.studies.analogies.measure.unsupervised import by_perplexity
    from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES

    table = read_table(instances, INSTANCES).filter(pl.col("partition").is_in(partitions))
    logprobs = pl.DataFrame(read_columns(scores, SCORES.names))
    write_table(by_perplexity(table, logprobs, Template.of(template), perplexity), DECISIONS, out)


def cosines(vectors: Path, instances: Path, out: Path, *, partitions: list[Literal["train", "test"]]) -> None:
    """Let a baseline choose between the positive and the negative tuple of each instance, by cosine (section 3.1)."""
    import polars as pl

    from relprobe.core.files import read_table, write_table
    from relprobe.studies.analogies.measure.unsupervised import by_cosine
    from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES

    table = read_table(instances, INSTANCES).filter(pl.col("partition").is_in(partitions))
    write_table(pl.concat(by_cosine(table, vectors)), DECISIONS, out)


def metrics(choices: Path, tuples: Path, out: Path, decisions: Path | None = None) -> None:
    """Compute the accuracies of an agent in both settings: a row per tuple, for relations and groups.

    `choices` and `decisions`: those of the unsupervised and of the supervised setting, which an agent may lack.
    """
    import polars as pl

    from relprobe.core.files import read_table, write_table
    from relprobe.studies.analogies.measure.metrics import metrics
    from relprobe.studies.analogies.schemas import DECISIONS, METRICS, TUPLES

    judged = pl.concat(read_table(path, DECISIONS) for path in (decisions, choices) if path is not None)
    write_table(metrics(judged, read_table(tuples, TUPLES)), METRICS, out)


def averages(metrics: list[Path], out: Path, *, targets: Literal["common", "own"]) -> None:
    """Average the accuracies of all agents, with intervals over families of tuples or over relations.

    `targets`: the tuples of the study (common), or those that each agent has (own). All agents are asked all of them, so
    that the two differ in no average; `own_units` marks an agent that lacks some.
    """
    from relprobe.core.files import write_table
    from relprobe.stats.averages import averages
    from relprobe.stats.schemas import AVERAGES
    from relprobe.studies.analogies.measure.metrics import MEASURES, values_of

    write_table(averages(values_of(metrics), MEASURES, targets=targets), AVERAGES, out)


def tests(metrics: list[Path], out: Path, *, kinds: dict[str, Any], members: list[str] | None = None) -> None:
    """Test the differences between agents, over families of tuples within a relation and over relations within a group.

    `kinds`: agent -> masked, causal or control. `members`: the checkpoints that are not the last of their series, which are
    compared with controls alone.
    """
    from relprobe.core.files import write_table
    from relprobe.stats.comparisons import paired_tests
    from relprobe.stats.schemas import TESTS
    from relprobe.studies.analogies.measure.metrics import MEASURES, kinds_of_agents, values_of

    write_table(paired_tests(values_of(metrics), MEASURES, kinds=kinds_of_agents(kinds, members or [])), TESTS, out)


def contrasts(
    metrics: list[Path], probes: Path, queries: Path, *, kinds: dict[str, Any], members: list[str] | None = None
) -> None:
    """Test within every agent which of the `probes` is harder, and what the right `queries` add to swapped ones.

    `kinds` and `members` as in `tests`: members of a series are a family of their own.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.analogies.measure.metrics import contrasts, kinds_of_agents, swapped, values_of
    from relprobe.studies.analogies.schemas import CONTRASTS_OF_CONDITIONS

    values, kinds_of = values_of(metrics), kinds_of_agents(kinds, members or [])
    write_table(contrasts(values, kinds_of), CONTRASTS_OF_CONDITIONS, probes)
    write_table(swapped(values, kinds_of), CONTRASTS_OF_CONDITIONS, queries)


def frequency(decisions: list[Path], tuples: Path, out: Path) -> None:
    """Test whether the agents err on rare words in the supervised setting (section 4); a file has its agent's name."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.analogies.compare.frequency import frequency_tests
    from relprobe.studies.analogies.schemas import DECISIONS, FREQUENCY, TUPLES
    from relprobe.studies.analogies.show.tables import relation_names

    of_agents = {path.stem: read_table(path, DECISIONS) for path in decisions}
    data = read_table(tuples, TUPLES)
    write_table(frequency_tests(of_agents, data, relation_names(data)), FREQUENCY, out)


def tables(
    averages: Path,
    tests: Path,
    contrasts: Path,
    queries: Path,
    frequency: Path,
    decisions: list[Path],
    tuples: Path,
    instances: Path,
    tables: list[Path],
    *,
    inference: Literal["linked", "clusters", "paper"],
) -> None:
    """Write Tables 1 and 2, the tests, the frequencies, the sizes of the sets, and what could not be judged.

    `decisions`: the files of all agents in the one setting, then in the other; each has the name of its agent. `inference`
    chooses the test that decides whether frequency plays a role.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.stats.schemas import AVERAGES, TESTS
    from relprobe.studies.analogies.schemas import CONTRASTS_OF_CONDITIONS, DECISIONS, FREQUENCY, INSTANCES, TUPLES
    from relprobe.studies.analogies.show.tables import all_tables

    results = read_table(averages, AVERAGES), read_table(tests, TESTS), read_table(contrasts, CONTRASTS_OF_CONDITIONS)
    of_queries, of_words = read_table(queries, CONTRASTS_OF_CONDITIONS), read_table(frequency, FREQUENCY)
    of_agents = ((path.stem, read_table(path, DECISIONS)) for path in decisions)
    data = read_table(tuples, TUPLES), read_table(instances, INSTANCES)
    write_tables(dict(all_tables(*results, of_queries, of_words, of_agents, *data, inference)), tables)


def figures(
    averages: Path,
    tuples: Path,
    figures: list[Path],
    *,
    kinds: dict[str, Any],
    families: dict[str, Any] | None = None,
) -> None:
    """Draw the accuracies per group and per relation.

    `kinds`: agent -> masked, causal or control; `families`: model -> family for all models of the config.
    """
    from relprobe.core.files import read_table
    from relprobe.report.figures import save_all
    from relprobe.stats.schemas import AVERAGES
    from relprobe.studies.analogies.data.relations import relations_of
    from relprobe.studies.analogies.schemas import TUPLES
    from relprobe.studies.analogies.show.figures import draw

    relations = relations_of(read_table(tuples, TUPLES))
    save_all(draw(read_table(averages, AVERAGES), relations, kinds, families), figures)


def answers(decisions: list[Path], instances: Path, tuples: Path, template: Path, out: Path) -> None:
    """Write the page of all agents' choices in the unsupervised setting. `decisions`: a file has the name of its agent."""
    from relprobe.core.files import read_table
    from relprobe.report.answers import publish
    from relprobe.studies.analogies.schemas import DECISIONS, INSTANCES, TUPLES
    from relprobe.studies.analogies.show import answers_page
    from relprobe.studies.analogies.show.tables import relation_names

    of_agents = {path.stem: read_table(path, DECISIONS) for path in decisions}
    names = relation_names(read_table(tuples, TUPLES))
    judged = next(iter(of_agents.values()))
    choices = answers_page.instances(read_table(instances, INSTANCES), judged, names)
    agents = [answers_page.agent(name, table, choices) for name, table in of_agents.items()]
    data = answers_page.probes(choices), answers_page.gold(choices)
    publish(answers_page.TITLE, answers_page.LEAD, *data, agents, template, out, answers_page.LABELS)


def published(
    published: Path,
    averages: Path,
    frequency: Path,
    out: Path,
    *,
    inference: Literal["linked", "clusters", "paper"],
    paper: bool = True,
) -> None:
    """Put the figures that the paper prints beside ours. `inference` chooses the test that decides about frequency.

    `paper`: whether the data are the paper's; on own analogies nothing is put beside.
    """
    from relprobe.core.files import read_table, write_csv
    from relprobe.report.published import beside, read
    from relprobe.stats.schemas import AVERAGES
    from relprobe.studies.analogies.compare.published import ours
    from relprobe.studies.analogies.schemas import FREQUENCY
    from relprobe.studies.analogies.show.tables import frequency_summary

    shares = frequency_summary(read_table(frequency, FREQUENCY), inference)
    theirs = read(published)
    write_csv(beside(theirs if paper else theirs.head(0), ours(read_table(averages, AVERAGES), shares)), out)


def template(out: Path) -> None:
    """Write a template of own analogies, a CSV file with two relations."""
    from relprobe.core.files import whole_file
    from relprobe.studies.analogies.data.word_pairs import TEMPLATE

    with whole_file(out) as partial:
        partial.write_text(TEMPLATE, encoding="utf-8")
