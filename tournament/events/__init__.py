"""Events: creating, copying and closing them, their formats, and their public pages."""
