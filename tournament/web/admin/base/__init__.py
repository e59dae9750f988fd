"""What every organizers' page is made of: rights, forms, fields, links."""
