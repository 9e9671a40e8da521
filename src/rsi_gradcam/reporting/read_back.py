"""Frozen descriptions from their repr, as a manifest holds them. Nothing of the text is run."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from rsi_gradcam.errors import ConfigurationError


def read_back(text: str, kinds: Mapping[str, type]) -> object:
    """What `repr` wrote of one of these kinds, whose arguments are plain values or such things again.

    >>> from rsi_gradcam.images.box import Box
    >>> read_back("Box(left=0.0, top=1.0, right=2.0, bottom=3.0)", {"Box": Box}).width
    2.0
    """
    try:
        return made(ast.parse(text, mode="eval").body, kinds)
    except (SyntaxError, ValueError, TypeError) as error:
        raise ConfigurationError(f"{text!r} cannot be read back: {error}") from error


def made(node: ast.expr, kinds: Mapping[str, type]) -> object:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id not in kinds:
            raise ValueError(f"{node.func.id} is not known here")
        given = {word.arg: made(word.value, kinds) for word in node.keywords if word.arg}
        found: object = kinds[node.func.id](*(made(each, kinds) for each in node.args), **given)
        return found
    if isinstance(node, ast.Tuple):
        return tuple(made(each, kinds) for each in node.elts)
    return ast.literal_eval(node)
