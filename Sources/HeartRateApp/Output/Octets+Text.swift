import Wire

/// Text appended to a buffer of octets, for the paths that write hundreds of thousands of lines.
extension [UInt8] {
    /// The number in decimal, filled up with spaces on the left.
    mutating func append(decimal value: Int, width: Int) {
        var least = 10
        var missing = width - 1
        while missing > 0, value >= least {
            least *= 10
            missing -= 1
        }
        append(spaces: missing)
        append(decimal: Int64(value))
    }

    /// `0x` and the four hexadecimal digits of a handle.
    mutating func append(handle: UInt16) { append(prefixedHexadecimal: UInt64(handle), digits: 4) }

    /// A key of JSON with its quotation marks and colon; `after` another member, a comma before it. In one piece: objects have
    /// many keys.
    mutating func append(key: StaticString, after isNext: Bool) {
        key.withUTF8Buffer { name in
            append(addingCapacity: name.count + 4) { output in
                if isNext { output.append(UInt8(ascii: ",")) }
                output.append(UInt8(ascii: "\""))
                for index in name.indices { unsafe output.append(name[index]) }
                output.append(UInt8(ascii: "\""))
                output.append(UInt8(ascii: ":"))
            }
        }
    }
}
