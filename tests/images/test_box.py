from __future__ import annotations

from rsi_gradcam.images import Box


def test_a_box_carried_there_and_back_is_itself():
    box, small, large = Box(1, 2, 3, 5), Box(0, 0, 8, 8), Box(-4, 4, 12, 36)
    assert box.carried(small, large) == (-2, 12, 2, 24)
    assert box.carried(small, large).carried(large, small) == box


def test_the_part_within_another_may_be_empty():
    assert Box(2, 2, 9, 9).within(Box(0, 0, 4, 5)) == (2, 2, 4, 5)
    assert Box(6, 6, 9, 9).within(Box(0, 0, 4, 5)).width == 0
