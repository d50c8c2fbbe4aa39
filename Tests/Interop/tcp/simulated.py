"""hr-raw's simulator, and bumble's host on it."""
import asyncio
import contextlib
import signal
import tempfile
import unittest

from bumble import hci
from bumble.device import Device
from bumble.host import Host
from bumble.transport import open_transport

from harness import PATIENCE, Run

STRAP = 'C0:00:5E:00:53:01'
HOST = 'F0:F1:F2:F3:F4:F5'


class SimulatedCase(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.home = self.enterContext(tempfile.TemporaryDirectory())

    @contextlib.asynccontextmanager
    async def host(self, scenario, **settings):
        """bumble's host on a simulated controller, with these attributes before it begins."""
        simulator = Run(self.home, 'simulate', '--tcp', '0', '--scenario', scenario)
        self.addCleanup(simulator.kill)
        place = simulator.until(lambda line: line.startswith('tcp:'))
        async with asyncio.timeout(PATIENCE), await open_transport('tcp-client:' + place.removeprefix('tcp:')) as transport:
            device = Device(name='host', address=hci.Address(HOST), host=Host(transport.source, transport.sink))
            for name, value in settings.items():
                setattr(device, name, value)
            await device.power_on()
            yield device
        simulator.signal(signal.SIGTERM)
        self.assertEqual(simulator.end(), 0, simulator.errors)

    async def find(self, device, is_wanted, **scan):
        """Scans until something wanted is heard."""
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            if is_wanted(advertisement) and not found.done():
                found.set_result(advertisement)
        device.on('advertisement', heard)
        await device.start_scanning(active=True, **scan)
        advertisement = await found
        await device.stop_scanning()
        device.remove_listener('advertisement', heard)
        return advertisement
