import Bonds
import HCI
import Host
import SMP

/// `hr-raw bonds`: lists whom hr-raw is bonded with, and takes bonds over from BlueZ.
struct BondsCommand: Command {
    static let description = CommandDescription(
        "bonds", summary: "List the bonds with devices, or take over those of the system", operands: "[DIR]",
        operandCount: 0...1, options: [.importing],
        discussion: """
            Lists the devices that 'pair', 'connect' and 'gatt' have bonded with. Keys are never shown.

            --import takes over what bluetoothd has paired over Bluetooth LE with any adapter of this machine,
            so that it need not be paired again; DIR is where it keeps it, if not \(BlueZStorage.usualPath).
            Only root may read that. A device that hr-raw has a bond with already keeps that one. Where a file
            cannot be read, the others are taken over; the status is then 65.
            """,
        examples: ["hr-raw bonds", "sudo hr-raw bonds --import", "hr-raw bonds --json"])

    /// Where to take bonds over from; `nil` where they are only listed.
    private let source: String?
    private let isJSON: Bool

    var follows: Bool { false }

    init(_ arguments: ParsedArguments) throws(UsageError) {
        isJSON = arguments.has(.json)
        source = arguments.has(.importing) ? arguments.operands.first ?? BlueZStorage.usualPath : nil
        if source == nil, let folder = arguments.operands.first {
            throw UsageError("'\(folder)' is one operand too many without --import", command: "bonds")
        }
    }

    func run(_ console: Console) async throws {
        if let source { return try await importBonds(from: source, console) }
        let bonds = try await BondFile.ofUser(console).loaded().bonds
        if bonds.isEmpty { console.messages.note("no bonds: hr-raw pair ADDRESS makes one") }
        for bond in bonds.sorted(by: { $0.identity < $1.identity }) { try show(bond, console) }
    }

    private func show(_ bond: Bond, _ console: Console) throws(OutputError) {
        if isJSON {
            try console.output.write { octets in JSONWriter.line(to: &octets) { $0.bond(bond) } }
        } else {
            try console.output.writeLine(bond.text(console.style))
        }
    }

    // MARK: Taking over

    private func importBonds(from source: String, _ console: Console) async throws {
        let findings = try findings(in: source)
        for fault in findings.faults { console.messages.warning(fault) }
        for reason in findings.passedOver { console.messages.note(reason) }
        let store = try await BondFile.ofUser(console)
        let known = try await store.loaded()
        let (old, new) = findings.bonds.reduce(into: ([Bond](), [Bond]())) { lists, bond in
            if known[bond.identity] != nil { lists.0.append(bond) } else { lists.1.append(bond) }
        }
        for bond in old {
            console.messages.note(
                "\(bond.identity.address): hr-raw has a bond with it already; hr-raw unpair \(bond.identity.address) forgets that"
            )
        }
        if !new.isEmpty { try await store.taken(new, ownKey: findings.ownKey) }
        for bond in try await store.loaded().bonds where new.contains(where: { $0.identity == bond.identity }) {
            try show(bond, console)
        }
        if new.isEmpty { console.messages.note("nothing new to take over") }
        if !findings.faults.isEmpty { throw ExitStatus.badInput }
    }

    private func findings(in source: String) throws(Failure) -> BlueZStorage.Findings {
        do throws(BondStoreError) {
            let findings = try BlueZStorage(path: source).read()
            guard findings.hasAdapters else {
                throw BondStoreError(.system, "'\(source)' holds no adapter's folder, such as BlueZ makes")
            }
            return findings
        } catch {
            guard error.kind != .notPermitted else {
                let folder = source == BlueZStorage.usualPath ? "" : " '\(source)'"
                throw Failure(.noPermission, error.reason, remedy: "sudo hr-raw bonds --import\(folder)")
            }
            throw Failure(.badInput, error.reason)
        }
    }
}

extension Option {
    fileprivate static let importing = Option("import", help: "take over the bonds of bluetoothd (needs root)")
}
