"""The relations study (Cao et al.), step by step: its table of contents."""

from pathlib import Path
from typing import Any, Literal

STEPS = {
    "tuples": (
        "data.tuple_sources:tuples",
        "Unite the tuples of the sources, and add the reverse of each (section 4.1).",
    ),
    "probes": ("ask.probes:asked", "Put the targets of the tuples into the prompts (sections 4.2 and 5.2)."),
    "relata": ("data.relata:relata", "Build the relatum sets in the shared lexicon (section 4.3)."),
    "examples": ("ask.shots:examples", "List the solved instances that may stand before every probe."),
    "scores": ("ask.scoring:scores", "Score the probes with a model: its best tokens at every slot."),
    "draws": ("ask.scoring:draws", "Score a sample of the probes with other draws of their examples."),
    "writing": ("ask.writing:writing", "Let a model write up to five words to every main probe (section 6.1)."),
    "word_list": ("data.word_list:word_list", "List the words that may be answers of any length."),
    "words": ("ask.scoring:words", "Score the probes with a model: its likeliest words of any length."),
    "candidates": ("data.candidates:candidates", "Make the closed lists of candidates."),
    "candidate_scores": ("ask.scoring:candidate_scores", "Score the closed lists with a model."),
    "questionnaire": ("ask.questionnaire:form", "Write the empty form of a CSV file of people's answers."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""


def responses(
    answers: Path,
    probes: Path,
    prompts: Path,
    relations: Path,
    language: Path,
    lists: Path,
    out: Path,
    tables: list[Path],
) -> None:
    """Turn the annotators' answers into lists, and all lists of a probe into one response: ranked words (section 5).

    The table unmatched_answers has the answers to no probe of the study. DataError: these are all answers of the file.
    """
    import logging

    from relprobe.core.errors import DataError
    from relprobe.core.files import read_table, write_table, write_tables
    from relprobe.core.manifest import only_file
    from relprobe.sources.human_responses import read
    from relprobe.sources.language import read as read_language
    from relprobe.sources.relations import read as read_relations
    from relprobe.studies.relations.ask.prompts import read as read_prompts
    from relprobe.studies.relations.measure.responses.ranked_lists import (
        LISTS,
        annotator_lists,
        of_annotators,
        unmatched,
    )
    from relprobe.studies.relations.schemas import PROBES, RESPONSES

    file, asked = only_file(answers), (read_table(probes, PROBES), read_prompts(prompts))
    words = read(file, read_relations(relations).answer_keys, read_language(language).answer_articles)
    lost = unmatched(words, *asked)
    if lost.height == words.height:
        why = f" Of the first one, {lost['reason'][0]}." if lost.height else ""
        raise DataError(f"{file}: none of its {words.height} answers is to a probe of the study.{why} Compare the two.")
    logging.getLogger("relprobe").info("%d of %d answers are to no probe of the study.", lost.height, words.height)
    people = annotator_lists(words, *asked)
    write_tables({"unmatched_answers": lost}, tables)
    write_table(people, LISTS, lists)
    write_table(of_annotators(people), RESPONSES, out)


def norms(norms: Path, probes: Path, out: Path, *, form: Literal["associations", "feature_norms"]) -> None:
    """Turn norms of people, who were asked without prompts, into the responses of an agent."""
    import polars as pl

    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import only_file
    from relprobe.sources.own import norms as readers
    from relprobe.studies.relations.measure.responses.norms import of_norms
    from relprobe.studies.relations.schemas import PROBES, RESPONSES

    read = {"associations": readers.associations, "feature_norms": readers.feature_norms}[form]
    with pl.StringCache():
        write_table(of_norms(read(only_file(norms)), read_table(probes, PROBES)), RESPONSES, out)


def control(
    probes: Path,
    relata: Path,
    tuples: Path,
    shared_lexicon: Path,
    relations: Path,
    language: Path,
    out: Path,
    vectors: Path | None = None,
    candidates: Path | None = None,
    *,
    agent: Literal["majority", "neighbours", "frequency"],
    top_k: int,
) -> None:
    """Answer the probes as a control does, which knows nothing of the relation: the responses of the agent.

    `vectors`: the manifest of static vectors, for neighbours. `candidates`: the closed lists, if these limit the answers.
    `top_k`: the number of words of a response; words that tie with the last are there, too.
    """
    from relprobe.core.files import read_table, write_table
    from relprobe.core.manifest import fetched_folder
    from relprobe.sources.language import read as read_language
    from relprobe.sources.static_vectors import read as read_vectors
    from relprobe.studies.relations.data.own_words import CANDIDATES
    from relprobe.studies.relations.measure.responses.controls import responses
    from relprobe.studies.relations.schemas import RESPONSES

    gold = _gold(probes, relata, tuples, shared_lexicon, relations)
    static = None if vectors is None else read_vectors(fetched_folder(vectors))
    lists = None if candidates is None else read_table(candidates, CANDIDATES)
    table = responses(agent, gold, top_k, read_language(language).wordfreq, static, lists)
    write_table(table, RESPONSES, out)


def relation_pairs(
    probes: Path,
    relata: Path,
    tuples: Path,
    shared_lexicon: Path,
    relations: Path,
    out: Path,
    tables: list[Path],
    lists: Path | None = None,
    *,
    minimum_targets: int,
) -> None:
    """Count the targets of each ordered pair of relations, and choose those that AuDC is over.

    `lists`: those of the annotators, whose targets count where people take part. `minimum_targets`: how many a pair needs.
    """
    from relprobe.core.files import read_table, write_table, write_tables
    from relprobe.studies.relations.measure import relation_pairs
    from relprobe.studies.relations.measure.responses.ranked_lists import LISTS
    from relprobe.studies.relations.schemas import PAIRS

    gold = _gold(probes, relata, tuples, shared_lexicon, relations)
    answered = None if lists is None else read_table(lists, LISTS)
    table = relation_pairs.relation_pairs(gold, minimum_targets, answered)
    write_table(table, PAIRS, out)
    write_tables({"relation_pairs": table}, tables)


def metrics(
    probes: Path,
    relata: Path,
    alternatives: Path,
    pairs: Path,
    tuples: Path,
    shared_lexicon: Path,
    relations: Path,
    metrics: Path,
    sensitivity: Path,
    top_words: Path,
    chance: Path,
    use: Path,
    scores: Path | None = None,
    lexicon: Path | None = None,
    responses: Path | None = None,
    lists: Path | None = None,
    writing: Path | None = None,
    words: Path | None = None,
    candidates: Path | None = None,
    norms: Path | None = None,
    control: Path | None = None,
    without_target: Path | None = None,
    examples: Path | None = None,
    *,
    shots: int = 0,
    choices: dict[str, Any],
    answers: Literal["tokens", "lexicon", "words", "candidates"] = "tokens",
    calibrate: Literal["none", "prior", "premise"] = "none",
    spoken: bool = False,
) -> None:
    """Compute the metrics of one agent per probe or tuple (section 5), their sensitivity to choices, and its best words.

    `pairs`: the pairs of relations that AuDC counts. `chance`: its distances beside those of chance. `use`: whether it uses
    the relation, per prompt.

    The agent is a model, with `scores` and its own `lexicon` (`spoken`: it was asked in words) or with the lists of its
    `writing`, or the humans, with `responses`, or people's `norms`, or a `control`, with its responses, or a model's answers
    `without_target`, with the `examples` before its probes if it has `shots`. Without these it is one of the annotators,
    whose `lists` are also what prototypicality compares with. `choices` are the fields of Choices. A model most of whose
    lists cannot be read (unreadable.py) has no values, but its best words are there to be looked at.
    `words` and `candidates`: the model's scores of words of any length, and of those of closed lists. `answers`: what counts
    as an answer of a model (answer_space.py). `calibrate`: "prior" and "premise" rank a model's words by how much the target
    changes them (calibration.py).
    """
    import logging

    from relprobe.core.files import read_table, write_table
    from relprobe.lm.words.lexicon import LEXICON
    from relprobe.studies.relations import schemas
    from relprobe.studies.relations.compare.agent_tables import Agent, agent_tables
    from relprobe.studies.relations.measure.metrics import Choices
    from relprobe.studies.relations.measure.responses.answer_space import choose, log_short, rankings
    from relprobe.studies.relations.measure.responses.ranked_lists import LISTS, read
    from relprobe.studies.relations.measure.responses.unreadable import absence
    from relprobe.studies.relations.measure.responses.without_target import read as alone

    gold = _gold(probes, relata, tuples, shared_lexicon, relations)
    people = None if lists is None else read_table(lists, LISTS)
    if scores is not None and lexicon is not None:
        spaces = rankings(scores, read_table(lexicon, LEXICON), gold.shared_lexicon, words, candidates, spoken=spoken)
        own, others = choose(spaces, answers, calibrate, gold.probes)
        agent = Agent(own.responses, people, own.left_out, others)
        if answers == "words":
            log_short(own.responses, gold.probes, gold.relata)
    elif without_target is not None and lexicon is not None:
        tokens = read_table(lexicon, LEXICON)
        agent = Agent(alone(without_target, tokens, gold, answers, examples, shots, spoken=spoken), people)
    elif control is not None:
        agent = Agent(read(control), people)
    elif people is not None and not any((responses, writing, norms)):
        agent = Agent(None, people)
    else:
        told = read(responses or norms, writing=writing)
        agent = Agent(told, people, people=responses is not None, pooled=responses is None)
    sets, counted = read_table(alternatives, schemas.ALTERNATIVES), read_table(pairs, schemas.PAIRS)
    results = agent_tables(agent, gold, sets, counted, Choices(**choices))
    if writing is not None and (reason := absence(read_table(writing, schemas.WRITING))):
        logging.getLogger("relprobe").warning("%s has %s", metrics.stem, reason)
        results |= {name: table.clear() for name, table in results.items() if name != "top_words"}
    write_table(results["metrics"], schemas.METRICS, metrics)
    write_table(results["sensitivity"], schemas.SENSITIVITY, sensitivity)
    write_table(results["chance"], schemas.CHANCE, chance)
    write_table(results["use"], schemas.USE, use)
    write_table(results["top_words"], schemas.TOP_WORDS, top_words)


def shots(
    scores: list[Path],
    draws: list[Path],
    lexicons: list[Path],
    probes: Path,
    relata: Path,
    tuples: Path,
    shared_lexicon: Path,
    relations: Path,
    tables: list[Path],
    *,
    spoken: list[str] | None = None,
    choices: dict[str, Any],
) -> None:
    """Compare the draws of examples of every agent that has some, on a sample of the probes.

    `scores`, `draws` and `lexicons`: a file of each such agent. `spoken`: those that were asked in words.
    """
    import polars as pl

    from relprobe.core.files import write_tables
    from relprobe.studies.relations.compare.draws import SHOTS_DRAWS, draws_of
    from relprobe.studies.relations.measure.metrics import Choices

    gold = _gold(probes, relata, tuples, shared_lexicon, relations)
    rows = [
        draws_of(own.stem, own, others, lexicon, gold, Choices(**choices), spoken=own.stem in (spoken or []))
        for own, others, lexicon in zip(scores, draws, lexicons, strict=True)
    ]
    write_tables({"shots_draws": pl.concat([pl.DataFrame(schema=SHOTS_DRAWS), *rows])}, tables)


def spaces(
    scores: list[Path],
    words: list[Path],
    lexicons: list[Path],
    word_list: Path,
    probes: Path,
    relata: Path,
    tuples: Path,
    shared_lexicon: Path,
    relations: Path,
    tables: list[Path],
    *,
    choices: dict[str, Any],
) -> None:
    """Compare what counts as an answer (tokens, the lexicon, words of any length) on the sample of probes.

    `scores`, `words` and `lexicons`: a file of each agent that has answered with words of the `word_list` too.
    """
    import polars as pl

    from relprobe.core.files import read_table, write_tables
    from relprobe.lm.words.lexicon import LEXICON, WORDS
    from relprobe.studies.relations.compare.answer_spaces import SPACES, spaces_of
    from relprobe.studies.relations.measure.metrics import Choices

    gold = _gold(probes, relata, tuples, shared_lexicon, relations)
    listed = read_table(word_list, WORDS)
    rows = [
        spaces_of(own.stem, own, read_table(tokens, LEXICON), these, listed, gold, Choices(**choices))
        for own, these, tokens in zip(scores, words, lexicons, strict=True)
    ]
    write_tables({"answer_spaces": pl.concat([pl.DataFrame(schema=SPACES), *rows])}, tables)


def ceiling(
    lists: Path,
    probes: Path,
    relata: Path,
    tuples: Path,
    shared_lexicon: Path,
    relations: Path,
    tables: list[Path],
) -> None:
    """Measure how far the annotators of a probe agree: the noise ceiling of soundness and prototypicality."""
    from relprobe.core.files import read_table, write_tables
    from relprobe.studies.relations.compare.lists.human_ceiling import ceiling as ceiling_of
    from relprobe.studies.relations.measure.responses.ranked_lists import LISTS

    gold, answers = _gold(probes, relata, tuples, shared_lexicon, relations), read_table(lists, LISTS)
    write_tables({"ceiling": ceiling_of(answers, gold)}, tables)


def _of_agents(paths: list[Path], schema: Any) -> dict[str, Any]:
    """Read the tables of all agents; each file has the name of its agent."""
    from relprobe.core.files import read_table

    return {path.stem: read_table(path, schema) for path in paths}


def _gold(probes: Path, relata: Path, tuples: Path, shared_lexicon: Path, relations: Path) -> Any:
    """Read the gold standard from its files."""
    from relprobe.core.files import read_table
    from relprobe.lm.words.lexicon import WORDS
    from relprobe.sources.relations import read as read_relations
    from relprobe.studies.relations.data.gold import GoldStandard
    from relprobe.studies.relations.schemas import PROBES, RELATA, TUPLES

    gold, sets, every = read_table(probes, PROBES), read_table(relata, RELATA), read_table(tuples, TUPLES)
    return GoldStandard(gold, sets, every, read_table(shared_lexicon, WORDS), read_relations(relations))


STEPS |= {
    "averages": ("compare.analyses:averages", "Average the metrics of all agents per relation (section 5.3)."),
    "tests": ("compare.analyses:between_agents", "Test the differences between all pairs of agents (section 7.3)."),
    "contrasts": (
        "compare.analyses:between_relations",
        "Test the differences between all pairs of relations within each agent.",
    ),
    "trends": ("compare.trends:trends", "Test the trend of each series, and its members against the last."),
    "relation_use": (
        "compare.relation_use:relation_use",
        "Test whether each agent uses the relation that it is asked for.",
    ),
    "entropy": ("compare.lists.entropy:entropy", "Analyse the entropy of all human answers (section 6.2)."),
    "comparisons": (
        "compare.comparisons:comparisons",
        "Compare sizes and types of models, and prompts (section 8).",
    ),
    "claims": ("compare.claims:claims", "Count which significant differences remain, figure by figure of the paper."),
    "attrition": ("show.attrition:attrition", "Name and count what was lost, and count what is left."),
    "tables": (
        "show.tables:tables",
        "Write the size of the study, and the averages, tests and best words of all agents.",
    ),
    "answers": ("show.answers_page:answers", "Write the page of all agents' first answers to each probe."),
    "figures": ("show.figures:figures", "Draw the metrics, the distances between relations, and what they depend on."),
    "published": ("compare.published:published", "Put the figures that the paper prints beside ours."),
}
"""Step -> its function, as MODULE:NAME, and what it does."""
