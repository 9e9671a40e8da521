"""Memory does not grow with the photos: the benchmark's steps on a few hundred, then on 2,000 in many small parts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
MOST = 24  # MiB; the rows of 2,000 photos at once are more, and so is what Arrow keeps of 500 files that it opened
BOTH = """
import json, sys
from pathlib import Path
from faked_run import Steps, peak

def steps(photos):
    asked = Steps(Path(sys.argv[1], str(photos)), photos, part_size=4, resamples=100)
    said = [asked.plan(), asked.half(), asked.resume(), asked.status(), asked.summary()]
    return {"said": said, "peak": peak()}

print(json.dumps([steps(300), steps(2000)]))
"""


def test_2000_photos_take_hardly_more_memory_than_300(tmp_path):
    run = [sys.executable, "-c", BOTH, str(tmp_path)]
    told = subprocess.run(run, cwd=BENCHMARKS, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
    few, many = json.loads(told.stdout)
    assert many["said"][:3] == ["500 parts to run", "250 parts written", "250 parts written"]
    assert " of 2000 photos kept" in many["said"][3]
    assert many["said"][4].startswith("168 means, ")
    assert many["peak"] - few["peak"] < MOST
