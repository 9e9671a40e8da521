"""Where the work of an evaluation is done, one engine per file; `base` says what an engine is."""
