"""Loading a model for a program or a notebook, from Hugging Face, a folder, a GGUF file, a server, or memory."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relprobe.core.errors import ConfigError, ModelError
from relprobe.library import asking
from relprobe.lm.settings import CLIENT
from relprobe.sources.cache import cache_folder

if TYPE_CHECKING:
    from relprobe.library.model import Model
    from relprobe.lm.network.model import LanguageModel
    from relprobe.lm.settings import Model as Engine
    from relprobe.lm.words.encode import ModelKind

CAUSAL_NAMES = ("ForCausalLM", "LMHeadModel")
"""The ends of the names of causal networks in a config.json, such as GPT2LMHeadModel."""
SERVERS = ("http://", "https://")
"""How the address of a server begins."""
ADDRESS = re.compile(r"https?://[^\s'\"\\;|&`$<>@?#]+")
"""An address as configurations may have it, too (`endpoint` of the schema): there is no key in it."""
GENERATORS = "ForConditionalGeneration"
"""The end of the names of networks for texts and images, such as LLaVA's."""


def load(
    model: str | Path | Any,
    kind: ModelKind | None = None,
    *,
    tokenizer: Any = None,
    revision: str = "main",
    name: str = "",
    key_env: str | None = None,
    dtype: str = "auto",
    device: str = "auto",
    bos: bool | None = None,
    context: str = "",
    chat: asking.Chat = False,
    shots: asking.Shots = (),
    batch_tokens: int = 0,
    threads: int = 0,
    timeout: float | None = None,
    allow_pickle: bool = False,
    adapter: str | Path | None = None,
    progress: bool | None = None,
) -> Model:
    r"""Load a language model and check it against the plain forward pass of transformers.

    `model` is one of

    - a Hugging Face id, such as "openai-community/gpt2". `revision` is its commit, tag or branch. The files go into the
      cache of Hugging Face, which transformers uses too;
    - a folder with config.json, a tokenizer and safetensors;
    - a GGUF file. It is converted once, into the folder `cache_folder()`;
    - the address of a server of OpenAI's completions, such as "http://gpu07:8000/v1". `name` is the server's name of the
      model, `tokenizer` the Hugging Face id or folder of its tokenizer, and `key_env` the environment variable with its key;
    - a network of transformers that is in memory, with its `tokenizer`.

    `kind` is "masked" (BERT), "causal" (GPT) or "encoder-decoder" (T5, BART). Without it, the class of the network decides.
    `dtype`: "float32", "bfloat16" or "float16"; "auto" is float32 below 3 billion parameters and bfloat16 above. `device`:
    "auto", "cpu", "cuda" or "cuda:0". `bos`: whether the input of a causal model begins with its BOS token; None does as
    the tokenizer does. `context`: a text before every input. `batch_tokens`: the tokens of a forward pass; 0 fits the
    device. `threads`: those of the CPU, for all of torch in this process; 0 leaves them as they are. `timeout`: the seconds
    that a whole answer of a server may take, 120 without it. `allow_pickle`: also read weights that are not safetensors,
    which can run code of their author. `adapter`: the folder of an adapter of peft, such as LoRA's, or its id at Hugging
    Face. `progress`: show a progress bar; None shows it on terminals and in notebooks.

    `chat`: ask a causal model in its tokenizer's chat template, as an agent of a study with `chat: true`: every text begins
    the assistant's answer. True says the lines of the relations study (`relprobe.library.asking.LINES`), and a mapping such
    as {"instruction": "Complete a text."} says others. `shots`: solved examples that stand before every text, as the studies
    put theirs: each is a sentence on a line of its own, after the `context`, and in a chat in the answer. An example is a
    text, or a pair of a text and its answer, which stands in the [SLOT] or after the text.

    ModelError: the model cannot be loaded, its kind is not clear, or it cannot chat. SourceError: it cannot be fetched.
    ConfigError: the arguments do not fit together.

    >>> from relprobe.lm.loading.example import bigram_model
    >>> tiny = bigram_model({"a": {"robin": 0.25, "bird": 0.75}, "robin": {"sings": 1}})
    >>> model = load(tiny.net, tokenizer=tiny.encoder.tokenizer)
    >>> model
    Model(LlamaForCausalLM, causal, float32, packed)
    >>> shown = load(tiny.net, tokenizer=tiny.encoder.tokenizer, shots=["a robin sings", ("a [SLOT]", "bird")])
    >>> shown.engine.encoder.context
    'a robin sings.\na bird.\n'
    """
    from relprobe.library.model import Model

    encoding = asking.encoding(bos, context, chat, shots)
    on_server = isinstance(model, str) and model.startswith(SERVERS)
    in_memory = not isinstance(model, str | Path)
    if adapter is not None and (on_server or in_memory):
        raise ConfigError("`adapter` is for a model that is loaded from files: leave it out.")
    if on_server:
        return Model(_served(str(model), name, tokenizer, key_env, timeout, revision, encoding), progress)
    if name or key_env or timeout is not None:
        raise ConfigError(
            "`name`, `key_env` and `timeout` are those of a server: give its address as `model`, or leave them out."
        )
    if threads:
        _use_threads(threads)
    if in_memory:
        return Model(_in_memory(model, tokenizer, kind, batch_tokens, encoding), progress)
    if tokenizer is not None:
        raise ConfigError(f"the tokenizer of {model} is taken from its files: leave `tokenizer` out.")
    folder = model_folder(str(model), revision, allow_pickle=allow_pickle)
    return Model(_from_files(folder, kind, adapter, dtype, device, batch_tokens, allow_pickle, encoding), progress)


def model_folder(model: str, revision: str = "main", *, allow_pickle: bool = False, weights: bool = True) -> Path:
    """Return the folder of a model, which is downloaded or converted first if it must be.

    `model`: a folder, a GGUF file or a Hugging Face id. Without `weights`, only its tokenizer and config are downloaded.
    SourceError: it cannot be fetched. ModelError: it holds no weights that may be loaded.
    """
    from relprobe.lm.loading import snapshot

    path = Path(model).expanduser()
    if path.is_dir():
        return path
    if path.is_file():
        return _converted(path)
    if path.suffix == ".gguf" or len(path.parts) > 2 or model.startswith((".", "/", "~")):
        raise ModelError(f"{model} is neither a file nor a folder: correct the path.")
    entry = {"huggingface": model, "revision": revision, "allow_pickle": allow_pickle}
    folder = snapshot.from_hub(model, entry, snapshot.patterns_of(entry, weights=weights))
    if weights:
        snapshot.check(model, entry, folder)
    return folder


def adapter_folder(adapter: str) -> Path:
    """Return the folder of an adapter, which is downloaded first if it must be.

    `adapter`: a folder or a Hugging Face id. SourceError: it cannot be fetched. ModelError: it holds no adapter of peft.
    """
    from relprobe.lm.loading import adapter as adapters
    from relprobe.lm.loading import snapshot

    folder = Path(adapter).expanduser()
    if not folder.is_dir():
        entry = {"huggingface": adapter, "revision": "main"}
        folder = snapshot.from_hub(adapter, entry, snapshot.ADAPTER_FILES)
    adapters.check(adapter, folder)
    return folder


def _converted(gguf: Path) -> Path:
    """Return the folder that a GGUF file is converted into; a file with another size or time is converted anew."""
    from relprobe.lm.loading.snapshot import snapshot

    status = gguf.stat()
    version = hashlib.sha256(f"{gguf.resolve()} {status.st_size} {status.st_mtime_ns}".encode()).hexdigest()[:12]
    folder = cache_folder() / f"{gguf.stem}-{version}"
    if not folder.with_name(f"{folder.name}.json").is_file():
        if importlib.util.find_spec("gguf") is None:
            raise ModelError("a GGUF file needs the package gguf, which is not installed: pip install gguf.")
        snapshot(gguf.name, {"path": str(gguf)}, folder)
    return folder


def _served(
    endpoint: str,
    name: str,
    tokenizer: Any,
    key_env: str | None,
    timeout: float | None,
    revision: str,
    encoding: dict[str, Any],
) -> Engine:
    if not ADDRESS.fullmatch(endpoint):
        raise ConfigError(
            "the address of the server holds a name, a password, a question or a sign that no address has, and logs would "
            "show it: give it without, and name the variable that holds a key as key_env."
        )
    if not name or not isinstance(tokenizer, str | Path):
        raise ConfigError(
            f"the model at {endpoint} needs `name`, the server's name of it, and `tokenizer`, the Hugging Face id or folder "
            "of its tokenizer."
        )
    if timeout is not None and timeout <= 0:
        raise ConfigError(f"timeout={timeout!r} is no time: give the seconds that an answer may take.")
    try:
        client = importlib.import_module(CLIENT)
    except ImportError as error:
        raise ModelError("a served model needs requests and tenacity: pip install requests tenacity.") from error
    folder = model_folder(str(tokenizer), revision, weights=False)
    settings = {"endpoint": endpoint, "key_env": key_env or None, "timeout": timeout}
    server = {key: value for key, value in settings.items() if value is not None}
    return client.connect(folder, name, server, **encoding)  # type: ignore[no-any-return]


def _from_files(
    folder: Path,
    kind: ModelKind | None,
    adapter: str | Path | None,
    dtype: str,
    device: str,
    batch_tokens: int,
    allow_pickle: bool,
    encoding: dict[str, Any],
) -> LanguageModel:
    from relprobe.lm.loading.files import check_files
    from relprobe.lm.loading.load import load as load_network

    check_files(folder, allow_pickle=allow_pickle)  # before its config says what kind of a model it is

    kind = kind or _kind_in(folder)
    return load_network(
        folder,
        masked=kind == "masked",
        encoder_decoder=kind == "encoder-decoder",
        adapter=None if adapter is None else adapter_folder(str(adapter)),
        dtype=_number_format(dtype),
        device=device,
        budget=batch_tokens or None,
        allow_pickle=allow_pickle,
        **encoding,
    )


def _in_memory(
    net: Any, tokenizer: Any, kind: ModelKind | None, batch_tokens: int, encoding: dict[str, Any]
) -> LanguageModel:
    from relprobe.lm.loading.load import BUDGET, blank_of, fastest_model, max_length
    from relprobe.lm.network.cpu import keep_freed_memory
    from relprobe.lm.words.chat import frame
    from relprobe.lm.words.encode import Encoder

    if tokenizer is None:
        raise ConfigError(f"{type(net).__name__} needs the `tokenizer` that it was trained with.")
    keep_freed_memory()
    kind = kind or _kind_of(type(net).__name__, net.config.is_encoder_decoder)
    blank = blank_of(net, tokenizer) if kind == "encoder-decoder" else None
    longest = max_length(net, tokenizer)
    encoder = Encoder.of(
        tokenizer,
        masked=kind == "masked",
        max_length=longest,
        blank=blank,
        bos=encoding["bos"],
        context=encoding["context"],
        frame=None if encoding["chat"] == "none" else frame(tokenizer, encoding["conversation"], encoding["chat"]),
    )
    return fastest_model(net.eval(), encoder, batch_tokens or BUDGET["cuda" if net.device.type == "cuda" else "cpu"])


def _kind_in(folder: Path) -> ModelKind:
    from relprobe.core.files import read_json

    path = folder / "config.json"
    config = read_json(path) if path.is_file() else {}
    names = config.get("architectures")
    first = names[0] if isinstance(names, list) and names and isinstance(names[0], str) else ""
    return _kind_of(first or str(folder), config.get("is_encoder_decoder") is True)


def _kind_of(network: str, encoder_decoder: bool = False) -> ModelKind:
    """Return the kind of a network by the name of its class. ModelError: the name does not tell.

    `encoder_decoder`: its config says that it has an encoder and a decoder.

    >>> _kind_of("BertForMaskedLM"), _kind_of("GPT2LMHeadModel"), _kind_of("LlavaForConditionalGeneration")
    ('masked', 'causal', 'causal')
    """
    if encoder_decoder:
        return "encoder-decoder"
    if network.endswith("ForMaskedLM"):
        return "masked"
    if network.endswith((*CAUSAL_NAMES, GENERATORS)):
        return "causal"
    raise ModelError(
        f'{network} does not say whether it is a masked or a causal model: give kind="masked" or kind="causal".'
    )


def _use_threads(threads: int) -> None:
    import torch

    if threads < 0:
        raise ConfigError(f"threads={threads} is no number of threads: use 1 or more, or 0 for those of torch.")
    torch.set_num_threads(threads)


def _number_format(dtype: str) -> Any:
    import torch

    formats = {"auto": None, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
    if dtype not in formats:
        raise ConfigError(f"dtype={dtype!r} is no number format: use {', '.join(formats)}.")
    return formats[dtype]
