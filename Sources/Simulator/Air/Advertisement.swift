import HCI
import Wire

/// One advertising event, as it reaches the host's antenna.
struct Advertisement: Hashable, Sendable {
    /// The device's place in the air.
    var device: Int
    var sender: DeviceAddress
    var form: AdvertiserPlan.Form
    var data: [UInt8]
    /// What an active scanner gets on top.
    var scanResponse: [UInt8]
    /// In dBm.
    var level: Int8

    var isConnectable: Bool {
        switch form {
        case .connectable, .directed: true
        case .scannable, .nonConnectable, .extended: false
        }
    }
    var isScannable: Bool { form == .connectable || form == .scannable }
}
