/// A kind of capture file, with all that is decided once for a file of it.
public enum CaptureFormat: Hashable, Sendable {
    /// btsnoop, as Android, BlueZ and this project write it.
    case btsnoop(Btsnoop.DataLink)
    /// Apple's PacketLogger.
    case packetLogger(ByteOrder)
    /// libpcap's older container.
    case pcap(LinkType, ByteOrder, Pcap.Precision)
    /// libpcap's newer container. A file that was read may have other interfaces besides.
    case pcapng(LinkType, ByteOrder)
    /// Packets as on an H4 line, one behind the other: no times, no directions.
    case h4
}
