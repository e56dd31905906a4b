"""The promises that words of variants make in several families; ``execution/data_path.py`` holds launches to them."""

from __future__ import annotations

from msgauge.model import Carrier, Promise, WaitMode

BY_TCP = Promise(Carrier.TCP)
IN_SHARED_MEMORY = Promise(Carrier.SHARED_MEMORY)
BY_SPINNING = Promise(wait_modes=(WaitMode.SPINS,))
BY_YIELDING = Promise(wait_modes=(WaitMode.YIELDS,))
