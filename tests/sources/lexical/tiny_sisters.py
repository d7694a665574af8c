"""A hand-made WordNet of sister synsets: multi-word strings, equal strings, equal definitions, two parents, an instance."""

from tests.sources.lexical.tiny_wordnet import Synset

SISTERS = {
    "animal": Synset("animal", gloss="a living thing that moves"),
    "bird": Synset("bird", hypernyms="animal", gloss="an animal with wings"),
    "pet": Synset("pet", hypernyms="animal", gloss="an animal at home"),
    "robin": Synset("robin", hypernyms="bird", gloss="a small bird that is red"),
    "hen": Synset("hen", hypernyms="bird", gloss="a bird with eggs"),
    "owl": Synset("owl barn_owl", hypernyms="bird", gloss='a bird of the night; "an owl is a bird"'),
    "goose": Synset("goose", hypernyms="bird pet", gloss="a large bird"),
    "cat": Synset("cat", hypernyms="pet", gloss="a small pet"),
    "dog": Synset("dog", hypernyms="pet", gloss="a large pet"),
    "polly": Synset("Polly", instance_of="bird", gloss="a bird of a story"),
    "move": Synset("move", pos="v", gloss="change the place"),
    "beckon": Synset("beckon", pos="v", hypernyms="move", gloss="signal with the hands"),
    "wink": Synset("wink", pos="v", hypernyms="move", gloss="signal with the eye"),
    "nod": Synset("nod", pos="v", hypernyms="move", gloss="lower the head"),
    "agree": Synset("nod agree", pos="v", hypernyms="move", gloss="agree with the head"),
    "warm": Synset("warm_up", pos="v", hypernyms="move", gloss="run before a game"),
    "stretch": Synset("stretch", pos="v", hypernyms="move", gloss="run before a game"),
    "bow": Synset("bow", pos="v", hypernyms="move", gloss="bend the body"),
}
"""Of the nouns only the goose has a group of at least five: robin, hen, owl and itself as birds, cat and dog as pets. The
seven verbs under "move" share one, with six strings (nod twice) and six definitions (warm up and stretch have the same)."""
