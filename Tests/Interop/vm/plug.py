#!/usr/bin/env python3
"""Plugs a virtual adapter into this machine's kernel; its controller is served as H4 over TCP.

    plug.py HOST:PORT

Prints `plugged` once the kernel has it. The adapter is pulled out when the program ends.
"""
import errno
import os
import select
import socket
import sys

VENDOR_PACKET, CREATE_DEVICE = 0xFF, 0x00
# Offset and size of the length field, by packet type (Core Vol 4, Part E, 5.4).
LENGTH_FIELDS = {1: (3, 1), 2: (3, 2), 3: (3, 1), 4: (2, 1), 5: (3, 2)}


def packets(stream):
    """Takes the whole packets from the front of the stream; /dev/vhci wants one a write."""
    while stream:
        offset, size = LENGTH_FIELDS[stream[0]]
        if len(stream) < offset + size:
            return
        end = offset + size + int.from_bytes(stream[offset:offset + size], 'little')
        if len(stream) < end:
            return
        yield bytes(stream[:end])
        del stream[:end]


def deliver(adapter, packet):
    try:
        os.write(adapter, packet)
    except OSError as error:
        # The kernel has just taken the adapter down and listens no more.
        if error.errno != errno.ENXIO:
            raise


def main():
    host, _, port = sys.argv[1].rpartition(':')
    controller = socket.create_connection((host, int(port)))
    controller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    adapter = os.open('/dev/vhci', os.O_RDWR)
    os.write(adapter, bytes([VENDOR_PACKET, CREATE_DEVICE]))
    stream = bytearray()
    while True:
        ready, _, _ = select.select([adapter, controller], [], [])
        if adapter in ready:
            packet = os.read(adapter, 4096)
            if packet[0] == VENDOR_PACKET:
                print('plugged', flush=True)
            else:
                controller.sendall(packet)
        if controller in ready:
            octets = controller.recv(65536)
            if not octets:
                return
            stream += octets
            for packet in packets(stream):
                deliver(adapter, packet)


main()
