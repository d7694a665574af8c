# What the rules of steps have in common. A rule of a step is one of these with its own files and params, and inherits from no
# other one.


# A step that runs no network, where Snakemake itself runs (localrules).
rule analysis:
    log:
        "<results>/logs/analysis.log",
    conda:
        ENVS / "analysis.yaml"
    shell:
        STEP


# On a cluster, the steps of seconds are submitted together, in three groups. What comes before the models' answers, or has
# nothing to do with them:
rule preparing:
    log:
        "<results>/logs/preparing.log",
    group:
        together("words")
    conda:
        ENVS / "analysis.yaml"
    shell:
        STEP


# What is done with the answers of one agent:
rule measuring:
    log:
        "<results>/logs/measuring.log",
    group:
        together("metrics")
    conda:
        ENVS / "analysis.yaml"
    shell:
        STEP


# What is done with all agents:
rule comparing:
    log:
        "<results>/logs/comparing.log",
    group:
        together("tables")
    conda:
        ENVS / "analysis.yaml"
    shell:
        STEP


# A step that scores or embeds with a model. `device` and the resources below it say how to compute, not what: they re-run
# nothing. It takes the most cores and time, so it comes before the steps of one core, which would hold it up.
rule scoring:
    log:
        "<results>/logs/scoring/{model}.log",
    priority: 50
    conda:
        ENVS / "models.yaml"
    threads: model_threads
    resources:
        **MODEL_RESOURCES,
        mem_mb=model_memory,
        runtime=model_minutes,
        device=config["scoring"]["device"],
        batch_tokens=config["scoring"]["batch_tokens"],
    shell:
        STEP


# A step that asks an agent that only chats: it waits for a server, and takes no core worth the name.
rule asking:
    log:
        "<results>/logs/asking/{model}.log",
    priority: 50
    conda:
        ENVS / "chat-models.yaml"
    shell:
        STEP
