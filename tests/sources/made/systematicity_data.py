"""The authors' data in miniature, and the real ones where they lie beside the repository."""

import os
from pathlib import Path

from tests.paths import ROOT

DATA = Path(os.environ.get("RELPROBE_DATA", ROOT.parent / "shared" / "data")) / "systematicity"

DIAGNOSTIC = {
    "singular": ["A robin is a [MASK]\tbird", "An ant is an [MASK]\tinsect", "A saw is a [MASK]\ttool"],
    "plural": ["robins are [MASK]\tbirds", "ants are [MASK]\tinsects", "saws are [MASK]\ttools"],
    "contextual": [
        "robin\tA robin perches beside the robin 's nest .\tbird",
        'ant\t"An elephant and an ant ( "" Formica "" ) met ."\tinsect',
        "saw\tHand saws have a thick blade .\ttool",
    ],
}
EXTENDED = {
    "singular": ["A wren is a [MASK]\tbird", "A car is a [MASK]\tvehicle", "A barn is a [MASK]\tbuilding"],
    "plural": ["wrens are [MASK]\tbirds", "cars are [MASK]\tvehicles", "barns are [MASK]\tbuildings"],
    "contextual": ["car\tThe car has four wheels .\tvehicle"],
}
CATEGORIES = {"animals": ["bird", "insect"], "objects": ["vehicle", "building", "tool"]}
HYPONYMS = {
    "bird": ["robin", "wren", "stork", "heron"],
    "insect": ["ant", "bee", "wasp", "moth"],
    "vehicle": ["car", "bus", "tram", "bike"],
    "building": ["barn", "house", "hut", "villa"],
}


def pair_lines(hyponyms, contexts=1):
    """Return lines of a released split: for each hyponym as many true as untrue pairs."""
    group = {category: others for others in CATEGORIES.values() for category in others}
    lines = []
    for category, words in HYPONYMS.items():
        wrong = next(other for other in group[category] if other != category)
        for word in words:
            if word in hyponyms:
                for number in range(contexts):
                    for label, hypernym in ((1, category), (0, wrong)):
                        sentence, other = f"Number {number} is a {word} .", f"The {hypernym} of {number} ."
                        lines.append(f"{sentence}\t{word}\t{other}\t{hypernym}\t{label}")
    return lines


def write(folder):
    """Write the miniature below `folder`, as an archive of the repository unpacks, and return `folder`."""
    home = folder / "probe-generalization-main"
    for name, files in (("LM-Diagnostic", DIAGNOSTIC), ("LM-Diagnostic-Extended", EXTENDED)):
        (home / "Syntagmatic" / name).mkdir(parents=True)
        for file, lines in files.items():
            (home / "Syntagmatic" / name / f"{file}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (home / "Paradigmatic").mkdir()
    animals = HYPONYMS["bird"] + HYPONYMS["insect"]
    objects = HYPONYMS["vehicle"] + HYPONYMS["building"]
    for fold, (train, held_out) in enumerate(((objects, animals), (animals, objects), (objects, animals)), start=1):
        for part, lines in (
            ("train", pair_lines(train, contexts=3)),
            ("val", pair_lines(held_out[::2])),
            ("test", pair_lines(held_out[1::2])),
        ):
            file = home / "Paradigmatic" / f"{part}_detection_systematic_split{fold}.tsv"
            file.write_text("\r\n".join(lines) + "\r\n", encoding="utf-8")
    return folder
