"""Parts of a process's state, each a small class in its own module."""


class Component:
    """Part that a process has one of, created without arguments on first use."""

    def close(self) -> None:
        """Release threads and anything else that the part owns, when the process or site ends.

        May wait a few seconds. A part with only memory has nothing to do.
        """
