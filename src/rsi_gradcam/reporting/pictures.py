"""What is drawn of a specimen: its photo, a heatmap, both, what is left of the photo, and regions against boxes."""

from __future__ import annotations

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from rsi_gradcam.figures.colours import colour
from rsi_gradcam.figures.lines import draw_box
from rsi_gradcam.figures.overlay import overlay
from rsi_gradcam.heatmap import upsample
from rsi_gradcam.images import Box, to_rgb
from rsi_gradcam.metrics.energy import energy
from rsi_gradcam.reporting.specimen import Specimen

MOST = 448  # pixels along the longer side
BOTH, REGION, BOX = (250, 204, 92), (94, 60, 130), (120, 190, 235)  # R ∩ B, R without B, B without R


def photo_of(specimen: Specimen, boxed: bool = False) -> Image.Image:
    """The photo, no larger than it is shown; a grey sheet where it is out of reach."""
    whole = specimen.photo
    if whole is None:
        height, width = specimen.preprocess.size
        return Image.new("RGB", (width, height), (228, 228, 228))
    small = to_rgb(whole).copy()
    small.thumbnail((MOST, MOST), Image.Resampling.LANCZOS)
    if not boxed:
        return small
    for box in boxes_on(specimen, small):
        small = draw_box(small, box)
    return small


def boxes_on(specimen: Specimen, small: Image.Image) -> list[Box]:
    """The boxes in the pixels of the photo as it is shown."""
    if specimen.photo is None:
        return []
    before, after = Box.whole(specimen.photo.size), Box.whole(small.size)
    return [box.carried(before, after) for box in specimen.boxes]


def overlay_of(specimen: Specimen, key: tuple[str, str], boxed: bool = False) -> Image.Image:
    """The heatmap over its photo; alone where the photo is out of reach."""
    if specimen.photo is None:
        return heatmap_of(specimen, key)
    small = photo_of(specimen)
    boxes = boxes_on(specimen, small) if boxed else ()
    return overlay(small, specimen.maps[key], preprocess=specimen.preprocess, boxes=boxes)


def heatmap_of(specimen: Specimen, key: tuple[str, str], boxed: bool = False) -> Image.Image:
    """As the network's input lies: its colours alone, with the boxes where asked."""
    heatmap = at_input(specimen, key)
    picture = Image.fromarray(colour(heatmap.numpy()))
    for box in input_boxes(specimen) if boxed else ():
        picture = draw_box(picture, box)
    return picture


def at_input(specimen: Specimen, key: tuple[str, str]) -> Tensor:
    return upsample(specimen.maps[key][None], specimen.preprocess.size)[0]


def input_boxes(specimen: Specimen) -> list[Box]:
    if specimen.photo is None:
        return []
    return [specimen.preprocess.box_to_input(box, specimen.photo.size) for box in specimen.boxes]


def explanation_map(specimen: Specimen, key: tuple[str, str]) -> Image.Image:
    """E = L ⊙ I over what the network saw, in pixel space."""
    pixels = specimen.preprocess.pixels(photo_of(specimen))
    explained = at_input(specimen, key) * pixels
    return as_image(explained)


def seen_by_network(specimen: Specimen) -> Image.Image:
    """The photo as the network's input, squashed or cut."""
    return as_image(specimen.preprocess.pixels(photo_of(specimen)))


def as_image(pixels: Tensor) -> Image.Image:
    return Image.fromarray((pixels.permute(1, 2, 0) * 255).round().to(torch.uint8).numpy())


def inside_boxes(specimen: Specimen) -> np.ndarray:
    """(H, W) bool: pixels of the input whose centre lies in a box."""
    height, width = specimen.preprocess.size
    inside = np.zeros((height, width), bool)
    rows, columns = np.arange(height)[:, None] + 0.5, np.arange(width)[None] + 0.5
    for left, top, right, bottom in input_boxes(specimen):
        inside |= (rows >= top) & (rows < bottom) & (columns >= left) & (columns < right)
    return inside


def region_on_box(specimen: Specimen, key: tuple[str, str], threshold: float) -> tuple[Image.Image, str]:
    """The region above the threshold and the box in three colours on the grey photo, and IoU, IoB, IoR in words."""
    region, box = at_input(specimen, key).numpy() > threshold, inside_boxes(specimen)
    both = region & box
    grey = np.asarray(seen_by_network(specimen).convert("L").convert("RGB"), np.float32)
    for mask, tint in ((both, BOTH), (region & ~box, REGION), (box & ~region, BOX)):
        grey[mask] = 0.45 * grey[mask] + 0.55 * np.array(tint, np.float32)
    parts = (share(both, region | box), share(both, box), share(both, region))
    return Image.fromarray(grey.round().astype(np.uint8)), "IoU {:.2f} · IoB {:.2f} · IoR {:.2f}".format(*parts)


def share(part: np.ndarray, whole: np.ndarray) -> float:
    return float(part.sum() / whole.sum()) if whole.any() else 0.0


def energy_in_box(specimen: Specimen, key: tuple[str, str]) -> float:
    """The paper's Pixel Energy of the heatmap as it is drawn."""
    return energy(at_input(specimen, key), torch.from_numpy(inside_boxes(specimen)))
