"""Built-in native strategies, a capsule each."""

from typing_extensions import CapsuleType

random: CapsuleType
greedy: CapsuleType
solid: CapsuleType
expert: CapsuleType
search: CapsuleType
