"""The one way in which a service says no."""


class Refused(Exception):
    """Nothing was changed. `code` is stable; `message` is a sentence for the person who asked."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
