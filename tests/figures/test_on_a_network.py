"""From a model to a picture, with nothing made by hand."""

from __future__ import annotations

import torch

from rsi_gradcam import Probability, explain_all
from rsi_gradcam.figures import comparison, course, picture, to_image
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo import adopt
from tests.figures.explanations import noise, said
from tests.networks import CLASSES, SIZE, network, zeros


def test_from_a_photo_to_every_figure():
    names = [f"thing {index}" for index in range(CLASSES)]
    own = adopt(network("residual", dtype=torch.float32), Preprocess((SIZE, SIZE), "crop"), names)
    photo = noise(40, 30)
    found = explain_all(
        own.network,
        own.preprocess(photo)[None],
        ["stage1", "stage2"],
        ["grad_cam", "rsi_grad_cam", "integrated_gradients"],
        baseline=zeros(torch.float32),
        targets=[1, Probability(3)],
        steps=8,
    )
    words = said(comparison(photo, found, network=own, threshold=0.5))
    assert all(word in words for word in ("thing 1", "thing 3", "Integrated Gradients", "stage2", "input"))
    one = found["rsi_grad_cam", "stage2", 1]
    for figure in (picture(photo, one, network=own), course(one, network=own)):
        assert to_image(figure, 60).mode == "RGB"
        assert f"thing 1, {100 * float(one.score[0]):.3g}%" in said(figure)
