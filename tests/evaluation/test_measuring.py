from __future__ import annotations

import pytest

from tests.evaluation.small import Drawn, finished, rows_of

FAINT = 1e3  # an ε that darkens whatever the small network gives


@pytest.mark.parametrize(("epsilon", "dark"), [(0.0, False), (FAINT, True)])
def test_a_row_says_whether_its_heatmap_is_dark_at_the_runs_epsilon(tmp_path, epsilon, dark):
    store = finished(tmp_path / "store", Drawn(2), preset="none", epsilon=epsilon)
    for row in rows_of(store, kind="method"):
        assert row["dark"] == (dark or row["intensity_raw"] == 0)
    assert {row["dark"] for row in rows_of(store, method="ones")} == {False}  # it is not normalised
    assert {row["dark"] for row in rows_of(store, kind="photo")} == {None}
