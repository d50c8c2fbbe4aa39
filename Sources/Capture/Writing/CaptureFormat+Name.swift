/// The names by which a format is asked for: its container, and what differs from the usual behind dashes.
extension CaptureFormat {
    /// `btsnoop`, `pcap-254-ns` …
    public var name: String {
        switch self {
        case .btsnoop(.h1): "btsnoop-h1"
        case .btsnoop(.monitor): "btsnoop-monitor"
        case .btsnoop: "btsnoop"
        case .packetLogger(let order): "packetlogger" + (order == .little ? "-le" : "")
        case .pcap(let linkType, let order, let precision):
            "pcap" + Self.suffix(linkType, order) + (precision == .nanoseconds ? "-ns" : "")
        case .pcapng(let linkType, let order): "pcapng" + Self.suffix(linkType, order)
        case .h4: "h4"
        }
    }

    private static func suffix(_ linkType: LinkType, _ order: ByteOrder) -> String {
        (linkType == .h4WithDirection ? "" : "-\(linkType.rawValue)") + (order == .big ? "-be" : "")
    }

    /// The names' grammar, a container a line.
    public static let names = [
        "btsnoop[-h1|-monitor]", "packetlogger[-le]", "pcap[-187|-254][-be][-ns]", "pcapng[-187|-254][-be]", "h4",
    ]

    /// The format of a name; what is said behind the container may come in any order.
    public init?(name: String) {
        let words = name.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        let traits = words.dropFirst()
        guard let container = words.first, Set(traits).count == traits.count else { return nil }
        var wanted = Traits()
        for trait in traits where !wanted.take(trait) { return nil }
        switch container {
        case "btsnoop": self = .btsnoop(wanted.dataLink ?? .h4)
        case "packetlogger": self = .packetLogger(wanted.order ?? .big)
        case "pcap":
            self = .pcap(
                wanted.linkType ?? .h4WithDirection, wanted.order ?? .little, wanted.precision ?? .microseconds)
        case "pcapng": self = .pcapng(wanted.linkType ?? .h4WithDirection, wanted.order ?? .little)
        case "h4": self = .h4
        default: return nil
        }
        // A trait that the container does not have is in no name.
        guard Traits(of: self).contains(wanted) else { return nil }
    }
}

/// What can be said behind a container's name.
private struct Traits {
    var dataLink: Btsnoop.DataLink?
    var linkType: LinkType?
    var order: ByteOrder?
    var precision: Pcap.Precision?

    init() {}

    /// All that a format has.
    init(of format: CaptureFormat) {
        switch format {
        case .btsnoop(let dataLink): self.dataLink = dataLink
        case .packetLogger(let order): self.order = order
        case .pcap(let linkType, let order, let precision):
            (self.linkType, self.order, self.precision) = (linkType, order, precision)
        case .pcapng(let linkType, let order): (self.linkType, self.order) = (linkType, order)
        case .h4: break
        }
    }

    /// Notes one trait; a second of its kind is refused, and so is what is none.
    mutating func take(_ word: String) -> Bool {
        switch word {
        case "h1": Self.set(&dataLink, .h1)
        case "h4": Self.set(&dataLink, .h4)
        case "monitor": Self.set(&dataLink, .monitor)
        case "187": Self.set(&linkType, .h4)
        case "201": Self.set(&linkType, .h4WithDirection)
        case "254": Self.set(&linkType, .linuxMonitor)
        case "le": Self.set(&order, .little)
        case "be": Self.set(&order, .big)
        case "us": Self.set(&precision, .microseconds)
        case "ns": Self.set(&precision, .nanoseconds)
        default: false
        }
    }

    private static func set<Value>(_ trait: inout Value?, _ value: Value) -> Bool {
        guard trait == nil else { return false }
        trait = value
        return true
    }

    /// Whether what `wanted` asks for is there.
    func contains(_ wanted: Traits) -> Bool {
        (wanted.dataLink == nil || wanted.dataLink == dataLink)
            && (wanted.linkType == nil || wanted.linkType == linkType) && (wanted.order == nil || wanted.order == order)
            && (wanted.precision == nil || wanted.precision == precision)
    }
}
