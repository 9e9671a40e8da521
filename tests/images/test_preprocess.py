"""Preprocess against torchvision's and timm's own transforms, and its geometry against painted photos."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as some
from PIL import Image

from rsi_gradcam.errors import ConfigurationError
from rsi_gradcam.images import Box, Preprocess, read_photo

SIZES = [(451, 300), (300, 451), (225, 224), (640, 224), (97, 1301), (100, 60), (257, 256)]


def noise(size, seed=0):
    return Image.fromarray(np.random.default_rng(seed).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8))


def chelsea():
    skimage = pytest.importorskip("skimage")
    return read_photo(Path(skimage.__file__).parent / "data" / "chelsea.png")


@pytest.mark.parametrize("interpolation", ["bilinear", "bicubic", "nearest", "lanczos"])
@pytest.mark.parametrize(("crop", "resize"), [(224, 256), (224, 232), (299, 342), (240, 255), (384, 384)])
def test_crop_is_torchvisions_transform_to_the_bit(interpolation, crop, resize):
    transforms = pytest.importorskip("torchvision.transforms")
    theirs = transforms.Compose(
        [
            transforms.Resize(resize, transforms.InterpolationMode(interpolation)),
            transforms.CenterCrop(crop),
            transforms.ToTensor(),
            transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        ]
    )
    ours = Preprocess((crop, crop), "crop", interpolation, crop_pct=crop / resize)
    for photo in [chelsea(), *map(noise, SIZES)]:
        assert torch.equal(ours(photo), theirs(photo))


@pytest.mark.parametrize(("mode", "theirs"), [("crop", "center"), ("squash", "squash")])
@pytest.mark.parametrize("crop_pct", [0.875, 0.9, 0.954, 1.0])
def test_both_modes_are_timms_transform_to_the_bit(mode, theirs, crop_pct):
    data = pytest.importorskip("timm.data")
    mean, std = (0.5, 0.4, 0.3), (0.5, 0.6, 0.7)
    transform = data.create_transform(
        224, interpolation="bicubic", mean=mean, std=std, crop_pct=crop_pct, crop_mode=theirs
    )
    ours = Preprocess((224, 224), mode, "bicubic", mean, std, crop_pct)
    for photo in [chelsea(), *map(noise, SIZES)]:
        assert torch.equal(ours(photo), transform(photo))


def test_keras_vgg_takes_every_nth_pixel_and_subtracts_the_mean_colour():
    photo = noise((672, 448))
    expected = torch.from_numpy(np.array(photo)[1::2, 1::3]).permute(2, 0, 1).float()
    expected -= torch.tensor([123.68, 116.779, 103.939]).view(3, 1, 1)
    assert torch.allclose(Preprocess.keras_vgg()(photo), expected, atol=1e-4)


def test_denormalise_undoes_normalise_for_batches():
    preprocess = Preprocess.imagenet()
    pixels = torch.rand(2, 3, 5, 7, dtype=torch.float64)
    assert torch.allclose(preprocess.denormalise(preprocess.normalise(pixels)), pixels, atol=1e-12)


def test_a_photo_of_any_mode_is_taken():
    grey = Image.new("L", (300, 200), 51)
    assert torch.allclose(Preprocess().pixels(grey), torch.tensor(0.2))


def test_the_window_of_a_squashed_photo_is_all_of_it():
    assert Preprocess(mode="squash").window((451, 300)) == (0, 0, 451, 300)


def test_the_window_of_a_crop_is_its_middle():
    assert Preprocess.imagenet().window((512, 256)) == (144, 16, 368, 240)


photo_sizes = some.tuples(some.integers(20, 900), some.integers(20, 900))


@given(photo_sizes, some.sampled_from(["crop", "squash"]), some.sampled_from([1.0, 0.95, 0.875]))
def test_the_window_lies_inside_the_photo_and_touches_it_when_nothing_is_cut(photo_size, mode, crop_pct):
    window = Preprocess((32, 48), mode, crop_pct=crop_pct).window(photo_size)
    assert window.within(Box.whole(photo_size)) == pytest.approx(window, abs=1e-9)
    if crop_pct == 1 and mode == "squash":
        assert window == pytest.approx(Box.whole(photo_size))


@given(photo_sizes, some.sampled_from(["crop", "squash"]))
def test_boxes_of_the_input_come_back_from_the_photo(photo_size, mode):
    preprocess = Preprocess((32, 48), mode, crop_pct=0.875)
    there = preprocess.box_to_photo((3, 5, 40, 31), photo_size)
    assert preprocess.box_to_input(there, photo_size) == pytest.approx((3, 5, 40, 31))


@pytest.mark.parametrize("mode", ["crop", "squash"])
@pytest.mark.parametrize("factor", [1, 2, 3])
def test_a_painted_box_is_found_at_its_pixels_in_the_input(mode, factor):
    preprocess = Preprocess((64, 64), mode, "nearest", crop_pct=1.0)
    photo = Image.new("RGB", (96 * factor, 64 * factor))
    box = (30 * factor, 8 * factor, 60 * factor, 44 * factor)
    photo.paste("white", box)
    assert edges(preprocess.pixels(photo)[0]) == tuple(preprocess.box_to_input(box, photo.size))


def edges(mask):
    rows, columns = mask.amax(1).nonzero().flatten(), mask.amax(0).nonzero().flatten()
    return (columns[0].item(), rows[0].item(), columns[-1].item() + 1, rows[-1].item() + 1)


def test_a_box_beyond_the_crop_is_cut_at_its_rim_or_empty():
    preprocess = Preprocess.imagenet()
    assert preprocess.box_to_input((0, 0, 512, 256), (512, 256)) == (0, 0, 224, 224)
    assert preprocess.box_to_input((0, 0, 100, 256), (512, 256)).width == 0


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["crop", "squash"])
def test_what_the_network_saw_lies_over_the_photo_where_it_was(mode, size):
    """A bright disc: its centre of mass in the photo and in the placed input is the same."""
    preprocess = Preprocess((64, 64), mode, "bilinear", crop_pct=0.875)
    window = preprocess.window(size)
    disc = painted_disc(size, window)
    placed = preprocess.place(preprocess.pixels(disc)[0], size, outside=0.0)
    assert placed.shape == (size[1], size[0])
    for axis, cell in ((0, window.height / 64), (1, window.width / 64)):
        original = torch.from_numpy(np.array(disc.convert("L"))).float()
        assert middle(placed, axis) == pytest.approx(middle(original, axis), abs=0.05 * max(cell, 1))


def painted_disc(size, window):
    across, down = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    away = ((across - window.left) / window.width - 0.55) ** 2 + ((down - window.top) / window.height - 0.45) ** 2
    return Image.fromarray((255 * np.exp(-away / 0.02)).astype(np.uint8))


def middle(values, axis):
    weights = values.sum(1 - axis)
    return float((weights * (torch.arange(len(weights)) + 0.5)).sum() / weights.sum())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"size": (224,)}, "height, width"),
        ({"size": (224.0, 224.0)}, "whole pixels"),
        ({"mode": "sqash"}, "did you mean squash"),
        ({"interpolation": "cubic"}, "did you mean bicubic"),
        ({"crop_pct": 0.0}, "crop_pct"),
        ({"std": (1.0, 0.0, 1.0)}, "std above 0"),
    ],
)
def test_wrong_values_are_refused(wrong, said):
    with pytest.raises(ConfigurationError, match=said):
        Preprocess(**wrong)


def test_presets_go_by_name():
    assert Preprocess.preset("keras_vgg") == Preprocess.keras_vgg()
    assert Preprocess.preset("imagenet") == Preprocess.imagenet()
    with pytest.raises(ConfigurationError, match="did you mean keras_vgg"):
        Preprocess.preset("keras_vgg16")


def test_squash_shows_the_whole_photo_and_crop_its_middle():
    own = Preprocess((224, 224), "crop", "bicubic", crop_pct=0.875)
    assert own.resizing("squash").window((600, 400)) == (0, 0, 600, 400)
    assert own.resizing("squash").interpolation == "bicubic"
    assert own.resizing("crop") == own
    assert Preprocess.keras_vgg().resizing("crop").window((600, 400)) == (100, 0, 500, 400)
