# The further analyses of all studies that have a step of their own (core/analyses.py): a rule for each, with the name of its file.

from relprobe.core.study import StepInput, readings


def readable_of(study):
    """What the step of an analysis may read: name of a parameter of its function `make_exhibits` -> the files and settings.

    All studies have the resources of the configuration under their names, the scores of models, the values, averages and tests
    of all agents, people's table (`answers`, with `layout`), the models behind agents (`networks`) and their manifests, and what
    is drawn from; the others are what the study says (`InRun.readable`).
    """
    run = IN_RUN[study]
    networks = readings({}, {"networks": {agent: NETWORKS[agent] for agent in models_of(study)}})
    study_readings = networks | run.readable
    models = dict.fromkeys(study_readings["networks"].settings["networks"].values())
    files = {
        **{name: prepared(name) for name in config["resources"]},
        "scores": run.scored,
        "values": metrics_of(study, run.agents),
        **table_files(study, "averages", "tests"),
        "manifests": [fetched_model(model) for model in models],
        **({"answers": fetched(run.people)} if run.people else {}),
    }
    settings = {"controls": run.controls, "targets": config["targets"], "seed": config[study].get("seed")}
    # The tables behind figures (`values`) are those that such steps make.
    drawn = {name: files for name, files in run.drawn.files.items() if name != "values"}
    wholes = {"layout": StepInput({}, layout_of(run.people)), "drawing": run.drawn._replace(files=drawn)}
    return {**readings(files, settings), **wholes, **study_readings}


for study in RUN_STUDIES:
    for name, reading in readings_of_analyses(study, readable_of(study)).items():

        rule:
            name:
                f"{study}_{name}"
            input:
                **reading.files,
            output:
                *prints(study, name),
                **outputs_of_analysis(study, name),
            log:
                f"<results>/logs/{study}/{name}.log",
            group:
                together("tables")
            conda:
                ENVS / "analysis.yaml"
            params:
                **step(study, name, **reading.settings),
            shell:
                STEP
