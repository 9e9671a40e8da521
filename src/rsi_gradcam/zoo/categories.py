"""Finding a class by a name: as a person would say it, or to the word, as a data set has to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rsi_gradcam.errors import TargetError, did_you_mean
from rsi_gradcam.zoo.imagenet import synset_indices

MOST_SHOWN = 10
Fits = Callable[[str, str], bool]  # a class's name and what was said, both plain


def find_category(categories: Sequence[str], text: str | int) -> int:
    """The index of the class: by its whole name, else by one of its words, else by a part of it; or by its index.

    Case, hyphens, underscores and apostrophes are no matter. What fits several classes is refused.

    >>> find_category(["tabby", "German shepherd"], "german_shepherd")
    1
    """
    found = found_by(categories, text, (is_name, is_synonym, has_words, has_part))
    if found is None:
        raise TargetError(f"no class is called {text!r}: {did_you_mean(str(text), categories)}")
    return found


def find_label(categories: Sequence[str], label: str | int) -> int:
    """The index of a data set's class: by its whole name or one of its synonyms, by its synset, or by its index.

    Nobody sees what would be guessed for each photo: COCO's bed is no Bedlington terrier.

    >>> find_label(["tabby, tabby cat", "tiger cat"], "Tabby_cat")
    0
    """
    found = found_by(categories, label, (is_name, is_synonym))
    if found is None and len(categories) == len(synset_indices()):
        found = synset_indices().get(str(label))
    if found is None:
        raise TargetError(
            f"the label {label!r} is no class of this network by its whole name: label the photo with a class's "
            f"name or index; {did_you_mean(str(label), categories)}"
        )
    return found


def found_by(categories: Sequence[str], text: str | int, ways: Sequence[Fits]) -> int | None:
    """The only class that fits in the first of the ways in which any does; or by its index."""
    if isinstance(text, int):
        return checked_index(categories, text)
    if list(categories).count(text) == 1:  # to the letter: Cardigan is a dog, cardigan a garment
        return list(categories).index(text)
    said = plain(text)
    names = [plain(name) for name in categories]
    is_number = re.fullmatch(r"[+-]?\d+", text.strip())
    for fits in (is_name,) if is_number else ways:
        found = [index for index, name in enumerate(names) if said and fits(name, said)]
        if len(found) > 1:
            raise ambiguous(categories, text, found)
        if found:
            return found[0]
    return checked_index(categories, int(text)) if is_number else None


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
