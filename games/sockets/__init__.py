"""Windows on a table: their sockets, what they are told, and who may open one."""
