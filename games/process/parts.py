"""What a process owns is made of parts, each a small class with a place of its own."""


class Part:
    """Something that a process has one of, made without arguments when it is first asked for."""

    def close(self) -> None:
        """The process ends, or its site does: give back threads and whatever else is held.

        May wait a few seconds. Nothing to do for what is memory alone.
        """
