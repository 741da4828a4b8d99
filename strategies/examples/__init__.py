"""Strategies to begin from, one a way of writing them: docs/strategies.md goes through them."""
