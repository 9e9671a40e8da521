from __future__ import annotations

from rsi_gradcam.evaluation.funnel import funnel_of

LEFT = ["", "", "wrong class", "no box", "several boxes", "large box", "large box", ""]
ERRORS = [""] * 7 + ["cannot be read"]


def test_each_filter_takes_its_own_from_what_the_last_one_left():
    found = funnel_of(LEFT, ERRORS, {"name": "paper", "largest_box": 0.5})
    assert list(found.items()) == [
        ("photos", 8),
        ("failed", 1),
        ("right class", 6),
        ("one box", 4),
        ("box under 50 %", 2),
        ("kept", 2),
    ]


def test_without_a_selection_no_filter_is_claimed():
    assert funnel_of([""] * 3, ["", "", "x"], {"name": "none"}) == {"photos": 3, "failed": 1, "kept": 2}
