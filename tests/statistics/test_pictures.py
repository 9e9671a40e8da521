from __future__ import annotations

import numpy as np

from rsi_gradcam.statistics.pictures import by_picture, numbered, picture_means

VALUES = np.array([[1.0, np.nan], [2.0, 5.0], [6.0, np.nan], [3.0, 7.0]])
PICTURES = np.array([0, 1, 0, 2])


def test_sums_by_hand():
    sums = by_picture(VALUES, PICTURES)
    assert sums.totals.tolist() == [[7, 0], [2, 5], [3, 7]]
    assert sums.counts.tolist() == [[2, 0], [1, 1], [1, 1]]
    assert sums.means.tolist() == [3, 6]


def test_without_pictures_each_row_is_its_own():
    assert by_picture(VALUES).totals.tolist() == [[1, 0], [2, 5], [6, 0], [3, 7]]


def test_a_column_without_a_number_has_no_mean():
    assert np.isnan(by_picture(np.full((3, 1), np.nan)).means[0])


def test_each_picture_gives_one_number():
    np.testing.assert_array_equal(picture_means(VALUES[:, 0], PICTURES), [3.5, 2, 3])
    np.testing.assert_array_equal(picture_means(VALUES[:, 1], PICTURES), [np.nan, 5, 7])
    np.testing.assert_array_equal(picture_means(VALUES[:, 1]), VALUES[:, 1])


def test_names_are_numbered_in_the_order_in_which_they_come():
    assert numbered(np.array(["b", "a", "b", "c", "a"])).tolist() == [0, 1, 0, 2, 1]
