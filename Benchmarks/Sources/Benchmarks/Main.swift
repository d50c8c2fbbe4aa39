// Measures functions and programs:
//   Benchmarks hot-path CAPTURE            nanoseconds a report, each way, as a ratio to the loop in C; fails beyond 3 ×
//   Benchmarks hot-path CAPTURE WAY TIMES  reads that often and no more, for counting instructions
//   Benchmarks functions                   nanoseconds of what the commands spend their time in
//   Benchmarks peak PROGRAM ARGUMENT …     runs the program, its output thrown away; the most memory that it had, in KiB

import Foundation

@main
enum Main {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch (arguments.popFirst(), arguments.count) {
        case ("hot-path", 1): try HotPath(capture: arguments[2]).compare()
        case ("hot-path", 3):
            guard let way = Way(rawValue: arguments[3]), let times = Int(arguments[4]) else { usage() }
            try HotPath(capture: arguments[2]).read(way, times: times)
        case ("functions", 0): Function.measureAll()
        case ("peak", 1...): print(try peakMemory(of: Array(arguments)))
        default: usage()
        }
    }

    private static func usage() -> Never {
        print("Usage: Benchmarks hot-path CAPTURE [WAY TIMES] | functions | peak PROGRAM [ARGUMENT …]")
        exit(64)
    }
}
