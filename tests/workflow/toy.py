"""A complete study in miniature: two random models, own tuples, human answers, a tiny WordNet; offline, seconds."""

import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import torch
import yaml
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import BertConfig, BertForMaskedLM, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from tests.paths import ROOT
from tests.sources import tiny_wordnet

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


@dataclass(frozen=True)
class Study:
    """A checkout of the workflow with a configuration of its own."""

    folder: Path

    @property
    def config(self) -> dict:
        return yaml.safe_load((self.folder / "config.yaml").read_text())

    def configure(self, **changes) -> None:
        (self.folder / "config.yaml").write_text(yaml.safe_dump({**self.config, **changes}, sort_keys=False))

    def finish(self, config: dict | None = None) -> "Study":
        """Run to the end, with `config` in place of the configuration that is there."""
        if config is not None:
            (self.folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
        done = self.snakemake()
        assert done.returncode == 0, done.stderr
        return self

    def add_model(self) -> None:
        """Add the causal model tiny-new to the configuration."""
        causal_model(self.folder / "data/new", seed=3)
        self.configure(models={**self.config["models"], "tiny-new": {"type": "causal", "path": "data/new"}})

    def edit(self, module: str) -> None:
        """Change a file of the code, given below workflow/scripts, without changing what it does."""
        path = self.folder / "workflow/scripts" / module
        path.write_text(path.read_text() + "\n# edited\n")

    def snakemake(self, *arguments: str) -> subprocess.CompletedProcess:
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)

    def scheduled(self) -> dict[str, int]:
        """The jobs that a dry run schedules: rule -> number, without `all`."""
        done = self.snakemake("--dry-run", "--quiet", "rules")
        assert done.returncode == 0, done.stderr
        listed = done.stdout + done.stderr
        rows = [line.split() for line in listed.splitlines()]
        table = {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}
        return {rule: count for rule, count in table.items() if rule not in ("all", "total")}

    def tables(self) -> dict[str, pl.DataFrame]:
        """All Parquet tables of the results."""
        results = self.folder / "results"
        return {str(path.relative_to(results)): pl.read_parquet(path) for path in sorted(results.rglob("*.parquet"))}

    def csv_files(self) -> dict[str, bytes]:
        """All CSV files of the results."""
        results = self.folder / "results"
        return {str(path.relative_to(results)): path.read_bytes() for path in sorted(results.rglob("*.csv"))}

    def assert_ends_as(self, other: "Study") -> None:
        """There are the same results, file by file: the Parquet tables by what they hold, the CSV files byte by byte."""
        there, here = self.tables(), other.tables()
        assert there.keys() == here.keys()
        assert [name for name in here if not there[name].equals(here[name])] == []
        written, expected = self.csv_files(), other.csv_files()
        assert written.keys() == expected.keys()
        assert [name for name in expected if written[name] != expected[name]] == []

    def copy(self, folder: Path) -> "Study":
        shutil.copytree(self.folder, folder, symlinks=True)
        return Study(folder)


def make(folder: Path) -> Study:
    """Write the miniature study into `folder`."""
    shutil.copytree(ROOT / "workflow", folder / "workflow", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "envs", folder / "envs")
    shutil.copytree(ROOT / "resources/published", folder / "resources/published")
    shutil.copy(ROOT / "Snakefile", folder)
    data = folder / "data"
    masked_model(data / "masked", seed=1)
    causal_model(data / "causal", seed=2)
    tiny_wordnet.write(data / "wordnet")
    (data / "tuples.csv").write_text("target,relation,relatum\n" + "".join(f"{','.join(row)}\n" for row in TUPLES))
    (data / "humans.json").write_text(json.dumps(HUMANS))
    (data / "prompts.yaml").write_text(yaml.safe_dump(PROMPTS))
    config = {
        "models": {
            "tiny-masked": {"type": "masked", "path": "data/masked"},
            "tiny-causal": {"type": "causal", "path": "data/causal"},
        },
        "lexicon": {"panel": ["tiny-masked", "tiny-causal"]},
        "resources": {
            "wordnet": {"path": "data/wordnet"},
            "own_tuples": {"path": "data/tuples.csv"},
            "human_responses": {"path": "data/humans.json"},
        },
        "relations": {"prompts": "data/prompts.yaml", "tuples": ["own_tuples"], "top_k": 30},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(config, sort_keys=False))
    return Study(folder)


def masked_model(folder: Path, seed: int, more: Sequence[str] = ()) -> None:
    """Save a random BERT whose vocabulary holds every word of the study, and `more`."""
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = list(dict.fromkeys([*special, *GLUE, *WORDS, ".", "##s", *more]))
    tokenizer = Tokenizer(models.WordPiece({word: i for i, word in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    names = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
    _save(tokenizer, {f"{name}_token": token for name, token in names.items()}, folder)
    torch.manual_seed(seed)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    BertForMaskedLM(BertConfig(vocab_size=len(vocabulary), **size)).save_pretrained(folder)


def causal_model(folder: Path, seed: int, words: Sequence[str] = WORDS) -> None:
    """Save a random Llama whose byte-level tokenizer has one token for every word of the study."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([f"a {word} a {word}" for word in [*GLUE, *words]] * 20, trainer)
    _save(tokenizer, {"bos_token": "<s>"}, folder)
    torch.manual_seed(seed)
    size = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    LlamaForCausalLM(LlamaConfig(vocab_size=tokenizer.get_vocab_size(), **size)).save_pretrained(folder)


def _save(tokenizer: Tokenizer, special: dict[str, str], folder: Path) -> None:
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **special).save_pretrained(folder)
