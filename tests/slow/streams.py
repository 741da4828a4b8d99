"""Work out keyed random numbers and the cards of a deal in plain Python, from the papers and not from the engine.

A stream is keyed by SipHash-2-4 with 128 bits out (Aumasson and Bernstein 2012) and runs xoroshiro128++ (Blackman and
Vigna 2019); numbers below n are drawn by Lemire's multiplication (2019). docs/architecture says what a key holds:
cards by (seed, pair, deal), a seat's own numbers by (seed, pair, leg, deal, seat).
"""

import struct

MASK = 2**64 - 1
KEY_WORD = int.from_bytes(b"guandan1", "big")
"""Second half of the hash key; the first is the run's seed."""

CARDS, SEAT, COIN = 1, 2, 3
"""What a stream is for, part of its key."""


def _rotl(x: int, n: int) -> int:
    return (x << n | x >> (64 - n)) & MASK


def _sip_round(v0: int, v1: int, v2: int, v3: int) -> tuple[int, int, int, int]:
    v0 = (v0 + v1) & MASK
    v1 = _rotl(v1, 13) ^ v0
    v0 = _rotl(v0, 32)
    v2 = (v2 + v3) & MASK
    v3 = _rotl(v3, 16) ^ v2
    v0 = (v0 + v3) & MASK
    v3 = _rotl(v3, 21) ^ v0
    v2 = (v2 + v1) & MASK
    v1 = _rotl(v1, 17) ^ v2
    return v0, v1, _rotl(v2, 32), v3


def _sip_finish(v0: int, v1: int, v2: int, v3: int) -> tuple[int, int, int, int]:
    v = (v0, v1, v2, v3)
    for _ in range(4):
        v = _sip_round(*v)
    return v


def siphash128(key: bytes, message: bytes) -> bytes:
    """Hash with SipHash-2-4-128: 16 bytes of key, 16 bytes out. The message may have any length."""
    k0, k1 = struct.unpack("<2Q", key)
    v = (k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D ^ 0xEE, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573)
    tail = len(message) % 8
    padded = message + bytes(7 - tail) + bytes([len(message) % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v = (v[0], v[1], v[2], v[3] ^ word)
        v = _sip_round(*_sip_round(*v))
        v = (v[0] ^ word, v[1], v[2], v[3])
    v = _sip_finish(v[0], v[1], v[2] ^ 0xEE, v[3])
    first = v[0] ^ v[1] ^ v[2] ^ v[3]
    v = _sip_finish(v[0], v[1] ^ 0xDD, v[2], v[3])
    return struct.pack("<2Q", first, v[0] ^ v[1] ^ v[2] ^ v[3])


class Stream:
    """Numbers of xoroshiro128++ from a state of two words."""

    def __init__(self, s0: int, s1: int) -> None:
        self.s0, self.s1 = s0, s1

    def random64(self) -> int:
        """Draw 64 bits."""
        s0, s1 = self.s0, self.s1
        out = (_rotl((s0 + s1) & MASK, 17) + s0) & MASK
        s1 ^= s0
        self.s0 = _rotl(s0, 49) ^ s1 ^ (s1 << 21 & MASK)
        self.s1 = _rotl(s1, 28)
        return out

    def below(self, n: int) -> int:
        """Draw uniformly from 0..n-1 out of the upper 32 bits; the short interval is drawn again."""
        while True:
            product = (self.random64() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32


def stream(seed: int, domain: int, pair: int, leg: int, deal: int, seat: int) -> Stream:
    """Key a stream: the message is the pair, then domain, leg and seat in the upper three bytes and the deal below."""
    message = struct.pack("<2Q", pair, domain << 56 | leg << 48 | seat << 40 | deal)
    return Stream(*struct.unpack("<2Q", siphash128(struct.pack("<2Q", seed, KEY_WORD), message)))


def deal_cards(seed: int, pair: int, deal: int) -> tuple[list[list[int]], int]:
    """Deal: four hands of card ids, ascending, and the first-leader number 0..3.

    The pack holds every card twice, in order of ids; seat after seat draws 27 cards of what is left, each time closing
    the gap with the card that lay where the draw began.
    """
    numbers = stream(seed, CARDS, pair, 0, deal, 0)
    leader = numbers.random64() >> 62
    pack = [place // 2 for place in range(108)]
    for place in range(81):
        drawn = place + numbers.below(108 - place)
        pack[place], pack[drawn] = pack[drawn], pack[place]
    return [sorted(pack[27 * seat : 27 * seat + 27]) for seat in range(4)], leader
