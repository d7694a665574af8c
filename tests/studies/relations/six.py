"""The relations of the paper, as the default study reads them."""

from relprobe.sources.relations import read

from tests.paths import ROOT

FILE = ROOT / "resources/relations/english-nouns.yaml"
SIX = read(FILE)
CODES = SIX.codes
