"""The blind agents: each is a function of ten lines, below a decorator that names its studies.

To add one, write it here, or anywhere before the suite runs, as `door.blind` says.
"""

import random
from collections.abc import Sequence
from functools import cache

import numpy as np

from benchmarks.blind.door import Answer, Question, Weights, World, blind

# Agents of all studies, which look at options alone, or at nothing.


@blind()
def all_alike(_: World) -> Answer:
    """Take all options for equally good: all answers tie."""
    return lambda question: np.zeros(len(question.options))


@blind()
def random_numbers(_: World) -> Answer:
    """Answer by chance, drawn anew for each question."""
    draws = np.random.default_rng(1)
    return lambda question: draws.random(len(question.options))


@blind()
def random_words(_: World) -> Answer:
    """Like some options more than others by chance, whatever is asked."""
    return lambda question: [_draw(option) for option in question.options]


@blind()
def shortest(_: World) -> Answer:
    """Answer with the shortest option; many tie."""
    return lambda question: [-len(option) for option in question.options]


@blind()
def longest(_: World) -> Answer:
    """Answer with the longest option; many tie."""
    return lambda question: [len(option) for option in question.options]


@blind()
def first_by_letters(_: World) -> Answer:
    """Answer with the option that the alphabet has first."""
    return lambda question: -np.argsort(np.argsort(np.array(list(question.options)))).astype(float)


@blind()
def as_listed(_: World) -> Answer:
    """Answer with the options in a fixed order: the same word first, always."""
    return lambda question: -np.arange(len(question.options), dtype=float)


@blind()
def frequent(world: World) -> Answer:
    """Answer with the most frequent option."""
    return lambda question: world.use(question.options)


@blind()
def rare(world: World) -> Answer:
    """Answer with the rarest option."""
    return lambda question: -world.use(question.options)


# Agents of all studies that compare options with what is asked about.


@blind()
def last_letters(_: World) -> Answer:
    """Answer with options that end as the words of the question do."""
    return lambda question: [
        float(max((_shared(option[::-1], word[::-1]) for word in question.words), default=0))
        for option in question.options
    ]


@blind()
def first_letters(_: World) -> Answer:
    """Answer with options that begin as the words of the question do."""
    return lambda question: [
        float(max((_shared(option, word) for word in question.words), default=0)) for option in question.options
    ]


@blind()
def letters_in_common(_: World) -> Answer:
    """Answer with options of the letters of the question, in any order."""

    def answer(question: Question) -> Sequence[float]:
        letters = set("".join(question.words))
        return [len(letters & set(option)) / len(set(option) | letters) for option in question.options]

    return answer


@blind()
def echo(_: World) -> Answer:
    """Answer with the words of the question and of its prompt, and nothing else; all others tie."""
    return lambda question: [
        float(option in question.words or option in question.prompt.split()) for option in question.options
    ]


@blind()
def as_long_as_the_question(_: World) -> Answer:
    """Answer with options that are as long as the words of the question."""
    return lambda question: [
        -float(min((abs(len(option) - len(word)) for word in question.words), default=0)) for option in question.options
    ]


@blind()
def as_frequent_as_the_question(world: World) -> Answer:
    """Answer with options that are as frequent as the words of the question."""

    def answer(question: Question) -> Weights:
        question_use = np.log(1e-9 + world.use(question.words)).mean() if question.words else 0.0
        return -np.abs(np.log(1e-9 + world.use(question.options)) - question_use)

    return answer


@blind()
def near(world: World) -> Answer:
    """Answer with the options whose static vectors are nearest to those of the question."""
    return lambda question: _cosines(world, question)


@blind()
def far(world: World) -> Answer:
    """Answer with the options whose static vectors are farthest from those of the question."""
    return lambda question: None if (near := _cosines(world, question)) is None else -near


@blind()
def near_or_nothing(world: World) -> Answer:
    """Answer with the three nearest options, which tie, as do all others."""

    def answer(question: Question) -> Weights | None:
        near = _cosines(world, question)
        return (
            None
            if near is None
            else (np.nan_to_num(near, nan=-9.0) >= np.sort(np.nan_to_num(near, nan=-9.0))[-3:][0]).astype(float)
        )

    return answer


@blind()
def by_prompt_alone(_: World) -> Answer:
    """Answer with words that go with the prompt and what it asks for, whatever it is about."""
    return lambda question: [_draw(f"{question.asked} {question.prompt} {option}") for option in question.options]


# Agents of relations and pairs, which have read the resource without the words that are asked about.


@blind("relations", "pairs")
def near_and_popular(world: World) -> Answer:
    """Answer with relata of other words by their cosine with the target, and by how many words have them."""

    def answer(question: Question) -> Weights | None:
        near, popular = _cosines(world, question), _popular(world, question)
        with np.errstate(divide="ignore"):
            return None if near is None else np.where(popular > 0, near + 0.1 * np.log(popular), np.nan)

    return answer


@blind("relations", "pairs")
def stereotypes(world: World) -> Answer:
    """Answer with the commonest relata of the relation, whatever the target is."""
    return lambda question: np.where((popular := _popular(world, question)) > 0, popular, np.nan)


@blind("relations", "pairs")
def inverse(world: World) -> Answer:
    """Answer with what is near and popular in the inverse relation."""
    other = near_and_popular(world)
    return lambda question: other(
        Question(question.study, world.relations.inverse[question.asked], question.words, question.options)
    )


@blind("relations")
def frequent_of_its_kind(world: World) -> Answer:
    """Answer with the most frequent words that are a relatum of the relation."""
    uses = world.use(world.words.to_list())
    return lambda question: np.where(_popular(world, question) > 0, uses, np.nan)


@blind("relations")
def similar_words(world: World) -> Answer:
    """Answer with the relata of the word that is most like the target, then with those of the next one."""
    known = {code: (list(of), world.unit(list(of))) for code, of in world.members.items() if of}
    places = {word: place for place, word in enumerate(world.words)}

    def answer(question: Question) -> Weights | None:
        if question.asked not in known or not question.words:
            return None
        names, vectors = known[question.asked]
        cosines = np.nan_to_num(vectors @ world.unit(question.words)[0], nan=-1.0)
        weights, popular = np.full(len(places), np.nan), _popular(world, question)
        for row in np.argsort(cosines)[-30:]:
            for word in world.members[question.asked][names[row]]:
                weights[places[word]] = cosines[row] + 1e-3 * popular[places[word]]
        return weights

    return answer


@blind("relations", "pairs")
def offsets(world: World) -> Answer:
    """Answer with the words near to where the mean difference of relatum and target of other words leads from the target."""
    steps = {
        code: np.nanmean(world.unit([relata[0] for relata in of.values()]) - world.unit(list(of)), axis=0)
        for code, of in world.members.items()
        if of
    }

    def answer(question: Question) -> Weights | None:
        if question.asked not in steps or not question.words:
            return None
        return world.unit(question.options) @ (world.unit(question.words)[0] + 2 * steps[question.asked])

    return answer


@blind("pairs")
def relata_of_the_most_similar(world: World) -> Answer:
    """Answer with the relata of the words that are most like the first one, the more alike the better."""
    known = {code: (list(of), np.nan_to_num(world.unit(list(of)))) for code, of in world.members.items() if of}

    def answer(question: Question) -> Weights | None:
        if question.asked not in known:
            return None
        names, vectors = known[question.asked]
        cosines = vectors @ np.nan_to_num(world.unit(question.words)[0])
        best = dict.fromkeys(question.options, -1.0)
        for row in np.argsort(cosines)[-60:]:
            for word in world.members[question.asked][names[row]]:
                if word in best:
                    best[word] = max(best[word], float(cosines[row]))
        return np.array(list(best.values()))

    return answer


# Agents of systematicity, which know the hypernyms of other words.


@blind("systematicity")
def category_of_the_most_similar(world: World) -> Answer:
    """Answer with the category of the most similar of the other words."""
    known = world.members["HYP"]
    names = list(known)
    vectors = np.nan_to_num(world.unit(names))

    def answer(question: Question) -> Sequence[float] | None:
        cosines = vectors @ np.nan_to_num(world.unit(question.words)[0])
        best = dict.fromkeys(question.options, -1.0)
        for row in np.argsort(cosines)[-40:]:
            for word in known[names[row]]:
                for option in question.options:
                    if option in (word, f"{word}s"):
                        best[option] = max(best[option], float(cosines[row]))
        return list(best.values())

    return answer


@blind("systematicity")
def commonest_category(world: World) -> Answer:
    """Answer with the category that most other words have."""
    counts = world.counts["HYP"]
    return lambda question: [
        counts.get(option, counts.get(option.removesuffix("s"), 0.0)) for option in question.options
    ]


# Agents of definitions, which look at some words of a definition.


@blind("definitions")
def words_of_the_definition(world: World) -> Answer:
    """Answer with the option one of whose words is nearest to any word of the question."""

    def answer(question: Question) -> Sequence[float]:
        asked = np.nan_to_num(world.unit(question.words[0].split()))
        return [float((np.nan_to_num(world.unit(option.split())) @ asked.T).max()) for option in question.options]

    return answer


@blind("definitions")
def head_noun(world: World) -> Answer:
    """Compare the word with the first noun of the definition alone."""

    def head(text: str) -> str:
        return text.split()[1] if len(text.split()) > 1 else text

    def answer(question: Question) -> Weights:
        asked = world.unit([head(question.words[0])])[0]
        return np.nan_to_num(world.unit([head(option) for option in question.options]) @ asked)

    return answer


@blind("definitions")
def last_word(world: World) -> Answer:
    """Compare the word with the last word of the definition alone."""

    def answer(question: Question) -> Weights:
        asked = world.unit([question.words[0].split()[-1]])[0]
        return np.nan_to_num(world.unit([option.split()[-1] for option in question.options]) @ asked)

    return answer


# Agents of pairs of words: degrees and analogies.


@blind("degrees", "analogies")
def near_to_each_other(world: World) -> Answer:
    """Take the pair whose words are nearest to each other."""

    def answer(question: Question) -> Sequence[float]:
        return [
            float(np.nan_to_num(np.prod(world.unit(option.split(":")), axis=0)).sum()) for option in question.options
        ]

    return answer


@blind("degrees", "analogies")
def kinds_of_words(world: World) -> Answer:
    """Take the pair whose first word is like the first words of the question, and whose second is like the second ones."""

    def answer(question: Question) -> Sequence[float]:
        pairs = [word.split(":") for word in question.words]
        pairs = [list(question.words)] if any(len(pair) < 2 for pair in pairs) else pairs
        likes = [
            [float((world.unit(option.split(":")) * world.unit(pair)).sum()) for pair in pairs]
            for option in question.options
        ]
        return [float(np.mean(like)) for like in likes]

    return answer


@blind("degrees", "analogies")
def first_words_alone(world: World) -> Answer:
    """Take the pair whose first word is nearest to a first word of the question."""

    def answer(question: Question) -> Weights:
        firsts = world.unit([word.split(":")[0] for word in question.words[:1]])
        return np.nan_to_num(world.unit([option.split(":")[0] for option in question.options]) @ firsts[0])

    return answer


@blind("degrees", "analogies")
def frequent_second_word(world: World) -> Answer:
    """Take the pair whose second word is the more frequent one."""
    return lambda question: np.diff([world.use(option.split(":")) for option in question.options])[:, 0]


# What agents share.


@cache
def _draw(text: str) -> float:
    """Return a number from 0 to 1 for a text, the same in each run."""
    return random.Random(text).random()  # noqa: S311


def _shared(first: str, other: str) -> int:
    """Return how many letters two words have in common from their beginning."""
    return next(
        (place for place, (a, b) in enumerate(zip(first, other, strict=False)) if a != b), min(len(first), len(other))
    )


def _cosines(world: World, question: Question) -> Weights | None:
    """Return the cosine of each option with the words of the question; None without a vector of these."""
    target = world.unit([" ".join(question.words)])[0] if question.words else np.full(1, np.nan)
    return None if np.isnan(target[0]) else world.unit(question.options) @ target


def _popular(world: World, question: Question) -> Weights:
    """Return how many other words have each option as a relatum."""
    counts = world.counts[question.asked]
    return np.array([counts.get(option, 0.0) for option in question.options])
