"""Connecting: the settings of a served model become a model that has passed the checks of its server."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from relprobe.core.digest import digest
from relprobe.core.errors import ModelError, first_line
from relprobe.core.files import read_json
from relprobe.core.manifest import model_folder
from relprobe.lm.requests import SlotProbe, Variant
from relprobe.lm.served import validation
from relprobe.lm.served.client import Client, RefusalError
from relprobe.lm.served.key import key_of
from relprobe.lm.served.model import PROBING_ATTEMPTS, ServedModel
from relprobe.lm.served.names import TokenNames
from relprobe.lm.witness import Witness
from relprobe.lm.words.chat import Chat, Conversation, frame
from relprobe.lm.words.encode import Encoder
from relprobe.lm.words.tokenizer import tokenizer_of

logger = logging.getLogger("relprobe")
VERSIONS = (
    ("/version", "version"),
    ("/props", "build_info"),
    ("/openapi.json", "info"),
    ("/get_server_info", "version"),
)
"""Where servers say which version they are: vLLM, llama-server, llama-cpp-python, SGLang."""


def connect(
    manifest: Path,
    name: str,
    server: Mapping[str, Any],
    *,
    bos: bool | None = None,
    context: str = "",
    chat: Chat = "none",
    conversation: Conversation | None = None,
) -> ServedModel:
    """Return the model `name` of a server, after the checks of `relprobe.lm.served.validation`.

    `manifest` is that of the snapshot that holds the tokenizer, or the folder itself. `server`: the `endpoint`, and as far
    as they are set `key_env` (the name of the environment variable that holds the key), `concurrency` and `timeout`
    (seconds). `bos`, `context`, `chat` and `conversation` are those of `relprobe.lm.loading.load.load`. Where the snapshot
    also holds weights, the server is compared with the local engine.
    ModelError: the server cannot be reached, has no such model, or is not trusted. ConfigError: the key variable is not set.
    """
    client = Client(server["endpoint"], key_of(server), server.get("concurrency", 8), server.get("timeout", 120.0))
    facts = _served_facts(client, name)
    folder = model_folder(manifest)
    tokenizer = tokenizer_of(folder)
    length = min(facts.pop("length"), _positions(folder), tokenizer.model_max_length) - 1  # one token is written
    around = None if chat == "none" else frame(tokenizer, conversation or {}, chat)
    encoder = Encoder.of(tokenizer, masked=False, max_length=length, bos=bos, context=context, frame=around)
    other_models = frozenset(facts.pop("others"))
    model = ServedModel(
        client, name, encoder, TokenNames.of(tokenizer), takes_ids=True, facts=facts, other_models=other_models
    )
    model.takes_ids = _takes_ids(model)
    validation.check_tokens(model)
    model.witness = validation.check_lists(model)
    if any(folder.glob("*.safetensors")):
        encoding = {"bos": bos, "context": context, "chat": chat, "conversation": conversation}
        validation.check_against(model, _local_witness(manifest, encoding))
    logger.info(
        "%s, %s, answers %s and is trusted", model, facts["server"], "token ids" if model.takes_ids else "texts"
    )
    return model


def _served_facts(client: Client, name: str) -> dict[str, Any]:
    """Return the name, server, version and longest input of a model, and the other models. ModelError: it is not there."""
    try:
        models = client.get("/models", first=True)["data"]
        entries = {str(entry["id"]): dict(entry) for entry in models}
    except (TypeError, KeyError, ValueError) as error:
        raise ModelError(
            f"the server at {client.endpoint} lists no models at /models ({first_line(error)}): correct `endpoint`."
        ) from error
    if name not in entries:
        raise ModelError(
            f"the server at {client.endpoint} has no model {name!r}: it has {', '.join(map(repr, entries)) or 'none'}; "
            "correct `name`, or start the server with this model."
        )
    entry = entries[name]
    meta = entry.get("meta")
    length = entry.get("max_model_len") or (
        meta.get("n_ctx_train") if isinstance(meta, dict) else None
    )  # or llama-server
    return {
        "name": name,
        "server": f"{entry.get('owned_by', 'unknown')} {_version(client)}",
        "client": digest(f"{__name__}.connect"),
        "length": length if isinstance(length, int) and length > 0 else 10**9,
        "others": entries.keys() - {name},
    }


def _version(client: Client) -> str:
    for path, key in VERSIONS:
        answer = client.get_from_root(path)
        value = answer.get(key) if isinstance(answer, dict) else None
        if isinstance(value, dict):  # of an OpenAPI page
            return f"{value.get('title', '')} {value.get('version', '')}".strip()
        if value:
            return str(value)
    return "of unknown version"


def _positions(folder: Path) -> int:
    """Return the positions of the snapshot's network, if the snapshot has its config."""
    path = folder / "config.json"
    config = read_json(path) if path.is_file() else {}
    return int(config.get("text_config", config).get("max_position_embeddings") or 10**9)


def _takes_ids(model: ServedModel) -> bool:
    """Find out whether the server takes prompts of token ids. ModelError: it takes neither, or fails for another reason."""
    sample = model.encoder.slot("sample", f"{validation.TEXTS[0]} [V]").ids
    try:
        model.ask_top(sample, 1, PROBING_ATTEMPTS)
    except RefusalError as error:
        if not error.is_request_fault:
            raise
        logger.info("prompts are sent as texts, as %s", error)
    else:
        return True
    model.takes_ids = False
    model.ask_top(sample, 1)
    return False


def _local_witness(manifest: Path, encoding: Mapping[str, Any]) -> Witness:
    """Return what the local engine answers to the texts of the check."""
    from relprobe.lm.loading.load import load
    from relprobe.lm.primitives.slots import slot_top_k

    local = load(manifest, masked=False, device="cpu", **encoding)
    probes = [SlotProbe(text, (Variant(f"{text} [V]"),)) for text in validation.TEXTS]
    return [
        {"token_ids": response.token_ids.tolist(), "logprobs": response.logprobs.tolist()}
        for response in slot_top_k(local, probes, validation.LIST)
    ]
