"""Creating, copying and closing events, their formats, and their public pages."""
