"""What the engine plays changes only in a commit that says so."""

import json

from tests.support.signature import FILE, signature


def test_the_functional_signature_is_the_stored_one() -> None:
    stored = json.loads(FILE.read_text())
    assert signature() == stored, "play has changed: if that is meant, run python -m tests.support.signature"
