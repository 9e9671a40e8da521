"""What every metric must satisfy. A new file in metrics/ is covered by itself."""

from __future__ import annotations

import dataclasses
import inspect
import math
import pickle
from typing import get_args

import numpy as np
import pytest
import torch

from rsi_gradcam import metrics
from rsi_gradcam.images.box import Box
from rsi_gradcam.images.inside import inside
from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.metrics.base import Better, Preset, Seen
from tests.networks import network

METRICS = metrics.catalogue()
BOXES = (Box(1, 2, 6.5, 9), Box(8, 8, 13, 12))
SIZE = (16, 16)
MODEL = network("pooled", dtype=torch.float32)
each_metric = pytest.mark.parametrize("name", METRICS)
each_boxed = pytest.mark.parametrize("name", [name for name, kind in METRICS.items() if kind.boxed])


class Remade:
    """The map again, as if an explanation were made: near the first one, and the same when asked the same."""

    def __init__(self, raw):
        self.raw = raw

    def of(self, pixels):
        return self.raw * (1 + 0.1 * pixels.mean())

    def in_double(self):
        return self.raw.double()

    def randomised(self, share, seed):
        noise = torch.rand(self.raw.shape, generator=torch.Generator().manual_seed(seed))
        return (1 - share) * self.raw + share * noise


def photo(seed=0, raw=None, heatmap=None, boxes=BOXES, again=True):
    generator = torch.Generator().manual_seed(seed)
    pixels = torch.rand(3, *SIZE, generator=generator)
    raw = 3 * torch.rand(4, 4, generator=generator) if raw is None else raw
    if heatmap is None:
        extent = raw.max() - raw.min()
        small = (raw - raw.min()) / extent if extent > 0 else torch.zeros_like(raw)
        heatmap = torch.nn.functional.interpolate(small[None, None], SIZE, mode="bilinear")[0, 0]
    preprocess = Preprocess(SIZE)
    with torch.no_grad():
        logits = MODEL(preprocess.normalise(pixels)[None])[0]
    mask = inside(boxes, SIZE) if boxes else None
    return Seen(raw, heatmap, pixels, mask, boxes, 1, logits, preprocess, Remade(raw) if again else None)


def measured(metric, seen):
    with torch.no_grad():
        answers = {probe: MODEL(probe.inputs(seen)) for probe in metric.probes()}
    return dict(metric.measure(seen, answers))


def same(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key], equal_nan=True) for key in one)


def headline(metric, values):
    return {column: values[column] for column in metric.headline}


@each_metric
def test_it_is_a_frozen_dataclass_whose_text_is_its_configuration(name):
    kind = METRICS[name]
    for metric in [kind(), *(kind(**fields) for fields in kind.presets.values())]:
        assert dataclasses.is_dataclass(metric)
        assert eval(repr(metric), {kind.__name__: kind}) == metric
        assert pickle.loads(pickle.dumps(metric)) == metric
        assert hash(metric) == hash(dataclasses.replace(metric))
        for field in dataclasses.fields(metric):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(metric, field.name, None)


@each_metric
def test_it_says_in_a_line_what_it_is(name):
    kind = METRICS[name]
    assert kind.name == name
    assert kind.summary
    assert "\n" not in kind.summary
    assert len(kind.summary) < 100
    assert inspect.getdoc(kind)
    assert {kind.better, *kind.better_by.values()} <= set(get_args(Better))
    assert set(kind.presets) <= set(get_args(Preset))


@each_metric
def test_its_columns_are_what_it_measures(name):
    metric = METRICS[name]()
    assert set(metric.headline) <= set(metric.columns)
    assert set(metric.better_by) <= set(metric.columns)
    for values in (measured(metric, photo()), metric.worst(), metric.absent()):
        assert set(values) == set(metric.columns)
        for column, value in values.items():
            if column in metric.headline or not isinstance(value, list):
                assert type(value) is float, column
            else:
                assert len(value) == len(metric.points())
                assert all(type(each) is float for each in value)


@each_metric
def test_every_value_is_a_finite_number_and_none_is_worse_than_the_worst(name):
    metric = METRICS[name]()
    for seed in range(3):
        values = measured(metric, photo(seed))
        assert all(np.isfinite(value).all() for value in values.values())
        for column, worst in headline(metric, metric.worst()).items():
            better = metric.direction(column)
            assert better != "higher" or values[column] >= worst - 1e-9
            assert better != "lower" or values[column] <= worst + 1e-9


@each_metric
@pytest.mark.parametrize("value", [0.0, 2.5])
def test_a_map_that_is_alike_everywhere_is_never_a_hit_and_never_vanishes(name, value):
    metric, seen = METRICS[name](), photo(raw=torch.full((4, 4), value))
    values = measured(metric, seen)
    assert all(np.isfinite(value).all() for value in values.values())
    if value == 0 or metric.boxed:
        assert headline(metric, values) == headline(metric, metric.worst_of(seen))


@each_boxed
def test_without_boxes_or_a_pixel_inside_one_it_is_absent(name):
    metric = METRICS[name]()
    for boxes in ((), (Box(3, 3, 3, 9),)):
        values = measured(metric, photo(boxes=boxes))
        assert all(np.isnan(value).all() for value in values.values())
        assert same(values, dict(metric.absent()))


@pytest.mark.parametrize("name", [name for name, kind in METRICS.items() if not kind.boxed])
def test_one_that_needs_no_boxes_looks_at_none(name):
    metric = METRICS[name]()
    assert same(measured(metric, photo()), measured(metric, photo(boxes=())))


@each_boxed
def test_the_box_itself_scores_the_best_that_can_be(name):
    metric = METRICS[name]()
    best = photo(boxes=BOXES[:1], heatmap=inside(BOXES[:1], SIZE).float())
    worst = photo(boxes=BOXES[:1], heatmap=1 - inside(BOXES[:1], SIZE).float())
    for column in metric.headline:
        assert measured(metric, best)[column] == 1.0
        assert measured(metric, worst)[column] < 0.5


@pytest.mark.parametrize("name", [name for name, kind in METRICS.items() if kind.cost == "explanations"])
def test_where_the_map_cannot_be_made_again_it_is_absent(name):
    metric = METRICS[name]()
    assert any(math.isnan(value) for value in headline(metric, measured(metric, photo(again=False))).values())


@each_metric
def test_the_same_again_gives_the_same_and_leaves_what_it_saw(name):
    metric, seen = METRICS[name](), photo()
    before = pickle.dumps((seen.raw, seen.heatmap, seen.pixels, seen.inside, seen.logits))
    first = measured(metric, seen)
    assert pickle.dumps((seen.raw, seen.heatmap, seen.pixels, seen.inside, seen.logits)) == before
    assert same(first, measured(metric, photo()))


@each_metric
def test_numbers_of_a_whole_set_are_finite_and_need_photos_to_choose_on(name):
    metric = METRICS[name]()
    rows = [measured(metric, photo(seed)) for seed in range(4)] + [dict(metric.absent())]
    columns = {column: np.array([row[column] for row in rows]) for column in metric.columns}
    pooled = metric.pooled(columns, np.arange(5) % 2 == 0)
    assert all(type(value) is float and math.isfinite(value) for value in pooled.values())
    assert not set(pooled) & set(metric.columns)
    nobody = {column: values[:0] for column, values in columns.items()}
    assert metric.pooled(nobody, np.zeros(0, dtype=bool)) == {}


@each_metric
def test_every_preset_measures(name):
    kind = METRICS[name]
    for fields in kind.presets.values():
        assert set(measured(kind(**fields), photo())) == set(kind.columns)
