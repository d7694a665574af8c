"""Write the tables of keys in config/README.md from the schemas: `python docs/config_manual.py`.

The rest of the page is written by hand. A test compares the page with the schemas.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "workflow/scripts"))

import yaml  # noqa: E402 (after the path)
from relprobe.studies import STUDIES  # noqa: E402
from relprobe.studies.config import whole_schema  # noqa: E402

PAGE = ROOT / "config" / "README.md"
SCHEMAS = ROOT / "workflow" / "schemas"
MARK = "<!-- The rest of this page is written by docs/config_manual.py from workflow/schemas. -->\n"


def tables() -> str:
    """Return the sections of the page that follow from the schemas: the top, a model, an encoder, and every study."""
    schema_of_all = whole_schema(SCHEMAS)
    defs = schema_of_all["$defs"]
    top = {key: part for key, part in schema_of_all["properties"].items() if key not in STUDIES}
    sections = [("The configuration", {"properties": top}), ("A model", defs["model"]), ("An encoder", defs["encoder"])]
    sections += [("A resource", defs["resource"]), *((f"Section `{study}`", _read(study)) for study in STUDIES)]
    return "\n".join(_section(title, schema, defs) for title, schema in sections)


def _read(name: str) -> dict[str, Any]:
    return yaml.safe_load((SCHEMAS / f"{name}.schema.yaml").read_text("utf-8"))


def _section(title: str, schema: dict[str, Any], defs: dict[str, Any]) -> str:
    rows = "".join(f"| `{key}` | {values} | {text} |\n" for key, values, text in _rows("", schema, defs))
    lead = f"{schema['description']}\n\n" if "description" in schema else ""
    return f"## {title}\n\n{lead}| key | values | what it says |\n|---|---|---|\n{rows}"


def _rows(prefix: str, schema: dict[str, Any], defs: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield the key, its values and its description, of every key and of the keys in it."""
    for key, entry in schema.get("properties", {}).items():
        part = _resolved(entry, defs)
        required = " It is required." if key in schema.get("required", ()) else ""
        text = f"{part.get('description', '')}{required}".replace("|", "\\|").replace("\n", " ").strip()
        yield prefix + key, _values(part).replace("|", "\\|"), text
        if not part.get("$resource"):
            yield from _rows(f"{prefix}{key}.", part, defs)


def _resolved(part: dict[str, Any], defs: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a schema with what its $ref says; its own words come first."""
    if "$ref" not in part:
        return part
    target: Any = {"$defs": defs}
    for name in part["$ref"].removeprefix("#/").split("/"):
        target = target[name]
    merged = {**_resolved(target, defs), **{key: value for key, value in part.items() if key != "$ref"}}
    return merged | ({"$resource": True} if part["$ref"].endswith("/resource") else {})


def _values(part: dict[str, Any]) -> str:
    """Return what a key may hold, and its default, in a few words."""
    if part.get("$resource"):
        return "a resource"
    if "enum" in part:
        kind = ", ".join(f"`{_written(value)}`" for value in part["enum"])
    elif part.get("type") == "array":
        kind = f"a list: {_values(part['items'])}" if "items" in part else "a list"
    elif isinstance(part.get("type"), list):
        kind = " or ".join({"array": "a list", "object": "keys"}.get(name, name) for name in part["type"])
    else:
        kind = {"object": "keys"}.get(str(part.get("type", "any")), str(part.get("type", "any")))
    default = part.get("default")
    return kind if default in (None, {}) else f"{kind}; default `{_written(default)}`"


def _written(value: Any) -> str:
    return yaml.safe_dump(value, default_flow_style=True, width=1000).strip().removesuffix("\n...")


def page() -> str:
    """Return the whole page: what is written by hand, and the tables."""
    return PAGE.read_text("utf-8").partition(MARK)[0] + MARK + "\n" + tables()


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    sys.exit(0)
