"""Texts in LaTeX: characters that it takes for commands, and signs that its fonts lack."""

import re

ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
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
CODE = re.compile(r"`([^`]+)`")
KEYS = re.compile(r"@([^;\]\s]+)")
"""The keys of a citation, [@cao2024; @kish1965]."""


def literal(text: str) -> str:
    r"""Return a text as LaTeX shows it.

    >>> print(literal("R&D_1: 50 % of ~$3, x² ≤ −1"))
    R\&D\_1: 50 \% of \textasciitilde{}\$3, x\ensuremath{^2} \ensuremath{\leq} \ensuremath{-}1
    """
    return "".join(ESCAPES.get(sign, sign) for sign in text)


def paragraph(text: str) -> str:
    r"""Return a caption or a paragraph in LaTeX: what stands between backticks is code, and citations [@KEY] are \cite.

    As on a page, the names of columns have blanks for underscores, unless they are code.

    >>> print(paragraph("p_holm of `p_holm`: see [@cao2024; @kish1965] or https://osf.io/8erx6."))
    p holm of \texttt{p\_holm}: see \cite{cao2024,kish1965} or \url{https://osf.io/8erx6}.
    """
    parts = re.split(r"(`[^`]+`|\[@[^\]]+\]|https?://[^\s<]*[^\s<.,;:)])", text)
    return "".join(map(_part, parts))


def _part(text: str) -> str:
    if code := CODE.fullmatch(text):
        return rf"\texttt{{{literal(code[1])}}}"
    if text.startswith("[@"):
        return rf"\cite{{{','.join(KEYS.findall(text))}}}"
    if re.match("https?://", text):
        return rf"\url{{{text}}}"
    return literal(re.sub(r"(?<=\w)_(?=\w)", " ", text))
