"""Client addresses, grouped for rate limits."""

from ipaddress import IPv6Address, IPv6Network, ip_address

# A household with IPv6 has its own network, and can use a new address from it at any time.
HOUSEHOLD_BITS = 64


def counting_network(address: str, bits: int = HOUSEHOLD_BITS) -> str:
    """Return the part of an address that rate limits treat as one client.

    For IPv6, this is the network of the first `bits` bits. An IPv4 address, or the empty string of
    a client without an address, is returned unchanged.
    """
    try:
        ip = ip_address(address)
    except ValueError:
        return address  # clients without an IP address count as a single client
    if not isinstance(ip, IPv6Address):
        return address
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    network = IPv6Network((int(ip), bits), strict=False)
    return str(network.network_address)
