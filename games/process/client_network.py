"""Client addresses, grouped for rate limits."""

from ipaddress import IPv6Address, IPv6Network, ip_address

# An IPv6 household has its own network and may take a new address in it at any time.
HOUSEHOLD_BITS = 64


def counting_network(address: str, bits: int = HOUSEHOLD_BITS) -> str:
    """Return the part of an address that rate limits treat as one client.

    For IPv6, this is the network of the first `bits` bits. An IPv4 address is returned
    unchanged. A client without an address has "".
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address  # all clients without an IP address count as one
    if not isinstance(ip, IPv6Address):
        return address
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    network = IPv6Network((int(ip), bits), strict=False)
    return str(network.network_address)
