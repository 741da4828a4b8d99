"""Run experiments on Ray or in threads, and give the `guandan` command."""
