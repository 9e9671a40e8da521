from __future__ import annotations

import pytest

pytest.importorskip("matplotlib")
pytest.importorskip("pyarrow")
pytest.importorskip("skimage")

from rsi_gradcam.reporting.study import Study
from tests.evaluation.synthetic import synthetic_store
from tests.reporting import stores


@pytest.fixture(scope="session")
def study(tmp_path_factory):
    return Study(synthetic_store(tmp_path_factory.mktemp("synthetic"), photos=40), resamples=200)


@pytest.fixture(scope="session")
def pictured(tmp_path_factory):
    """A study whose photos can be read."""
    return Study(stores.with_photos(tmp_path_factory.mktemp("pictured")), resamples=200)
