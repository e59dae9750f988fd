"""People of an event: their accounts, roles, names, needs and presence."""
