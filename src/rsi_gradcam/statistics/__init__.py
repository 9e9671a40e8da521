"""Statistics of a store: means with intervals, comparisons, curves."""
