"""The links between words and synsets, by the names of the Global WordNet Association, and what nltk calls them.

The names are those of the format WN-LMF (https://globalwordnet.github.io/gwadoc). Two are of this project: `co_lemma`
stands for the other words of the target's synset, and `sister` for the words that share a direct hypernym with it.
"""

CO_LEMMA, SISTER = "co_lemma", "sister"
SYNSET = {
    "hypernym": "hypernyms",
    "instance_hypernym": "instance_hypernyms",
    "hyponym": "hyponyms",
    "instance_hyponym": "instance_hyponyms",
    "holo_part": "part_holonyms",
    "holo_member": "member_holonyms",
    "holo_substance": "substance_holonyms",
    "mero_part": "part_meronyms",
    "mero_member": "member_meronyms",
    "mero_substance": "substance_meronyms",
    "entails": "entailments",
    "causes": "causes",
    "attribute": "attributes",
    "similar": "similar_tos",
    "also": "also_sees",
}
"""Pointers between synsets -> the method of nltk's Synset. All words of the other synset are relata."""
INVERSE = {"is_entailed_by": "entails", "is_caused_by": "causes"}
"""Pointers that Princeton WordNet has one way only -> the other way. They are found by a walk over all synsets."""
LEMMA = {"antonym": "antonyms", "derivation": "derivationally_related_forms", "pertainym": "pertainyms"}
"""Pointers between words -> the method of nltk's Lemma. Only the word that is pointed to is a relatum."""
PRINCETON = (CO_LEMMA, SISTER, *SYNSET, *INVERSE, *LEMMA)
"""All pointers that the database of Princeton WordNet 3.0 has."""
PARTS_OF_SPEECH = {"noun": "n", "verb": "v", "adjective": "a", "adverb": "r"}
"""Part of speech -> its letter in WordNet."""
