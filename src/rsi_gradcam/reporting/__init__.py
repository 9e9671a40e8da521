"""What a store shows: the paper's figures, and a report that is one file."""
