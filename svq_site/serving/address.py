"""What counts as one client by its address."""

import ipaddress

NETWORK_OF_ONE = 64  # bits: whoever has an IPv6 address usually has 2**64 of them


def counted_as(host: str) -> str:
    """An IPv4 address, or the network of an IPv6 address; any other name as it is."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((int(address), NETWORK_OF_ONE), strict=False))
    return str(address)
