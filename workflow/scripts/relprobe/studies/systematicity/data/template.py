"""A user's own hyponyms: the resource, and an example of its file."""

from relprobe.core.files import Text

RESOURCE = "own_hyponyms"
"""The resource with own hyponyms; it takes the place of WordNet's and of the released ones."""
TEMPLATE = """hyponym,category,plural,sentence
robin,bird,robins,A robin sat on the fence and sang.
wren,bird,wrens,
goose,bird,geese,The geese flew south in autumn.
heron,bird,herons,
ant,insect,ants,An ant carried the crumb into its hill.
wasp,insect,wasps,
louse,insect,lice,
moth,insect,moths,
violin,musical instrument,violins,She tuned her violin before the concert.
grand piano,musical instrument,grand pianos,
cello,musical instrument,cellos,
flute,musical instrument,flutes,
éclair,pastry,éclairs,He ate an éclair with his coffee.
croissant,pastry,croissants,
strudel,pastry,strudels,
baklava,pastry,baklavas,
"""
"""Four words of each category, which is enough for three folds of training, development and test."""


def template() -> Text:
    """Write a template of own hyponyms, a CSV file with four categories."""
    return TEMPLATE
