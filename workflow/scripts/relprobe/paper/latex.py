"""Texts in LaTeX: characters that it takes for commands, and signs that its fonts lack."""

import re

ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
    "{": r"\textbraceleft{}",  # BibTeX counts \{ as a brace
    "}": r"\textbraceright{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "…": r"\ldots{}",
    "\u00a0": "~",
    "\u202f": r"\,",
    **{
        sign: rf"\ensuremath{{{command}}}"
        for sign, command in {
            "−": "-",
            "×": r"\times",
            "±": r"\pm",
            "≤": r"\leq",
            "≥": r"\geq",
            "≠": r"\neq",
            "≈": r"\approx",
            "→": r"\rightarrow",
            "√": r"\surd",
            "Σ": r"\Sigma",
            "α": r"\alpha",
            "δ": r"\delta",
            "κ": r"\kappa",
            "μ": r"\mu",
            "ρ": r"\rho",
            "χ": r"\chi",
            "∗": "*",
            "†": r"\dagger",
            "²": "^2",
        }.items()
    },
}
"""Sign -> what stands for it in LaTeX. Letters of other scripts need LuaLaTeX and a font that has them."""
LATIN = "\u017f"
"""The last letter of those that pdfLaTeX has without further packages; what ESCAPES has stands for other signs."""
CODE = re.compile(r"`([^`]+)`")
KEYS = re.compile(r"@([\w.:-]+)")
"""The keys of a citation, [@cao2024; @kish1965]."""
PARTS = re.compile(
    r"""(\\[!-/:-@\[-`{-~]|&lt;"""  # a sign that is no mark, as `paper.run.plain` writes it
    r"""|`[^`]+`|\[@[\w.:-]+(?:;[ ]@[\w.:-]+)*\]|https?://[^\s<>{}\\^`"]*[^\s<>{}\\^`".,;:)])"""
)
"""What is no plain text in a paragraph: a single sign, code, citations and addresses."""


def literal(text: str) -> str:
    r"""Return a text as LaTeX shows it.

    >>> print(literal("R&D_1: 50 % of ~$3, x² ≤ −1"))
    R\&D\_1: 50 \% of \textasciitilde{}\$3, x\ensuremath{^2} \ensuremath{\leq} \ensuremath{-}1
    """
    return "".join(ESCAPES.get(sign, sign) for sign in text)


def with_engine(latex: str) -> str:
    r"""Return a file of LaTeX whose first line says what it needs, if it has letters that pdfLaTeX lacks.

    >>> print(with_engine("größer"))
    größer
    >>> print(with_engine("鳴く").splitlines()[0])
    % LuaLaTeX is needed for letters such as く: \usepackage{fontspec} and \setmainfont with a font that has them.
    """
    letters = sorted(sign for sign in set(latex) if sign > LATIN and sign.isprintable())
    if not letters:
        return latex
    return (
        f"% LuaLaTeX is needed for letters such as {letters[0]}: \\usepackage{{fontspec}} and \\setmainfont with a font "
        f"that has them.\n{latex}"
    )


def paragraph(text: str) -> str:
    r"""Return a caption or a paragraph in LaTeX: what stands between backticks is code, and citations [@KEY] are \cite.

    A backslash before a sign says that it is one of the text. As on a page, the names of columns have blanks for
    underscores, unless they are code.

    >>> print(paragraph("p_holm of `p_holm`: see [@cao2024; @kish1965] or https://osf.io/8erx6."))
    p holm of \texttt{p\_holm}: see \cite{cao2024,kish1965} or \url{https://osf.io/8erx6}.
    """
    return "".join(map(_part, PARTS.split(text)))


def _part(text: str) -> str:
    if code := CODE.fullmatch(text):
        return rf"\texttt{{{literal(code[1])}}}"
    if text == "&lt;":
        return literal("<")
    if text.startswith("\\"):
        return literal(text[1:])
    if text.startswith("[@"):
        return rf"\cite{{{','.join(KEYS.findall(text))}}}"
    if re.match("https?://", text):
        return rf"\url{{{text}}}"
    return literal(re.sub(r"(?<=\w)_(?=\w)", " ", text))
