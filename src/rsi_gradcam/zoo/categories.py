"""Finding a class by a name as a person would say it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from rsi_gradcam.errors import TargetError, did_you_mean

MOST_SHOWN = 10


def find_category(categories: Sequence[str], text: str | int) -> int:
    """The index of the class: by its whole name, else by one of its words, else by a part of it; or by its index.

    Case, hyphens, underscores and apostrophes are no matter. What fits several classes is refused.

    >>> find_category(["tabby", "German shepherd"], "german_shepherd")
    1
    """
    if isinstance(text, int):
        return checked_index(categories, text)
    if list(categories).count(text) == 1:  # to the letter: Cardigan is a dog, cardigan a garment
        return list(categories).index(text)
    said = plain(text)
    names = [plain(name) for name in categories]
    is_number = re.fullmatch(r"[+-]?\d+", text.strip())
    for fits in (is_name,) if is_number else (is_name, is_synonym, has_words, has_part):
        found = [index for index, name in enumerate(names) if said and fits(name, said)]
        if len(found) > 1:
            raise ambiguous(categories, text, found)
        if found:
            return found[0]
    if is_number:
        return checked_index(categories, int(text))
    raise TargetError(f"no class is called {text!r}: {did_you_mean(text, categories)}")


def plain(name: str) -> str:
    """In lower case, with single spaces; commas stay, since they part synonyms."""
    return " ".join(re.sub(r"[^\w,]|_", " ", name.casefold().replace("'", "").replace("’", "")).split())


def is_name(name: str, said: str) -> bool:
    return name == said


def is_synonym(name: str, said: str) -> bool:
    return said in [part.strip() for part in name.split(",")]


def has_words(name: str, said: str) -> bool:
    return set(said.split()) <= set(name.replace(",", " ").split())


def has_part(name: str, said: str) -> bool:
    return said in name


def checked_index(categories: Sequence[str], index: int) -> int:
    if not 0 <= index < len(categories):
        raise TargetError(f"there is no class {index}: this network has {len(categories)}, from 0")
    return index


def ambiguous(categories: Sequence[str], text: str, found: Iterable[int]) -> TargetError:
    listed = [f"{index} {categories[index]}" for index in found]
    shown = ", ".join(listed[:MOST_SHOWN])
    more = f" and {len(listed) - MOST_SHOWN} more" if len(listed) > MOST_SHOWN else ""
    return TargetError(f"{text!r} fits {len(listed)} classes: {shown}{more}: give one's name or index")
