"""What the study of pairs refuses before a run, and whose prompts a run needs."""

import pytest
from relprobe.core.errors import ConfigError
from relprobe.studies.pairs.study import check, judges, relations_of, scale

from tests.paths import ROOT

PROMPTS = str(ROOT / "resources/prompts/pairs.yaml")
RELATIONS = str(ROOT / "resources/relations/english-nouns.yaml")
LANGUAGE = str(ROOT / "resources/languages/english.yaml")
WORDNET = {"targets": {"HYP": 3}}


def config(resources=None, **section):
    """Return a configuration of the study with pairs of WordNet, or without them (`wordnet=None`)."""
    files = {"prompts": PROMPTS, "relations": RELATIONS, "language": LANGUAGE}
    given = {"wordnet": WORDNET, "scale": [1, 7], "part": None, "split": "none", **files, **section}
    return {"pairs": given, "resources": {"wordnet": {}} if resources is None else resources, "models": {}}


@pytest.fixture
def own(tmp_path):
    (tmp_path / "own.csv").write_text("relation,target,candidate,label,rt\nHYP,robin,bird,yes,512\n")
    return {"path": str(tmp_path / "own.csv")}


@pytest.mark.parametrize(
    ("resources", "section", "sentence"),
    [
        ({}, {"wordnet": None}, "config: pairs has no pairs: add pairs.wordnet"),
        ({"wordnet": {}}, {"wordnet": None}, "config: pairs has no pairs: add pairs.wordnet"),
        ({}, {}, "config: pairs.wordnet needs resources.wordnet: add it"),
        ({"hyperlex": {}}, {}, "config: pairs.wordnet needs resources.wordnet: add it"),
        (None, {"scale": [7, 1]}, "config: pairs.scale must rise: the first number is its low end."),
        (None, {"scale": [7, 7]}, "config: pairs.scale must rise: the first number is its low end."),
        (None, {"part": "dev"}, "config: pairs.part is of a split: name one in pairs.split, or leave it out."),
        (None, {"prompts": "nowhere.yaml"}, "config: pairs.prompts names nowhere.yaml, which does not exist"),
        (None, {"relations": "nowhere.yaml"}, "config: pairs.relations names nowhere.yaml, which does not exist"),
        (None, {"language": "nowhere.yaml"}, "config: pairs.language names nowhere.yaml, which does not exist"),
        (None, {"wordnet": {"targets": {"HYP": 3, "ODD": 1}}}, "config: pairs.wordnet.targets names ODD;"),
        (None, {"prompts": str(ROOT / "resources/prompts/degrees.yaml")}, "config: "),
    ],
)
def test_what_is_refused_has_a_sentence(resources, section, sentence):
    with pytest.raises(ConfigError) as caught:
        check(config(resources, **section))
    assert str(caught.value).startswith(sentence)


def test_what_is_whole_is_taken(own):
    check(config())
    check(config({"hyperlex": {}}, wordnet=None))
    check(config({"judged_pairs": own}, wordnet=None))
    check(config({"hyperlex": {}}, wordnet=None, part="dev", split="lexical"))


def test_further_columns_are_those_of_one_table_that_has_them(own):
    both = {"judged_pairs": {"further": {"rt": "rt"}}, "pair_answers": {"further": {"rt": "rt"}}}
    with pytest.raises(ConfigError, match=r"judged_pairs and resources.pair_answers both have `further`"):
        check(config(both, wordnet=None))
    check(config({"judged_pairs": {**own, "further": {"rt": "rt"}}}, wordnet=None))
    check(config({"judged_pairs": {"further": {"age": "age"}}}, wordnet=None))  # its file is not here yet
    with pytest.raises(ConfigError, match="age"):
        check(config({"judged_pairs": {**own, "further": {"age": "age"}}}, wordnet=None))


def test_the_relations_that_are_asked_are_known_before_a_run(own):
    def asked(*of):
        return list(relations_of(config(*of[:1], **dict(of[1:]))))

    assert asked({"wordnet": {}}) == ["HYP"]
    with_tuples = asked({}, ("wordnet", {"targets": {}}))
    assert with_tuples == ["HYP", "MER", "ANT", "SYN"]  # those whose direct links are tuples
    assert asked({"hyperlex": {}}, ("wordnet", None)) == ["HYP", "HYP-V"]
    assert asked({"judged_pairs": own}, ("wordnet", None)) == ["HYP"]
    assert asked({"wordnet": {}, "hyperlex": {}, "judged_pairs": own}) == ["HYP", "HYP", "HYP-V", "HYP"]


def test_a_model_without_any_judge_takes_no_part():
    models = {"m": {"type": "causal"}, "s": {"type": "causal", "endpoint": "http://localhost/v1", "name": "s"}}
    given = {"pairs": {"judges": ["embedding"]}, "models": models, "resources": {}}
    assert judges(given, ["m", "s"]) == {"m": ["embedding"]}


RATED = "relation,target,candidate,rating\nHYP,robin,bird,9\n"


@pytest.mark.parametrize("resource", ["judged_pairs", "pair_answers"])
def test_ratings_lie_in_the_scale_that_is_declared_or_that_an_agent_is_asked_for(tmp_path, resource):
    """Nine is beyond the scale of HyperLex, which agents are asked for where none is declared."""
    (tmp_path / "own.csv").write_text(RATED)
    pairs = {"judged_pairs": {"path": str(tmp_path / "own.csv")}, "hyperlex": {}}
    resources = {"hyperlex": {}, resource: pairs["judged_pairs"]}
    given = config(resources, wordnet=None, scale=None, questions=["judge", "rate"])
    asked = {**given, "models": {"m": {"task": "judge"}}}
    check(given)  # nobody is asked for a number
    check({**asked, "pairs": {**given["pairs"], "questions": ["judge", "pick"]}})
    assert scale(asked) == [0, 6]
    with pytest.raises(ConfigError, match="9"):
        check(asked)
    declared = config(resources, wordnet=None, scale=[1, 9], questions=["rate"])
    check({**declared, "models": asked["models"]})
    assert scale(declared) == [1, 9]
    with pytest.raises(ConfigError, match="9"):
        check(config(resources, wordnet=None, scale=[1, 7], questions=[]))


def test_further_columns_of_answers_are_looked_for_in_their_file(tmp_path):
    (tmp_path / "own.csv").write_text("relation,target,candidate,choice,rater,rt\nHYP,robin,bird,yes,ann,5\n")
    entry = {"path": str(tmp_path / "own.csv"), "further": {"rt": "rt"}}
    check(config({"hyperlex": {}, "pair_answers": entry}, wordnet=None))
    with pytest.raises(ConfigError, match="age"):
        check(config({"hyperlex": {}, "pair_answers": {**entry, "further": {"age": "age"}}}, wordnet=None))
