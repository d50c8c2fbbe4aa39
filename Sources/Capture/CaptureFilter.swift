/// Changes packets before they are written to a capture.
public protocol CaptureFilter: Sendable {
    /// Takes the next packet, its H4 type octet first. The packets of a link come in its order, each once.
    mutating func filter(_ packet: inout [UInt8], _ direction: Record.Direction)
}
