"""Parts of what a process owns, each a small class with a place of its own."""


class Component:
    """Something that a process has one of, made without arguments when it is first asked for."""

    def close(self) -> None:
        """Release threads and anything else the part owns, as the process or its site ends.

        May wait a few seconds. A part that is memory alone has nothing to do.
        """
