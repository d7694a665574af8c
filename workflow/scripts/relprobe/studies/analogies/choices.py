"""What the paper leaves open about negatives, and what speaks for each choice.

*random*: the paper writes (h_j, t_i) and (h_i, t_j), where i is the input's index. Read literally, a word of the query is
replaced, and the negative shares its other word with the query. Then the difference vectors of the negative and the query
are alike for that word alone. GloVe vectors on all of BATS, one draw: 78.5 % supervised and 24.2 % unsupervised, which is
far below a guess, but 69.5 and 63.5 % if a word of the positive is replaced. The paper's static vectors (fastText) have
69.3 and 65.7 %. So the positive is the default.

*reverse*: the paper writes "simply a random tuple from R in which the positions of head and tail are reversed", and
(t_i, h_i) in the same sentence. With GloVe, unsupervised, encyclopedic and lexicographic semantics, derivation and
inflection (ES, LS, DM, IM) have 93.3, 64.6, 95.5 and 97.2 % with a random tuple, and 89.8, 61.4, 92.2 and 94.6 % with the
positive's words (one draw). The paper's fastText has 92.4, 68.1, 96.0 and 96.8 %. So the random tuple is the default.

*type*: "any two tuples (h_j, h_k) (h_i ≠ h_j ≠ h_k) and (t_j, t_k)" has no word of the query or the positive. Here a word of
the positive stands beside that of another tuple, so that both tuples of an instance share a word, as in *random*; `printed`
has none.

*filter*: in one-to-many relations, a negative may be right. BATS lists several answers, and no negative is one of them,
unless the filter is off. The paper does not say whether it filters.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Choices:
    """How negatives are made where the paper leaves it open; the module says what speaks for each.

    `random`: the tuple of which one word is replaced. `reverse`: whether another tuple is reversed, drawn at random, or
    the positive itself. `type`: whether one of the two heads or tails is the positive's, or none, as printed. `filter`:
    whether a negative that BATS lists as right is left out.
    """

    random: Literal["positive", "query"] = "positive"
    reverse: Literal["random", "own"] = "random"
    type: Literal["positive", "printed"] = "positive"
    filter: bool = True
