# The systematicity study: words, and what counts as right.


use rule preparing as systematicity_pairs with:
    input:
        item_table="<results>/systematicity/items.parquet",
        released=SYSTEMATICITY_RELEASED,
    output:
        pairs="<results>/systematicity/pairs.parquet",
        contexts="<results>/systematicity/contexts.parquet",
    log:
        "<results>/logs/systematicity/pairs.log",
    params:
        **step(
            "systematicity",
            "pairs",
            categories=SYSTEMATICITY_CATEGORIES,
            carriers=SYSTEMATICITY["carriers"],
            folds=SYSTEMATICITY["folds"],
            seed=SYSTEMATICITY["seed"],
        ),
