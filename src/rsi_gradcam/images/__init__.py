"""Photos: read as a person sees them, made a network's input, and overlaid with maps again."""

from rsi_gradcam.images.box import Box
from rsi_gradcam.images.find_photos import find_photos
from rsi_gradcam.images.inside import inside
from rsi_gradcam.images.place import place
from rsi_gradcam.images.preprocess import Preprocess
from rsi_gradcam.images.read_photo import PIXEL_LIMIT, read_photo
from rsi_gradcam.images.to_rgb import to_rgb

__all__ = ["PIXEL_LIMIT", "Box", "Preprocess", "find_photos", "inside", "place", "read_photo", "to_rgb"]
