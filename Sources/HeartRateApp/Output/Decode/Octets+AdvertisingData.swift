import Dissection
import GAP
import Wire

extension [UInt8] {
    /// Appends what a line has room for of advertising data: name, services, company.
    mutating func appendSummary(ofAdvertisingData data: Span<UInt8>, _ names: NameMemory) {
        let view = AdvertisingDataView(data)
        var offset = 0
        while let structure = view.next(&offset) {
            switch structure.type {
            case .completeLocalName, .shortenedLocalName:
                append(" \"" as StaticString)
                appendText(data.extracting(structure.data))
                append(UInt8(ascii: "\""))
            case .complete16BitServices, .incomplete16BitServices:
                for index in stride(from: structure.data.lowerBound, to: structure.data.upperBound - 1, by: 2) {
                    append(UInt8(ascii: " "))
                    append(upperHexadecimal: data[index + 1])
                    append(upperHexadecimal: data[index])
                }
            case .manufacturerSpecificData where structure.data.count >= 2:
                let company = UInt16(data[structure.data.lowerBound]) | UInt16(data[structure.data.lowerBound + 1]) << 8
                append(" (" as StaticString)
                append(names.company(company) ?? "company 0x" + company.paddedHexadecimal)
                append(UInt8(ascii: ")"))
            default: break
            }
        }
    }

    /// Text that a device sent; what a terminal would act on, and what is no UTF-8, becomes U+FFFD.
    private mutating func appendText(_ text: Span<UInt8>) {
        let isPlain = text.indices.allSatisfy { (0x20..<0x7F).contains(text[$0]) }
        guard isPlain else {
            append(String(decoding: [UInt8](text), as: UTF8.self).printable)
            return
        }
        for index in text.indices { append(text[index]) }
    }
}
