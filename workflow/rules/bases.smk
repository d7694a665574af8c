# What the rules of steps have in common. A rule of a step is one of these two with its own files and params.


# A step that runs no network.
rule analysis:
    log:
        "<results>/logs/analysis.log",
    conda:
        "../../envs/analysis.yaml"
    shell:
        STEP


# A step that scores or embeds with a model. `device` and the resources below it say how to compute, not what: they re-run
# nothing. It takes most of the cores, so it comes before the steps of one core, which would hold it up.
rule scoring:
    log:
        "<results>/logs/scoring/{model}.log",
    priority: 50
    conda:
        "../../envs/models.yaml"
    threads: 8
    resources:
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
    shell:
        STEP
