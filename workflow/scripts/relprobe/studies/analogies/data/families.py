"""Families of tuples: tuples that are linked by words that they share, such as two animals with the same sound.

What an agent knows of a shared word decides about all tuples of a family. In 23 of the 40 relations of BATS no two tuples
share a word; in E09 (things and colours) the 50 tuples make eight families.
"""

from collections.abc import Sequence


def families(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return for each pair of words the name of its family, which is that of the family's first pair.

    >>> families([("ant", "black"), ("blood", "red"), ("bat", "black"), ("rose", "red")])
    ['ant : black', 'blood : red', 'ant : black', 'blood : red']
    """
    family_of: dict[str, int] = {}  # word -> the number of a family
    merged: dict[int, int] = {}  # the number of a family -> that of the one that took it in

    def first(number: int) -> int:
        while number in merged:
            number = merged[number]
        return number

    for number, pair in enumerate(pairs):
        linked = {first(family_of[word]) for word in pair if word in family_of} | {number}
        merged.update(dict.fromkeys(linked - {min(linked)}, min(linked)))
        family_of.update(dict.fromkeys(pair, min(linked)))
    return [" : ".join(pairs[first(family_of[pair[0]])]) for pair in pairs]


def nearest_sum(sizes: Sequence[int], target: int) -> list[int]:
    """Return places of sizes whose sum is as near to the target as any choice's; of equal ones, the first that is found.

    >>> nearest_sum([5, 2, 4], 6), nearest_sum([5, 5], 4)
    ([1, 2], [0])
    """
    choices: dict[int, list[int]] = {0: []}
    for place, size in enumerate(sizes):
        for total, chosen in list(choices.items()):
            choices.setdefault(total + size, [*chosen, place])
    return choices[min(choices, key=lambda total: abs(total - target))]
