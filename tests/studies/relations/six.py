"""The relations of the paper and the language of its prompts, as the default study reads them."""

from relprobe.sources import language
from relprobe.sources.language import Articles
from relprobe.sources.relations import read

from tests.paths import ROOT

FILE = ROOT / "resources/relations/english-nouns.yaml"
SIX = read(FILE)
CODES = SIX.codes
ENGLISH = language.read(ROOT / "resources/languages/english.yaml")
WEIGHTS = Articles({"a": 0.75, "an": 0.25}, ENGLISH.articles.before)
ONE = Articles({"a": 1.0}, ENGLISH.articles.before)
