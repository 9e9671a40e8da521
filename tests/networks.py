"""Tiny networks for 16×16 images of three colours, each with a trait that has tripped an attribution library."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import torch
from torch import Tensor, nn

CLASSES = 5
SIZE = 16


class Residual(nn.Module):
    """Stem, a plain residual block, one with a stride and a projection, global average, linear head."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 6, 3, padding=1, bias=False), nn.BatchNorm2d(6), nn.ReLU(inplace=True))
        self.stage1 = ResidualBlock(6, 6, 1)
        self.stage2 = ResidualBlock(6, 8, 2)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(8, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stage2(self.stage1(self.stem(x)))
        return self.head(torch.flatten(self.pool(x), 1))


class ResidualBlock(nn.Module):
    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(before, after, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(after)
        self.relu1 = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(after, after, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(after)
        self.project = nn.Identity() if stride == 1 else nn.Conv2d(before, after, 1, stride, bias=False)
        self.relu2 = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        branch = self.norm2(self.conv2(self.relu1(self.norm1(self.conv1(x)))))
        return self.relu2(branch + self.project(x))


class SharedReLU(nn.Module):
    """One ReLU module that is called after every convolution, and a flatten in the forward."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 6, 3, 2, 1)
        self.conv2 = nn.Conv2d(6, 8, 3, 2, 1)
        self.relu = nn.ReLU()
        self.head = nn.Linear(8 * 16, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        x = self.relu(self.conv2(self.relu(self.conv1(x))))
        return self.head(x.view(len(x), -1))


class Parallel(nn.Module):
    """Two branches that run beside each other, neither of which is a cut."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(3, 6, 3, 1, 1)
        self.left = nn.Conv2d(6, 4, 3, 2, 1)
        self.right = nn.Conv2d(6, 4, 5, 2, 2)
        self.join = nn.Conv2d(8, 6, 1)
        self.head = nn.Linear(6, CLASSES)

    def forward(self, x: Tensor) -> Tensor:
        x = torch.relu(self.stem(x))
        x = torch.cat([torch.relu(self.left(x)), torch.tanh(self.right(x))], 1)
        return self.head(torch.relu(self.join(x)).mean((2, 3)))


class OneReLU(nn.Module):
    """f(x) = 1 − ReLU(1 − x): eq. relu_network, on images of one pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Identity()

    def forward(self, x: Tensor) -> Tensor:
        return (1 - torch.relu(1 - self.layer(x))).flatten(1)


class TwoHeads(nn.Module):
    """Gives a tuple: the class logits of one branch, and one number of another."""

    def __init__(self) -> None:
        super().__init__()
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)
            self.stem = nn.Conv2d(3, 4, 3, 2, 1)
            self.first = nn.Conv2d(4, CLASSES, 3, 1, 1)
            self.second = nn.Conv2d(4, 1, 3, 1, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = torch.relu(self.stem(x))
        return torch.tanh(self.first(x)).mean((2, 3)), torch.tanh(self.second(x)).mean((1, 2, 3))


class Scaled(nn.Module):
    """Another network with its output times a factor: large ones saturate the probabilities."""

    def __init__(self, network: nn.Module, factor: float) -> None:
        super().__init__()
        self.network = network
        self.factor = factor

    def forward(self, x: Tensor) -> Tensor:
        return self.factor * self.network(x)


class Counting(nn.Module):
    """Another network, which counts the images that it is shown and the times that it is called."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network
        self.calls = self.images = 0
        self.largest = 0

    def forward(self, x: Tensor) -> object:
        self.calls += 1
        self.images += len(x)
        self.largest = max(self.largest, len(x))
        return self.network(x)


def plain() -> nn.Sequential:
    """Like a VGG: convolutions, in-place ReLUs, max pools, a flatten, dropout, two linear layers."""
    return nn.Sequential(
        OrderedDict(
            features=nn.Sequential(
                nn.Conv2d(3, 6, 3, padding=1),
                nn.ReLU(inplace=True),
                nn.MaxPool2d(2),
                nn.Conv2d(6, 8, 3, padding=1),
                nn.ReLU(inplace=True),
                nn.MaxPool2d(2),
            ),
            flatten=nn.Flatten(),
            classifier=nn.Sequential(
                nn.Linear(8 * 16, 12), nn.ReLU(inplace=True), nn.Dropout(0.5), nn.Linear(12, CLASSES)
            ),
        )
    )


def depthwise() -> nn.Sequential:
    """Like a MobileNet: a depthwise convolution between two pointwise ones, ReLU6 and Hardswish."""
    return nn.Sequential(
        OrderedDict(
            stem=nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU6(inplace=True)),
            depth=nn.Sequential(
                nn.Conv2d(8, 8, 3, 1, 1, groups=8, bias=False), nn.BatchNorm2d(8), nn.Hardswish(inplace=True)
            ),
            point=nn.Sequential(nn.Conv2d(8, 10, 1, bias=False), nn.BatchNorm2d(10), nn.ReLU6(inplace=True)),
            pool=nn.AdaptiveAvgPool2d(1),
            flatten=nn.Flatten(),
            head=nn.Linear(10, CLASSES),
        )
    )


def pooled() -> nn.Sequential:
    """The network that CAM was made for: convolutions, global average, one linear layer."""
    return nn.Sequential(
        OrderedDict(
            first=nn.Conv2d(3, 7, 3, 2, 1),
            relu1=nn.ReLU(),
            second=nn.Conv2d(7, 7, 3, 1, 1),
            relu2=nn.ReLU(),
            pool=nn.AdaptiveAvgPool2d(1),
            flatten=nn.Flatten(),
            head=nn.Linear(7, CLASSES),
        )
    )


def smooth() -> nn.Sequential:
    """No kink anywhere, so that sums converge at the order that calculus promises."""
    return nn.Sequential(
        OrderedDict(
            first=nn.Conv2d(3, 5, 3, 2, 1),
            tanh1=nn.Tanh(),
            second=nn.Conv2d(5, 6, 3, 2, 1),
            tanh2=nn.Tanh(),
            flatten=nn.Flatten(),
            head=nn.Linear(6 * 16, CLASSES),
        )
    )


KINDS: dict[str, Callable[[], nn.Module]] = {
    "plain": plain,
    "residual": Residual,
    "depthwise": depthwise,
    "shared_relu": SharedReLU,
    "parallel": Parallel,
    "pooled": pooled,
    "smooth": smooth,
}

# Layers through which every way from input to output leads, and some that can be gone round.
CUTS = {
    "plain": ["features.0", "features.1", "features.2", "features.3", "features.5", "features"],
    "residual": ["stem.0", "stem.1", "stem", "stage1", "stage1.relu2", "stage2"],
    "depthwise": ["stem.0", "stem", "depth.0", "depth.1", "depth", "point"],
    "shared_relu": ["conv1", "conv2"],
    "parallel": ["stem", "join"],
    "pooled": ["first", "relu1", "second", "relu2"],
    "smooth": ["first", "tanh1", "second", "tanh2"],
}
DETOURS = {
    "residual": ["stage1.conv1", "stage1.norm2", "stage1.project", "stage2.conv2", "stage2.project"],
    "parallel": ["left", "right"],
}
LAST = {name: layers[-1] for name, layers in CUTS.items()}


def network(kind: str, *, seed: int = 0, dtype: torch.dtype = torch.float64, factor: float = 2.0) -> nn.Module:
    """A network of that kind in eval mode, with lively logits: its last layer's weights are times `factor`."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        made = KINDS[kind]()
        for module in made.modules():
            if isinstance(module, nn.BatchNorm2d):
                stir(module)
            elif isinstance(module, nn.Conv2d | nn.Linear):
                nn.init.kaiming_normal_(module.weight)
        last = [module for module in made.modules() if isinstance(module, nn.Linear)][-1]
        with torch.no_grad():
            last.weight *= factor
    return made.to(dtype).eval()


def stir(norm: nn.BatchNorm2d) -> None:
    """Statistics as after some training, so that train and eval mode differ."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.uniform_(-0.2, 0.2)
    norm.running_var.uniform_(0.3, 1.0)
    nn.init.uniform_(norm.weight, 0.7, 1.5)
    nn.init.uniform_(norm.bias, -0.2, 0.4)


def images(count: int = 1, *, seed: int = 0, dtype: torch.dtype = torch.float64, size: int = SIZE) -> Tensor:
    """Smooth blobs on a plain ground, so that maps have a shape, with some grain."""
    return torch.cat([image(1000 * seed + number, size) for number in range(count)]).to(dtype)


def image(seed: int, size: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    coarse = torch.randn(1, 3, 4, 4, generator=generator, dtype=torch.float64)
    grain = torch.randn(1, 3, size, size, generator=generator, dtype=torch.float64)
    return nn.functional.interpolate(coarse, (size, size), mode="bicubic") + 0.3 * grain


def zeros(dtype: torch.dtype = torch.float64) -> Tensor:
    """A baseline given as a tensor, which no warning goes with."""
    return torch.zeros(3, SIZE, SIZE, dtype=dtype)
