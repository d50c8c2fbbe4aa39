import Bonds
import Cryptography
import HCI
import Host
import SMP
import Wire

/// `hr-raw unpair`: forgets the keys of a device.
struct Unpair: Command {
    static let description = CommandDescription(
        "unpair", summary: "Forget the bond with a device", operands: "ADDRESS", operandCount: 1...1,
        options: [.kind],
        discussion: """
            ADDRESS is the device's identity, which 'bonds' shows, the private address that it has just now,
            or its name. The keys are forgotten here; the device keeps its own until it is told otherwise.
            """,
        examples: ["hr-raw unpair F0:F1:F2:F3:F4:01", "hr-raw unpair \"HRM 7\""])

    private let device: DeviceSelector
    private let title: String
    private let kind: AddressKind?
    private let isJSON: Bool

    var follows: Bool { false }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        title = arguments.operands.first ?? ""
        device = try DeviceSelector(title, command: "unpair")
        if device == .any {
            throw UsageError("'any' is no device to forget; 'hr-raw bonds' lists those there are", command: "unpair")
        }
        kind = try arguments.choice(.kind, ["public": AddressKind.public, "random": .random])
        isJSON = arguments.has(.json)
    }

    func run(_ console: Console) async throws {
        let store = try await BondFile.ofUser(console)
        let found = meant(of: try await store.loaded().bonds)
        guard let bond = found.first else {
            throw Failure(
                .unavailable, "there is no bond with \(title.printable)", remedy: "hr-raw bonds lists those there are.")
        }
        guard found.count == 1 else {
            let list = found.map { "\($0.identity)" }.joined(separator: ", ")
            throw Failure(
                .usage, "\(title.printable) is more than one device: \(list)",
                remedy: "Give its address, with --type where there are two of that.")
        }
        // Somebody else may have forgotten it meanwhile, which is just as good.
        _ = try await store.removed(bond.identity)
        if isJSON {
            try console.output.write { octets in JSONWriter.line(to: &octets) { $0.unpaired(bond) } }
        } else {
            try console.output.writeLine("forgotten: \(bond.identity)\(bond.name.map { " " + $0.printable } ?? "")")
        }
    }

    /// The bonds that the operand may mean.
    private func meant(of bonds: [Bond]) -> [Bond] {
        let bonds = bonds.filter { kind == nil || $0.identity.kind == kind }
        switch device {
        case .any: return []
        case .name(let name): return bonds.filter { $0.name == name }
        case .address(let address):
            let identical = bonds.filter { $0.identity.address == address }
            guard identical.isEmpty else { return identical }
            let toolbox = LibcryptoToolbox()
            return bonds.filter { bond in
                bond.identityResolvingKey.map { (try? toolbox.resolves(address, with: $0)) == true } ?? false
            }
        }
    }
}

extension Option {
    fileprivate static let kind = Option("type", value: "KIND", help: "public or random: the kind of ADDRESS")
}
