import ATT
import Wire

extension Server {
    func findInformation(_ request: FindInformationRequest) throws(Refusal) -> ServerPDU {
        let found = try attributes(in: request.range)
        guard let first = found.first else { throw Refusal(.attributeNotFound, request.range.first) }
        let width = first.type.shortestCount
        var data: [UInt8] = []
        for attribute in found.prefix(while: { $0.type.shortestCount == width }).prefix((mtu - 2) / (2 + width)) {
            data.append(littleEndian: attribute.handle.rawValue)
            data += attribute.type.littleEndian(octets: width)
        }
        return .findInformation(FindInformationResponse(format: width == 2 ? 0x01 : 0x02, informationData: data))
    }

    func findByTypeValue(_ request: FindByTypeValueRequest) throws(Refusal) -> ServerPDU {
        let found = try attributes(in: request.range).filter { attribute in
            attribute.type == request.attributeType && attribute.value == request.attributeValue
                && attribute.read.refusal(on: link, never: .readNotPermitted) == nil
        }
        guard !found.isEmpty else { throw Refusal(.attributeNotFound, request.range.first) }
        let groups = found.prefix((mtu - 1) / 4).map { HandleRange($0.handle, $0.groupEnd) }
        return .findByTypeValue(FindByTypeValueResponse(groups: groups))
    }

    func readByType(_ request: ReadByTypeRequest) throws(Refusal) -> ServerPDU {
        let list = try valueList(of: request.attributeType, in: request.range, header: 2, longestValue: 253) {
            attribute in
            var header: [UInt8] = []
            header.append(littleEndian: attribute.handle.rawValue)
            return header
        }
        return .readByType(ReadByTypeResponse(length: list.length, attributeData: list.data))
    }

    func readByGroupType(_ request: ReadByGroupTypeRequest) throws(Refusal) -> ServerPDU {
        // Checked before the group type, as the range is invalid whatever is asked for.
        _ = try attributes(in: request.range)
        guard request.groupType == .primaryService || request.groupType == .secondaryService else {
            throw Refusal(.unsupportedGroupType, request.range.first)
        }
        let list = try valueList(of: request.groupType, in: request.range, header: 4, longestValue: 251) { attribute in
            var header: [UInt8] = []
            header.append(littleEndian: attribute.handle.rawValue)
            header.append(littleEndian: attribute.groupEnd.rawValue)
            return header
        }
        return .readByGroupType(ReadByGroupTypeResponse(length: list.length, attributeData: list.data))
    }

    /// The entries of a list response: as many as have the first one's length, may be read, and fit.
    private func valueList(
        of type: BluetoothUUID, in range: HandleRange, header: Int, longestValue: Int,
        writeHeader: (Attribute) -> [UInt8]
    ) throws(Refusal) -> (length: UInt8, data: [UInt8]) {
        let found = try attributes(in: range).filter { $0.type == type }
        guard let first = found.first else { throw Refusal(.attributeNotFound, range.first) }
        if let code = first.read.refusal(on: link, never: .readNotPermitted) { throw Refusal(code, first.handle) }
        let longest = min(longestValue, mtu - 2 - header)
        let count = min(first.value.count, longest)
        var data: [UInt8] = []
        for attribute in found {
            guard min(attribute.value.count, longest) == count, data.count + header + count <= mtu - 2,
                attribute.read.refusal(on: link, never: .readNotPermitted) == nil
            else { break }
            data += writeHeader(attribute) + attribute.value.prefix(count)
        }
        return (UInt8(clamping: header + count), data)
    }

    /// The attributes in a range that a client asks for.
    private func attributes(in range: HandleRange) throws(Refusal) -> ArraySlice<Attribute> {
        guard range.first != .none, !range.isEmpty else { throw Refusal(.invalidHandle, range.first) }
        return table.attributes(in: range)
    }
}
