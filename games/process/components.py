"""Parts of a process's state, each a small class in its own module."""


class Component:
    """A part of which each process has one. It is created without arguments on first use."""

    def close(self) -> None:
        """Release threads and other resources of this part when the process or site ends.

        May wait a few seconds. A part that only uses memory need not override this method.
        """
