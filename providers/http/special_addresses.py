"""Which IP addresses are of the internet at large. Pure.

The ranges are those of IANA's special-purpose registries, and addresses at which clouds answer their own
machines. They are listed here because Python's `is_global` differs between releases and lets some pass.
"""

import ipaddress

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address

_NOT_PUBLIC_V4 = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # behind a provider's NAT; Alibaba's metadata server is 100.100.100.200
            "127.0.0.0/8",  # this machine
            "168.63.129.16/32",  # Azure's platform server, which hands out certificates and settings
            "169.254.0.0/16",  # of one link; the metadata server of most clouds is 169.254.169.254
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocols of the IETF; Oracle's metadata server was 192.0.0.192
            "192.0.2.0/24",  # for documentation
            "192.31.196.0/24",  # AS112, often answered by a machine nearby
            "192.52.193.0/24",  # AMT relays
            "192.88.99.0/24",  # 6to4 relays, withdrawn
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # for tests of networks
            "198.51.100.0/24",  # for documentation
            "203.0.113.0/24",  # for documentation
            "224.0.0.0/3",  # multicast, reserved, broadcast
        ),
    )
)
_PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")  # all that IANA has given out
_NOT_PUBLIC_V6 = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocols of the IETF, among them Teredo, which wraps an address of IPv4
            "2001:db8::/32",  # for documentation
            "2002::/16",  # 6to4, which wraps an address of IPv4
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # for documentation
        ),
    )
)
# What stands for the address of IPv4 in its last 32 bits: an IPv4 socket of IPv6, and NAT64.
_STANDS_FOR_V4 = tuple(map(ipaddress.IPv6Network, ("::ffff:0:0/96", "64:ff9b::/96")))


def is_public(address: str) -> bool:
    """Whether everybody on the internet reaches the same machine there. No for what is no IP address."""
    try:
        ip: Ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        if ip.scope_id is not None:
            return False
        if not any(ip in network for network in _STANDS_FOR_V4):
            return ip in _PUBLIC_V6 and not any(ip in network for network in _NOT_PUBLIC_V6)
        ip = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    return not any(ip in network for network in _NOT_PUBLIC_V4)
