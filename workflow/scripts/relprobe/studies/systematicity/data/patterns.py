"""The patterns in which a corpus is searched for pairs of hyponym and category (section 3.4)."""

from dataclasses import dataclass

from relprobe.core.errors import ConfigError

WORD, CATEGORY = "[W]", "[V]"


@dataclass(frozen=True)
class Pattern:
    """A pattern in three parts: what stands before the hyponym, between hyponym and category, and after the category.

    ConfigError in `of`: the text has not one [W] and after it one [V], or nothing between them.

    >>> Pattern.of("[DET] [W] is [DET] [V]")
    Pattern(text='[DET] [W] is [DET] [V]', before='[DET] ', between=' is [DET] ', after='')
    """

    text: str
    before: str
    between: str
    after: str

    @classmethod
    def of(cls, text: str) -> "Pattern":
        """Read a pattern."""
        before, _, rest = text.partition(WORD)
        between, _, after = rest.partition(CATEGORY)
        if text.count(WORD) != 1 or text.count(CATEGORY) != 1 or not between or CATEGORY in before:
            raise ConfigError(
                f"config: systematicity.patterns holds {text!r}, which must have one {WORD}, words, and then one "
                f"{CATEGORY}: correct it."
            )
        return cls(text, before, between, after)
