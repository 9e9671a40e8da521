"""What one page, one photo and one user may take."""

from __future__ import annotations

UPLOAD_BYTES = 20 * 2**20
BODY_BYTES = 2**20  # of a request that is no upload
STORED_BYTES = 2**30  # of all uploads that are still there; old ones go after an hour
PIXELS = 40_000_000  # of a photo; a telephone's has 12 to 50 million
LONGEST = 20  # times as long as it is wide: a network's resizing would blow a longer strip up
SHOWN = 960  # pixels, the longer side of a photo on the screen
SAVED = 2048  # and in a picture to take away
WAITING = 64  # requests in the queue
AT_ONCE = 2  # explanations under way
SESSIONS = 32  # users whose results are kept
KEPT = 3  # runs of each
CELLS = 24  # maps of a run
NETWORKS = 2  # besides the one that the page began with
FORMING = 56  # pixels, the longer side of a map that is shown as it forms
