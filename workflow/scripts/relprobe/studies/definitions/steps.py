"""The definitions study (WDLMPro), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

from relprobe.lm.settings import ModelSettings


def probes(
    dictionary: Path,
    groups: Path,
    probes: Path,
    benchmark: Path,
    *,
    parts_of_speech: list[str],
    sample: dict[str, Any] | None = None,
    targets: list[str] | None = None,
    minimum: int = 5,
    maximum: int | None = None,
) -> None:
    """Build the groups of sister synsets, a sample of them, and the probes of their tasks (section 2.1).

    `dictionary` is the manifest of the prepared WordNet or of an own dictionary, which has its own parts of speech. `sample`
    holds the number of groups to draw per part of speech and the seed, such as {"noun": 20, "verb": 20, "seed": 1}; without
    it, all groups are kept. `targets`: synsets or words that are asked in any case. `minimum`, `maximum`: the different
    words, and the different definitions, of a group.
    """
    from relprobe.core.files import write_table
    from relprobe.studies.definitions.data.benchmark import benchmark as build
    from relprobe.studies.definitions.data.build import Limits
    from relprobe.studies.definitions.data.synsets import read
    from relprobe.studies.definitions.schemas import BENCHMARK, GROUPS, PROBES

    tables = build(read(dictionary, parts_of_speech), sample, targets or (), Limits(minimum, maximum))
    for table, schema, path in zip(tables, (GROUPS, PROBES, BENCHMARK), (groups, probes, benchmark), strict=True):
        write_table(table, schema, path)


def properties(
    benchmark: Path,
    probes: Path,
    properties: Path,
    words: Path,
    counts: Path | None = None,
    dictionary: Path | None = None,
    *,
    phrases: Literal["own", "joined"] = "own",
) -> None:
    """Look up how frequent the words are, and find the definitions that tell their word.

    `counts` is the manifest of a file of counts; without it, wordfreq is asked. `dictionary`: that of an own dictionary,
    which may have counts and a language of its own. `phrases`: what is taken for their frequency.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import only_file
    from relprobe.sources.own import definitions as own_definitions
    from relprobe.sources.own import word_counts
    from relprobe.studies.definitions.data import properties as build
    from relprobe.studies.definitions.data.synsets import ENGLISH, counts_of
    from relprobe.studies.definitions.data.word_frequency import Frequencies, candidate_words
    from relprobe.studies.definitions.schemas import BENCHMARK, PROBES, PROPERTIES, WORDS

    entries = own_definitions.read(only_file(dictionary)) if dictionary else []
    of_corpus = word_counts.read(only_file(counts)) if counts else None
    language = entries[0].language if entries else ENGLISH
    frequencies = Frequencies(language, of_corpus, counts_of(entries), phrases == "joined")
    write_table(build.properties(read_table(benchmark, BENCHMARK), frequencies), PROPERTIES, properties)
    write_table(frequencies.table(candidate_words(read_table(probes, PROBES))), WORDS, words)


def scores(
    model: ModelSettings,
    probes: Path,
    prompts: Path,
    out: Path,
    *,
    capitals: bool,
    word_boundary: bool = False,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> None:
    """Score the words of every probe with a model, under the patterns for the model's type (section 2.2.1).

    `capitals`: a word at the beginning of a text gets a capital letter. `word_boundary`: a causal model says how likely the
    words end, too. `shots`: how many `examples` (part of speech -> pairs of word and definition) stand before a probe. What
    an earlier run for other probes has stored is not asked again.
    """
    from functools import partial

    from relprobe.core.digest import digest
    from relprobe.core.progress import track
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.studies.definitions.ask.prompts import read
    from relprobe.studies.definitions.ask.requests import counts, requests
    from relprobe.studies.definitions.ask.scores import PART, answer, log_inputs, table
    from relprobe.studies.definitions.ask.stored import keep, open_questions, stored

    patterns = read(prompts)["causal" if model.type == "causal" else "masked"]
    total, questions = counts(probes, patterns)
    network = model.load()
    settings = {"capitals": capitals, "word_boundary": word_boundary, "shots": shots, "examples": examples}
    about = provenance(network, model.model, [probes, prompts], digest(f"{__name__}.scores"), **settings)
    of_file = partial(requests, patterns=patterns, capitals=capitals, shots=shots, examples=examples)
    lookup = stored(out, probes, about, of_file)
    todo = track(open_questions(of_file(probes), lookup), total, "definitions in patterns")
    rows = partial(table, masked=model.type == "masked")
    ends = word_boundary and model.type != "masked"
    write_in_parts(todo, partial(answer, network, ends=ends), rows, about, out, part_size(network.net, PART))
    keep(out, probes)
    log_inputs(out, questions)
    network.log_work()


def responses(
    scores: Path,
    groups: Path,
    probes: Path,
    out: Path,
    *,
    type: Literal["masked", "causal", "encoder-decoder"],
    choices: dict[str, Any] | None = None,
) -> None:
    """Rank the candidates of every task by the scores of one model (section 2.3).

    `type` is the model's. `choices` say how scores are read where the paper leaves it open (responses.Choices).
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.definitions.measure.responses import Choices, of_pairs, ranked
    from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES, SCORES

    of_model = of_pairs(read_table(scores, SCORES), masked=type == "masked", choices=Choices(**choices or {}))
    write_table(ranked(of_model, read_table(groups, GROUPS), read_table(probes, PROBES)), RESPONSES, out)


def vectors(manifest: Path, *, name: str, entry: dict[str, Any]) -> None:
    """Fetch a set of static vectors into a folder beside its manifest. `entry` is its entry in the config."""
    from relprobe.sources.fetch import Source, fetch

    fetch(Source.of(f"vectors.{name}", entry), manifest.with_suffix(""))


def baseline(
    groups: Path,
    probes: Path,
    out: Path,
    vectors: Path | None = None,
    words: Path | None = None,
    *,
    agent: str,
) -> None:
    """Rank the candidates without a language model (section 2.3).

    `agent`: random guesses, length takes the shortest candidate, and frequency the most frequent one by `words` (WORDS);
    with the manifest of static `vectors`, an agent takes the most similar candidate.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.static_vectors import read
    from relprobe.studies.definitions.measure.baselines import commonness, guess, shortness, similarity
    from relprobe.studies.definitions.measure.responses import ranked
    from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES, WORDS

    table = read_table(probes, PROBES)
    if vectors is not None:
        scores = similarity(table, read(fetched_folder(vectors)))
    elif words is not None:
        scores = commonness(table, dict(read_table(words, WORDS).iter_rows()))
    else:
        scores = shortness(table) if agent == "length" else guess(table)
    write_table(ranked(scores, read_table(groups, GROUPS), table), RESPONSES, out)


def participants(answers: Path, groups: Path, probes: Path, out: Path) -> None:
    """Read people's answers as those of one more agent. `answers` is the manifest of their file."""
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import only_file
    from relprobe.sources.own.definition_answers import read
    from relprobe.studies.definitions.measure.people import candidates, responses
    from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES

    file, of_groups = only_file(answers), candidates(read_table(groups, GROUPS), read_table(probes, PROBES))
    write_table(responses(read(file), of_groups, file), RESPONSES, out)


def metrics(
    responses: Path,
    groups: Path,
    probes: Path,
    properties: Path,
    metrics: Path,
    sensitivity: Path,
    scores: Path | None = None,
    *,
    agent: str,
    type: Literal["masked", "causal", "encoder-decoder"] | None = None,
    ties: Literal["drawn", "expected"] = "drawn",
    choices: dict[str, Any] | None = None,
    phrases: Literal["own", "joined"] = "own",
    bands: list[int] | None = None,
) -> None:
    """Compute precision at 1 and the rank score of one agent for every group and task, and their sensitivity to choices.

    Section 2.4. `ties`: whether equal scores are ranked in a drawn order, or count by their mean over all orders. `bands`:
    the uses from which a word is medium, and frequent. `sensitivity`: the averages under each other choice about what the
    paper leaves open; `choices` and `phrases` are those of the study, `scores` and `type` a model's.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.definitions.compare.sensitivity import of_agent, of_model, table
    from relprobe.studies.definitions.measure import metrics as of
    from relprobe.studies.definitions.measure.conditions import LIMITS
    from relprobe.studies.definitions.measure.responses import Choices
    from relprobe.studies.definitions.schemas import GROUPS, METRICS, PROBES, PROPERTIES, RESPONSES, SCORES, SENSITIVITY

    answers, about, limits = read_table(responses, RESPONSES), read_table(properties, PROPERTIES), bands or LIMITS
    write_table(of.metrics(answers, about, ties, limits), METRICS, metrics)
    here = Choices(**(choices or {}) | {"ties": ties})
    rows = list(of_agent(answers, about, here, joined=phrases == "joined", limits=limits))
    if scores is not None:
        data = read_table(scores, SCORES), read_table(groups, GROUPS), read_table(probes, PROBES), about
        rows += of_model(*data, here, masked=type == "masked", limits=limits)
    write_table(table(agent, rows), SENSITIVITY, sensitivity)


def sizes(properties: Path, out: Path, *, minimum: int = 5, bands: list[int] | None = None) -> None:
    """Count the groups and their candidates, and how often a guess is right (Table 2)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.definitions.compare import sizes as count
    from relprobe.studies.definitions.measure.conditions import LIMITS
    from relprobe.studies.definitions.schemas import PROPERTIES, SIZES

    write_table(count.sizes(read_table(properties, PROPERTIES), minimum, bands or LIMITS), SIZES, out)


def averages(metrics: list[Path], out: Path, *, targets: Literal["common", "own"]) -> None:
    """Average the metrics of every agent, with intervals over families. A metrics file has the name of its agent.

    `targets`: the groups of the study (common), or those that each agent has (own). All agents are asked all groups, so that
    the two differ in no average; `own_units` marks an agent that lacks some.
    """
    from relprobe.core.files import write_table
    from relprobe.stats.averages import averages
    from relprobe.studies.definitions.compare.analyses import values_of
    from relprobe.studies.definitions.measure.metrics import MEASURES
    from relprobe.studies.definitions.schemas import AVERAGES

    write_table(averages(values_of(metrics), MEASURES, targets=targets), AVERAGES, out)


def people(metrics: list[Path], out: Path) -> None:
    """Average the metrics of every agent over the groups that people answered (Table 8)."""
    from relprobe.core.files import write_table
    from relprobe.studies.definitions.compare.analyses import compared, values_of
    from relprobe.studies.definitions.schemas import AVERAGES

    write_table(compared(values_of(metrics)), AVERAGES, out)


def tests(
    metrics: list[Path], agents: Path, tasks: Path, *, controls: list[str], members: list[str] | None = None
) -> None:
    """Test the differences between agents, and between the tasks within each agent, per part of speech.

    A metrics file has the name of its agent. `controls`: the agents that are no language models. `members`: the checkpoints
    that are not the last of their series, which are compared with controls alone.
    """
    from relprobe.core.files import write_table
    from relprobe.stats.controls import kinds_of
    from relprobe.studies.definitions.compare.analyses import compare, compare_tasks, values_of
    from relprobe.studies.definitions.schemas import HUMANS, TASK_CONTRASTS, TESTS

    values = values_of(metrics)
    kinds = kinds_of(values, controls, members or [])
    kinds |= {agent: "person" for agent in values if agent == HUMANS}
    write_table(compare(values, kinds), TESTS, agents)
    write_table(compare_tasks(values, kinds), TASK_CONTRASTS, tasks)


def tables(
    averages: Path,
    agents: Path,
    tasks: Path,
    sizes: Path,
    groups: Path,
    properties: Path,
    responses: list[Path],
    sensitivity: list[Path],
    tables: list[Path],
    people: Path | None = None,
    *,
    targets: list[str] | None = None,
) -> None:
    """Write Tables 4 to 8 and 10, the tests, the confusions of every agent, the effects of choices, and the sizes.

    `targets`: the synsets or words that the study names. `people`: the averages over the groups that people answered.
    """
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.definitions import schemas as of
    from relprobe.studies.definitions.compare.sensitivity import united
    from relprobe.studies.definitions.show.tables import all_tables, of_people

    of_agents = {path.stem: read_table(path, of.RESPONSES) for path in responses}
    data = read_table(groups, of.GROUPS), read_table(properties, of.PROPERTIES)
    results = all_tables(read_table(averages, of.AVERAGES), of_agents, *data, targets or ())
    compared = {"tests": read_table(agents, of.TESTS), "tasks": read_table(tasks, of.TASK_CONTRASTS)}
    effects = united(read_table(path, of.SENSITIVITY) for path in sensitivity)
    others = {**compared, "data": read_table(sizes, of.SIZES), "sensitivity": effects}
    if people is not None:
        others["people"] = of_people(read_table(people, of.AVERAGES))
    written = {path.stem for path in tables}
    write_tables({name: table for name, table in {**results, **others}.items() if name in written}, tables)


def figures(
    averages: Path, figures: list[Path], *, kinds: dict[str, Any], families: dict[str, Any] | None = None
) -> None:
    """Draw the averages per task, frequency and depth.

    `kinds`: agent -> humans, masked, causal or control; `families`: model -> family for all models of the config.
    """
    from relprobe.core.files import read_table
    from relprobe.report.figures import save_all
    from relprobe.studies.definitions.schemas import AVERAGES
    from relprobe.studies.definitions.show.figures import draw

    names = [path.stem for path in figures]
    save_all(draw(read_table(averages, AVERAGES), kinds, names, families), figures)


def published(
    published: Path, averages: Path, sizes: Path, out: Path, people: Path | None = None, *, paper: bool = True
) -> None:
    """Put the figures that the paper prints beside ours. `paper`: whether the data are the paper's."""
    from relprobe.core.files import read_table, write_csv
    from relprobe.report.published import beside, read
    from relprobe.studies.definitions.compare.published import ours
    from relprobe.studies.definitions.schemas import AVERAGES, SIZES

    theirs = read(published)
    of_people = read_table(people, AVERAGES) if people else None
    of_run = ours(read_table(averages, AVERAGES), read_table(sizes, SIZES), of_people)
    write_csv(beside(theirs if paper else theirs.head(0), of_run), out)


def template(dictionary: Path, counts: Path) -> None:
    """Write an example of an own dictionary, and of a file of counts: two CSV files to change."""
    from relprobe.core.files import whole_file
    from relprobe.studies.definitions.data.template import COUNTS, DICTIONARY

    for path, text in ((dictionary, DICTIONARY), (counts, COUNTS)):
        with whole_file(path) as partial:
            partial.write_text(text, encoding="utf-8")


def questionnaire(
    groups: Path, probes: Path, out: Path, *, participants: int = 2, each: int | None = None, seed: int = 1
) -> None:
    """Write the empty form of people's answers: groups of up to ten candidates, which every participant ranks.

    `participants`: their number. `each`: how many groups are drawn, the same for all; by default all are asked.
    """
    from relprobe.core.files import read_table, write_csv
    from relprobe.studies.definitions.measure.people import candidates, form
    from relprobe.studies.definitions.schemas import GROUPS, PROBES

    of_study = read_table(groups, GROUPS)
    texts = candidates(of_study, read_table(probes, PROBES))
    write_csv(form(texts, of_study, participants, each, seed), out)


def answers(
    responses: list[Path], groups: Path, properties: Path, template: Path, out: Path, *, source: str = "WordNet"
) -> None:
    """Write the page of all agents' answers to each task.

    `responses`: a file has the name of its agent. `source`: the name of the dictionary.
    """
    from relprobe.core.files import read_table
    from relprobe.report.answers import publish
    from relprobe.studies.definitions.schemas import GROUPS, PROPERTIES, RESPONSES
    from relprobe.studies.definitions.show import answers_page

    table = read_table(groups, GROUPS)
    agents = answers_page.agents({path.stem: read_table(path, RESPONSES) for path in responses}, table)
    data = answers_page.probes(table, read_table(properties, PROPERTIES)), answers_page.gold(table, source)
    publish(answers_page.TITLE, answers_page.LEAD, *data, agents, template, out, answers_page.LABELS)
