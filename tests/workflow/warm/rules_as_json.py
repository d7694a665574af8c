"""Print the rules of the workflow in the working directory, as Snakemake understands them: JSON, rule -> what it is."""

import inspect
import json
from pathlib import Path
from typing import Any


def main() -> None:
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import OutputSettings, ResourceSettings

    with SnakemakeApi(OutputSettings()) as api:
        workflow = api.workflow(ResourceSettings(), snakefile=Path("Snakefile"))._workflow
        print(
            json.dumps(
                {rule.name: {**about(rule), "local": rule.name in workflow._localrules} for rule in workflow.rules}
            )
        )


def about(rule: Any) -> dict[str, Any]:
    """Describe a rule. What it asks for is a value, or the names of what the value is computed from."""
    resources = {name: resource for name, resource in rule.resources.items() if name not in ("tmpdir", "_nodes")}
    conda = rule.conda_env and (Path(str(rule.basedir)) / rule.conda_env).resolve()
    return {
        "shell": rule.shellcmd or "",
        "conda": str(conda) if conda else None,
        "asks_for": {name.replace("_cores", "threads"): asks_for(resource) for name, resource in resources.items()},
        "output": [str(file) for file in rule.output],
        "group": group_of(rule),
    }


def group_of(rule: Any) -> str | None:
    """Return the group of a rule's jobs where a profile says how many of a group are submitted together."""
    rule.workflow.group_settings.group_components = dict.fromkeys(("words", "metrics", "tables"), 1)
    return rule._group and rule._group(None)


def asks_for(resource: Any) -> int | str | list[str]:
    if resource.is_evaluable():
        return list(inspect.signature(resource._evaluator).parameters)
    return resource.value


if __name__ == "__main__":
    main()
