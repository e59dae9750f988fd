"""Base class for the parts of a process's state."""


class Component:
    """A part of which each process has one, created without arguments on first use."""

    def close(self) -> None:
        """Release the threads and other resources of this part when the process or site ends.

        May take a few seconds. A part that only uses memory need not override this method.
        """
