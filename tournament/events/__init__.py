"""Creation, copying and closing of events, their formats, and texts for their public pages."""
