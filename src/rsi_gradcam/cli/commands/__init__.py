"""One command per file: its options and its help. What it needs torch for is imported when it runs."""
