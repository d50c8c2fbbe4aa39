extension CaptureFormat {
    /// A kind of file, whatever its variant.
    public enum Container: Hashable, Sendable, CaseIterable {
        case btsnoop, packetLogger, pcap, pcapng, h4

        /// How the names of such files end, the usual one first.
        public var endings: [String] {
            switch self {
            case .btsnoop: ["btsnoop", "log", "snoop", "cfa"]
            case .packetLogger: ["pklg"]
            case .pcap: ["pcap", "cap"]
            case .pcapng: ["pcapng", "ntar"]
            case .h4: ["h4", "bin"]
            }
        }

        /// The container of files whose names end so; `nil` where no capture is known by it.
        public init?(ending: String) {
            guard let container = Self.allCases.first(where: { $0.endings.contains(ending.lowercased()) }) else {
                return nil
            }
            self = container
        }
    }

    /// The kind of file.
    public var container: Container {
        switch self {
        case .btsnoop: .btsnoop
        case .packetLogger: .packetLogger
        case .pcap: .pcap
        case .pcapng: .pcapng
        case .h4: .h4
        }
    }

    /// The variant of a container that holds most of what a file of this format tells: the same one where the container is the same.
    public func suited(to container: Container) -> CaptureFormat {
        if container == self.container { return self }
        return switch container {
        case .btsnoop: .btsnoop(isOfMonitor ? .monitor : .h4)
        case .packetLogger: .packetLogger(.big)
        case .pcap: .pcap(suitedLinkType, .little, tellsNanoseconds ? .nanoseconds : .microseconds)
        case .pcapng: .pcapng(suitedLinkType, .little)
        case .h4: .h4
        }
    }

    /// Whether the records are those of the Linux monitor, with adapters and notes.
    private var isOfMonitor: Bool {
        switch self {
        case .btsnoop(let dataLink): dataLink == .monitor
        case .pcap(let linkType, _, _), .pcapng(let linkType, _): linkType == .linuxMonitor
        case .packetLogger, .h4: false
        }
    }

    private var tellsNanoseconds: Bool {
        switch self {
        case .pcap(_, _, let precision): precision == .nanoseconds
        case .pcapng: true
        case .btsnoop, .packetLogger, .h4: false
        }
    }

    /// Directions are made up for nothing that does not tell them.
    private var suitedLinkType: LinkType {
        if isOfMonitor { return .linuxMonitor }
        return switch self {
        case .h4, .pcap(.h4, _, _): .h4
        default: .h4WithDirection
        }
    }
}
