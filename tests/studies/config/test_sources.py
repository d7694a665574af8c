"""Where models, resources and files come from: what is missing or not pinned is named."""

import contextlib
import copy
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from relprobe.core.manifest import only_file
from relprobe.core.relation import augment
from relprobe.core.study import Needs
from relprobe.sources.fetch import Source, fetch
from relprobe.sources.language import Articles, guesses_articles
from relprobe.sources.own import tuples as own_tuples
from relprobe.sources.relations import read as read_relations
from relprobe.studies.config import validate
from relprobe.studies.relations import study as relations
from relprobe.studies.relations.method import probes
from relprobe.studies.relations.prompts import read as read_prompts
from relprobe.studies.sections import _guessed_articles, left_out, remarks, sizes, stand_ins

from tests.paths import ROOT
from tests.studies.config.configs import HUB, PYPI, SHA, config, fault, put


def test_own_tuples_are_read_first_and_named_as_the_user_wrote_them(tmp_path):
    (tmp_path / "mine.csv").write_text("target,relation,relatum\nrobin,HYP,bird\n")
    configuration = put({"path": str(tmp_path / "mine.csv")}, "resources", "own_tuples")
    configuration["relations"]["tuples"] = ["wordnet", "own_tuples"]
    validate(copy.deepcopy(configuration), ROOT)
    (tmp_path / "mine.csv").write_text("target,relation,relatum\nrobin,KIND,bird\n")
    assert fault(configuration).startswith(f"config: {tmp_path}/mine.csv, line 2: unknown relation 'KIND'")


@pytest.mark.parametrize("answers", ["words", "candidates"])
def test_the_size_of_a_study_of_own_words_is_said_before_the_run(tmp_path, answers):
    """As many as the steps make, and a sentence where they are more than a machine answers in a day."""
    relations = put({"path": str(tmp_path / "mine.csv")}, "resources", "own_tuples")
    relations["relations"] |= {"tuples": ["own_tuples"], "expansion": "none", "answers": answers}
    rows = [f"w{n},HYP,c{n % 50}" for n in range(400)]
    (tmp_path / "mine.csv").write_text("\n".join(["target,relation,relatum", *rows]))
    validate(relations, ROOT)
    entries, prompts = (
        read_relations(Path(relations["relations"]["relations"])),
        read_prompts(Path(relations["relations"]["prompts"])),
    )
    made = probes(
        own_tuples.read(tmp_path / "mine.csv", entries.codes).pipe(augment, entries.inverse),
        prompts,
        Articles({"a": 1.0}, lambda _: "a"),
        entries,
    )
    found = sizes(relations)["relations"]
    assert found[0] == made.height
    candidates = {"HYP": 50, "HPO": 400}
    assert found[1] == (made.height if answers == "words" else sum(candidates[code] for code in made["relation"]))
    assert remarks(relations) == []
    rows = [f"w{n},HYP,c{n}" for n in range(4000)]
    (tmp_path / "mine.csv").write_text("\n".join(["target,relation,relatum", *rows]))
    assert bool(remarks(relations)) is (answers == "candidates")


def test_the_size_of_a_sample_whose_targets_share_no_relatum_is_said_before_the_run():
    """At most so many: each target of a relation, and of its inverse as a trick, is asked with its part of the prompts."""
    drawn = config()
    drawn["relations"] |= {
        "tuples": ["wordnet"],
        "prompts": str(ROOT / "resources/prompts/relations-more.yaml"),
        "prompt_parts": 3,
        "wordnet_sample": {"words": 5000, "seed": 1, "shared_relata": False, "tuples": {"HYP": 90, "ANT": 22}},
    }
    validate(drawn, ROOT)
    # 21 prompts of HYP, 12 of HPO and 27 of ANT; the 22 pairs of ANT have 44 targets.
    assert sizes(drawn)["relations"] == (180 * 7 + 180 * 4 + 44 * 9,) * 2
    drawn["relations"]["wordnet_sample"]["shared_relata"] = True
    assert "relations" not in sizes(drawn)


@pytest.mark.parametrize(
    ("language", "prompt", "said"),
    [
        ("german", "[DET] [W] ist [DET] [V]", True),
        ("german", "[W] – [V] # no [DET]", False),
        ("english", "[DET] [W] is [DET] [V]", False),
        ("japanese", "[W]は[V]", False),
    ],
)
def test_articles_that_are_guessed_are_said_before_the_run(tmp_path, language, prompt, said):
    (tmp_path / "prompts.yaml").write_text(f'HYP:\n  - {{id: p, text: "{prompt}"}}\n'.replace("# no [DET]", ""))
    section = {
        "language": str(ROOT / f"resources/languages/{language}.yaml"),
        "prompts": str(tmp_path / "prompts.yaml"),
    }
    for study in ("relations", "pairs"):
        found = _guessed_articles({study: section})
        assert bool(found) is said
        assert all("a probe may read “mit ein Säge”" in sentence for sentence in found)
    assert len(_guessed_articles({"relations": section, "pairs": section})) == said
    assert _guessed_articles({"relations": {"prompts": section["prompts"]}}) == []


@pytest.mark.parametrize(
    ("language", "statement", "sentence"),
    [
        ("german", "mit [DET:dat] [W] schneidet man [DET] [V]", ""),
        (
            "german",
            "wegen [DET:gen] [W] schneidet man [V]",
            "has [DET:gen], but the language has no articles of that case",
        ),
        ("english", "with [DET:dat] [W] one cuts [V]", "has [DET:dat], but the language has no articles of that case"),
        ("japanese", "[DET] [W] – [V]", "has a [DET], but the language has no articles"),
        ("german", "mit [DET:dat] der [W] schneidet man [V]", "has a [DET] that neither [W] nor [V] follows"),
    ],
)
def test_articles_of_pairs_may_stand_in_a_case_of_the_language(tmp_path, language, statement, sentence):
    prompts = {
        "verification": {
            "text": "[QUESTION] [OPTIONS]? [V]",
            "answers": ["ja", "nein"],
            "between": "/",
            "nothing": "x",
        },
        "relations": {"USE": [{"id": "a", "statement": statement, "question": f"{statement}?"}]},
    }
    (tmp_path / "prompts.yaml").write_text(yaml.safe_dump(prompts, allow_unicode=True))
    (tmp_path / "pairs.csv").write_text("relation,target,candidate,label\nUSE,Säge,Holz,yes\nUSE,Säge,Suppe,no\n")
    study = put({"path": str(tmp_path / "pairs.csv")}, "resources", "judged_pairs")
    study["pairs"] = {
        "wordnet": None,
        "prompts": str(tmp_path / "prompts.yaml"),
        "language": str(ROOT / f"resources/languages/{language}.yaml"),
    }
    if sentence:
        assert sentence in fault(study)
    else:
        validate(study, ROOT)


def test_a_table_of_articles_needs_no_guess(tmp_path):
    text = (
        (ROOT / "resources/languages/german.yaml")
        .read_text()
        .replace("    default: ein\n", "    default: ein\n    table: a.csv\n")
    )
    (tmp_path / "german.yaml").write_text(text)
    assert not guesses_articles(tmp_path / "german.yaml")


def test_peoples_answers_are_read_before_the_run(tmp_path):
    header, row = "target,relation,prompt,participant,rank,answer\n", "robin,HYP,{},anna,1,bird\n"
    configuration = put({"path": str(tmp_path / "people.csv")}, "resources", "human_responses")
    prompt = read_prompts(ROOT / "resources/prompts/relations.yaml")[0]
    good = row.format(prompt.id).replace("HYP", prompt.relation)
    (tmp_path / "people.csv").write_text(header + good)
    validate(copy.deepcopy(configuration), ROOT)
    wrong = good.replace(prompt.id, f"{prompt.id}s")
    sentence = f"'{prompt.id}s' is no prompt of {prompt.relation} in this study: did you mean {prompt.id!r}?"
    (tmp_path / "people.csv").write_text(header + good + wrong + wrong.replace("anna", "ben"))
    more = "1 more lines have such a fault, the next one in line 4."
    assert fault(configuration) == f"config: {tmp_path}/people.csv, line 3: {sentence} {more}"
    (tmp_path / "people.csv").write_text(header + wrong)
    assert fault(configuration) == f"config: {tmp_path}/people.csv, line 2: {sentence}"
    (tmp_path / "people.csv").write_text(header + good + good)
    assert "line 3: 'anna' gives rank 1 to this prompt and target in line 2 already" in fault(configuration)


def test_a_file_of_peoples_lists_is_read_before_the_run_unless_its_checksum_says_that_it_was(tmp_path):
    file = tmp_path / "people.json"
    file.write_text("[")
    assert fault(put({"path": str(file)}, "resources", "human_responses")).startswith(f"config: {file}")
    validate(put({"path": str(file), "sha256": "0" * 64}, "resources", "human_responses"), ROOT)
    table = file.rename(tmp_path / "people.csv")
    entry = {"path": str(table), "sha256": "0" * 64}
    assert fault(put(entry, "resources", "human_responses")).startswith(f"config: {table}")


@pytest.mark.parametrize("inside", ["", "deep"])
def test_the_only_file_of_a_folder_is_read_before_the_run_too(tmp_path, inside):
    folder = tmp_path / "mine"
    (folder / inside).mkdir(parents=True)
    file = folder / inside / "people.csv"
    file.write_text("target,relation,prompt,participant,rank,answer\nrobin,HYP,zzz,anna,1,bird\n")
    configuration = put({"path": str(folder)}, "resources", "human_responses")
    assert fault(configuration).startswith(f"config: {file}, line 2: 'zzz' is no prompt of HYP in this study")
    (folder / "readme.txt").touch()
    assert fault(configuration) == f"config: {folder} is a folder of 2 files where one is expected: name the file."


def test_a_path_names_a_file_or_a_folder(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert fault(put({"path": f"{tmp_path}/pipe"}, "resources", "human_responses")) == (
        f"config: resources.human_responses.path names {tmp_path}/pipe, which is neither a file nor a folder: correct it."
    )


def test_an_entry_without_a_source():
    sentence = "config: models.m has no source: give exactly one of huggingface, path, pypi, url."
    assert fault(put({"type": "causal"}, "models", "m")) == sentence


def test_an_entry_with_two_sources():
    sentence = (
        "config: models.m has the sources huggingface and pypi: give exactly one of huggingface, path, pypi, url."
    )
    assert fault(put({**HUB, **PYPI}, "models", "m")) == sentence


@pytest.mark.parametrize(
    ("part", "name", "entry", "missing"),
    [
        ("models", "m", {"type": "masked", "huggingface": "a/b"}, "'huggingface' without 'revision'"),
        ("models", "m", {"type": "masked", "pypi": "a==1", "sha256": SHA}, "'pypi' without 'file'"),
        ("resources", "hyperlex", {"pypi": "a==1", "file": "a.whl"}, "'pypi' without 'sha256'"),
        ("resources", "hyperlex", {"url": "https://example.org/a.zip"}, "'url' without 'sha256'"),
    ],
)
def test_a_source_that_is_not_pinned(part, name, entry, missing):
    configuration = put(entry, part, name)
    assert fault(configuration) == f"config: {part}.{name} has {missing}: add it, so that the source is pinned."


def test_a_path_that_does_not_exist():
    sentence = "config: resources.hyperlex.path names no/such.zip, which does not exist: correct it."
    assert fault(put({"path": "no/such.zip"}, "resources", "hyperlex")) == sentence


def test_several_files_that_do_not_exist_are_named_together():
    config = put({"path": "no/such.zip"}, "resources", "hyperlex")
    config["resources"]["category_norms"] = {"path": "no/norms.csv"}
    config["relations"]["prompts"] = "no/prompts.yaml"
    assert fault(config) == (
        "config: resources.hyperlex.path names no/such.zip, resources.category_norms.path names no/norms.csv and "
        "relations.prompts names no/prompts.yaml, which do not exist: get them, or correct the paths."
    )


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="/"), min_size=1, max_size=30))
@example("R&D {x} #1 50% 'q' $HOME;`ls` <y>|*?")
@example("-m")
@example("~")
@settings(max_examples=60, deadline=None)
def test_a_path_of_any_name_is_fetched_or_refused_in_a_sentence(tmp_path_factory, name):
    assume(name not in (".", ".."))
    folder = tmp_path_factory.mktemp("own")
    try:
        (folder / name).write_text("robin")
    except (OSError, ValueError):  # no name of a file
        assert "config: resources.hyperlex" in fault(put({"path": f"{folder}/{name}"}, "resources", "hyperlex"))
        return
    with contextlib.chdir(folder):
        for path in (str(folder / name), name):
            configuration = put({"path": path}, "resources", "hyperlex")
            if re.search("[\\x00-\\x1f\\x7f]", name):
                assert "holds" in fault(configuration)
                continue
            validate(configuration, ROOT)
            entry = configuration["resources"]["hyperlex"]
            assert not entry["path"].startswith("-")
            manifest = fetch(Source.of("resources.hyperlex", entry), folder / "fetched")
            assert only_file(manifest).read_text() == "robin"


def test_a_path_below_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "words.zip").touch()
    configuration = put({"path": "~/words.zip"}, "resources", "hyperlex")
    validate(configuration, ROOT)
    assert configuration["resources"]["hyperlex"]["path"] == f"{tmp_path}/words.zip"
    assert fault(put({"path": "~/other.zip"}, "resources", "hyperlex")) == (
        f"config: resources.hyperlex.path names {tmp_path}/other.zip, which does not exist: correct it."
    )


@pytest.mark.parametrize("keys", [("relations", "prompts"), ("relations", "language"), ("prompting", "chat")])
@pytest.mark.parametrize("name", ["{x}.yaml", "<x>.yaml", "a\nb"])
def test_a_file_of_a_study_whose_name_snakemake_reads_in_its_way_is_refused(keys, name):
    sentence = f"config: {'.'.join(keys)} holds {name!r}, where only a path without braces"
    assert fault(put(name, *keys)).startswith(sentence)


def test_a_path_that_exists(tmp_path):
    validate(put({"path": str(tmp_path)}, "resources", "hyperlex"), ROOT)


@pytest.mark.parametrize("keys", [("resources", "hyperlex", "path"), ("relations", "prompts")])
@pytest.mark.parametrize("path", ["a" * 300, "a\0b", "config.yaml/below"], ids=["too long", "NUL", "below a file"])
def test_a_path_that_cannot_exist(keys, path):
    assert fault(put(path, *keys)).startswith("config: ")


@pytest.fixture
def own_wordnet(monkeypatch):
    """Make WordNet a resource that the user must get, without which the study relations is left out."""
    needs = Needs("wordnet", "get it from example.org")
    monkeypatch.setattr(relations, "STUDY", replace(relations.STUDY, needs=needs))


@pytest.mark.parametrize(
    ("resources", "reason"),
    [
        ({}, "the config has no resources.wordnet"),
        ({"wordnet": {"path": "no/such"}}, "resources.wordnet.path names no/such, which does not exist"),
    ],
)
def test_a_study_whose_data_are_not_at_hand_is_left_out_in_one_sentence(own_wordnet, resources, reason):
    configuration = {**config(), "resources": resources}
    sentence = f"The study relations is left out, as {reason}: get it from example.org."
    assert left_out(configuration) == {"relations": sentence}


def test_a_config_whose_studies_are_all_left_out_is_refused(own_wordnet):
    sentence = "config: there is no study to run. The study relations is left out, as resources.wordnet.path names "
    assert fault(put({"path": "no/such"}, "resources", "wordnet")).startswith(sentence)


def test_a_study_whose_data_are_at_hand_or_fetched_is_not_left_out(own_wordnet):
    assert left_out(config()) == {}
    assert left_out(put({"path": "resources"}, "resources", "wordnet")) == {}


@pytest.mark.parametrize("resources", [{}, {"bats": {"path": "no/such"}}])
def test_without_bats_the_other_studies_run(resources):
    configuration = put({}, "analogies")
    configuration["resources"] |= resources
    validate(configuration, ROOT)
    (sentence,) = left_out(configuration).values()
    assert sentence.startswith("The study analogies is left out, as ")
    assert "get BATS 3.0 at https://vecto.space/projects/BATS" in sentence


DEMONSTRATION = "resources/analogies/demonstration.csv"


@pytest.mark.parametrize("resources", [{}, {"bats": {"path": "no/such"}}])
def test_without_bats_the_analogies_study_may_be_a_demonstration(resources):
    configuration = put({"demonstration": DEMONSTRATION}, "analogies")
    configuration["resources"] |= resources
    validate(configuration, ROOT)
    assert left_out(configuration) == {}
    assert configuration["resources"]["demonstration_analogies"] == {"path": os.path.relpath(ROOT / DEMONSTRATION)}
    (sentence,) = stand_ins(configuration).values()
    assert sentence.startswith("Analogies: a small demonstration set is used, as BATS 3.0 is not here (")
    assert sentence.endswith("); this is fine for a first run.")
    assert ("no/such" in sentence) == bool(resources)
    (whole,) = stand_ins(configuration, remedies=True).values()
    assert whole.startswith(
        f"{sentence} It is a demonstration and no benchmark: for one, get BATS 3.0 at https://vecto.space/projects/BATS"
    )


@pytest.mark.parametrize(("resource", "path"), [("bats", "resources"), ("own_analogies", str(ROOT / DEMONSTRATION))])
def test_the_demonstration_takes_the_place_of_no_data_that_are_there(resource, path):
    configuration = put({"demonstration": DEMONSTRATION}, "analogies")
    configuration["resources"][resource] = {"path": path}
    validate(configuration, ROOT)
    assert "demonstration_analogies" not in configuration["resources"]
    assert stand_ins(configuration) == left_out(configuration) == {}


def test_a_demonstration_that_does_not_exist_is_named():
    configuration = put({"demonstration": "no/such.csv"}, "analogies")
    assert fault(configuration) == (
        "config: analogies.demonstration names no/such.csv, which does not exist: correct it."
    )


def test_a_study_without_its_resources():
    configuration = put(["wordnet", "hyperlex"], "relations", "tuples")
    assert fault(configuration) == "config: relations needs resources.hyperlex: add it, as config.yaml shows."
    configuration = config()
    del configuration["resources"]
    assert fault(configuration) == "config: relations needs resources.wordnet: add it, as config.yaml shows."


def test_prompts_that_do_not_exist():
    sentence = "config: relations.prompts names no/such.yaml, which does not exist: correct it."
    assert fault(put("no/such.yaml", "relations", "prompts")) == sentence


def test_relations_without_an_expansion_need_no_lexical_resource():
    configuration = put("none", "relations", "expansion")
    configuration["relations"]["tuples"] = ["own_tuples"]
    configuration["resources"] = {"own_tuples": configuration["resources"]["wordnet"]}
    validate(configuration, ROOT)
    configuration["relations"]["expansion"] = "wn_lmf"
    assert fault(configuration) == "config: relations needs resources.wn_lmf: add it, as config.yaml shows."


@pytest.mark.parametrize("key", ["relations", "language"])
def test_a_missing_file_of_relations_or_a_language_is_named(key):
    sentence = f"config: relations.{key} names no/such.yaml, which does not exist: correct it."
    assert fault(put("no/such.yaml", "relations", key)) == sentence


def test_a_folder_to_compare_with_holds_results(tmp_path):
    assert fault(put({"before": str(tmp_path)}, "compare")).endswith(
        "which holds no STUDY/metrics/*.parquet: correct it."
    )
    (tmp_path / "relations/metrics").mkdir(parents=True)
    (tmp_path / "relations/metrics/m.parquet").touch()
    validate(put({"before": str(tmp_path), "renamed": {"smol": "m"}}, "compare"), ROOT)
    unknown = fault(put({"before": str(tmp_path), "renamed": {"other": "m"}}, "compare"))
    assert unknown == "config: compare.renamed names other, which is no model of this run: correct it."


def test_declared_comparisons_are_pairs_of_agents_each_once():
    first, second = list(config()["models"])[:2]
    validate(put([[first, second]], "comparisons"), ROOT)
    assert fault(put([[first, "other"]], "comparisons")).startswith(
        f"config: comparisons names [{first}, other], but other is no agent of `models`"
    )
    assert "one agent twice: name two" in fault(put([[first, first]], "comparisons"))
    assert "twice: leave it out once" in fault(put([[first, second], [second, first]], "comparisons"))
    apart = put([[first, second]], "comparisons")
    for name, study in ((first, "relations"), (second, "definitions")):
        apart["models"][name]["studies"] = [study]
    assert fault(apart).startswith(f"config: comparisons names [{first}, {second}], but no study asks both")


def test_the_missing_data_of_two_studies_are_no_mistake_where_another_study_is_left():
    """Their users must get them: the run leaves the two studies out."""
    lacking = config()
    lacking["resources"] |= {"bats": {"path": "no/bats"}, "semeval2012": {"path": "no/pairs"}}
    lacking |= {"analogies": {}, "degrees": {}}
    validate(lacking, ROOT)
    assert set(left_out(lacking)) == {"analogies", "degrees"}


def test_the_data_without_which_no_study_is_left_are_named_with_the_other_missing_files():
    """The data of one of several studies may be missing, and so may those that have others in their place."""
    lacking = config()
    del lacking["relations"], lacking["lexicon"]
    bats = {"path": "no/bats", "get_from": "https://example.org/bats"}
    lacking["resources"] |= {"bats": bats, "static_vectors": {"path": "no/wiki.vec"}}
    lacking["analogies"] = {}
    both = (
        "config: resources.bats.path names no/bats (from https://example.org/bats) and resources.static_vectors.path names "
        "no/wiki.vec, which do not exist: get them, or correct the paths."
    )
    alone = "config: resources.static_vectors.path names no/wiki.vec, which does not exist: correct it."
    assert fault(copy.deepcopy(lacking)) == both
    with_stand_in = copy.deepcopy(lacking) | {"analogies": {"demonstration": "resources/analogies/demonstration.csv"}}
    assert fault(with_stand_in) == alone
    with_another = copy.deepcopy(lacking) | {key: config()[key] for key in ("relations", "lexicon")}
    assert fault(with_another) == alone


@pytest.mark.parametrize("file", sorted((ROOT / "resources/studies").glob("*.yaml")), ids=lambda file: file.stem)
def test_a_shipped_study_says_of_each_file_where_it_is_to_be_had(file):
    study = yaml.safe_load(file.read_text())
    entries = {**study["resources"], **study.get("vectors", {})}
    assert [name for name, entry in entries.items() if "path" in entry and "get_from" not in entry] == []


def test_where_a_missing_file_is_to_be_had_is_said():
    entry = {"path": "no/such.zip", "get_from": "the authors' page"}
    assert fault(put(entry, "resources", "hyperlex")) == (
        "config: resources.hyperlex.path names no/such.zip (from the authors' page), which does not exist: get it, or "
        "correct the path."
    )
