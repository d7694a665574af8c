# The degrees study: words, and what counts as right.


use rule preparing as degrees_gold with:
    input:
        relations=DEGREES_RELATIONS,
        prompts=DEGREES_DESCRIPTION,
    output:
        gold="<results>/degrees/gold.parquet",
        questions="<results>/degrees/questions.parquet",
    log:
        "<results>/logs/degrees/gold.log",
    params:
        **step("degrees", "gold"),
