"""Who somebody is: accounts, the people who run an event, names, needs, and who is present."""
