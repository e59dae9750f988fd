"""Building blocks of the organizers' pages: rights, forms, fields, links."""
