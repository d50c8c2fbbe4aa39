"""What a record of a capture says, as tshark tells it and as `hr-raw decode --json` does, in the same words.

A reading is a dictionary from the name of a field to its value; a field that the record does not have is absent. Octets are
lower-case hexadecimal text, addresses upper-case with colons, everything else a number. Repeated fields carry their index:
`adv[1].rssi`.
"""
import datetime
import json
import subprocess

LAYERS = 'frame packetlogger hci_h1 hci_h4 hci_mon bthci_cmd bthci_evt bthci_acl bthci_sco bthci_iso btl2cap btatt btsmp'
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
PACKETS = {1: 'command', 2: 'acl', 3: 'sco', 4: 'event', 5: 'iso'}
# What a record of the Linux monitor holds, by its opcode: (packet, is it sent by the host?).
MONITORED = {
    2: ('command', True), 3: ('event', False), 4: ('acl', True), 5: ('acl', False), 6: ('sco', True), 7: ('sco', False),
    18: ('iso', True), 19: ('iso', False),
}
# What a record of PacketLogger holds, by its type; others are notes.
LOGGED = {0: ('command', True), 1: ('event', False), 2: ('acl', True), 3: ('acl', False), 8: ('sco', True), 9: ('sco', False)}
# Signalling and pairing: tshark's name of a field, and ours.
SIGNALING = {
    'btl2cap.min_interval': 'connection_interval_min', 'btl2cap.max_interval': 'connection_interval_max',
    'btl2cap.slave_latency': 'max_latency', 'btl2cap.timeout_multiplier': 'supervision_timeout', 'btl2cap.move_result': 'result', 'btl2cap.le_result': 'result',
    'btl2cap.rej_reason': 'reason', 'btl2cap.le_psm': 'spsm', 'btl2cap.scid': 'source_cid', 'btl2cap.dcid': 'destination_cid',
    'btl2cap.cid': 'cid', 'btl2cap.initial_credits': 'initial_credits', 'btl2cap.credits': 'credits', 'btl2cap.mps': 'mps', 'btl2cap.option_mtu': 'mtu',
}
PAIRING = {
    'btsmp.io_capability': 'io_capability', 'btsmp.oob_data_flags': 'oob_data_flag', 'btsmp.authreq': 'authreq',
    'btsmp.max_enc_key_size': 'maximum_encryption_key_size', 'btsmp.initiator_key_distribution': 'initiator_key_distribution',
    'btsmp.responder_key_distribution': 'responder_key_distribution', 'btsmp.reason': 'reason', 'btsmp.cfm_value': 'value',
    'btsmp.random_value': 'value', 'btsmp.dhkey_check': 'value', 'btsmp.long_term_key': 'value', 'btsmp.id_resolving_key': 'value',
    'btsmp.signature_key': 'value', 'btsmp.ediv': 'ediv', 'btsmp.bd_addr': 'bd_addr', 'btsmp.address_type': 'addrtype',
    'btsmp.public_key_x': 'public_key_x', 'btsmp.public_key_y': 'public_key_y', 'btsmp.notification_type': 'notification_type',
}


def number(text):
    return int(text, 0)


def every(layer, key):
    """All values of a field, in order."""
    value = layer.get(key)
    return [] if value is None else value if isinstance(value, list) else [value]


def octets(layer, key):
    """The octets of a field: a list of texts, one for each time that it occurs."""
    raw = layer.get(key + '_raw')
    return [] if raw is None else [entry[0] for entry in (raw if isinstance(raw[0], list) else [raw])]


class Tshark:
    """tshark's reading of a capture."""

    def __init__(self, path):
        command = ['tshark', '-n', '-r', str(path), '-T', 'json', '--no-duplicate-keys', '-x', '-J', LAYERS]
        result = subprocess.run(command, capture_output=True, check=False)
        # It ends with 2 at damage, after the records before it; the closing bracket is there all the same.
        self.complaint = result.stderr.decode(errors='replace')
        packets = [packet['_source']['layers'] for packet in json.loads(result.stdout or b'[]')]
        self.records = [self.reading(layers) for layers in packets]
        self.number_adapters([layers['frame'].get('frame.interface_id') for layers in packets])

    def number_adapters(self, interfaces):
        """An interface of pcapng that carries HCI is an adapter; we count those alone, and only where there are several."""
        adapters = sorted({place for place, said in zip(interfaces, self.records) if place and 'packet' in said}, key=int)
        for interface, said in zip(interfaces, self.records):
            if len(adapters) > 1 and 'packet' in said:
                said['adapter'] = adapters.index(interface)

    def reading(self, layers):
        # A layer of no octets is told as a text.
        layers = {name: layer if isinstance(layer, (dict, list)) else {} for name, layer in layers.items()}
        said = {}
        self.frame(layers, said)
        if 'bthci_cmd' in layers:
            self.command(layers['bthci_cmd'], said)
        if 'bthci_evt' in layers:
            self.event(layers['bthci_evt'], said)
        if 'bthci_acl' in layers:
            self.data(layers, said)
        for kind in 'sco', 'iso':
            if f'bthci_{kind}.chandle' in layers.get(f'bthci_{kind}', {}):
                said['handle'] = number(layers[f'bthci_{kind}'][f'bthci_{kind}.chandle'])
        return said

    def frame(self, layers, said):
        frame = layers['frame']
        seconds, _, fraction = frame['frame.time_epoch'].partition('.')
        said['time'] = int(seconds) * 1_000_000 + int(fraction[:6]) * (-1 if seconds.startswith('-') else 1)
        if 'hci_mon' in layers:
            opcode = number(every(layers['hci_mon'], 'hci_mon.opcode')[0])
            said['adapter'] = number(every(layers['hci_mon'], 'hci_mon.adapter_id')[0])
            if said['adapter'] == 0xFFFF:
                del said['adapter']
            self.container(MONITORED, opcode, said)
            return
        if 'packetlogger' in layers:
            self.container(LOGGED, number(layers['packetlogger']['packetlogger.type']), said)
            return
        if 'frame.p2p_dir' in frame and frame['frame.p2p_dir'] in '01':
            said['direction'] = 'in' if frame['frame.p2p_dir'] == '1' else 'out'
        if 'hci_h4' in layers and 'hci_h4.type' in layers['hci_h4']:
            kind = PACKETS.get(number(layers['hci_h4']['hci_h4.type']))
            if kind:
                said['packet'] = kind
        else:
            for kind in 'cmd', 'evt', 'acl', 'sco', 'iso':
                if f'bthci_{kind}' in layers:
                    said['packet'] = {'cmd': 'command', 'evt': 'event'}.get(kind, kind)

    @staticmethod
    def container(table, number, said):
        said['packet'], is_sent = table.get(number, ('note', None))
        if is_sent is not None:
            said['direction'] = 'out' if is_sent else 'in'

    def command(self, layer, said):
        if 'bthci_cmd.opcode' in layer:
            said['opcode'] = number(layer['bthci_cmd.opcode'])
        handles = every(layer, 'bthci_cmd.connection_handle')
        if len(handles) == 1:
            said['handle'] = number(handles[0])

    def event(self, layer, said):
        for key, name in {'code': 'event_code', 'opcode': 'opcode', 'le_meta_subevent': 'subevent', 'status': 'status'}.items():
            values = every(layer, f'bthci_evt.{key}')
            if values:
                said[name] = number(values[0])
        handles = every(layer, 'bthci_evt.connection_handle')
        if len(handles) == 1:
            said['handle'] = number(handles[0])
        if said.get('event_code') == 0x05 and 'bthci_evt.reason' in layer:
            said['link.reason'] = number(layer['bthci_evt.reason'])
        if said.get('subevent') in (0x01, 0x0A, 0x29) and said.get('status') == 0:
            said['link.address'] = layer['bthci_evt.bd_addr'].upper()
            said['link.address_type'] = number(layer['bthci_evt.le_peer_address_type'])
            said['link.role'] = number(layer['bthci_evt.role'])
        if said.get('subevent') in (0x01, 0x03, 0x0A, 0x29) and said.get('status') == 0:
            said['link.interval'] = number(layer['bthci_evt.le_con_interval'])
            said['link.latency'] = number(layer['bthci_evt.le_con_latency'])
            said['link.timeout'] = number(layer['bthci_evt.le_supv_timeout'])
        if said.get('subevent') in (0x02, 0x0B, 0x0D):
            self.reports(layer, said)

    def reports(self, layer, said):
        kinds = every(layer, 'bthci_evt.le_advts_event_type') or every(layer, 'bthci_evt.le_ext_advts_event_type')
        data = iter(octets(layer, 'btcommon.eir_ad.advertising_data'))
        columns = {
            'kind': kinds, 'address_type': every(layer, 'bthci_evt.le_peer_address_type'),
            'address': every(layer, 'bthci_evt.bd_addr'), 'rssi': every(layer, 'bthci_evt.rssi'),
            'sid': every(layer, 'bthci_evt.advertising_sid'), 'tx_power': every(layer, 'bthci_evt.tx_power'),
            'length': every(layer, 'bthci_evt.data_length'),
        }
        for index in range(len(kinds)):
            report = {name: values[index] for name, values in columns.items() if index < len(values)}
            for name, value in report.items():
                if name == 'address':
                    said[f'adv[{index}].address'] = value.upper()
                elif name == 'length':
                    said[f'adv[{index}].data'] = next(data, '') if number(value) else ''
                elif (name, number(value)) not in {('rssi', 127), ('tx_power', 127), ('sid', 0xFF), ('address_type', 0xFF)}:
                    said[f'adv[{index}].{name}'] = number(value)

    def data(self, layers, said):
        acl = layers['bthci_acl']
        if 'bthci_acl.chandle' in acl:
            said['handle'] = number(acl['bthci_acl.chandle'])
        l2cap = layers.get('btl2cap', {})
        if 'btl2cap.cid' not in l2cap:
            return
        said['cid'] = number(l2cap['btl2cap.cid'])
        for command in every(l2cap, 'btl2cap.command')[:1]:
            self.signaling(command, said)
        if 'btsmp' in layers:
            self.fields(layers['btsmp'], PAIRING, 'smp', said)
            said['smp.code'] = code = number(layers['btsmp']['btsmp.opcode'])
            if code == 0x07:
                # The only random value that is a number.
                said['smp.rand'] = bytes.fromhex(said.pop('smp.value'))[::-1].hex()
        if 'btatt' in layers:
            self.attribute(layers['btatt'], octets(layers, 'btatt')[0], said)

    def signaling(self, command, said):
        said['signaling.code'] = number(command['btl2cap.cmd_code'])
        said['signaling.identifier'] = number(command['btl2cap.cmd_ident'])
        self.fields(command, SIGNALING, 'signaling', said)

    @staticmethod
    def fields(layer, names, prefix, said):
        for key, name in names.items():
            if key not in layer:
                continue
            value = layer[key]
            if ':' in value:
                value = octets(layer, key)[0] if key != 'btsmp.bd_addr' else value.upper()
            elif value:
                value = number(value) if not (len(value) == 32 and 'key' in key) else value
            said[f'{prefix}.{name}'] = value

    def attribute(self, layer, pdu, said):
        said['att.opcode'] = opcode = number(layer['btatt.opcode'])
        said['att.pdu'] = pdu
        handles = every(layer, 'btatt.handle')
        if opcode == 0x01:
            said['att.error.request'] = number(layer['btatt.req_opcode_in_error'])
            said['att.error.handle'] = number(handles[0])
            said['att.error.code'] = number(layer['btatt.error_code'])
        elif opcode in (0x0A, 0x0C, 0x12, 0x16, 0x17, 0x1B, 0x1D, 0x52, 0xD2):
            said['att.handle'] = number(handles[0])
        elif opcode in (0x0B, 0x0D, 0x13, 0x1E) and handles:
            said['att.requested'] = number(handles[0])
        by_type = (0x06, 0x07, 0x08, 0x09, 0x10, 0x11)
        if opcode in by_type or said.get('att.error.request') in by_type:
            said |= self.attribute_type(layer)
            return
        trees = [tree for tree in every(layer, 'btatt.handle_tree') if isinstance(tree, dict)]
        if len(handles) == 1 and len(trees) == 1:
            said |= self.attribute_type(trees[0])
        self.heart_rate(layer, said)

    @staticmethod
    def attribute_type(tree):
        """The type of an attribute; a service beside it is the one that it belongs to."""
        if 'btatt.uuid16' in tree:
            return {'att.uuid': tree['btatt.uuid16'][2:].upper()}
        if 'btatt.uuid128' in tree:
            return {'att.uuid': tree['btatt.uuid128'].replace(':', '').upper()}
        return {}

    @staticmethod
    def heart_rate(layer, said):
        prefix = 'btatt.heart_rate_measurement.'
        for key in 'value.8', 'value.16':
            if prefix + key in layer:
                said['heart_rate.bpm'] = number(layer[prefix + key])
        if prefix + 'flags' not in layer:
            return
        flags = number(layer[prefix + 'flags'])
        if flags & 4:
            said['heart_rate.contact'] = flags >> 1 & 1
        if prefix + 'energy_expended' in layer:
            said['heart_rate.energy'] = number(layer[prefix + 'energy_expended'])
        intervals = layer.get(prefix + 'rr_intervals')
        if isinstance(intervals, dict):
            said['heart_rate.rr'] = [number(value) for value in every(intervals, prefix + 'rr_interval')]


class Ours:
    """hr-raw's reading of a capture."""

    def __init__(self, program, path, *options):
        result = subprocess.run([program, 'decode', '--json', *options, str(path)], capture_output=True, check=False)
        self.status = result.returncode
        self.complaint = result.stderr.decode()
        self.records = [self.reading(json.loads(line)) for line in result.stdout.splitlines()]

    def reading(self, record):
        said = {}
        for key in 'adapter', 'direction', 'packet', 'opcode', 'event_code', 'subevent', 'status', 'handle', 'cid':
            if key in record:
                said[key] = record[key]
        if 'time' in record and not record['time'].startswith('0000'):
            said['time'] = (datetime.datetime.fromisoformat(record['time']) - EPOCH) // datetime.timedelta(microseconds=1)
        for index, report in enumerate(record.get('adv', [])):
            said |= {f'adv[{index}].{key}': value for key, value in report.items()}
        self.link(record.get('link', {}), said)
        for channel in 'signaling', 'smp':
            said |= {f'{channel}.{key}': value for key, value in record.get(channel, {}).items()}
        if 'att' in record:
            self.attribute(record['att'], said)
        if 'heart_rate' in record:
            self.heart_rate(record['heart_rate'], said)
        return said

    @staticmethod
    def link(link, said):
        if link.get('state') == 'disconnected':
            said['link.reason'] = link['reason']['code']
        if link.get('state') == 'connected':
            said |= {f'link.{key}': link[key] for key in ('address', 'address_type', 'role')}
        if 'interval_ms' in link:
            said['link.interval'] = round(link['interval_ms'] / 1.25)
            said['link.latency'] = link['latency']
            said['link.timeout'] = link['supervision_timeout_ms'] // 10

    @staticmethod
    def attribute(attribute, said):
        said['att.opcode'] = attribute['opcode']
        if 'handle' in attribute:
            said['att.handle'] = attribute['handle']
        if 'requested' in attribute and attribute['opcode'] != 0x01:
            said['att.requested'] = attribute['requested']
        if 'value' in attribute:
            handle = attribute.get('handle')
            prefix = f'{attribute["opcode"]:02x}' + (handle.to_bytes(2, 'little').hex() if handle is not None else '')
            said['att.pdu'] = prefix + attribute['value']
        if 'uuid' in attribute:
            said['att.uuid'] = attribute['uuid'].replace('-', '')
        said |= {f'att.error.{key}': value for key, value in attribute.get('error', {}).items() if key != 'name'}

    @staticmethod
    def heart_rate(measurement, said):
        for key, name in {'bpm': 'bpm', 'contact': 'contact', 'energy_kj': 'energy', 'rr_ticks': 'rr'}.items():
            if measurement.get(key) not in (None, []):
                said[f'heart_rate.{name}'] = int(measurement[key]) if key == 'contact' else measurement[key]
