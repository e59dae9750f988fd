"""Base class for the parts of a process's state."""


class Component:
    """Part of a process's state, created without arguments when the process first uses it."""

    def close(self) -> None:
        """Release threads and other resources when the process or site ends.

        May take a few seconds. A part that uses only memory need not override this method.
        """
