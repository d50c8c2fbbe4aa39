#!/usr/bin/env python3
"""Virtual heart-rate straps, and the virtual controller through which a host under test reaches them.

    straps.py TRANSPORT [--straps N] [--rate HZ] [--lose-after S] [--without-list]
              [--attributes usual|service-changed|constant] [--front] [--move-after S] [--mtu OCTETS] [--address XX:XX:XX:XX:XX:XX]

TRANSPORT is where the host finds its controller:
    tcp-server:127.0.0.1:9000   H4 over TCP; port 0 takes any free one
    pty:/tmp/strap              H4 over a pseudo-terminal, to which this path is then a link
    vhci                        an adapter of this machine's kernel (as root, with hci_vhci)

Prints `controller PLACE` (the address and port, the pty's path, or `vhci`) and, once all straps advertise, `ready`.

What such a strap is, strap.py says.
"""
import argparse
import asyncio
import logging
import os

from strap import Strap
from virtual_link import HostController, Link


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('transport')
    parser.add_argument('--straps', type=int, default=1)
    parser.add_argument('--rate', type=float, default=1.0, help='notifications a second')
    parser.add_argument('--lose-after', type=float, help='seconds after which a strap loses each of its links')
    parser.add_argument(
        '--without-list', action='store_true',
        help='the filter accept list takes every command and does nothing, as in bumble itself',
    )
    parser.add_argument(
        '--attributes', choices=['usual', 'service-changed', 'constant'], default='usual',
        help='of the Generic Attribute service: bumble\'s own, with a Database Hash; Service Changed alone; nothing',
    )
    parser.add_argument('--mtu', type=int, default=517, help='the longest ATT PDU that a strap takes, in octets')
    parser.add_argument('--front', action='store_true', help='a service more, in front of the heart rate')
    parser.add_argument('--move-after', type=float, help='seconds of measurements after which such a service is put there')
    parser.add_argument('--address', default='AA:BB:CC:DD:EE:FF', help='public address of the controller')
    options = parser.parse_args()
    link = Link()
    controller = await HostController.at(options.transport, link, options.address)
    controller.heeds_filter_accept_list = not options.without_list
    straps = [
        Strap(link, number, options.attributes, options.front, options.mtu) for number in range(1, options.straps + 1)
    ]
    for strap in straps:
        if options.lose_after is not None:
            strap.lose_links(options.lose_after)
        await strap.advertise()
    print('ready', flush=True)
    tasks = [strap.notify(options.rate) for strap in straps]
    if options.move_after is not None:
        tasks += [strap.move(options.move_after) for strap in straps]
    await asyncio.gather(*tasks)


logging.basicConfig(level=os.environ.get('BUMBLE_LOGLEVEL', 'WARNING').upper())
asyncio.run(main())
