"""The file of a study's relations: what docs/how-to/own-relations.md describes."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from relprobe.core.errors import DataError
from relprobe.core.files import Format, read_yaml
from relprobe.core.relation import Links, Relation, Relations
from relprobe.core.words import hint
from relprobe.sources.lexical.pointers import CO_LEMMA, LEMMA, PARTS_OF_SPEECH, PRINCETON

KEYS = (
    *("name", "inverse", "symmetric", "part_of_speech", "wordnet", "shares_words_with", "prototypical"),
    *("answers", "sources"),
)
LINK_KEYS = ("pointers", "depth", "senses", "spelling", "tuples")
NAMES: Mapping[str, tuple[str, ...] | None] = {"hyperlex": None, "category_norms": ("exemplar", "part")}
"""Source of tuples that has names of its own for relations -> these names; None: any text."""
MOST_STEPS = 20


def read(path: Path) -> Relations:
    """Read a file of relations: code -> {name, inverse or symmetric, part_of_speech, wordnet, …}, in the order of tables.

    DataError: a sentence on the first fault, which names the relation, the key and the hint.
    """
    content = read_yaml(path)
    if not isinstance(content, dict) or not content:
        raise DataError(f"{path}: expected relations, each a code with its keys: copy one from english-nouns.yaml.")
    for code, entry in content.items():
        _check_code(f"{path}: {code!r}", code, entry)
    entries = tuple(_relation(f"{path}: {code}", code, entry) for code, entry in content.items())
    relations = Relations(entries)
    for relation in entries:
        _check_others(f"{path}: {relation.code}", relation, relations)
    return relations


RelationsFile = Annotated[Relations, Format(read)]


def _check_code(where: str, code: Any, entry: Any) -> None:
    if not isinstance(code, str) or not code.isalnum():
        raise DataError(f"{where} is no code of a relation: write letters and digits alone, such as HYP.")
    if not isinstance(entry, dict):
        raise DataError(f"{where} should have keys such as name and part_of_speech, not {entry!r}.")


def _relation(where: str, code: str, entry: dict[str, Any]) -> Relation:
    _check_keys(where, entry, (*KEYS, *NAMES))
    symmetric, inverse = _truth(where, entry, "symmetric"), entry.get("inverse")
    if symmetric == (inverse is not None):
        fault = "is symmetric and has an inverse" if symmetric else "is not symmetric and has no inverse"
        raise DataError(f"{where} {fault}: write either `symmetric: true` or `inverse: CODE`.")
    texts = {key: _text(where, entry, key) for key in ("inverse", "answers")}
    if "name" not in entry:
        raise DataError(f"{where} has no name: add it; tables and figures show it.")
    part_of_speech = entry.get("part_of_speech", "noun")
    _one_of(where, "part_of_speech", part_of_speech, PARTS_OF_SPEECH)
    return Relation(
        code,
        str(_text(where, entry, "name")),
        texts["inverse"] or code,
        part_of_speech,
        _links(where, entry["wordnet"]) if "wordnet" in entry else None,
        _texts(where, entry, "shares_words_with"),
        _truth(where, entry, "prototypical"),
        texts["answers"],
        _sources(where, entry),
    )


def _sources(where: str, entry: dict[str, Any]) -> dict[str, str]:
    """Return source -> the relation's name in it: of the key `sources`, or of a key with the name of the source."""
    inside = entry.get("sources", {})
    if not isinstance(inside, dict):
        raise DataError(f"{where}.sources is {inside!r}, but must be a mapping, such as {{hyperlex: hyp}}.")
    _check_keys(f"{where}.sources", inside, NAMES)
    sections = [(f"{where}.sources", inside), (where, {key: entry[key] for key in NAMES if key in entry})]
    names = {}
    for section, entries in sections:
        for source in entries:
            if (name := _text(section, entries, source)) is None:
                continue
            if source in names:
                raise DataError(f"{where} names {source} twice: take out the one that does not stand below `sources`.")
            if (known_names := NAMES[source]) is not None:
                _one_of(section, source, name, known_names)
            names[source] = name
    return names


def _links(where: str, entry: Any) -> Links:
    where = f"{where}.wordnet"
    if not isinstance(entry, dict):
        raise DataError(f"{where} should have the key pointers, such as {{pointers: [hypernym]}}, not {entry!r}.")
    _check_keys(where, entry, LINK_KEYS)
    pointers = _texts(where, entry, "pointers")
    if not pointers:
        raise DataError(f"{where} has no pointers: name one or several of {', '.join(PRINCETON)}.")
    for pointer in pointers:
        _one_of(where, "pointers", pointer, PRINCETON)
    depth, senses = entry.get("depth", 1), entry.get("senses", "all")
    spelling = entry.get("spelling", "written")
    if type(depth) is not int or not 1 <= depth <= MOST_STEPS:
        raise DataError(f"{where}.depth is {depth!r}: write a whole number from 1 to {MOST_STEPS}.")
    words = [pointer for pointer in pointers if pointer in LEMMA or pointer == CO_LEMMA]
    if depth > 1 and words:
        raise DataError(f"{where}.depth is {depth}, but {words[0]} joins words and no synsets: write depth: 1.")
    _one_of(where, "senses", senses, ("all", "first"))
    _one_of(where, "spelling", spelling, ("written", "any"))
    return Links(pointers, depth, senses, spelling, _truth(where, entry, "tuples"))


def _check_others(where: str, relation: Relation, relations: Relations) -> None:
    """Check what a relation says of other relations."""
    codes = relations.codes
    for key, named in (("inverse", (relation.inverse,)), ("shares_words_with", relation.shares_words_with)):
        for code in named:
            _one_of(where, key, code, codes)
    back = relations.inverse[relation.inverse]
    if back != relation.code:
        raise DataError(
            f"{where} has the inverse {relation.inverse}, whose inverse is {back}: let the two name each other."
        )


def _check_keys(where: str, entry: dict[Any, Any], keys: Collection[str]) -> None:
    for key in entry:
        if key not in keys:
            raise DataError(f"{where} has the unknown key {key!r}: {hint(str(key), keys)}")


def _one_of(where: str, key: str, value: object, values: Collection[str | None]) -> None:
    if value not in values:
        names = ", ".join(filter(None, values))
        raise DataError(f"{where}.{key} names {value!r}: write one of {names}.")


def _text(where: str, entry: dict[str, Any], key: str) -> str | None:
    value = entry.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise DataError(f"{where}.{key} is {value!r}, but must be a text: put it in quotes or correct it.")
    return value


def _texts(where: str, entry: dict[str, Any], key: str) -> tuple[str, ...]:
    values = entry.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise DataError(f"{where}.{key} is {values!r}, but must be a list of words, such as [hypernym].")
    return tuple(values)


def _truth(where: str, entry: dict[str, Any], key: str) -> bool:
    value = entry.get(key, False)
    if not isinstance(value, bool):
        raise DataError(f"{where}.{key} is {value!r}, but must be true or false.")
    return value
