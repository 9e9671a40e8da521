"""The axes of (…, channel, height, width), by name."""

SPACE = (-2, -1)
CHANNEL = -3
