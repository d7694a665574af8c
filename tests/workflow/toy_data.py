"""The words and data of the toy study: all studies in miniature that share two models, one WordNet and static vectors."""

import json
from collections.abc import Iterable
from pathlib import Path

import yaml

from tests.sources.lexical import tiny_sisters, tiny_wordnet
from tests.sources.made import systematicity_data, tiny_semeval, vector_files

# Relations.
TUPLES = [
    ("robin", "HYP", "bird"),
    ("bird", "HYP", "animal"),
    ("bird", "MER", "wing"),
    ("building", "MER", "wall"),
    ("night", "ANT", "day"),
    ("house", "SYN", "home"),
]
WORDS = sorted({word for target, _, relatum in TUPLES for word in (target, relatum)})
PROMPTS = {
    "HYP": [{"id": "hyp-kind", "text": "[DET] [W] is a kind of [DET] [V]"}],
    "HPO": [{"id": "hpo-general", "text": "the word [W] has a more general meaning than the word [V]"}],
    "HOL": [{"id": "hol-part", "text": "[DET] [W] is a part of [DET] [V]"}],
    "MER": [{"id": "mer-has", "text": "[DET] [W] has [DET] [V]"}],
    "ANT": [{"id": "ant-opposite", "text": "[DET] [W] is the opposite of [DET] [V]"}],
    "SYN": [{"id": "syn-called", "text": "[DET] [W] is also called [DET] [V]"}],
}
GLUE = [
    *("a", "an", "the", "word", "is", "kind", "of", "has"),
    *("more", "general", "meaning", "than", "part", "opposite", "also", "called"),
]
HUMANS = {
    "robin": {"hyp": {"[DET] [W] is a kind of [DET] [V]": [["bird", "animal"], ["bird"], ["bird"]]}},
    "night": {"ant": {"[DET] [W] is the opposite of [DET] [V]": [["day"], ["day", "home"]]}},
    "day": {"ant": {"[DET] [W] is the opposite of [DET] [V]": [["night"], ["night", "wall"]]}},
}

# Definitions: "warm up", "stretch" and the like are words of their own; "goose" is two tokens for the masked model, and
# "owl" is unknown to it.
PATTERNS = {
    "masked": {
        "noun": {"is": "[V] is [DEF]", "means": "[V] means [DEF]"},
        "verb": {"to-is": "to [DEF] is the definition of [V]"},
    },
    "causal": {
        "noun": {"definition": "[DEF] is the definition of [V]"},
        "verb": {"definition": "to [DEF] is the definition of [V]"},
    },
}
_TEXTS = [text.lower() for synset in tiny_sisters.SISTERS.values() for text in (synset.lemmas, synset.gloss)]
DEFINITION_WORDS = sorted(
    ({word for text in _TEXTS for word in text.replace("_", " ").split()} - {"goose", "owl"})
    | {"is", "means", "to", "the", "definition", "of", "goo", "##se"}
)
WORDNET = {name: synset for name, synset in tiny_wordnet.DEFAULT.items() if name != "tin"} | tiny_sisters.SISTERS
"""Without the tin, artifacts are no group of five, and the goose alone has one."""
COUNTS = {"goose": 50, "beckon": 5, "nod": 300, "warm up": 12}
RANKS = [
    ("w2d", "goose.n.01", "anna", "a large bird", 1),
    ("w2d", "goose.n.01", "ben", "a large pet", 1),
    ("d2w", "goose.n.01", "anna", "hen", 1),
    ("d2w", "goose.n.01", "anna", "goose", 2),
    ("w2d", "nod.v.01", "anna", "lower the head", 1),
    ("d2w", "nod.v.01", "anna", "nod", 1),
]
"""People's ranks; both groups have up to ten candidates."""
SIGNALS = ["signal", "beckon", "nod", "head"]

# Systematicity.
CATEGORIES = [category for categories in systematicity_data.CATEGORIES.values() for category in categories]
NUMBERED = [f"{word}{end}" for word in [*CATEGORIES, "robin", "ant", "saw", "wren", "car", "barn"] for end in ("", "s")]
HYPONYMS = sorted({word for words in systematicity_data.HYPONYMS.values() for word in words})
ITEM_WORDS = sorted({"is", "are", "A", "An", "Number", "The", *NUMBERED})
SENTENCE_WORDS = ["Formica", "Hand", "and", "beside", "blade", "elephant", "four", "have", "met", "nest", "perches"]
SENTENCE_WORDS += ["thick", "wheels", "s"]
CONTEXT_WORDS = ["0", "1", "2", *HYPONYMS, *SENTENCE_WORDS, *"\"'()"]
"""What the contexts and sentences hold beside the items' words: a probe with another word would be left out, or refused."""
CORPUS = "A robin is a bird . The wren is a bird .\nA barn is a vehicle .\n"

# Analogies.
HEADS = ["paris", "rome", "oslo", "bern", "cairo", "delhi", "tokyo", "lima"]
TAILS = ["france", "italy", "norway", "swiss", "egypt", "india", "japan", "peru"]
SYNONYMS = [(word, f"{word}s") for word in (*HEADS, *TAILS)]
ANALOGY_WORDS = ["what", "What", "to", ",", *HEADS, *TAILS, *(word for _, word in SYNONYMS)]

# Degrees.
SCHEMAS = {
    "1a": "[Y] is a kind of [X]",
    "2a": "[Y] is a part of [X]",
    "3a": "[X] is also called [Y]",
    "4a": "[X] is the opposite of [Y]",
    "5a": "[X] has [Y]",
}
PAIRS = ["bird:robin", "animal:bird", "building:wall", "night:day", "robin:bird"]

# Judged pairs.
STATEMENTS = {
    "HYP": [("hyp-kind", "[DET] [W] is a kind of [V]"), ("hyp-called", "the kind of [W] is also called [V]")],
    "HPO": [("hpo-kind", "a kind of [W] is a [V]")],
    "HOL": [("hol-part", "[DET] [W] is a part of [DET] [V]")],
    "MER": [("mer-has", "[DET] [W] has [DET] [V]")],
    "ANT": [("ant-opposite", "the opposite of [W] is [V]")],
    "SYN": [("syn-called", "the [W] is also called [V]")],
}
QUESTIONS = {
    "verification": {
        "text": "[QUESTION] [OPTIONS] is [V]", "answers": ["opposite", "part"], "between": "than", "nothing": "word"
    },
    "relations": {
        relation: [{"id": name, "statement": text, "question": text} for name, text in statements]
        for relation, statements in STATEMENTS.items()
    },
}  # fmt: skip
"""The answers are words that the models know, as no agent here knows what a question is."""
JUDGED = [
    ("HYP", "robin", "bird", "yes", 6),
    ("HYP", "robin", "wing", "no", 1),
    ("HYP", "robin", "home", "no", 0),
    ("HYP", "bird", "animal", "yes", 5),
    ("HYP", "bird", "robin", "no", 2),
    ("HYP", "bird", "night", "no", 0),
    ("HYP", "house", "building", "yes", 4),
    ("HYP", "house", "wall", "no", 3),
    ("ANT", "night", "day", "yes", 6),
    ("ANT", "night", "animal", "no", 1),
    ("ANT", "day", "night", "yes", 5),
    ("ANT", "day", "wall", "no", 0),
]
"""Own pairs: (relation, target, candidate, whether they are related, how much)."""

MASKED_WORDS = [*DEFINITION_WORDS, *ITEM_WORDS, *CONTEXT_WORDS, *ANALOGY_WORDS, "to", "as"]
"""What the masked model knows beside the words of the relations study."""
VECTOR_WORDS = sorted({*WORDS, *SIGNALS, *ITEM_WORDS, *HYPONYMS, *HEADS, *TAILS})
"""Words with a static vector; the synonyms of the analogies study have none."""


def write(folder: Path) -> None:
    """Write all data but the models."""
    folder.mkdir()
    (folder / "tuples.csv").write_text("target,relation,relatum\n" + "".join(f"{','.join(row)}\n" for row in TUPLES))
    (folder / "humans.json").write_text(json.dumps(HUMANS))
    for name, prompts in {
        "relations": PROMPTS,
        "definitions": PATTERNS,
        "degrees": SCHEMAS,
        "pairs": QUESTIONS,
    }.items():
        (folder / f"{name}.yaml").write_text(yaml.safe_dump(prompts))
    (folder / "counts.csv").write_text("word,count\n" + "".join(f"{word},{count}\n" for word, count in COUNTS.items()))
    ranks = [",".join(map(str, row)) for row in RANKS]
    (folder / "ranks.csv").write_text("\n".join(["task,group,participant,candidate,rank", *ranks]) + "\n")
    judged = [
        (*pair, label, max(0, rating - by), name) for *pair, label, rating in JUDGED for by, name in enumerate("ab")
    ]
    _write_rows(folder / "judged.csv", "relation,target,candidate,label,rating,rater", judged)
    answers = [(*pair, label, rating, label, "anna") for *pair, label, rating in JUDGED]  # what is right is chosen
    answers.append((*JUDGED[-1][:-2], *JUDGED[-1][-2:], "", "ben"))  # who has chosen nothing, and agrees with her
    _write_rows(folder / "judges.csv", "relation,target,candidate,label,rating,choice,rater", answers)
    rows = [(number % 7 + 1, number % 3 - 1, 1) for number in range(len(SIGNALS) + 20)]
    vector_files.fasttext(folder / "subwords.bin", SIGNALS, rows, smallest=3, largest=4, buckets=20)
    tiny_wordnet.write(folder / "wordnet", WORDNET)
    systematicity_data.write(folder / "systematicity")
    (folder / "corpus.txt").write_text(CORPUS)
    _write_bats(folder / "bats/nested")
    _write_semeval(folder / "semeval")
    write_vectors(folder / "vectors.txt", VECTOR_WORDS)


def _write_rows(file: Path, columns: str, rows: Iterable[Iterable[object]]) -> None:
    """Write a CSV file."""
    file.write_text("\n".join([columns, *(",".join(map(str, row)) for row in rows)]) + "\n")


def write_vectors(file: Path, words: Iterable[str]) -> None:
    """Write a static vector of each word."""
    lines = [f"{word} {i % 7} {(i * i) % 5} {len(word)} 1\n" for i, word in enumerate(words, start=1)]
    file.write_text("".join(lines))


def _write_bats(folder: Path) -> None:
    folder.mkdir(parents=True)
    capitals = list(zip(HEADS, TAILS, strict=True))
    for name, pairs in {"E01 [country - capital]": capitals, "L08 [synonyms - exact]": SYNONYMS}.items():
        (folder / f"{name}.txt").write_text("".join(f"{head}\t{tail}/another\n" for head, tail in pairs))


def _write_semeval(folder: Path) -> None:
    tests = {"4a": "CONTRAST", "5a": "ATTRIBUTE"}
    specs = [_subcategory(name, tests.get(name, "SIMILAR"), training=name not in tests) for name in SCHEMAS]
    tiny_semeval.write(folder, specs)
    for name in SCHEMAS:
        path = folder / f"SemEval-2012-Baselines/PMI/PMI-Ratings-{name}.txt"
        tiny_semeval.rate(path, {pair: i for i, pair in enumerate(PAIRS)})


def _subcategory(name: str, relation_class: str, *, training: bool) -> tiny_semeval.Spec:
    first, second = PAIRS[:4], PAIRS[1:]
    answers = [
        (first, "night:day", "bird:robin"),
        (first, "night:day", "animal:bird"),
        (second, "robin:bird", "night:day"),
    ]
    schema = SCHEMAS[name].replace("[", "").replace("]", "")
    paradigms, reversals = ["house:home", "bird:wing"], {"robin:bird": "bird:robin"}
    return tiny_semeval.Spec(name, relation_class, schema, paradigms, PAIRS, answers, training, reversals)
