public import HCI
public import Wire

/// What is known of a device from all its advertisements and scan responses so far.
public struct Device: Hashable, Sendable {
    /// How many entries each list keeps. A device that sends ever new ones loses its oldest.
    public static let longestList = 16

    /// Address and kind together: what tells devices apart.
    public let address: DeviceAddress

    /// The complete name where one came, else a shortened one.
    public private(set) var name: String?
    /// How the device can be found.
    public private(set) var flags: ADFlags?
    /// The services that the device offers, in the order in which they became known.
    public private(set) var services: [BluetoothUUID] = []
    /// What services sent last.
    public private(set) var serviceData: [ServiceData] = []
    /// What companies sent last.
    public private(set) var manufacturerData: [ManufacturerData] = []
    /// What the device looks like (Assigned Numbers, 2.6).
    public private(set) var appearance: UInt16?
    /// Power at the antenna in dBm.
    public private(set) var txPower: Int8?
    /// Strength of the last advertisement in dBm; `nil` where the controller did not know.
    public private(set) var rssi: Int8?
    /// Whether the device could be connected to when it last said so.
    public private(set) var isConnectable: Bool?
    /// When the first report came since the device was last forgotten.
    public private(set) var firstSeen: Moment
    /// When the last report came.
    public private(set) var lastSeen: Moment
    /// How many reports there were.
    public private(set) var reports = 0

    private var nameIsComplete = false
    /// What was sent last, to save reading again what most devices repeat for hours.
    private var lastAdvertisement: [UInt8]?
    private var lastScanResponse: [UInt8]?

    init(_ address: DeviceAddress, at now: Moment) {
        self.address = address
        firstSeen = now
        lastSeen = now
    }

    /// Whether the device lists a service, or sends data for it.
    public func offers(_ service: BluetoothUUID) -> Bool {
        services.contains(service) || serviceData.contains { $0.service == service }
    }

    /// Whether the device offers the Heart Rate Service.
    public var isHeartRateSensor: Bool { offers(0x180D) }

    /// Takes in what an advertisement says; what it does not speak of stays as it was.
    mutating func record(_ advertisement: Advertisement, at now: Moment) {
        lastSeen = now
        reports += 1
        rssi = advertisement.rssi
        txPower = advertisement.txPower ?? txPower
        isConnectable = advertisement.kind.isConnectable ?? isConnectable
        let data = advertisement.data
        if advertisement.kind.isScanResponse {
            guard lastScanResponse != data else { return }
            lastScanResponse = data
        } else {
            guard lastAdvertisement != data else { return }
            lastAdvertisement = data
        }
        record(AdvertisingData(decoding: data))
    }

    private mutating func record(_ data: AdvertisingData) {
        for value in data.values {
            switch value {
            case .flags(let flags): self.flags = flags
            case .name(let text, let isComplete): record(name: text, isComplete: isComplete)
            case .services(let list): for uuid in list.uuids { services.remember(uuid) { $0 == uuid } }
            case .serviceData(let data, _): serviceData.remember(data) { $0.service == data.service }
            case .manufacturer(let data): manufacturerData.remember(data) { $0.company == data.company }
            case .appearance(let number): appearance = number
            case .txPower(let power): txPower = power
            default: break
            }
        }
    }

    /// An empty name says nothing, and a shortened one nothing new after a complete one.
    private mutating func record(name: String, isComplete: Bool) {
        guard !name.isEmpty, isComplete || !nameIsComplete else { return }
        self.name = name
        nameIsComplete = isComplete
    }
}

extension Array {
    /// Puts `element` in the place of the one that is the same thing, else at the end; the first makes room.
    fileprivate mutating func remember(_ element: Element, replacing isSame: (Element) -> Bool) {
        if let place = firstIndex(where: isSame) {
            self[place] = element
            return
        }
        if count >= Device.longestList { removeFirst() }
        append(element)
    }
}
