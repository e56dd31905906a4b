"""Switch off what a virtual interface does in place of frames: a segment of 64 KiB passes any limit of rate at once."""

from __future__ import annotations

import array
import contextlib
import fcntl
import socket
import struct
from collections.abc import Sequence

_ETHTOOL = 0x8946
_SET = {"rx checksums": 0x15, "tx checksums": 0x17, "scatter-gather": 0x19, "tso": 0x1F, "gso": 0x24, "gro": 0x2C}


def switch_off(devices: Sequence[str]) -> None:
    """Every offload of these devices that can be switched off; one that cannot stays."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for device in devices:
            for command in _SET.values():
                value = array.array("B", struct.pack("II", command, 0))
                request = struct.pack("16sP", device.encode(), value.buffer_info()[0])
                with contextlib.suppress(OSError):
                    fcntl.ioctl(any_socket.fileno(), _ETHTOOL, request)
