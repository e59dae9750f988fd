"""Results of tables: from matches or entered by hand, and changes to them."""
