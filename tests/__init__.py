"""Everything that is checked about the project; `make test` runs it."""
