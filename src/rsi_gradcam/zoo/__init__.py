"""Networks to explain: `load` one by name, or `adopt` one's own."""

from rsi_gradcam.zoo.categories import find_category
from rsi_gradcam.zoo.download import Progress
from rsi_gradcam.zoo.load import DEFAULT, load, names
from rsi_gradcam.zoo.network import Network, adopt
from rsi_gradcam.zoo.tracing import SpatialLayer, spatial_layers

__all__ = [
    "DEFAULT",
    "Network",
    "Progress",
    "SpatialLayer",
    "adopt",
    "find_category",
    "load",
    "names",
    "spatial_layers",
]
