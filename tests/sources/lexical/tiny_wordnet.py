"""A WordNet 3.0 database of a few synsets, byte offsets and all, for tests that should not need the real one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from relprobe.sources.lexical.wordnet import load

LICENCE = "  1 This is no copy of WordNet, but has its form: WordNet 3.0 Copyright 2006 by nobody.  \n"
LEXNAMES = [f"noun.{number}" for number in range(45)]  # the real ones do not matter, but that there are 45
LEXNAME_OF = {"n": 3, "v": 29, "a": 0, "s": 0, "r": 2}
FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
NUMBERS = {"n": 1, "v": 2, "a": 3, "r": 4, "s": 5}
BACK = {"@": "~", "@i": "~i", "#p": "%p", "#m": "%m", "#s": "%s", "!": "!", "&": "&", "=": "="}


@dataclass(frozen=True)
class Synset:
    """Its lemmas, and its links to other synsets by their names in the spec; the reverse links are written as well,
    where WordNet has any.

    `pos`: n, v, a, r, or s for an adjective that is `similar` to another, which is in the file of adjectives. `antonyms`
    maps a lemma of this synset to the (synset, lemma) it is opposed to. `uses` are the tagged-corpus counts of the lemmas, 0
    where they run out.
    """

    lemmas: str
    pos: str = "n"
    hypernyms: str = ""
    instance_of: str = ""
    part_of: str = ""
    member_of: str = ""
    substance_of: str = ""
    entails: str = ""
    causes: str = ""
    similar: str = ""
    attribute: str = ""
    antonyms: Mapping[str, tuple[str, str]] | None = None
    uses: tuple[int, ...] = ()
    gloss: str = ""

    @property
    def file(self) -> str:
        """The letter of the file that it is in."""
        return self.pos.replace("s", "a")


DEFAULT = {
    "organism": Synset("organism"),
    "animal": Synset("animal beast", hypernyms="organism", uses=(20, 3)),
    "bird": Synset("bird", hypernyms="animal", member_of="flock", uses=(25,)),
    "robin": Synset("robin redbreast", hypernyms="bird", uses=(2,)),
    "goose": Synset("goose", hypernyms="bird", uses=(1,)),
    "flock": Synset("flock"),
    "wing": Synset("wing", part_of="bird", uses=(10,)),
    "feather": Synset("feather plume", part_of="wing bird", uses=(4,)),
    "artifact": Synset("artifact artefact"),
    "shuttlecock": Synset("shuttlecock bird", hypernyms="artifact"),
    "building": Synset("building edifice", hypernyms="artifact", uses=(40,)),
    "house": Synset("house home", hypernyms="building", uses=(60, 70)),
    "annexe": Synset("annexe wing", part_of="building"),
    "wall": Synset("wall", hypernyms="artifact", part_of="building", uses=(50,)),
    "brick": Synset("brick", hypernyms="artifact", substance_of="wall", uses=(9,)),
    "time": Synset("time", uses=(100,)),
    "day": Synset("day daytime", hypernyms="time", antonyms={"day": ("night", "night")}, uses=(90,)),
    "night": Synset("night nighttime", hypernyms="time", uses=(80,)),
    "city": Synset("city metropolis", uses=(30,)),
    "paris": Synset("Paris City_of_Light", instance_of="city"),
    "inch": Synset("inch in", uses=(5,)),
    "tin": Synset("can tin", hypernyms="artifact", uses=(3,)),
    "preserve": Synset("can", pos="v", uses=(4,)),
    "inside": Synset("in", pos="r", uses=(6,)),
    "short": Synset("short", pos="a"),
}


def write(
    folder: Path,
    synsets: Mapping[str, Synset] = DEFAULT,
    exceptions: Iterable[str] = ("geese goose",),
    newline: str = "\n",
) -> Path:
    """Write the database into `folder` as WordNet distributes it (not yet as `prepare` lays it out) and return it.

    With newline="\\r\\n" every line end has a byte more than the offsets count, as in the copies that came by Windows.
    """
    folder.mkdir(parents=True, exist_ok=True)
    links = _links(synsets)
    offsets = _offsets(synsets, links)
    keys = _sense_keys(synsets)
    files = {"lexnames": [f"{number:02d}\t{name}\t1\n" for number, name in enumerate(LEXNAMES)]}
    for pos, suffix in FILES.items():
        own = [name for name, synset in synsets.items() if synset.file == pos]
        files[f"data.{suffix}"] = [LICENCE, *(_data_line(name, synsets, links, offsets) for name in own)]
        files[f"index.{suffix}"] = [LICENCE, *_index_lines(own, synsets, links, offsets)]
        files[f"{suffix}.exc"] = [f"{line}\n" for line in exceptions] if pos == "n" else []
    senses = [(key, offsets[name], sense, uses) for key, (name, sense, uses) in keys.items()]
    files["index.sense"] = sorted(f"{key} {offset:08d} {sense} {uses}\n" for key, offset, sense, uses in senses)
    files["cntlist.rev"] = sorted(f"{key} {sense} {uses}\n" for key, _, sense, uses in senses if uses)
    for name, lines in files.items():
        (folder / name).write_bytes("".join(lines).replace("\n", newline).encode())
    return folder


@contextmanager
def reader_of(prepared: Path) -> Iterator[Any]:
    """Open a prepared folder as the package does."""
    yield load(prepared)


def _links(synsets):
    """Return synset -> list of (symbol, other synset, own lemma's number, other lemma's number); 0 is all lemmas."""
    links = defaultdict(list)

    def link(symbol, source, target, lemmas=(0, 0)):
        links[source].append((symbol, target, *lemmas))
        if symbol in BACK:
            links[target].append((BACK[symbol], source, *reversed(lemmas)))

    for name, synset in synsets.items():
        for symbol, others in (
            ("@", synset.hypernyms),
            ("@i", synset.instance_of),
            ("#p", synset.part_of),
            ("#m", synset.member_of),
            ("#s", synset.substance_of),
            ("*", synset.entails),
            (">", synset.causes),
            ("&", synset.similar),
            ("=", synset.attribute),
        ):
            for other in others.split():
                link(symbol, name, other)
        for lemma, (other, opposite) in (synset.antonyms or {}).items():
            numbers = synset.lemmas.split().index(lemma) + 1, synsets[other].lemmas.split().index(opposite) + 1
            link("!", name, other, numbers)
    return links


def _offsets(synsets, links):
    """Return synset -> byte offset in its data file; an offset is 8 digits wide, so a line's length does not hang on it."""
    offsets = {}
    for pos in FILES:
        at = len(LICENCE)
        for name, synset in synsets.items():
            if synset.file == pos:
                offsets[name] = at
                at += len(_data_line(name, synsets, links, defaultdict(int)).encode())
    return offsets


def _data_line(name, synsets, links, offsets):
    synset = synsets[name]
    lemmas = " ".join(f"{lemma} {_lex_id(name, lemma, synsets):x}" for lemma in synset.lemmas.split())
    pointers = [
        f"{symbol} {offsets[other]:08d} {synsets[other].pos} {own:02x}{others:02x}"
        for symbol, other, own, others in links[name]
    ]
    parts = [
        f"{offsets[name]:08d} {LEXNAME_OF[synset.pos]:02d} {synset.pos} {len(synset.lemmas.split()):02x} {lemmas}",
        f"{len(pointers):03d}",
        *pointers,
        *(["00"] if synset.pos == "v" else []),
    ]
    return f"{' '.join(parts)} | {synset.gloss or f'gloss of {name}'}  \n"


def _index_lines(own, synsets, links, offsets):
    senses = defaultdict(list)
    for name in own:
        for lemma in synsets[name].lemmas.lower().split():
            senses[lemma.partition("(")[0]].append(name)  # without the mark of an adjective's place, as in "galore(ip)"
    lines = []
    for lemma, names in sorted(senses.items()):
        symbols = sorted({symbol for name in names for symbol, *_ in links[name]})
        places = [f"{offsets[name]:08d}" for name in names]
        counts = [len(names), len(symbols), *symbols, len(names), 0, *places]
        lines.append(f"{lemma} {synsets[names[0]].file} {' '.join(map(str, counts))}  \n")
    return lines


def _lex_id(name, lemma, synsets):
    """Number the synsets of one part of speech that hold a lemma: 0, 1, …, so that its sense keys differ."""
    pos = synsets[name].file
    holders = [
        other
        for other, synset in synsets.items()
        if synset.file == pos and lemma.lower() in synset.lemmas.lower().split()
    ]
    return holders.index(name)


def _sense_keys(synsets):
    """Return sense key -> (synset, sense number, uses)."""
    keys = {}
    for name, synset in synsets.items():
        for position, lemma in enumerate(synset.lemmas.split()):
            lex_id = _lex_id(name, lemma, synsets)
            key = f"{lemma.lower()}%{NUMBERS[synset.pos]}:{LEXNAME_OF[synset.pos]:02d}:{lex_id:02d}::"
            keys[key] = name, lex_id + 1, synset.uses[position] if position < len(synset.uses) else 0
    return keys
