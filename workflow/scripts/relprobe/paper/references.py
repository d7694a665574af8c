"""The papers and programs that a run may rest on, as entries of BibTeX; a manuscript gets those that its methods cite."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from relprobe.core.errors import DataError
from relprobe.paper.latex import literal
from relprobe.paper.run import public_url
from relprobe.version import __version__

CITED = re.compile(r"@([A-Za-z][\w.:-]*\w)(?=[;\]])")
"""A key in a citation such as [@cao2024; @kish1965]."""
ENTRIES = {
    "relprobe": f"""@misc{{relprobe,
  author = {{{{The relprobe authors}}}},
  title = {{relprobe: what language models know about words and their relations}},
  note = {{Version {__version__}}},
  year = {{2026}},
}}""",
    "cao2024": """@article{cao2024,
  author = {Cao, Zhihan and Yamada, Hiroaki and Teufel, Simone and Tokunaga, Takenobu},
  title = {A Comprehensive Evaluation of Semantic Relation Knowledge of Pretrained Language Models and Humans},
  journal = {arXiv},
  volume = {2412.01131v1},
  year = {2024},
  note = {Appeared in Language Resources and Evaluation, 2025},
}""",
    "senel2021": """@inproceedings{senel2021,
  author = {Senel, L{\\"u}tfi Kerem and Sch{\\"u}tze, Hinrich},
  title = {Does He Wink or Does He Nod? {A} Challenging Benchmark for Evaluating Word Understanding of Language Models},
  booktitle = {EACL},
  year = {2021},
}""",
    "ravichander2020": """@inproceedings{ravichander2020,
  author = {Ravichander, Abhilasha and Hovy, Eduard and Suleman, Kaheer and Trischler, Adam and Cheung, Jackie Chi Kit},
  title = {On the systematicity of probing contextualized word representations: the case of hypernymy in {BERT}},
  booktitle = {*SEM},
  year = {2020},
}""",
    "rezaee2022": """@inproceedings{rezaee2022,
  author = {Rezaee, Kiamehr and Camacho-Collados, Jose},
  title = {Probing relational knowledge in language models via word analogies},
  booktitle = {Findings of EMNLP},
  year = {2022},
}""",
    "jurgens2012": """@inproceedings{jurgens2012,
  author = {Jurgens, David and Mohammad, Saif and Turney, Peter and Holyoak, Keith},
  title = {{SemEval}-2012 Task 2: measuring degrees of relational similarity},
  booktitle = {SemEval},
  year = {2012},
}""",
    "miller1995": """@article{miller1995,
  author = {Miller, George A.},
  title = {{WordNet}: a lexical database for {English}},
  journal = {Communications of the ACM},
  volume = {38},
  number = {11},
  pages = {39--41},
  year = {1995},
  doi = {10.1145/219717.219748},
}""",
    "vulic2017": """@article{vulic2017,
  author = {Vuli{\\'c}, Ivan and Gerz, Daniela and Kiela, Douwe and Hill, Felix and Korhonen, Anna},
  title = {{HyperLex}: a large-scale evaluation of graded lexical entailment},
  journal = {Computational Linguistics},
  volume = {43},
  year = {2017},
}""",
    "battig1969": """@article{battig1969,
  author = {Battig, William F. and Montague, William E.},
  title = {Category norms for verbal items in 56 categories},
  journal = {Journal of Experimental Psychology},
  volume = {80},
  year = {1969},
}""",
    "gladkova2016": """@inproceedings{gladkova2016,
  author = {Gladkova, Anna and Drozd, Aleksandr and Matsuoka, Satoshi},
  title = {Analogy-based detection of morphological and semantic relations with word embeddings:
    what works and what doesn't},
  booktitle = {NAACL-HLT Student Research Workshop},
  year = {2016},
}""",
    "pennington2014": """@inproceedings{pennington2014,
  author = {Pennington, Jeffrey and Socher, Richard and Manning, Christopher},
  title = {{GloVe}: global vectors for word representation},
  booktitle = {EMNLP},
  year = {2014},
}""",
    "speer2022": """@misc{speer2022,
  author = {Speer, Robyn},
  title = {wordfreq},
  year = {2022},
}""",
    "holm1979": """@article{holm1979,
  author = {Holm, Sture},
  title = {A simple sequentially rejective multiple test procedure},
  journal = {Scandinavian Journal of Statistics},
  volume = {6},
  year = {1979},
}""",
    "kish1965": """@book{kish1965,
  author = {Kish, Leslie},
  title = {Survey Sampling},
  publisher = {Wiley},
  year = {1965},
}""",
    "hesterberg2015": """@article{hesterberg2015,
  author = {Hesterberg, Tim C.},
  title = {What teachers should know about the bootstrap: resampling in the undergraduate statistics curriculum},
  journal = {The American Statistician},
  volume = {69},
  number = {4},
  pages = {371--386},
  year = {2015},
  doi = {10.1080/00031305.2015.1089789},
}""",
    "korn1998": """@article{korn1998,
  author = {Korn, Edward L. and Graubard, Barry I.},
  title = {Confidence intervals for proportions with small expected number of positive counts estimated from survey data},
  journal = {Survey Methodology},
  volume = {24},
  year = {1998},
}""",
    "aronow2015": """@article{aronow2015,
  author = {Aronow, Peter M. and Samii, Cyrus and Assenova, Valentina A.},
  title = {Cluster-robust variance estimation for dyadic data},
  journal = {Political Analysis},
  volume = {23},
  year = {2015},
}""",
}
"""Key -> the entry."""


def model_key(name: str) -> str:
    """Return the key of a model's entry.

    >>> model_key("smollm2-135m")
    'model-smollm2-135m'
    """
    return f"model-{re.sub(r'[^A-Za-z0-9.-]', '-', name)}"


def model_entry(name: str, entry: Mapping[str, Any]) -> str:
    """Return the entry of a model: where it is from, and which revision of it. `entry`: that of the configuration.

    BibTeX sorts an entry without an author by its key.

    >>> print(model_entry("gpt2", {"huggingface": "openai-community/gpt2", "revision": "607a30d7"}))
    @misc{model-gpt2,
      key = {gpt2},
      title = {openai-community/gpt2},
      howpublished = {Hugging Face, revision 607a30d7},
      url = {https://huggingface.co/openai-community/gpt2},
    }
    """
    where = {"huggingface": "Hugging Face", "pypi": "PyPI", "url": "", "path": "", "endpoint": ""}
    key = next((key for key in where if key in entry), "")
    title = entry.get("name", name) if key in ("endpoint", "path", "") else str(entry[key])
    title = public_url(title) if key == "url" else title
    revision = f"revision {entry['revision']}" if "revision" in entry else ""
    published = ", ".join(filter(None, [where.get(key, ""), revision])) or "language model"
    url = {"huggingface": f"https://huggingface.co/{title}", "url": title}.get(key)
    lines = [
        f"  key = {{{literal(name)}}},",
        f"  title = {{{literal(title)}}},",
        f"  howpublished = {{{literal(published)}}},",
    ]
    lines += [f"  url = {{{url}}},"] if url else []
    return "\n".join([f"@misc{{{model_key(name)},", *lines, "}"])


def bibliography(texts: Iterable[str], models: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the entries that some texts cite, in the order of their keys. DataError: there is no such entry.

    `models`: name -> entry of the configuration.
    """
    known = ENTRIES | {model_key(name): model_entry(name, entry) for name, entry in models.items()}
    keys = sorted({key for text in texts for key in CITED.findall(text)})
    if missing := [key for key in keys if key not in known]:
        raise DataError(
            f"the methods cite {', '.join(missing)}, of which there is no entry: please report it as a defect."
        )
    return "\n\n".join(known[key] for key in keys) + "\n"
