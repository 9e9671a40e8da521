"""How many photos are left after each filter, in the order in which the paper applies them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

WRONG_CLASS, NO_BOX, SEVERAL_BOXES, LARGE_BOX = "wrong class", "no box", "several boxes", "large box"


def funnel_of(left_out: Sequence[str], errors: Sequence[str], selection: Mapping[str, Any]) -> Mapping[str, int]:
    """Photos that were looked at, failed, right, with one box, with a small one, kept.

    >>> list(funnel_of(["", "wrong class", ""], ["", "", "no file"], {"name": "none"}).items())
    [('photos', 3), ('failed', 1), ('kept', 2)]
    """
    lost = Counter(why for why, error in zip(left_out, errors, strict=True) if not error)
    failed = sum(map(bool, errors))
    found = {"photos": len(errors), "failed": failed}
    left = len(errors) - failed
    if selection["name"] != "none":
        found["right class"] = left = left - lost[WRONG_CLASS]
        found["one box"] = left = left - lost[NO_BOX] - lost[SEVERAL_BOXES]
        found[f"box under {100 * selection['largest_box']:g} %"] = left = left - lost[LARGE_BOX]
    return {**found, "kept": left}
