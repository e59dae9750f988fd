"""Windows on a table: their sockets, what they receive, and who may open one."""
