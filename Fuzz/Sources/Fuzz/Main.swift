// Feeds libFuzzer's inputs to one target:  Fuzz TARGET [options of libFuzzer] [corpus folders]
// `Fuzz --list` prints the targets' names.

import Glibc

/// libFuzzer's driver, which comes with `-sanitize=fuzzer`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What the driver's callback, which cannot carry a context, runs. Written once, before the driver starts.
nonisolated(unsafe) private var chosen: FuzzTarget?

@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        if arguments.dropFirst().first == "--list" {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        guard let target = FuzzTarget.all.first(where: { $0.name == arguments.dropFirst().first }) else {
            print("Usage: Fuzz TARGET [OPTION …] [FOLDER …], where TARGET is one of \(FuzzTarget.all.map(\.name))")
            exit(64)
        }
        chosen = target
        exit(drive([arguments[0]] + arguments.dropFirst(2)))
    }

    private static func drive(_ arguments: [String]) -> CInt {
        var pointers = arguments.map { strdup($0) } + [nil]
        var count = CInt(arguments.count)
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard var base = buffer.baseAddress else { return 1 }
            return runDriver(&count, &base) { octets, count in
                let input = [UInt8](UnsafeBufferPointer(start: octets, count: count))
                do {
                    try chosen?.run(input)
                } catch {
                    // libFuzzer keeps the input of a run that traps.
                    fatalError("\(error)")
                }
                return 0
            }
        }
    }
}
