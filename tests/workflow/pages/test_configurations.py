"""Every block of YAML on the pages: it goes where its page says, and the workflow's own checks take the whole."""

import copy
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from relprobe.sources import relations
from relprobe.studies.config import validate, whole_schema
from relprobe.studies.degrees import relations as degrees_relations

from tests.package.pages_of_docs import Block
from tests.paths import ROOT
from tests.workflow.pages.files import FILES
from tests.workflow.pages.ledger import find, name, ours, page_of

SECTIONS = set(whole_schema(ROOT / "workflow/schemas")["properties"])
RELATIONS = {("docs/how-to/own-relations.md", "CAU:")}
"""Blocks that are entries of a file of relations, which is a copy of a shipped one."""
PROMPTS = {("docs/how-to/own-pairs.md", "USE:"): ("data/prompts.yaml", "resources/prompts/pairs.yaml")}
"""Blocks that are added to a copy of a shipped file of prompts -> what the copy is called, and where from."""
PROFILES = {("docs/scale.md", "group-components:")}
"""Blocks that are lines of a profile."""
COPIES = {
    "my_german.yaml": "resources/languages/german.yaml",
    "my_relations.yaml": "resources/relations/english-nouns.yaml",
    "meine_relationen.yaml": "resources/relations/english-nouns.yaml",
    "my_prompts.yaml": "resources/prompts/relations.yaml",
    "meine_fragen.yaml": "resources/prompts/relations.yaml",
}
"""Files that a page says to copy -> where from. The checks read them."""
OTHERS = {"resources.own_tuples": "target,relation,relatum\nrobin,HYP,bird\n"}
"""What is in a file that the page does not show."""
KEYS = {"VLLM_KEY": "secret", "MY_KEY": "secret"}
"""The variables that the pages say to export."""
WITHOUT = {"docs/servers.md": {"systematicity", "analogies"}}
"""Page -> the studies that it says a model cannot take."""
BESIDE = {"docs/pages.md": {"models": {name: {"type": "causal", "path": "."} for name in ("gpt2", "gpt2-new")}}}
"""Page -> what a configuration has whose reader comes to the block."""
SPELT_OUT = {"0123…": "0123456789abcdef" * 4}
"""What a reader puts in the place of a text with dots."""


def is_of(block: Block, table: set[tuple[str, str]]) -> bool:
    return any(page == page_of(block) and part in block.text for page, part in table)


CONFIGURATIONS = [block for block in ours("yaml") if not is_of(block, {*RELATIONS, *PROFILES, *PROMPTS})]


def sections(block: Block) -> dict:
    """A block as sections of a configuration; entries of models go below `models`."""
    text = block.text
    for dots, whole in SPELT_OUT.items():
        text = text.replace(dots, whole)
    content = yaml.safe_load(text)
    if set(content) <= SECTIONS:
        return content
    assert all({"type", "model", "endpoint"} & set(entry) for entry in content.values()), name(block)
    return {"models": content}


def merged(config: dict, more: dict) -> dict:
    """A configuration with further keys. A source is an entry of one piece: another one takes its place."""
    whole = copy.deepcopy(config)
    for key, value in more.items():
        nested = isinstance(value, dict) and isinstance(whole.get(key), dict) and "path" not in value
        whole[key] = merged(whole[key], value) if nested else copy.deepcopy(value)
    return whole


def until(block: Block) -> dict:
    """The default study with the blocks of a page, up to this one."""
    page = page_of(block)
    config = merged(yaml.safe_load((ROOT / "config.yaml").read_text()), BESIDE.get(page, {}))
    config = {key: value for key, value in config.items() if key not in WITHOUT.get(page, ())}
    for other in CONFIGURATIONS:
        if page_of(other) == page:
            config = merged(config, sections(other))
        if other == block:
            return config
    raise AssertionError(name(block))


def sources(block: Block) -> Iterator[tuple[str, str]]:
    """The files that the blocks of a page name, up to this one: the key of the configuration, and the path."""
    for other in CONFIGURATIONS:
        if page_of(other) == page_of(block):
            for section in ("resources", "vectors"):
                for key, entry in sections(other).get(section, {}).items():
                    if "path" in entry:
                        yield f"{section}.{key}", entry["path"]
        if other == block:
            return


def with_files(folder: Path, block: Block) -> dict:
    """The configuration of a block, and in a folder the files that it names: the page's, or copies of shipped ones."""
    texts = {(page, file.key): find(page, part).text + file.more for (page, part), file in FILES.items()}
    for key, path in sources(block):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(EXPORTS.get(path) or texts.get((page_of(block), key), OTHERS.get(key, "")))
    (folder / "data").mkdir(exist_ok=True)
    for path, shipped in COPIES.items():
        (folder / path).write_bytes((ROOT / shipped).read_bytes())
    for (page, part), (path, shipped) in PROMPTS.items():
        whole = merged(yaml.safe_load((ROOT / shipped).read_text()), yaml.safe_load(find(page, part).text))
        (folder / path).write_text(yaml.safe_dump(whole))
    (folder / "data/relations.yaml").write_text(degrees_relations.RELATIONS)
    before = folder / "old/results/relations/metrics/gpt2.parquet"
    before.parent.mkdir(parents=True)
    before.touch()
    return until(block)


EXPORTS = {
    "jspsych.csv": "subject,word,trial_type,response,rt,age,survey\n"
    'anna,robin,survey-text,"{""Q0"":""bird""}",812,31,"{""handedness"":""left""}"\n'
    "anna,,fixation,,,,\n",
    "qualtrics.csv": "ResponseId,Status,Q1,a cat is a kind of ___\nid,type,one,two\n1,2,3,4\nR_1,IP Address,bird,animal\n",
    "qualtrics_ranks.csv": "ResponseId,Q1_1,Q2\nid,one,two\n1,2,3\nR_1,1,nod\n",
    "results.csv": "# Results\n1,anna,3,4,5,6,7,TextInput,9,10,bird,robin\n2,anna,3,4,5,6,7,Start,9,10,11,12\n",
}
"""Tables of people's answers in the forms of programs that the page shows."""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working directory of a reader, who has exported the keys of servers."""
    monkeypatch.chdir(tmp_path)
    for variable, value in KEYS.items():
        monkeypatch.setenv(variable, value)
    return tmp_path


@pytest.mark.parametrize("block", CONFIGURATIONS, ids=name)
def test_a_study_with_the_lines_of_the_page_is_valid(block, folder):
    validate(with_files(folder, block), ROOT)


@pytest.mark.parametrize(("page", "part"), sorted(RELATIONS))
def test_relations_of_the_page_are_entries_of_a_file_of_relations(page, part, tmp_path):
    block = find(page, part)
    file = tmp_path / "relations.yaml"
    file.write_text((ROOT / "resources/relations/english-nouns.yaml").read_text() + block.text)
    assert set(yaml.safe_load(block.text)) <= {relation.code for relation in relations.read(file).entries}


@pytest.mark.parametrize(("page", "part"), sorted(PROFILES))
def test_snakemake_takes_a_profile_with_the_lines_of_the_page(page, part, finished, tmp_path):
    """The lines stand at the end of the shipped profile, whose keys of the same name go, as the page says."""
    lines = find(page, part).text
    shipped = yaml.safe_load((ROOT / "workflow/profiles/slurm/config.yaml").read_text())
    twice = set(shipped) & set(yaml.safe_load(lines))
    text = find(page, part).before
    assert [key for key in twice if f"`{key}`" not in text] == []
    kept = {key: value for key, value in shipped.items() if key not in twice}
    (tmp_path / "config.yaml").write_text(yaml.safe_dump(kept) + lines)
    words = ("--dry-run", "--forceall", "--workflow-profile", str(tmp_path), "--scheduler", "greedy")
    done = finished.python("snakemake", *words)
    assert done.returncode == 0, done.stderr
    printed = done.stdout + done.stderr
    assert printed.count("Group job scores_") > 1
    assert re.search(r"Group job [^s\n]*words", printed), "the groups of the shipped profile are still there"
