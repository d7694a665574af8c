"""An agent has only what its way of asking changes: no two agents of a network are asked alike, in the plan of any study."""

import importlib
import itertools
import re
import shlex
from collections import defaultdict
from typing import get_type_hints

import polars as pl
import pytest
from relprobe.core.cli import function_of
from relprobe.core.step import Part, options_of
from relprobe.steps import GROUPS
from relprobe.studies import STUDIES

from tests.workflow import toy

pytestmark = pytest.mark.slow("it plans a hundred jobs that ask models, and runs two studies")
CAUSAL_ENTRY = {"model": "tiny-causal"}
WAYS = {
    "few": {"shots": 2},
    "fewer": {"shots": 1},
    "chat": {"chat": True},
    "chat-few": {"chat": True, "shots": 2},
    "context": {"context": "Words and their kinds."},
    "copy": {},
    "layers": {"layers": "all"},
    "few-layers": {"shots": 2, "layers": "all"},
    "chat-layers": {"chat": True, "layers": "all"},
    "people": {"task": "people"},
    "orders": {"task": "people", "orders": 2},
    "one-order": {"task": "people", "orders": 1},
    "samples": {"task": "people", "samples": 2},
    "chat-people": {"task": "people", "chat": True},
}
"""All ways of asking a model that a configuration may name, and some together."""


def planned(study: toy.Study) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the commands that ask a model: step and what it makes -> agent -> the words, without its own files.

    A command makes several files where it asks several things; to each belong the options that it depends on.
    """
    done = study.snakemake("--dry-run", "--forceall", "--printshellcmds")
    assert done.returncode == 0, done.stderr
    job = (
        r"^(?:local)?rule \w+:\n((?:    .*\n)+?)Shell command: [^\n]*python -m relprobe ((?s:.*?))"
        r"(?=\n(?:local)?rule \w+:\n|\n\[\w{3} \w{3}|\nJob stats|\Z)"  # a line of a chat may have several lines
    )
    commands: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for about, line in re.findall(job, done.stdout + done.stderr, re.MULTILINE):
        words = shlex.split(line)
        agent = re.search(r"wildcards: .*?model=([\w-]+)", about)
        if not (agent and "--model" in words):
            continue
        for file, options in results(words).items():
            place = re.sub(rf"\b{re.escape(agent[1])}\.", "AGENT.", file)
            # Files of the model have the name of the entry that says where it is, which is an agent as well.
            own = [not word.startswith(("resources/", "results/models/")) for word in options]
            asked = tuple(
                word.replace(f"/{agent[1]}.", "/AGENT.") if names_agent else word
                for word, names_agent in zip(options, own, strict=True)
            )
            assert agent[1] not in commands[f"{words[0]}_{words[1]} {place}"]
            commands[f"{words[0]}_{words[1]} {place}"][agent[1]] = asked
    return commands


def results(words: list[str]) -> dict[str, tuple[str, ...]]:
    """Return each file that a command makes of a model's answers, and the words that it depends on: all, or its part's."""
    module, _, name = function_of(GROUPS[words[0]], words[1]).rpartition(".")
    kind = get_type_hints(getattr(importlib.import_module(module), name), include_extras=True)["return"]
    parts = {}
    for option, one in get_type_hints(kind, include_extras=True).items() if hasattr(kind, "_fields") else ():
        (part,) = [form for form in metadata_of(one) if isinstance(form, Part)] or [None]
        if part is not None:
            parts[option] = {f"--{known.name.replace('_', '-')}" for known in options_of(part.function)}
    at = {word: place for place, word in enumerate(words) if word.startswith("--")}
    if not parts:
        return {words[at["--out"] + 1]: tuple(words)} if "--out" in at else {}
    found = {}
    for option, known in parts.items():
        if (flag := f"--{option}") in at:
            places = [*sorted(at.values()), len(words)]
            spans = {words[a]: words[a:b] for a, b in itertools.pairwise(places)}
            found[words[at[flag] + 1]] = tuple(word for name in spans if name in known for word in spans[name])
    return found


def metadata_of(kind: object) -> tuple[object, ...]:
    """Return the metadata of `Annotated[…]`, also of `Annotated[…] | None`."""
    kinds = [kind, *getattr(kind, "__args__", ())]
    return tuple(one for part in kinds for one in getattr(part, "__metadata__", ()))


@pytest.fixture(scope="module")
def asked(server, tmp_path_factory):
    """A plan of all studies in which the models are asked in all ways; copies stand before and behind what they repeat."""
    study = toy.make(tmp_path_factory.mktemp("copies") / "study", STUDIES, server.environment)
    models = study.config["models"]
    entries_by_way = {f"by-{way}": {**CAUSAL_ENTRY, **entry} for way, entry in WAYS.items()}
    masked_entries = {"masked-few": {"model": "tiny-masked", "shots": 2}, "masked-copy": {"model": "tiny-masked"}}
    study.configure(models={**entries_by_way, **masked_entries, "tiny-causal": models["tiny-causal"], **models})
    study.set("relations", layers={"map": "none"})
    return planned(study)


def test_no_two_agents_of_a_network_are_asked_alike(asked):
    """The manifest of the network is a word of the command, so that equal commands ask one network."""
    asking = {place.split()[0] for place in asked}
    assert {f"{study}_scores" for study in STUDIES} <= asking
    assert {"relations_layer_scores", "degrees_layer_scores", "degrees_writing", "relations_writing"} <= asking
    alike = {}
    for place, commands in asked.items():
        agents = defaultdict(list)
        for agent, words in commands.items():
            agents[words].append(agent)
        alike |= {(place, *names): words for words, names in agents.items() if len(names) > 1}
    assert alike == {}


def test_every_way_that_changes_what_is_asked_is_asked(asked):
    """The rule takes nothing away that an agent does not have from another one."""
    agents = {
        place.split()[1].removeprefix("results/").removesuffix("/AGENT.parquet"): set(commands)
        for place, commands in asked.items()
    }
    answering = {"tiny-causal", "tiny-masked", "by-few", "by-fewer", "by-chat", "by-chat-few", "by-context"}
    everywhere = answering | {"masked-few"}
    reading = {"tiny-causal", "tiny-masked", "by-chat", "by-context"}
    assert agents["systematicity/scores"] == agents["analogies/scores"] == everywhere
    assert agents["definitions/scores"] == everywhere | {"by-copy"}  # tiny-causal alone has capitals
    assert agents["systematicity/embeddings"] == agents["analogies/embeddings"] == reading
    assert agents["degrees/scores/schema"] == agents["degrees/scores/pmi"] == everywhere
    assert agents["degrees/scores/analogy"] == agents["degrees/scores/hidden"] == reading
    layer_agents = {"by-layers", "by-chat-layers"}
    assert agents["relations/layer_scores"] == layer_agents | {"by-few-layers"}
    assert agents["degrees/layer_scores"] == agents["systematicity/layer_embeddings"] == layer_agents
    task_agents = {"by-people", "by-samples", "by-chat-people"}
    assert agents["degrees/writing"] == agents["definitions/writing"] == task_agents | {"by-orders"}
    assert agents["relations/writing"] == task_agents | {"tiny-list"}


def test_an_agent_with_examples_changes_no_test_of_what_no_example_reaches(server, tmp_path):
    """It has rows of what examples reach, and none of what the agent without examples has as well; a copy has none."""
    studies = ["systematicity", "degrees"]
    study = toy.make(tmp_path / "study", studies, server.environment)
    models = {name: {"type": kind, "path": f"data/{kind}"} for name, kind in kinds_of(study).items()}
    study.configure(models=models)
    made = [f"results/{name}/{table}.parquet" for name in studies for table in ("tests", "averages")]
    study.finish("results/systematicity/detection.parquet", *made)
    before = {name: study.table(f"{name}/tests.parquet") for name in studies}
    asked_alike = {"tiny-few": {"model": "tiny-causal", "shots": 1}, "tiny-copy": {"model": "tiny-causal"}}
    study.configure(models={**asked_alike, **models})
    study.finish("results/systematicity/detection.parquet", *made)

    after = study.table("systematicity/tests.parquet")
    is_detection = pl.col("metric").str.starts_with("detection")
    assert after.filter(is_detection).equals(before["systematicity"].filter(is_detection))
    assert before["systematicity"].filter(is_detection).height > 0
    assert "tiny-few" not in set(study.table("systematicity/detection.parquet")["agent"])
    assert "tiny-few" in set(study.table("systematicity/averages.parquet")["agent"])

    rater_tests = study.table("degrees/tests.parquet")
    repeated = pl.col("condition").is_in(["analogy", "analogy-mean", "hidden", "tiny-causal", "tiny-masked"])
    assert rater_tests.filter(repeated).equals(before["degrees"].filter(repeated))
    few_raters = {agent.split()[1] for agent in study.table("degrees/averages.parquet")["agent"] if "tiny-few" in agent}
    assert few_raters == {"schema", "schema-mean", "pmi"}
    assert not (study.results / "degrees/scores/hidden/tiny-few.parquet").exists()
    assert "tiny-copy" not in {agent.split()[0] for agent in study.table("degrees/averages.parquet")["agent"]}
    assert "tiny-copy" not in set(study.table("systematicity/averages.parquet")["agent"])

    said = "tiny-copy takes no part in the studies systematicity, degrees, where it is asked as tiny-causal is"
    done = study.snakemake("--dry-run", "--printshellcmds", "results/report.html")
    before_jobs, _, command = (done.stderr + done.stdout).partition("python -m relprobe report index")
    assert said in before_jobs
    assert said in command


def kinds_of(study: toy.Study) -> dict[str, str]:
    """Return the models of the toy that answer probes: name -> type, which is the name of its folder."""
    return {name: entry["type"] for name, entry in study.config["models"].items() if "path" in entry}
