"""The running site: sockets, and what every process runs beside its pages."""
