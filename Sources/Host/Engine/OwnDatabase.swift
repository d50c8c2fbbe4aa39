import ATT
import GATT
import Wire

extension AttributeTable {
    /// What peers find on us: the two services that every device has, and nothing else (Core Vol 3, Part C, 12; Part G, 7).
    static func ofHost(named name: String) -> AttributeTable {
        AttributeTable([
            ServiceDefinition(
                .genericAccess,
                [
                    CharacteristicDefinition(.deviceName, .read, value: Array(name.utf8.prefix(248))),
                    // Generic Computer (Assigned Numbers, 2.6).
                    CharacteristicDefinition(.appearance, .read, value: [0x80, 0x00]),
                ]),
            ServiceDefinition(.genericAttribute),
        ])
    }
}
