"""The definitions study (WDLMPro), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

from relprobe.lm.settings import ModelSettings


def probes(wordnet: Path, groups: Path, probes: Path, sizes: Path, *, sample: dict[str, Any] | None = None) -> None:
    """Build the groups of sister synsets, a sample of them, and the probes of their tasks (section 2.1).

    `wordnet` is the manifest of the prepared database. `sample` holds the number of groups to draw per part of speech and
    the seed, such as {"noun": 20, "verb": 20, "seed": 1}; without it, all groups are kept.
    """
    from relprobe.core.files import write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.wordnet import load
    from relprobe.studies.definitions.benchmark import benchmark
    from relprobe.studies.definitions.schemas import GROUPS, PROBES, SIZES

    tables = benchmark(load(fetched_folder(wordnet)), sample)
    for table, schema, path in zip(tables, (GROUPS, PROBES, SIZES), (groups, probes, sizes), strict=True):
        write_table(table, schema, path)


def scores(
    model: ModelSettings,
    probes: Path,
    prompts: Path,
    out: Path,
    *,
    capitals: bool,
    shots: int = 0,
    examples: dict[str, Any] | None = None,
) -> None:
    """Score the words of every probe with a model, under the patterns for the model's type (section 2.2.1).

    `capitals`: a word at the beginning of a text gets a capital letter. `shots`: how many `examples` (part of speech ->
    pairs of word and definition) stand before a probe.
    """
    from functools import partial

    from relprobe.core.digest import digest
    from relprobe.core.progress import track
    from relprobe.lm.score_files.parts import part_size, provenance, write_in_parts
    from relprobe.studies.definitions.prompts import read
    from relprobe.studies.definitions.requests import counts, requests
    from relprobe.studies.definitions.scores import PART, answer, log_inputs, table

    patterns = read(prompts)[model.type]
    total, questions = counts(probes, patterns)
    network = model.load()
    settings = {"capitals": capitals, "shots": shots, "examples": examples}
    about = provenance(network, model.model, [probes, prompts], digest(f"{__name__}.scores"), **settings)
    todo = track(
        requests(probes, patterns, capitals=capitals, shots=shots, examples=examples), total, "definitions in patterns"
    )
    rows = partial(table, masked=model.type == "masked")
    write_in_parts(todo, partial(answer, network), rows, about, out, part_size(network.net, PART))
    log_inputs(out, questions)
    network.log_work()


def responses(scores: Path, groups: Path, probes: Path, out: Path, *, type: Literal["masked", "causal"]) -> None:
    """Rank the candidates of every task by the scores of one model (section 2.3). `type` is the model's."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.definitions.responses import of_pairs, ranked
    from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES, SCORES

    of_model = of_pairs(read_table(scores, SCORES), masked=type == "masked")
    write_table(ranked(of_model, read_table(groups, GROUPS), read_table(probes, PROBES)), RESPONSES, out)


def baseline(groups: Path, probes: Path, out: Path, vectors: Path | None = None) -> None:
    """Rank the candidates without a language model: at random or, with static vectors, by similarity (section 2.3)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.static_vectors import read
    from relprobe.studies.definitions.baselines import guess, similarity
    from relprobe.studies.definitions.responses import ranked
    from relprobe.studies.definitions.schemas import GROUPS, PROBES, RESPONSES

    table = read_table(probes, PROBES)
    scores = guess(table) if vectors is None else similarity(table, read(fetched_folder(vectors)))
    write_table(ranked(scores, read_table(groups, GROUPS), table), RESPONSES, out)


def metrics(responses: Path, groups: Path, out: Path) -> None:
    """Compute precision at 1 and the rank score of one agent for every group and task (section 2.4)."""
    from relprobe.core.files import read_table, write_table
    from relprobe.studies.definitions.metrics import metrics
    from relprobe.studies.definitions.schemas import GROUPS, RESPONSES, VALUES

    write_table(metrics(read_table(responses, RESPONSES), read_table(groups, GROUPS)), VALUES, out)


def averages(metrics: list[Path], out: Path, *, targets: Literal["common", "own"]) -> None:
    """Average the metrics of every agent, with intervals over families. A metrics file has the name of its agent.

    `targets`: average over the groups that all agents have (common), or over those that each has (own).
    """
    from relprobe.core.averages import averages
    from relprobe.core.files import write_table
    from relprobe.studies.definitions.analyses import values_of
    from relprobe.studies.definitions.metrics import METRICS
    from relprobe.studies.definitions.schemas import AVERAGES

    write_table(averages(values_of(metrics), METRICS, targets=targets), AVERAGES, out)


def tests(metrics: list[Path], agents: Path, tasks: Path, *, controls: list[str]) -> None:
    """Test the differences between agents, and between the tasks within each agent, per part of speech.

    A metrics file has the name of its agent. `controls`: the agents that are no language models.
    """
    from relprobe.core.files import write_table
    from relprobe.core.inference_schemas import Kind
    from relprobe.studies.definitions.analyses import compare, compare_tasks, values_of
    from relprobe.studies.definitions.schemas import TASK_CONTRASTS, TESTS

    values = values_of(metrics)
    kinds: dict[str, Kind] = {agent: "control" if agent in controls else "model" for agent in values}
    write_table(compare(values, kinds), TESTS, agents)
    write_table(compare_tasks(values, kinds), TASK_CONTRASTS, tasks)


def tables(
    averages: Path, agents: Path, tasks: Path, sizes: Path, groups: Path, responses: list[Path], tables: list[Path]
) -> None:
    """Write Tables 4 to 7 and 10, the tests, the confusions of every agent, and the sizes of the groups."""
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.definitions.schemas import AVERAGES, GROUPS, RESPONSES, SIZES, TASK_CONTRASTS, TESTS
    from relprobe.studies.definitions.tables import all_tables

    of_agents = {path.stem: read_table(path, RESPONSES) for path in responses}
    results = all_tables(read_table(averages, AVERAGES), of_agents, read_table(groups, GROUPS))
    compared = {"tests": read_table(agents, TESTS), "tasks": read_table(tasks, TASK_CONTRASTS)}
    others = {**compared, "data": read_table(sizes, SIZES)}
    write_tables(results | others, tables)


def figures(averages: Path, figures: list[Path], *, kinds: dict[str, Any]) -> None:
    """Draw the averages per task, frequency and depth. `kinds`: agent -> masked, causal or baseline."""
    from relprobe.core.files import read_table
    from relprobe.report.figures import save_all
    from relprobe.studies.definitions.figures import draw
    from relprobe.studies.definitions.schemas import AVERAGES

    save_all(draw(read_table(averages, AVERAGES), kinds), figures)


def published(published: Path, averages: Path, sizes: Path, out: Path) -> None:
    """Put the figures that the paper prints beside ours."""
    from relprobe.core.files import read_table, write_csv
    from relprobe.report.published import beside, read
    from relprobe.studies.definitions.published import ours
    from relprobe.studies.definitions.schemas import AVERAGES, SIZES

    write_csv(beside(read(published), ours(read_table(averages, AVERAGES), read_table(sizes, SIZES))), out)


def answers(responses: list[Path], groups: Path, template: Path, out: Path) -> None:
    """Write the page of all agents' answers to each task. `responses`: a file has the name of its agent."""
    from relprobe.core.files import read_table
    from relprobe.report.answers import publish
    from relprobe.studies.definitions import answers_page
    from relprobe.studies.definitions.schemas import GROUPS, RESPONSES

    table = read_table(groups, GROUPS)
    agents = answers_page.agents({path.stem: read_table(path, RESPONSES) for path in responses}, table)
    data = answers_page.probes(table), answers_page.gold(table)
    publish(answers_page.TITLE, answers_page.LEAD, *data, agents, template, out, answers_page.LABELS)
