"""What went wrong, photo by photo."""

from __future__ import annotations

from rsi_gradcam.reporting.report.markup import escaped, section, table
from rsi_gradcam.reporting.study import Study

HEADS = "<th scope='col'>Photo</th><th scope='col'>Why</th>"
MOST = 200  # that are listed


def failures(study: Study) -> str:
    rows = study.store.read(("photo", "error"), kinds=("photo",)).to_pylist()
    failed = [row for row in rows if row["error"]]
    if not failed:
        return section("failures", "Failures", ["<p>No photo failed.</p>"])
    lines = "".join(
        f"<tr><th scope='row'>{escaped(row['photo'])}</th><td>{escaped(row['error'])}</td></tr>"
        for row in failed[:MOST]
    )
    more = f"<p class='note'>The first {MOST} of {len(failed):,}.</p>" if len(failed) > MOST else ""
    return section(
        "failures", "Failures", [f"<p>{len(failed):,} of {len(rows):,} photos failed.</p>", table(HEADS, lines), more]
    )
