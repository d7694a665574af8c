# The degrees study: values of each agent, unit by unit.


use rule measuring as degrees_layer_metrics with:
    input:
        scores="<results>/degrees/layer_scores/{model}.parquet",
        probes="<results>/degrees/probes.parquet",
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    output:
        "<results>/degrees/layer_metrics/{model}.parquet",
    log:
        "<results>/logs/degrees/layer_metrics/{model}.log",
    params:
        **step("degrees", "layer_metrics"),
