import ATT
import Capture
import GATT
import Wire

/// The ATT traffic of one link: both ends may be client and server at once (Core Vol 3, Part F, 3.3).
struct Conversation: Hashable, Sendable {
    /// What the peer serves. Survives the link: a peer is known again, and not always asked again.
    var peer = AttributeMap()
    /// What the captured host serves.
    var host = AttributeMap()
    /// The larger PDUs that both ends agreed on; 23 until then (Core Vol 3, Part F, 3.4.2).
    private(set) var mtu: UInt16?

    private var toPeer = Exchange()
    private var toHost = Exchange()

    /// The request that a client waits on, and what its response will be about.
    private struct Exchange: Hashable, Sendable {
        var request: Opcode?
        var handle: Handle?
        var type: BluetoothUUID?
        var searched: [UInt8] = []
        var offset: Int?
        var written: [UInt8]?
        /// The attribute whose indication waits for its confirmation.
        var indicated: Handle?
        var clientMTU: UInt16 = 23
    }

    /// Takes one PDU in and says what it is about.
    ///
    /// - Parameter sender: `nil` counts as the peer: a stream without directions is usually one that a controller sent.
    mutating func receive(_ pdu: ArraySlice<UInt8>, from sender: Record.Direction?) -> AttributePDU? {
        guard let any = AnyPDU(pdu.span) else { return nil }
        let sentByPeer = sender != .sent
        let server: AttributePDU.Server = any.opcode.isFromClient == sentByPeer ? .host : .peer
        var attribute = AttributePDU(
            opcode: any.opcode, handle: any.handle, value: pdu.dropFirst(any.valueOffset), server: server)
        if server == .peer {
            Self.advance(&toPeer, &peer, &mtu, pdu, &attribute)
        } else {
            Self.advance(&toHost, &host, &mtu, pdu, &attribute)
        }
        return attribute
    }

    private static func advance(
        _ exchange: inout Exchange, _ map: inout AttributeMap, _ mtu: inout UInt16?, _ pdu: ArraySlice<UInt8>,
        _ attribute: inout AttributePDU
    ) {
        switch attribute.opcode.kind {
        case .request:
            exchange = Exchange(
                request: attribute.opcode, handle: attribute.handle, indicated: exchange.indicated,
                clientMTU: exchange.clientMTU)
            noteDetails(of: pdu, in: &exchange)
            attribute.attributeType = exchange.type
        case .response:
            guard answers(pdu, attribute.opcode, exchange) else { break }
            attribute.requested = exchange.handle
            attribute.attributeType = exchange.type
            if attribute.opcode == .readBlobResponse { attribute.offset = exchange.offset }
            if attribute.opcode == .writeResponse { attribute.written = exchange.written }
            learn(from: pdu, attribute.opcode, exchange, &map, &mtu)
            exchange.request = nil
        case .indication: exchange.indicated = attribute.handle
        case .confirmation:
            attribute.requested = exchange.indicated
            exchange.indicated = nil
        case .command, .notification: break
        }
        // What is asked for by type is about no one attribute.
        guard let subject = attribute.handle ?? attribute.requested else { return }
        attribute.attributeType = map.types[subject]
        attribute.isTypeOfEarlierLink = map.isOfEarlierLink(subject)
        if attribute.attributeType == .clientCharacteristicConfiguration {
            attribute.configured = map.characteristic(ofDescriptor: subject)
        }
    }

    private static func answers(_ pdu: ArraySlice<UInt8>, _ opcode: Opcode, _ exchange: Exchange) -> Bool {
        guard let request = exchange.request else { return false }
        if opcode == .errorResponse { return pdu.dropFirst().first == request.rawValue }
        return request.response == opcode
    }

    /// What of a request its response will not repeat.
    private static func noteDetails(of pdu: ArraySlice<UInt8>, in exchange: inout Exchange) {
        guard let request = try? ClientPDU(decoding: [UInt8](pdu)) else { return }
        switch request {
        case .exchangeMTU(let request): exchange.clientMTU = request.clientRxMTU
        case .readByType(let request): exchange.type = request.attributeType
        case .readByGroupType(let request): exchange.type = request.groupType
        case .findByTypeValue(let request):
            exchange.type = request.attributeType
            exchange.searched = request.attributeValue
        case .readBlob(let request): exchange.offset = Int(request.offset)
        case .write(let request): exchange.written = request.value
        default: break
        }
    }

    private static func learn(
        from pdu: ArraySlice<UInt8>, _ opcode: Opcode, _ exchange: Exchange, _ map: inout AttributeMap,
        _ mtu: inout UInt16?
    ) {
        // Most responses teach nothing; those are not worth decoding.
        switch opcode {
        case .exchangeMTUResponse, .findInformationResponse, .findByTypeValueResponse, .readByTypeResponse,
            .readByGroupTypeResponse:
            break
        case .readResponse:
            if let handle = exchange.handle { map.learnDeclaration([UInt8](pdu.dropFirst()).span, at: handle) }
            return
        default: return
        }
        switch try? ServerPDU(decoding: [UInt8](pdu)) {
        case .exchangeMTU(let response): mtu = max(23, min(exchange.clientMTU, response.serverRxMTU))
        case .findInformation(let response):
            for entry in (try? response.entries()) ?? [] { map.learn(entry.type, of: entry.handle) }
        case .findByTypeValue(let response):
            guard let uuid = BluetoothUUID(littleEndian: exchange.searched.span), let type = exchange.type else {
                return
            }
            guard type == .primaryService || type == .secondaryService else { return }
            for group in (try? response.groups()) ?? [] {
                map.learnService(uuid, group, isPrimary: type == .primaryService)
            }
        case .readByGroupType(let response):
            for entry in (try? response.entries()) ?? [] {
                guard let uuid = BluetoothUUID(littleEndian: entry.value.span) else { continue }
                map.learnService(uuid, entry.range, isPrimary: exchange.type != .secondaryService)
            }
        case .readByType(let response):
            guard let type = exchange.type else { return }
            for entry in (try? response.entries()) ?? [] {
                map.learn(type, of: entry.handle)
                map.learnDeclaration(entry.value.span, at: entry.handle)
            }
        default: return
        }
    }
}
