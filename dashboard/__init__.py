"""The page over stored runs; it reads through `sim` and never touches the engine."""
