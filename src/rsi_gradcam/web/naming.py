"""Names that come from outside."""

from __future__ import annotations


def plain_name(name: str) -> str:
    """The last part of a name, without what no name needs.

    >>> plain_name("../../etc/pass\\nwd.png")
    'passwd.png'
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(letter for letter in last if letter.isprintable())[:80].strip() or "photo"
