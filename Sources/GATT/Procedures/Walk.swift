public import ATT
import Wire

/// What a walk through a peer's attributes asks for, page by page, and how it reads a page.
public protocol Listing: Hashable, Sendable {
    associatedtype Element: Hashable, Sendable

    /// The request for what lies in a range.
    func request(_ range: HandleRange) -> ClientPDU

    /// The elements in a response, in the order sent.
    func elements(in response: ServerPDU) throws(GATTError) -> [Listed<Element>]
}

/// An element and the handles it takes up, as sent: a range that ends before it starts is possible.
public struct Listed<Element: Hashable & Sendable>: Hashable, Sendable {
    /// The handles that the element takes up.
    public var range: HandleRange
    /// What was listed.
    public var element: Element

    public init(_ range: HandleRange, _ element: Element) {
        self.range = range
        self.element = element
    }
}

/// The one way in which all discovery goes through a range of handles: ask, take the page, go on right behind its
/// last handle, until the peer has nothing more or the range ends (Core Vol 3, Part G, 4.4 to 4.7).
///
/// A page holds elements of one length only, so that one with another width of UUID ends it; the next request starts
/// right behind. Handles must ascend strictly, each behind all that was listed before: what does not is an error, so
/// no peer can keep a walk going.
public struct Walk<Query: Listing>: Procedure {
    /// More requests than this and the peer is leading us on: an honest database of 65,535 attributes needs fewer.
    public static var requestLimit: Int { 4096 }

    let query: Query
    /// What has not been walked yet; `nil` at the end.
    private(set) var remaining: HandleRange?
    private(set) var found: [Query.Element] = []
    private var requests = 0

    public init(_ query: Query, in range: HandleRange = .all) {
        self.query = query
        remaining = range.isEmpty ? nil : range
    }

    public mutating func start() -> Step<[Query.Element]> { next() }

    public mutating func receive(_ outcome: Result<ServerPDU, BearerError>) -> Step<[Query.Element]> {
        switch outcome {
        case .success(let response):
            do {
                try take(response)
                return next()
            } catch {
                return .failed(error)
            }
        case .failure(.refused(_, _, .attributeNotFound)):
            remaining = nil
            return next()
        case .failure(let error):
            return .failed(GATTError(error))
        }
    }

    private mutating func take(_ response: ServerPDU) throws(GATTError) {
        for listed in try query.elements(in: response) {
            guard let range = remaining, range.contains(listed.range.first) else {
                let expected = remaining ?? HandleRange(.last, .none)
                throw .brokeProtocol(pdu: response.opcode, .outOfOrder(listed.range.first, expected: expected))
            }
            remaining = range.after(max(listed.range.first, listed.range.last))
            found.append(listed.element)
        }
    }

    private mutating func next() -> Step<[Query.Element]> {
        guard let remaining else { return .finished(.success(found)) }
        let request = query.request(remaining)
        guard requests < Self.requestLimit else {
            return .broken(request.opcode.response ?? request.opcode, .endless(requests: requests))
        }
        requests += 1
        return .request(request)
    }
}

extension ServerPDU {
    /// Runs a reading of this PDU's content, and makes of its failure the layer's error.
    func reading<Content>(_ read: () throws(WireError) -> Content) throws(GATTError) -> Content {
        do {
            return try read()
        } catch {
            throw .brokeProtocol(pdu: opcode, .malformed(error))
        }
    }

    /// This PDU answers another request.
    var unexpected: GATTError { .brokeProtocol(pdu: opcode, .unexpectedType) }
}
