"""Series: agents in an order along one axis, such as the checkpoints of a training.

A series is tested for its trend (stats/series/tables.py). Its last member stands for it among the models: the others are
compared with it alone, and with no other agent. So further checkpoints do not change what is said of other agents.
"""

import re
from collections.abc import Mapping
from typing import Any

from relprobe.core.prompting import prompting_of
from relprobe.core.words import enumeration

Positions = Mapping[str, float]
"""The agents of a series and their places on its axis, in the order of the places; no two agents have one place."""
SeriesOf = Mapping[str, Positions]
"""Name of a series -> its members."""
UNITS = {"": 1, "k": 10**3, "m": 10**6, "b": 10**9, "t": 10**12}
AXES = {"layer": "layer", "step": "training step", "tokens": "tokens of training", "size": "parameters"}
"""Axis of a series -> what its places are."""
LAYERS = "layers_"
"""The beginning of the name of a figure along layers; its metric follows."""
LOGARITHMIC = ("step", "tokens", "size")
"""The axes that are drawn, and interpolated, by their logarithm."""
_NUMBER = r"(\d+)(?!\d)(?:([kmbt])(?![a-z]))?"


def step_of(revision: str) -> int | None:
    """Return the training step that the name of a checkpoint says: the number after "step", else its last number.

    A letter after the number is a thousand (k), million, billion or trillion. None: there is no number.

    >>> [step_of(name) for name in ("step101000-tokens424B", "step0-tokens0B", "global_step_20k", "ckpt-7", "main")]
    [101000, 0, 20000, 7, None]
    """
    steps, numbers = (re.findall(pattern, revision.lower()) for pattern in (rf"step[-_=]?{_NUMBER}", _NUMBER))
    number, unit = next(iter([*steps, *numbers[-1:]]), (None, ""))
    return None if number is None else int(number) * UNITS[unit]


def tokens_of(revision: str) -> int | None:
    """Return the tokens that the name of a checkpoint says it has been trained on: the number after "tokens", else None.

    >>> [tokens_of(name) for name in ("step1000-tokens4B", "step101000-tokens424B", "step1000")]
    [4000000000, 424000000000, None]
    """
    counts = re.findall(rf"tokens[-_=]?{_NUMBER}", revision.lower())
    return int(counts[0][0]) * UNITS[counts[0][1]] if counts else None


def short_number(number: float) -> str:
    """Write a large number as papers do.

    >>> [short_number(number) for number in (12, 5000, 4.4e6, 1.3e9, 2e12)]
    ['12', '5K', '4.4M', '1.3B', '2T']
    """
    units = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))
    unit, name = next(((unit, name) for unit, name in units if number >= unit), (1, ""))
    return f"{number / unit:.3g}{name}"


def interval_phrase(axis: str, after: float | None, by: float) -> str:
    """Format the interval of an axis (AXES) in which a value is reached, such as of layers; it may be at the first already.

    `after`: the last position before it, None if it is reached at the first one; `by`: the first position with it.

    >>> interval_phrase("layer", 21.0, 24.0), interval_phrase("layer", None, 0.0), interval_phrase("step", 1000.0, 2000.0)
    ('between layers 21 and 24', 'at layer 0 already', 'between training steps 1,000 and 2,000')
    >>> interval_phrase("tokens", 2e9, 4e9), interval_phrase("size", 1.35e8, 3.6e8)
    ('between 2B and 4B tokens of training', 'between 135M and 360M parameters')
    """
    name, large = AXES[axis], axis in ("tokens", "size")
    bounds = [short_number(value) if large else f"{value:,.0f}" for value in (after, by) if value is not None]
    if after is None:
        return f"at {bounds[0]} {name} already" if large else f"at {name} {bounds[0]} already"
    listed = enumeration(bounds)
    return f"between {listed} {name}" if large else f"between {name}s {listed}"


def series_of(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the series of two or more agents: name -> member -> its position, the training step.

    `entries`: agent -> what the configuration says of it; members have `series` and `step`.

    >>> entries = {"b": {"series": "gpt", "step": 20}, "a": {"series": "gpt", "step": 3}, "c": {"series": "x", "step": 1}}
    >>> series_of({**entries, "other": {}})
    {'gpt': {'a': 3, 'b': 20}}
    """
    series: dict[str, dict[str, float]] = {}
    for agent, entry in sorted(entries.items(), key=lambda item: float(item[1].get("step", 0))):
        if {"series", "step"} <= set(entry):
            series.setdefault(entry["series"], {})[agent] = entry["step"]
    return {name: members for name, members in series.items() if len(members) > 1}


def sizes_of(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the families with models of two or more sizes, from the smallest to the largest.

    `entries`: agent -> what the configuration says of it; members have `family` and `size`. Of a training, the last
    checkpoint is the model; of several models of one size, the first of the configuration.

    >>> entries = {"b": {"family": "B", "size": 2e8}, "a": {"family": "B", "size": 1e8}, "c": {"family": "C", "size": 1e8}}
    >>> sizes_of(entries)
    {'B': {'a': 100000000.0, 'b': 200000000.0}}
    """
    families: dict[str, dict[float, str]] = {}
    for agent in compared_agents(entries):
        if {"family", "size"} <= set(entries[agent]):
            families.setdefault(entries[agent]["family"], {}).setdefault(float(entries[agent]["size"]), agent)
    ordered = {name: {sizes[size]: size for size in sorted(sizes)} for name, sizes in families.items()}
    return {name: members for name, members in ordered.items() if len(members) > 1}


def series_by_axis(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, dict[str, float]]]:
    """Return the series along each axis that models of a configuration differ in: axis -> name -> member -> position.

    Checkpoints lie along the tokens of training if all of them say these, and no two of a series have read as many (as
    steps 0 and 100 of tokens0B); else along its steps. Models of a family lie along their sizes.

    >>> entries = {f"m-{step}": {"series": "m", "step": step, "tokens": 4e6 * step} for step in (1, 2)}
    >>> series_by_axis(entries)
    {'tokens': {'m': {'m-1': 4000000.0, 'm-2': 8000000.0}}}
    """
    training, axis = series_of(entries), "step"
    tokens = {
        name: {agent: float(entries[agent].get("tokens", -1)) for agent in members}
        for name, members in training.items()
    }
    if all(min(read.values()) >= 0 and len(set(read.values())) == len(read) for read in tokens.values()):
        training, axis = tokens, "tokens"
    axes = {axis: training, "size": sizes_of(entries)}
    return {axis: series for axis, series in axes.items() if series}


def compared_agents(entries: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the agents that are compared with each other: all but the members of a series that are not its last.

    >>> compared_agents({"end": {"series": "gpt", "step": 9}, "start": {"series": "gpt", "step": 1}, "people": {}})
    ['end', 'people']
    """
    earlier = {agent for members in series_of(entries).values() for agent in list(members)[:-1]}
    return [agent for agent in entries if agent not in earlier]


def members(entries: Mapping[str, dict[str, Any]]) -> list[str]:
    """Return the checkpoints that are not the last of their series, which are not compared with other models.

    `entries`: agent -> its entry of the configuration.

    >>> members({"end": {"series": "gpt", "step": 9}, "start": {"series": "gpt", "step": 1}})
    ['start']
    """
    compared = compared_agents({agent: model_properties(entry) for agent, entry in entries.items()})
    return [agent for agent in entries if agent not in compared]


def model_properties(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the properties of an agent that comparisons of models use: type, family, size, series, step, tokens, way.

    The way says how it is asked, if not with the probe alone. Agents that are asked in other ways are families and series
    of their own, so that like is compared with like:

    >>> model_properties({"model": "gpt2", "type": "causal", "family": "GPT-2", "shots": 3})
    {'type': 'causal', 'family': 'GPT-2, 3 examples', 'way': '3 examples'}
    """
    keys = ("type", "family", "size", "series", "step", "tokens")
    placed: dict[str, Any] = {key: entry[key] for key in keys if key in entry}
    conditions = prompting_of(entry)
    placed |= {key: ", ".join([placed[key], *conditions]) for key in ("family", "series") if key in placed}
    return placed | ({"way": ", ".join(conditions)} if conditions else {})
