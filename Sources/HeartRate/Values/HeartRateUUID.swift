public import Wire

/// The services and characteristics of a heart-rate sensor (Heart Rate Profile 1.0, 3; Assigned Numbers, 3.4 and 3.8).
public enum HeartRateUUID {
    public static let heartRateService: BluetoothUUID = 0x180D
    public static let measurement: BluetoothUUID = 0x2A37
    public static let bodySensorLocation: BluetoothUUID = 0x2A38
    public static let controlPoint: BluetoothUUID = 0x2A39

    public static let batteryService: BluetoothUUID = 0x180F
    public static let batteryLevel: BluetoothUUID = 0x2A19

    public static let deviceInformationService: BluetoothUUID = 0x180A
    public static let manufacturerName: BluetoothUUID = 0x2A29
    public static let modelNumber: BluetoothUUID = 0x2A24
    public static let serialNumber: BluetoothUUID = 0x2A25
    public static let hardwareRevision: BluetoothUUID = 0x2A27
    public static let firmwareRevision: BluetoothUUID = 0x2A26
    public static let softwareRevision: BluetoothUUID = 0x2A28
    public static let systemID: BluetoothUUID = 0x2A23
    public static let pnpID: BluetoothUUID = 0x2A50
}
