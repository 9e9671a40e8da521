"""The paper's experiment on any data set: plan, store, runner, engines."""
