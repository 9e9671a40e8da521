"""How to make this again, and how to know that it is the same."""

from __future__ import annotations

import json

from rsi_gradcam.reporting.report.markup import definitions, escaped, section
from rsi_gradcam.reporting.study import Study


def repeat(study: Study) -> str:
    manifest = study.store.manifest
    said = study.configuration
    terms = {
        "Configuration": f"<code>{escaped(manifest['hash'])}</code>",
        "Weights": f"<code>{escaped(said['network']['weights_hash'])}</code>",
        "Data": f"<code>{escaped(said['dataset']['digest'])}</code>",
    }
    environment = {name.replace("_", " "): escaped(value) for name, value in manifest["environment"].items()}
    whole = escaped(json.dumps(manifest["configuration"], indent=1, ensure_ascii=False))
    return section(
        "repeat",
        "How to repeat it",
        [
            f'<pre class="command" tabindex="0"><code>{escaped(manifest["command"])}</code></pre>',
            "<p>A run repeats this one if these three are the same:</p>",
            definitions(terms),
            "<h3>Where it ran</h3>",
            definitions(environment),
            f"<details><summary>The whole configuration</summary><pre tabindex='0'>{whole}</pre></details>",
        ],
    )
