public import ATT
import Wire

/// Lists all attributes in a range by handle and type (Core Vol 3, Part G, 4.7.1).
public struct DescriptorListing: Listing {
    public init() {}

    public func request(_ range: HandleRange) -> ClientPDU { .findInformation(FindInformationRequest(range)) }

    public func elements(in response: ServerPDU) throws(GATTError) -> [Listed<Descriptor>] {
        guard case .findInformation(let pdu) = response else { throw response.unexpected }
        return try response.reading(pdu.entries).map { entry in
            Listed(HandleRange(entry.handle, entry.handle), Descriptor(uuid: entry.type, handle: entry.handle))
        }
    }
}

/// Discovers the descriptors in a range (Core Vol 3, Part G, 4.7.1).
public typealias DiscoverDescriptors = Walk<DescriptorListing>

extension Walk where Query == DescriptorListing {
    /// - Parameter range: from behind a characteristic's value to the characteristic's end
    public init(in range: HandleRange) { self.init(DescriptorListing(), in: range) }
}
