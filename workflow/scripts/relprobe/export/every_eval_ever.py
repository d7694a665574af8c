"""Results as records of Every Eval Ever: one JSON object per agent and study, and one line per answer.

The schema is that of the package every-eval-ever (eval.schema.json and instance_level_eval.schema.json).
"""

import hashlib
import itertools
import json
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from relprobe.core.files import Parquet, read_parquet, sha256, whole_folder, write_json, write_text
from relprobe.core.prompting import BARE, network_of, prompting_of
from relprobe.core.study import study_of
from relprobe.version import __version__

Record = dict[str, Any]
SCHEMA_VERSION = "0.3.0"
DETAILS = (
    *("type", "family", "size", "huggingface", "revision", "pypi", "file", "sha256", "dtype", "bos"),
    *("model", "shots", "chat", "task", "samples", "thoughts", "context"),
)
"""The keys of a model's entry that a record repeats: no paths and addresses of this machine."""
LEVEL = 0.95
"""The confidence level of all intervals."""
ANSWERS_PER_PROBE = 5
"""How many words of a response an instance holds."""
SPACES = {
    "tokens": "the likeliest token of the model's whole vocabulary at the slot, which may be no word",
    "lexicon": "the likeliest word at the slot of the words that are one token of the model",
    "words": "the likeliest word of the study's word list at the slot, of any number of tokens",
    "candidates": "the likeliest word of the relation's closed list at the slot",
}
"""What the first answer is, by what may be an answer (`relations.answers`)."""
LISTS = "the commonest word of the lists that the model wrote"
"""What it is for an agent that writes lists."""


@dataclass(frozen=True)
class Run:
    """What all records of a run share: the study, when it was computed (seconds since 1970), who ran it, with what.

    `relationship` is that of the organisation to the makers of the models, in the words of the schema. `less_is_better`: the
    metrics whose smaller values are better.
    """

    study: str
    computed: int
    organisation: str
    relationship: str
    version: str
    less_is_better: Collection[str] = ()


@dataclass(frozen=True)
class Files:
    """What the records of a study are made of.

    `metrics`, `top_words`: those of each agent. Without `probes` and `relata` there are no instances.
    """

    averages: Path
    metrics: list[Path] | None = None
    top_words: list[Path] | None = None
    probes: Parquet | None = None
    relata: Parquet | None = None


@dataclass(frozen=True)
class Settings:
    """What the configuration says.

    `models`: name -> entry. `organisation`, `relationship`: as in `Run`. `answers`: what may be an answer in the relations
    study, which its instances say.
    """

    study: str
    models: dict[str, Any]
    organisation: str = "unknown"
    relationship: Literal["first_party", "third_party", "collaborative", "other"] = "other"
    answers: Literal["tokens", "lexicon", "words", "candidates"] = "tokens"


def every_eval_ever(files: Files, settings: Settings, out: Path) -> None:
    """Write the averages of a study as records of Every Eval Ever, with instances if there are probes and answers."""
    less = [metric.name for metric in study_of(settings.study).metrics() if metric.less_is_better]
    computed = int(files.averages.stat().st_mtime)
    run = Run(settings.study, computed, settings.organisation, settings.relationship, __version__, less)
    with whole_folder(out) as folder:
        for agent, record in records(read_parquet(files.averages), settings.models, run).items():
            write(record, _instances(agent, record, files, settings), folder)


def _instances(agent: str, record: Record, files: Files, settings: Settings) -> Iterable[Record]:
    """Return the lines of an agent; none without its answers, or without probes that have a right answer."""
    values, words = ({path.stem: path for path in paths or ()} for paths in (files.metrics, files.top_words))
    if files.probes is None or files.relata is None or agent not in values.keys() & words.keys():
        return ()
    agent_values, first = read_parquet(values[agent]), read_parquet(words[agent])
    space = LISTS if "task" in settings.models[agent] else SPACES[settings.answers]
    return soundness_instances(record, agent_values, files.probes, files.relata, first, space)


def records(averages: pl.DataFrame, models: Mapping[str, Mapping[str, Any]], run: Run) -> dict[str, Record]:
    """Return agent -> its record, for the agents of `models`, which maps them to their entries in the configuration.

    An agent of the degrees study is a model and how it rates, such as "gpt2 schema"; its entry is that of the model.
    Baselines and people are no models, so they have no record. A value that could not be computed is left out.
    """
    present = averages.drop_nulls("value").partition_by("agent", as_dict=True, maintain_order=True)
    return {
        str(agent): _record(str(agent), models, table, run)
        for (agent,), table in present.items()
        if _model_of(agent) in models
    }


def _model_of(agent: object) -> str:
    """Return the model of an agent; a model's name has no blank.

    >>> _model_of("gpt2 schema"), _model_of("gpt2")
    ('gpt2', 'gpt2')
    """
    return str(agent).partition(" ")[0]


def _record(agent: str, models: Mapping[str, Mapping[str, Any]], averages: pl.DataFrame, run: Run) -> Record:
    agent_entry = models[_model_of(agent)]
    name = network_of(_model_of(agent), agent_entry)
    entry = {**models.get(name, {}), **agent_entry}  # an agent that shares a model has its source in the model's entry
    model = {
        "name": name,
        "id": model_id(name, entry),
        "inference_engine": {"name": "relprobe", "version": run.version},
    }
    details = {key: str(entry[key]) for key in DETAILS if key in entry}
    details |= {f"peft.{key}": str(value) for key, value in entry.get("peft", {}).items() if key in DETAILS}
    asked = {"agent": agent, "way_of_asking": ", ".join(prompting_of(agent_entry)) or BARE}
    is_local = "endpoint" not in entry
    facts = {
        "deployment_type": "self_deployed" if is_local else "unknown",
        "model_availability": "open_weights" if is_local else "unknown",
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": f"relprobe-{run.study}/{model['id']}/{agent}/{run.computed}",
        "evaluation_timestamp": str(run.computed),
        "retrieved_timestamp": str(run.computed),
        "source_metadata": {
            "source_name": "relprobe",
            "source_type": "evaluation_run",
            "source_organization_name": run.organisation,
            "evaluator_relationship": run.relationship,
        },
        "eval_library": {"name": "relprobe", "version": run.version},
        "model_info": {**model, "additional_details": details | facts},
        "evaluation_results": [
            {**_result(row, run), "generation_config": {"additional_details": asked}}
            for row in averages.iter_rows(named=True)
        ],
    }


def model_id(agent: str, entry: Mapping[str, Any]) -> str:
    """Return the Hugging Face id of an agent's model; that of a model from elsewhere is "local/" and its name.

    >>> model_id("gpt2", {"huggingface": "openai-community/gpt2"}), model_id("own", {"path": "models/own"})
    ('openai-community/gpt2', 'local/own')
    """
    name = str(entry.get("huggingface", agent))
    return name if "/" in name else f"local/{name}"


def _result(row: Mapping[str, Any], run: Run) -> Record:
    before_value = itertools.takewhile(lambda key: key != "value", row)  # the conditions of a value stand before it
    conditions = {key: row[key] for key in before_value if key not in ("agent", "metric") and row[key] is not None}
    metric = str(row["metric"])
    named = ", ".join(f"{key} {value}" for key, value in conditions.items())
    uncertainty: Record = {"num_samples": row["units"]}
    if row["low"] is not None:
        method = "over linked items or clusters, docs/statistics.md of relprobe"
        interval = {"lower": row["low"], "upper": row["high"], "confidence_level": LEVEL, "method": method}
        uncertainty["confidence_interval"] = interval
    details = {
        key: str(row[key]) for key in ("clusters", "effective_n", "coverage", "note") if row.get(key) is not None
    }
    return {
        "evaluation_result_id": result_id(run.study, metric, conditions),
        "evaluation_name": f"relprobe {run.study}: {metric}" + (f" ({named})" if named else ""),
        "source_data": {"dataset_name": f"relprobe {run.study}", "source_type": "other"},
        "metric_config": {
            "metric_id": f"relprobe.{run.study}.{metric}".replace(" ", "_"),
            "metric_name": metric,
            "metric_parameters": conditions,
            "lower_is_better": metric in run.less_is_better,
        },
        "score_details": {"score": row["value"], "details": details, "uncertainty": uncertainty},
    }


def result_id(study: str, metric: str, conditions: Mapping[str, Any]) -> str:
    """Return the id that joins an instance with its aggregate.

    >>> result_id("relations", "soundness", {"relation": "HYP"})
    'relations/soundness/relation=HYP'
    """
    return "/".join([study, metric, *(f"{key}={value}" for key, value in conditions.items())])


def soundness_instances(
    record: Record,
    metrics: pl.DataFrame,
    probes: pl.DataFrame,
    relata: pl.DataFrame,
    top_words: pl.DataFrame,
    space: str,
) -> Iterator[Record]:
    """Yield a line per probe of the relations study: the probe, its relata, the first words, and whether the first is right.

    `metrics`, `probes`, `relata` and `top_words` are the agent's and the study's tables of these names. With ties for the
    first place, the score is the share of right words among them, and only 1 counts as correct. `space`: what the first word
    is the likeliest of.
    """
    sets = relata.group_by("target", "relation").agg(pl.col("relatum").sort())
    words = top_words.sort("rank").group_by("probe_id").agg(pl.col("word").head(ANSWERS_PER_PROBE))
    table = (
        metrics.filter(pl.col("metric") == "soundness")
        .select("relation", "target", "prompt_id", "value")
        .join(probes.filter(pl.col("kind") == "main"), on=["relation", "target", "prompt_id"])
        .join(sets, on=["target", "relation"], how="left")
        .join(words, on="probe_id", how="left")
        .sort("probe_id")
    )
    for row in table.iter_rows(named=True):
        yield _instance(record, row, space)


def _instance(record: Record, row: Mapping[str, Any], space: str) -> Record:
    answers, relata = row["word"] or [], row["relatum"] or []
    extraction = {"turn_idx": 0, "source": "output.raw", "extraction_method": space, "is_terminal": True}
    extractions = [{**extraction, "extracted_value": answers[0]}] if answers else []
    return {
        "schema_version": SCHEMA_VERSION,
        "evaluation_id": record["evaluation_id"],
        "model_id": record["model_info"]["id"],
        "evaluation_name": f"relprobe relations: soundness (relation {row['relation']})",
        "evaluation_result_id": result_id("relations", "soundness", {"relation": row["relation"]}),
        "sample_id": row["probe_id"],
        "sample_hash": hashlib.sha256(json.dumps([row["text"], relata]).encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {"raw": row["text"], "reference": relata},
        "output": {"raw": answers},
        "answer_attribution": extractions,
        "evaluation": {"score": row["value"], "is_correct": row["value"] == 1},
        "metadata": {key: row[key] for key in ("relation", "target", "prompt_id")},
    }


def write(record: Record, instances: Iterable[Record], folder: Path) -> Path:
    """Write a record and its instances where the database of Every Eval Ever expects them; return the record's file.

    The files are `data/relprobe-STUDY/DEVELOPER/MODEL/ID.json` and, if there are instances, `ID_samples.jsonl` beside it.
    The ID is a UUID that the evaluation's id decides.
    """
    benchmark, developer, model, *_ = record["evaluation_id"].split("/")
    digest = hashlib.sha256(record["evaluation_id"].encode()).digest()
    name = str(uuid.UUID(bytes=digest[:16], version=4))
    path = folder / "data" / benchmark / developer / model / f"{name}.json"
    samples = path.with_name(f"{name}_samples.jsonl")
    lines = [json.dumps(instance, ensure_ascii=False) + "\n" for instance in instances]
    if lines:
        write_text("".join(lines), samples)
        written = {"format": "jsonl", "file_path": samples.relative_to(folder).as_posix(), "total_rows": len(lines)}
        check = {"hash_algorithm": "sha256", "checksum": sha256(samples)}
        record = {**record, "detailed_evaluation_results": written | check}
    write_json(record, path)
    return path
