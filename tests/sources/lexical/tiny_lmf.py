"""A resource in the format WN-LMF of a few German synsets, for tests that should not need a real one."""

from pathlib import Path

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
"""
SYNSETS = {
    # synset: (part of speech, words, {pointer: synsets}); the reverse pointers are written as well
    "tier": ("n", ["Tier"], {}),
    "vogel": ("n", ["Vogel"], {"hypernym": ["tier"]}),
    "amsel": ("n", ["Amsel", "Schwarzdrossel"], {"hypernym": ["vogel"]}),
    "rabe": ("n", ["Rabe", "Kolkrabe", "schwarzer Rabe"], {"hypernym": ["vogel"]}),
    "fluegel": ("n", ["Flügel"], {"holo_part": ["vogel"]}),
    "piano": ("n", ["Flügel", "Konzertflügel"], {}),
    "gehen": ("v", ["gehen"], {}),
    "rennen": ("v", ["rennen"], {"hypernym": ["gehen"]}),
    "schlafen": ("v", ["schlafen"], {}),
    "schnarchen": ("v", ["schnarchen"], {"entails": ["schlafen"]}),
    "warm": ("a", ["warm"], {}),
    "kalt": ("a", ["kalt"], {}),
    "heiss": ("s", ["heiß"], {"similar": ["warm"]}),
}
ANTONYMS = [("warm", "kalt")]
BACK = {"hypernym": "hyponym", "holo_part": "mero_part", "entails": "is_entailed_by", "similar": "similar"}


def write(path: Path, language: str = "de") -> Path:
    """Write the file, as one lexicon of a language."""
    links = {
        name: [(pointer, other) for pointer, others in links.items() for other in others]
        for name, (*_, links) in SYNSETS.items()
    }
    for name, (*_, own) in SYNSETS.items():
        for pointer, others in own.items():
            for other in others:
                links[other].append((BACK[pointer], name))
    words: dict[tuple[str, str], list[str]] = {}
    for name, (pos, lemmas, _) in SYNSETS.items():
        for lemma in lemmas:
            words.setdefault((lemma, pos), []).append(name)
    lines = [
        HEAD,
        f'<Lexicon id="tiny" label="Tiny" language="{language}" email="a@example.org" license="CC0" version="1">',
    ]
    for number, ((lemma, pos), names) in enumerate(words.items()):
        lines.append(f'<LexicalEntry id="tiny-w{number}"><Lemma writtenForm="{lemma}" partOfSpeech="{pos}"/>')
        for name in names:
            opposites = [b if lemma == a else a for a, b in ANTONYMS if lemma in (a, b)]
            relations = "".join(f'<SenseRelation relType="antonym" target="tiny-{o}-{o}"/>' for o in opposites)
            lines.append(f'<Sense id="tiny-{lemma.replace(" ", "_")}-{name}" synset="tiny-{name}">{relations}</Sense>')
        lines.append("</LexicalEntry>")
    for name, (pos, *_) in SYNSETS.items():
        relations = "".join(f'<SynsetRelation relType="{p}" target="tiny-{o}"/>' for p, o in links[name])
        lines.append(f'<Synset id="tiny-{name}" ili="" partOfSpeech="{pos}">{relations}</Synset>')
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([*lines, "</Lexicon>", "</LexicalResource>"]), encoding="utf-8")
    return path
