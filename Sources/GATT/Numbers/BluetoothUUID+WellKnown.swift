public import Wire

/// Types of attributes that GATT itself defines (Core Vol 3, Part G, 3 and Assigned Numbers, 3.5).
extension BluetoothUUID {
    public static let primaryService: BluetoothUUID = 0x2800
    public static let secondaryService: BluetoothUUID = 0x2801
    public static let include: BluetoothUUID = 0x2802
    public static let characteristic: BluetoothUUID = 0x2803

    public static let characteristicExtendedProperties: BluetoothUUID = 0x2900
    public static let characteristicUserDescription: BluetoothUUID = 0x2901
    public static let clientCharacteristicConfiguration: BluetoothUUID = 0x2902
    public static let serverCharacteristicConfiguration: BluetoothUUID = 0x2903
    public static let characteristicPresentationFormat: BluetoothUUID = 0x2904
    public static let characteristicAggregateFormat: BluetoothUUID = 0x2905
}

/// Services and characteristics that a heart-rate collector meets (Assigned Numbers, 3.4 and 3.8).
extension BluetoothUUID {
    public static let genericAccess: BluetoothUUID = 0x1800
    public static let deviceName: BluetoothUUID = 0x2A00
    public static let appearance: BluetoothUUID = 0x2A01
    public static let peripheralPreferredConnectionParameters: BluetoothUUID = 0x2A04
    public static let centralAddressResolution: BluetoothUUID = 0x2AA6

    public static let genericAttribute: BluetoothUUID = 0x1801
    public static let serviceChanged: BluetoothUUID = 0x2A05
    public static let clientSupportedFeatures: BluetoothUUID = 0x2B29
    public static let databaseHash: BluetoothUUID = 0x2B2A
    public static let serverSupportedFeatures: BluetoothUUID = 0x2B3A

    public static let deviceInformation: BluetoothUUID = 0x180A
    public static let systemID: BluetoothUUID = 0x2A23
    public static let modelNumber: BluetoothUUID = 0x2A24
    public static let serialNumber: BluetoothUUID = 0x2A25
    public static let firmwareRevision: BluetoothUUID = 0x2A26
    public static let hardwareRevision: BluetoothUUID = 0x2A27
    public static let softwareRevision: BluetoothUUID = 0x2A28
    public static let manufacturerName: BluetoothUUID = 0x2A29
    public static let regulatoryCertificationData: BluetoothUUID = 0x2A2A
    public static let pnpID: BluetoothUUID = 0x2A50

    public static let heartRate: BluetoothUUID = 0x180D
    public static let heartRateMeasurement: BluetoothUUID = 0x2A37
    public static let bodySensorLocation: BluetoothUUID = 0x2A38
    public static let heartRateControlPoint: BluetoothUUID = 0x2A39

    public static let battery: BluetoothUUID = 0x180F
    public static let batteryLevel: BluetoothUUID = 0x2A19
}
