import AssignedNumbers
import Wire

/// Who made a device (Assigned Numbers, 7.1).
struct CompanyIdentifier: AssignedNumber {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    var name: String? { Names.company(rawValue) }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
    @_lifetime(self: copy self)
    mutating func company(_ name: StaticString, _ value: inout UInt16) throws(WireError) {
        var company = CompanyIdentifier(rawValue: value)
        try number(name, &company)
        value = company.rawValue
    }
}
