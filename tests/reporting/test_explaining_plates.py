"""The figures that show photos, of a store whose photos can be read."""

from __future__ import annotations

import re

import numpy as np
import pytest

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.figures.sheet import to_image
from rsi_gradcam.reporting import picking
from rsi_gradcam.reporting.drawing import draw, plates
from rsi_gradcam.reporting.plates.base import Drawn, Skipped
from rsi_gradcam.reporting.plates.energy_ex import EnergyEx
from rsi_gradcam.reporting.plates.german_shepherd_and_cat import GermanShepherdAndCat
from rsi_gradcam.reporting.plates.shuttle import Shuttle
from rsi_gradcam.reporting.specimen import specimens
from rsi_gradcam.reporting.study import Study
from tests.reporting.reading import own, words
from tests.reporting.test_degenerate import inside

PICTURES = [plate for plate in plates() if plate.photos]


@pytest.mark.parametrize("plate", PICTURES, ids=lambda plate: plate.label)
def test_each_is_drawn_and_stays_on_its_sheet(pictured, plate):
    assert plate.missing(pictured) == ""
    (drawn,) = plate.draw(pictured)
    assert drawn.name == plate.label
    assert drawn.photos
    assert inside(drawn.figure)
    assert np.asarray(to_image(drawn.figure, 40)).std() > 10  # there are pictures on it


@pytest.mark.parametrize("plate", PICTURES, ids=lambda plate: plate.label)
def test_without_photos_each_is_left_out_with_a_sentence(study, plate):
    (skipped,) = draw(study, [plate])
    assert isinstance(skipped, Skipped)
    assert "out of reach" in skipped.why


def test_the_surest_photo_is_shown_where_none_is_named(pictured):
    best = max(own(pictured, "rsi_grad_cam", "features.20"), key=lambda row: row["probability"])
    (drawn,) = Shuttle().draw(pictured)
    assert best["photo"] in words(drawn.figure)
    assert f"{100 * best['probability']:.3g}%" in words(drawn.figure)


def test_photos_can_be_named(pictured):
    names = [row["photo"] for row in own(pictured, "rsi_grad_cam", "features.20")][:2]
    chosen = Study(pictured.store, shown=tuple(names))
    drawn = Shuttle().draw(chosen)
    assert [each.name for each in drawn] == [f"shuttle-{re.sub('[-# ]', '_', name)}" for name in names]
    for name, each in zip(names, drawn, strict=True):
        assert isinstance(each, Drawn)
        assert name in words(each.figure)


def test_a_name_that_is_not_there_is_refused(pictured):
    with pytest.raises(ConfigurationError, match="no maps of a photo 'nobody'"):
        Shuttle().draw(Study(pictured.store, shown=("nobody",)))


def test_the_energy_under_a_heatmap_is_that_of_the_heatmap(pictured):
    picked = picking.median(pictured)
    specimen = specimens(pictured).specimen(picked.name)
    heatmap = specimen.maps["rsi_grad_cam", "features.20"]
    assert float(heatmap.max()) == pytest.approx(1, abs=1e-3)
    (drawn,) = EnergyEx().draw(pictured)
    assert words(drawn.figure).count("energy in the box") == 6


def test_two_classes_of_one_picture_stand_below_each_other(pictured):
    one, other = picking.two_classes(pictured)
    assert one != other
    assert one.partition("#")[0] == other.partition("#")[0]
    (drawn,) = GermanShepherdAndCat().draw(pictured)
    shown = {specimens(pictured).specimen(name).title for name in (one, other)}
    assert all(title in words(drawn.figure) for title in shown)


def test_a_store_of_single_classes_has_no_such_pair(study):
    assert not picking.two_classes(study)


def test_the_photo_in_the_middle_is_in_the_middle(study):
    rows = own(study, "rsi_grad_cam", "features.20", "energy")
    value = next(row["energy"] for row in rows if row["photo"] == picking.median(study).name)
    below = sum(row["energy"] < value for row in rows)
    assert abs(below - len(rows) / 2) <= 1


def test_the_vanishing_photo_is_the_surest_of_those_with_a_dark_map(study):
    rows = own(study, "grad_cam", "features.20", "darkness_1e-08")
    dark = [row for row in rows if row["darkness_1e-08"] == 1]
    assert picking.vanishing(study).name == max(dark, key=lambda row: row["probability"])["photo"]
