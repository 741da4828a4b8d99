"""What is wrong with something that people write, told in English and in Chinese."""


class ToldError(ValueError):
    """One line that names what stands there and the way out: `str()` and `en` in English, `zh` in Chinese."""

    def __init__(self, en: str, zh: str) -> None:
        super().__init__(en, zh)  # both, so that it can be pickled
        self.en, self.zh = en, zh

    def __str__(self) -> str:
        return self.en
